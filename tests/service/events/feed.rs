//! The feed for lobbies: it has every event of public games once, at a position, and nothing else.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::{LINES, SSE, open_game};
use crate::harness::{Backend, Client, Service, Stream, Told, backends, sit};

const TABLE: &str = "marrakech/1";

/// The view of a lobby: the messages about each game, by position.
#[derive(Default)]
struct Lobby {
    told: BTreeMap<u64, (String, String)>,
    last: u64,
    cursor: String,
}

impl Lobby {
    fn take(&mut self, told: &Told) {
        let message = &told.json;
        let position = message["position"].as_u64().unwrap();
        assert_eq!(told.id.as_deref(), message["cursor"].as_str(), "{message}");
        assert!(message["cursor"].as_str().unwrap().starts_with(&format!("{position}.")), "{message}");
        let entry = match told.kind() {
            "game" => (message["happened"].clone(), message["game"]["id"].clone()),
            "removed" => (json!("removed"), message["game_id"].clone()),
            "caught-up" | "heartbeat" => {
                assert!(position >= self.last, "{message}");
                (self.last, self.cursor) = (position, told.id.clone().unwrap());
                return;
            }
            other => panic!("{other}: {message}"),
        };
        assert!(position > self.last, "nothing comes below what was told: {message}");
        let entry = (entry.0.as_str().unwrap().to_owned(), entry.1.as_str().unwrap().to_owned());
        self.told.insert(position, entry);
        (self.last, self.cursor) = (position, told.id.clone().unwrap());
    }

    /// Reads up to the last event of a game.
    fn read_up_to(&mut self, stream: &mut Stream, happened: &str, game: &str) {
        let wanted = (happened.to_owned(), game.to_owned());
        while self.told.last_key_value().is_none_or(|(_, last)| *last != wanted) {
            self.take(&stream.next().expect("the feed goes on"));
        }
    }
}

fn created(client: &Client<'_>, wanted: Value) -> String {
    let answer = client.post("/v1/games", wanted);
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

fn public() -> Value {
    json!({"ruleset": TABLE, "seats": ["open", "open"]})
}

/// Follows the feed from now on. The service knows the position.
fn followed<'a>(service: &'a Service, form: &'static str) -> (Lobby, Stream, Client<'a>) {
    let stranger = service.stranger();
    let mut stream = stranger.stream("/v1/events", form);
    assert_eq!(stream.status, 200);
    let mut lobby = Lobby::default();
    let first = stream.next().unwrap();
    assert_eq!(first.kind(), "caught-up");
    lobby.take(&first);
    (lobby, stream, stranger)
}

/// Causes every event of public games. `between` runs between two games, with the first one.
fn play_everything(service: &Service, between: impl FnOnce(&str)) -> Vec<(String, String)> {
    let mut wanted = Vec::new();
    let (game, players) = open_game(service, public());
    wanted.push(("created", game.clone()));
    sit(&game, &players, |_| json!({}));
    wanted.extend([("seats", game.clone()), ("started", game.clone())]);
    assert_eq!(players[0].patch(&format!("/v1/games/{game}/seats/1"), json!({"name": "Zoë"})).status, 200);
    wanted.push(("seats", game.clone()));
    assert_eq!(players[1].play(&game, 1, "!resign").status, 201);
    between(&game);
    wanted.push(("finished", game));
    let (open, players) = open_game(service, public());
    wanted.push(("created", open.clone()));
    assert_eq!(players[0].put(&format!("/v1/games/{open}/seats/1"), json!({})).status, 201);
    assert_eq!(players[0].send("DELETE", &format!("/v1/games/{open}/seats/1"), &[], "").status, 204);
    assert_eq!(players[0].send("DELETE", &format!("/v1/games/{open}"), &[], "").status, 204);
    wanted.extend([("seats", open.clone()), ("seats", open.clone()), ("removed", open)]);
    wanted.into_iter().map(|(kind, game)| (kind.to_owned(), game)).collect()
}

#[test]
fn a_lobby_is_told_what_happens_to_public_games_at_positions_without_gaps_and_resumes_at_each() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (mut lobby, mut stream, stranger) = followed(&service, SSE);
        assert_eq!(lobby.last, 0);
        let wanted = play_everything(&service, |game| lobby.read_up_to(&mut stream, "finished", game));
        let (happened, game) = wanted.last().unwrap();
        // Of a game that is gone before its messages are sent, the feed reports only that.
        lobby.read_up_to(&mut stream, happened, game);
        let positions: Vec<u64> = (1..=wanted.len() as u64).collect();
        let all: BTreeMap<u64, _> = positions.iter().copied().zip(wanted.clone()).collect();
        assert!(
            lobby.told.iter().all(|(position, told)| all.get(position) == Some(told)),
            "{:?}",
            lobby.told
        );
        let is_kept = |(_, (kind, of)): &(&u64, &(String, String))| of != game || kind == "removed";
        let kept: BTreeMap<u64, _> = all.iter().filter(is_kept).map(|(at, one)| (*at, one.clone())).collect();
        assert!(kept.keys().all(|position| lobby.told.contains_key(position)), "{:?}", lobby.told);
        let mut cursors = BTreeMap::from([(0, "0".to_owned())]);
        for form in [SSE, LINES] {
            let mut again = Lobby::default();
            for told in stranger.stream("/v1/events?since=0&follow=false", form).rest() {
                again.take(&told);
                cursors.insert(again.last, again.cursor.clone());
            }
            assert_eq!(again.told, kept);
            assert_eq!(again.last, wanted.len() as u64);
        }
        for (at, cursor) in &cursors {
            for cursor in [cursor.clone(), at.to_string()] {
                let mut rest = Lobby { last: *at, ..Lobby::default() };
                let path = format!("/v1/events?since={cursor}&follow=false");
                stranger.stream(&path, SSE).rest().iter().for_each(|told| rest.take(told));
                assert_eq!(rest.told, kept.clone().split_off(&(at + 1)), "{cursor}");
            }
        }
        let others = stranger.stream("/v1/events?since=0&follow=false&ruleset=marrakesh/1", SSE).rest();
        assert_eq!(others.iter().map(Told::kind).collect::<Vec<_>>(), ["caught-up"]);
        let same = stranger.stream("/v1/events?since=0&follow=false&ruleset=marrakech/1", SSE).rest();
        assert_eq!(same.len(), kept.len() + 1);
        // It is shown as in lists.
        let listed = stranger.get("/v1/games").json()["games"][0].clone();
        assert_eq!(same[same.len() - 3].json["game"], listed);
    }
}

#[test]
fn games_that_are_not_public_leave_no_trace_in_the_feed_and_imported_ones_none_either() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (mut lobby, mut stream, stranger) = followed(&service, LINES);
        for visibility in ["private", "unlisted"] {
            let code = match visibility {
                "private" => json!({"join_code": "a code of the tests"}),
                _ => json!({}),
            };
            let mut wanted = public();
            wanted["visibility"] = json!(visibility);
            if visibility == "private" {
                wanted["join_code"] = code["join_code"].clone();
            }
            let owner = service.player();
            let game = created(&owner, wanted.clone());
            for (seat, player) in [(1, &owner), (2, &service.player())] {
                assert_eq!(player.put(&format!("/v1/games/{game}/seats/{seat}"), code.clone()).status, 201);
            }
            assert_eq!(owner.patch(&format!("/v1/games/{game}/seats/1"), json!({"name": "Zoë"})).status, 200);
            assert_eq!(owner.play(&game, 1, "!resign").status, 201);
            let open = created(&owner, wanted);
            assert_eq!(owner.send("DELETE", &format!("/v1/games/{open}"), &[], "").status, 204);
        }
        let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
        let imported = service.player().post_text("/v1/imports", record);
        assert_eq!(imported.status, 201);
        backend.take_down(imported.json()["id"].as_str().unwrap(), "spam");
        let game = created(&service.player(), public());
        lobby.read_up_to(&mut stream, "created", &game);
        assert_eq!(lobby.told, BTreeMap::from([(1, ("created".to_owned(), game.clone()))]));
        let all = stranger.stream("/v1/events?since=0&follow=false", SSE).rest();
        assert_eq!(all.iter().map(Told::kind).collect::<Vec<_>>(), ["game", "caught-up"]);
        backend.take_down(&game, "spam");
        lobby.read_up_to(&mut stream, "removed", &game);
        assert_eq!(lobby.last, 2);
    }
}

#[test]
fn a_lobby_that_was_away_for_long_is_told_all_of_it_in_order() {
    for backend in backends() {
        let service = Service::start(&backend);
        let owner = service.player();
        // More than two pages.
        let mut games: Vec<String> = (0..230).map(|_| created(&owner, public())).collect();
        service.wait_for_feed(230);
        let stranger = service.stranger();
        let mut lobby = Lobby::default();
        for told in stranger.stream("/v1/events?since=0&follow=false", LINES).rest() {
            lobby.take(&told);
        }
        let mut away = Lobby::default();
        let mut stream = stranger.stream("/v1/events?since=0", SSE);
        while away.last < 230 {
            away.take(&stream.next().unwrap());
        }
        assert_eq!(away.told, lobby.told);
        let mut told: Vec<String> = lobby.told.into_values().map(|(_, game)| game).collect();
        told.sort();
        games.sort();
        assert_eq!(told, games);
    }
}

#[test]
fn a_place_that_is_not_in_the_feed_is_answered_with_reset_and_text_that_is_none_is_refused() {
    let cursor_of = |backend: &Backend| {
        let service = Service::start(backend);
        let (mut lobby, mut stream, _) = followed(&service, SSE);
        let game = created(&service.player(), public());
        lobby.read_up_to(&mut stream, "created", &game);
        lobby.cursor
    };
    for (backend, other) in backends().into_iter().zip(backends()) {
        let (known, foreign) = (cursor_of(&backend), cursor_of(&other));
        let service = Service::start(&backend);
        let stranger = service.stranger();
        let kinds = |query: &str| {
            let told = stranger.stream(&format!("/v1/events?follow=false&{query}"), SSE).rest();
            assert!(told.iter().all(|one| one.id.is_some()));
            told.iter().map(|one| one.kind().to_owned()).collect::<Vec<_>>()
        };
        for since in [known.as_str(), "1"] {
            assert_eq!(kinds(&format!("since={since}")), ["caught-up"], "{since}");
        }
        for since in [foreign.as_str(), "2", "999999999999999", &format!("0.{}", "ab".repeat(32))] {
            assert_eq!(kinds(&format!("since={since}")), ["reset", "caught-up"], "{since}");
        }
        for bad in
            ["x", "-1", "01", "1.", "1.0", "9999999999999999", &known.to_uppercase().replace('.', ".A")]
        {
            assert_eq!(
                stranger.get(&format!("/v1/events?follow=false&since={bad}")).problem(),
                "bad_request"
            );
            let headers = [("Last-Event-ID", bad)];
            assert_eq!(
                stranger.send("GET", "/v1/events?follow=false", &headers, "").problem(),
                "bad_request"
            );
        }
        // A week later.
        let (mut lobby, mut stream, _) = followed(&service, SSE);
        for _ in 0..3 {
            let game = created(&service.player(), public());
            lobby.read_up_to(&mut stream, "created", &game);
        }
        drop(service);
        backend.script("UPDATE feed_entries SET at = at - 604800001 WHERE position < 4");
        let service = Service::start(&backend);
        let stranger = service.stranger();
        // It drops older entries as soon as it can.
        while stranger.stream("/v1/events?follow=false&since=1", SSE).next().unwrap().kind() != "reset" {}
        for (since, wanted) in [
            ("1", &["reset", "caught-up"][..]),
            ("0", &["reset", "caught-up"]),
            ("3", &["game", "caught-up"]),
        ] {
            let told = stranger.stream(&format!("/v1/events?follow=false&since={since}"), SSE).rest();
            assert_eq!(told.iter().map(Told::kind).collect::<Vec<_>>(), wanted, "{since}");
        }
    }
}

#[test]
fn what_happens_in_one_process_is_in_the_feed_of_every_other_one_in_the_same_order() {
    for backend in backends() {
        let services = [Service::start(&backend), Service::start(&backend)];
        let mut lobbies = services.each_ref().map(|service| followed(service, SSE));
        let mut games = Vec::new();
        for turn in 0..10 {
            games.push(created(&services[turn % 2].player(), public()));
            for (lobby, stream, _) in &mut lobbies {
                lobby.read_up_to(stream, "created", &games[turn]);
            }
        }
        let [first, second] = lobbies.map(|(lobby, ..)| lobby.told);
        assert_eq!(first, second);
        assert_eq!(first.into_values().map(|(_, game)| game).collect::<Vec<_>>(), games);
    }
}

#[test]
fn entries_and_what_waited_for_a_position_before_it_had_a_table_of_its_own_are_kept() {
    const COLUMNS: &str = "game_id, revision, kind, ruleset, at";
    for backend in backends() {
        let mut games: Vec<String> = {
            let service = Service::start(&backend);
            let games = (0..3).map(|_| created(&service.player(), public())).collect();
            service.wait_for_feed(3);
            games
        };
        let earlier = match backend.name() {
            "SQLite" => include_str!("../../../migrations/sqlite/V11__feed.sql"),
            _ => include_str!("../../../migrations/postgres/V11__feed.sql"),
        };
        backend.script(&format!(
            "CREATE TABLE kept_entries AS SELECT * FROM feed_entries; CREATE TABLE kept_head AS SELECT * FROM feed_head; \
             DROP TABLE feed_entries; DROP TABLE feed_waiting; DROP TABLE feed_head; DROP TABLE dice; {earlier} \
             INSERT INTO feed_entries ({COLUMNS}, position, mark) SELECT {COLUMNS}, position, mark FROM kept_entries; \
             INSERT INTO feed_entries ({COLUMNS}) SELECT game_id, 1, 1, ruleset, at + 1 FROM kept_entries WHERE position = 1; \
             INSERT INTO feed_head SELECT * FROM kept_head; DROP TABLE kept_entries; DROP TABLE kept_head; \
             DELETE FROM refinery_schema_history WHERE version >= 14"
        ));
        let service = Service::start(&backend);
        service.wait_for_feed(4);
        let mut lobby = Lobby::default();
        for told in service.stranger().stream("/v1/events?since=0&follow=false", LINES).rest() {
            lobby.take(&told);
        }
        games.push(games[0].clone());
        let kinds = ["created", "created", "created", "seats"].map(str::to_owned);
        assert_eq!(lobby.told, (1..=4).zip(kinds.into_iter().zip(games)).collect());
    }
}

#[test]
fn nothing_is_lost_where_processes_are_killed_before_positions_are_given_and_nothing_comes_below_what_was_told()
 {
    for backend in backends() {
        let (mut lobby, mut games) = (Lobby::default(), Vec::new());
        for round in 0..8 {
            let service = Service::start(&backend);
            let stranger = service.stranger();
            let since = if lobby.cursor.is_empty() { "0" } else { &lobby.cursor };
            let mut stream = stranger.stream(&format!("/v1/events?since={since}"), LINES);
            // Entries left behind by the last process soon have a position.
            while lobby.told.len() < games.len() {
                lobby.take(&stream.next().unwrap());
            }
            for _ in 0..=round {
                games.push(created(&service.player(), public()));
            }
            // Some rounds wait until a batch is sent.
            if round % 2 == 0 {
                while lobby.told.len() + 1 < games.len() {
                    lobby.take(&stream.next().unwrap());
                }
            }
            service.kill();
        }
        let service = Service::start(&backend);
        let mut stream = service.stranger().stream(&format!("/v1/events?since={}", lobby.cursor), SSE);
        while lobby.told.len() < games.len() {
            lobby.take(&stream.next().unwrap());
        }
        let positions: Vec<u64> = lobby.told.keys().copied().collect();
        assert_eq!(positions, (1..=games.len() as u64).collect::<Vec<_>>());
        let mut told: Vec<String> = lobby.told.into_values().map(|(_, game)| game).collect();
        told.sort();
        games.sort();
        assert_eq!(told, games);
    }
}
