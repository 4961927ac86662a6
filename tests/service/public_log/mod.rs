//! The public log of games, read as any client reads it: checkpoints, tiles, entries, and the places of
//! games.

mod aics;
mod foreign;
mod included;
mod pushed;
mod tlog_proof;
pub(crate) mod tree;
mod witnesses;

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use self::tree::{Head, head, root};
use crate::harness::{Backend, Client, Service, backends, out, postgres, soon, sqlite};

/// The log is named after the test key.
const KEY: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";

#[track_caller]
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value}"))
}

/// Returns the checkpoint once the log has this many entries.
pub(crate) fn grown(service: &Service, size: u64) -> String {
    let mut found = 0;
    let checkpoint = soon(20, || {
        let checkpoint = service.stranger().get("/log/checkpoint");
        assert_eq!(checkpoint.status, 200, "{}", checkpoint.text);
        found = head(&checkpoint.text).size;
        assert!(found <= size, "{found} of {size}");
        (found == size).then_some(checkpoint.text)
    });
    checkpoint.unwrap_or_else(|| panic!("{found} of {size}"))
}

/// Returns all entries of a log of this size, checked against its tiles and its root.
fn entries(service: &Service, at: &Head) -> Vec<[u8; 32]> {
    let mut entries = Vec::new();
    for first in (0..at.size).step_by(256) {
        let (tile, width) = (first / 256, (at.size - first).min(256));
        let place = if width == 256 { format!("{tile:03}") } else { format!("{tile:03}.p/{width}") };
        let bundle = service.stranger().get(&format!("/log/tile/entries/{place}"));
        assert_eq!((bundle.status, bundle.header("content-type")), (200, Some("application/octet-stream")));
        assert_eq!(bundle.header("cache-control"), Some("public, max-age=31536000, immutable"));
        let found: Vec<[u8; 32]> = bundle
            .bytes
            .chunks(34)
            .map(|entry| {
                assert_eq!(entry[..2], [0, 32]);
                entry[2..].try_into().unwrap()
            })
            .collect();
        assert_eq!(found.len() as u64, width);
        let hashes = service.stranger().get(&format!("/log/tile/0/{place}"));
        let expected: Vec<u8> = found.iter().flat_map(|entry| tree::leaf(entry)).collect();
        assert_eq!(hashes.bytes, expected);
        entries.extend(found);
    }
    assert_eq!(root(&entries), at.root);
    entries
}

/// Returns the places of a game, each checked against the entries of the log and the opening.
fn places(client: &Client<'_>, id: &str, entries: &[[u8; 32]]) -> Vec<(String, u64)> {
    let inclusion = client.get(&format!("/v1/games/{id}/inclusion"));
    assert_eq!(inclusion.status, 200, "{}", inclusion.text);
    let inclusion = inclusion.json();
    let listed = inclusion["entries"].as_array().unwrap().iter();
    listed
        .map(|entry| {
            let (salt, receipt) = (hex::decode(text(&entry["salt"])).unwrap(), text(&entry["receipt"]));
            let opened: [u8; 32] =
                Sha256::new_with_prefix([5]).chain_update(&salt).chain_update(receipt).finalize().into();
            assert_eq!(hex::encode(opened), text(&entry["entry"]));
            let position = entry["position"].as_u64().unwrap();
            assert_eq!(entries[position as usize], opened);
            let moment = text(&entry["moment"]).to_owned();
            let is_of_game = receipt.contains(&format!("\ngame {id}\n"));
            assert!(is_of_game && receipt.contains("\nply 0\n") == (moment == "start"), "{receipt}");
            // The same as in the signed receipt.
            let ply = receipt.lines().find_map(|line| line.strip_prefix("ply ")).unwrap();
            let signed = client.get(&format!("/v1/games/{id}/receipt?ply={ply}")).text;
            assert!(signed.starts_with(&format!("{receipt}\n")), "{signed}");
            (moment, position)
        })
        .collect()
}

/// Returns games in every state with an entry or none. Each comes with a client who may see it and its number
/// of entries.
fn scene<'a>(service: &'a Service, backend: &Backend) -> Vec<(String, Client<'a>, usize)> {
    let mut games = Vec::new();
    let mut add = |wanted: Value, entries| {
        let (id, mut players) = service.seated(wanted);
        games.push((id, players.remove(0), entries));
    };
    add(json!({"ruleset": "marrakech/1", "seats": ["open", "random"]}), 1);
    add(json!({"ruleset": "marrakesh/1", "seats": ["open", "solitaire-ai"], "visibility": "unlisted"}), 1);
    add(json!({"ruleset": "marrakech/1", "seats": ["random", "random"]}), 2);
    add(json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}), 2);
    let (id, player, _) = &games[3];
    assert_eq!(player.play(id, 1, "!resign").status, 201);
    let player = service.player();
    let (seats, code) = (["open", "solitaire-ai"], "rosewater");
    let wanted =
        json!({"ruleset": "marrakesh/1", "seats": seats, "visibility": "private", "join_code": code});
    let id = text(&player.post("/v1/games", wanted).json()["id"]).to_owned();
    let taken = player.put(&format!("/v1/games/{id}/seats/1"), json!({"join_code": code}));
    assert_eq!(taken.status, 201, "{}", taken.text);
    games.push((id, player, 1));
    // Taken down: its entry stays, but is not linked to it.
    let (id, _) = service.game(2, json!({}));
    out(&backend.take_down(&id, "a reason"));
    // Open, and imported.
    let player = service.player();
    player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    assert_eq!(service.stranger().post_text("/v1/imports", record).status, 201);
    games
}

/// The number of entries of the scene: those of its games, and the one of the game taken down.
const OF_SCENE: u64 = 8;

#[test]
fn every_start_and_every_end_of_a_game_that_was_played_here_is_in_the_log_once_and_the_game_shows_where() {
    for backend in backends() {
        let before = {
            let service = Service::start(&backend);
            let nothing = service.stranger().get("/log/checkpoint").text;
            assert_eq!(head(&nothing), Head { size: 0, root: Sha256::digest([]).into() });
            let games = scene(&service, &backend);
            let checkpoint = grown(&service, OF_SCENE);
            let entries = entries(&service, &head(&checkpoint));
            let mut taken = BTreeSet::new();
            for (id, client, count) in &games {
                let places = places(client, id, &entries);
                assert_eq!(places.len(), *count, "{places:?}");
                assert!(places.into_iter().all(|(_, position)| taken.insert(position)));
            }
            assert_eq!(taken.len() as u64, OF_SCENE - 1);
            let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
            let imported = service.stranger().post_text("/v1/imports", record);
            assert_eq!(imported.status, 200, "there already");
            let imported = text(&imported.json()["id"]).to_owned();
            let refused = service.stranger().get(&format!("/v1/games/{imported}/inclusion"));
            assert_eq!(refused.problem(), "receipt_not_found");
            // Killed in the middle.
            (checkpoint, entries, games.into_iter().map(|(id, ..)| id).next().unwrap())
        };
        // It continues from there.
        let service = Service::start(&backend);
        assert_eq!(service.stranger().get("/log/checkpoint").text, before.0);
        let (id, players) = service.game(2, json!({}));
        assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
        let after = head(&grown(&service, OF_SCENE + 2));
        let now = entries(&service, &after);
        assert_eq!(now[..OF_SCENE as usize], before.1);
        assert_eq!(places(&service.stranger(), &id, &now).len(), 2);
        assert_eq!(places(&service.stranger(), &before.2, &now).len(), 1);
    }
}

/// Returns a finished game and a running one, whose three entries are in the log.
fn ended_and_running(service: &Service) -> (String, String) {
    let (ended, players) = service.game(2, json!({}));
    assert_eq!(players[0].play(&ended, 1, "!resign").status, 201);
    let (running, _) = service.game(2, json!({}));
    grown(service, 3);
    (ended, running)
}

/// Writes a file and returns its path.
fn saved(folder: &TempDir, name: &str, text: &str) -> String {
    let file = folder.path().join(name);
    fs::write(&file, text).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn several_processes_write_one_log() {
    let Some(backend) = postgres() else { return };
    let services = [Service::start(&backend), Service::start(&backend), Service::start(&backend)];
    let games: Vec<(String, usize)> = (0..90)
        .map(|n| {
            let service = &services[n % 3];
            let wanted = json!({"ruleset": "marrakech/1", "seats": ["random", "random"]});
            let seats = if n % 2 == 0 {
                wanted
            } else {
                json!({"ruleset": "marrakech/1", "seats": ["open", "random"]})
            };
            (service.seated(seats).0, 2 - n % 2)
        })
        .collect();
    let size = games.iter().map(|(_, entries)| *entries as u64).sum();
    let checkpoint = grown(&services[0], size);
    for service in &services {
        assert_eq!(grown(service, size), checkpoint);
    }
    let entries = entries(&services[1], &head(&checkpoint));
    assert_eq!(entries.iter().collect::<BTreeSet<_>>().len() as u64, size);
    for (n, (id, count)) in games.iter().enumerate() {
        assert_eq!(places(&services[n % 3].stranger(), id, &entries).len(), *count);
    }
}

#[test]
fn a_log_over_many_tiles_is_read_by_its_tiles() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.player();
    for _ in 0..300 {
        let wanted =
            json!({"ruleset": "marrakech/1", "seats": ["random", "random"], "visibility": "unlisted"});
        assert_eq!(client.post("/v1/games", wanted).status, 201);
    }
    let at = head(&grown(&service, 600));
    let entries = entries(&service, &at);
    let first = service.stranger().get("/log/tile/1/000.p/2");
    let expected: Vec<u8> = entries.chunks(256).take(2).flat_map(root).collect();
    assert_eq!((first.status, first.bytes), (200, expected));
    for path in [
        "1/000",
        "1/000.p/3",
        "0/002",
        "0/002.p/89",
        "0/003.p/1",
        "2/000.p/1",
        "entries/002",
        "entries/003.p/1",
    ] {
        assert_eq!(
            service.stranger().get(&format!("/log/tile/{path}")).problem(),
            "tile_not_found",
            "{path}"
        );
    }
    for path in [
        "0/0",
        "0/x000/000",
        "00/000",
        "+1/000",
        "0/000.p/0",
        "0/000.p/256",
        "64/000",
        "0/../000",
        "a/000",
        "entries/",
    ] {
        assert_eq!(service.stranger().get(&format!("/log/tile/{path}")).status, 404, "{path}");
    }
}

#[test]
fn behind_the_back_of_the_service_the_log_can_only_be_extended() {
    for backend in backends() {
        let service = Service::start(&backend);
        service.game(2, json!({}));
        let checkpoint = grown(&service, 1);
        for sql in [
            "UPDATE log_nodes SET position = 7",
            "DELETE FROM log_nodes",
            "UPDATE log_head SET size = 0",
            "UPDATE log_head SET root = root",
            "DELETE FROM log_head",
            "UPDATE log_entries SET position = NULL",
            "DELETE FROM log_entries",
        ] {
            let refused = backend.sabotage(sql).unwrap_err();
            assert!(refused.contains("the log can only be extended"), "{sql}: {refused}");
        }
        assert_eq!(service.stranger().get("/log/checkpoint").text, checkpoint);
    }
}

#[test]
fn games_that_were_played_before_there_was_a_log_come_into_it() {
    for backend in backends() {
        let ids: Vec<String> = {
            let service = Service::start(&backend);
            scene(&service, &backend).into_iter().map(|(id, ..)| id).collect()
        };
        let functions = match backend.name() {
            "SQLite" => {
                "DROP TRIGGER games_guard_beacon; DROP TRIGGER games_guard_rated; DROP TRIGGER games_guard_clock; DROP TRIGGER games_guard_rematch; DROP INDEX games_clocks;"
            }
            _ => {
                "DROP FUNCTION log_guard, games_guard_beacon, games_guard_rated, games_guard_clock, games_guard_rematch CASCADE;"
            }
        };
        let columns = [
            "rated",
            "beacon",
            "beacon_round",
            "beacon_at",
            "beacon_signature",
            "clock",
            "clock_left",
            "clock_since",
            "clock_until",
            "rematch_of",
            "rematch",
        ]
        .map(|column| format!("ALTER TABLE games DROP COLUMN {column};"))
        .concat();
        backend.script(&format!(
            "DROP TABLE log_entries; DROP TABLE log_nodes; DROP TABLE log_head; DROP TABLE log_cosignatures; \
             DROP TABLE feed_entries; DROP TABLE feed_waiting; DROP TABLE feed_head; DROP TABLE counted_ends; DROP TABLE ratings; DROP TABLE tallies; DROP TABLE dice; DROP TABLE heartbeat; {functions} {columns} \
             DELETE FROM refinery_schema_history WHERE version >= 8"
        ));
        let service = Service::start(&backend);
        let at = head(&grown(&service, OF_SCENE));
        let entries = entries(&service, &at);
        assert_eq!(places(&service.stranger(), &ids[2], &entries).len(), 2);
    }
}

#[test]
fn a_game_that_is_damaged_keeps_no_other_one_out_of_the_log() {
    let backend = sqlite();
    let id = {
        let service = Service::start(&backend);
        let (id, _) = service.game(2, json!({}));
        grown(&service, 1);
        id
    };
    backend.sabotage(&format!("UPDATE games SET seats = 'nonsense' WHERE id = {}", backend.id(&id))).unwrap();
    backend
        .sabotage(&format!("INSERT INTO log_entries (game_id, part) VALUES ({}, 1)", backend.id(&id)))
        .unwrap();
    let service = Service::start_on(&backend.url());
    let (other, _) = service.game(2, json!({}));
    let at = head(&grown(&service, 2));
    assert_eq!(places(&service.stranger(), &other, &entries(&service, &at)).len(), 1);
}
