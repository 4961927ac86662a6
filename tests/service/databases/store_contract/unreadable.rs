//! Games in the database that another version of the service stored, and this one cannot read.

use std::collections::BTreeSet;
use std::fs;

use assam_store::Version;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::*;
use crate::harness::{Answer, Client, Service};

/// Unreadable copies of a stored game, each with the replacement for a column.
const UNREADABLE: [(&str, &str); 4] = [
    ("setup", "setup || ' later=yes'"),
    ("seats", "replace(seats, '\"kind\":\"human\"', '\"kind\":\"oracle\"')"),
    ("seats", "'[]'"),
    ("status", "9"),
];

/// Stores a copy of a game under another id, `later` milliseconds after it, with another value in one column.
fn copy(backend: &Backend, of: &str, to: &str, later: u32, (column, value): (&str, &str)) {
    let columns = "id, created_at, ruleset, setup, visibility, imported, patience_hours, owner, join_code, \
                   request, seed, commitment, tags, revision, seats, status, started_at, ply, head, log";
    let id = backend.id(to);
    let later = format!("created_at + {later}");
    let values = columns.split(", ").map(|name| match name.trim() {
        "id" => id.as_str(),
        "created_at" => later.as_str(),
        name if name == column => value,
        name => name,
    });
    let values = values.collect::<Vec<_>>().join(", ");
    let sql =
        format!("INSERT INTO games ({columns}) SELECT {values} FROM games WHERE id = {}", backend.id(of));
    assert_eq!(backend.sabotage(&sql), Ok(1), "{sql}");
}

#[tokio::test]
async fn a_list_leaves_out_what_cannot_be_read_and_pages_as_if_it_were_not_there() {
    on_both(async |backend, store| {
        for n in 1..=9 {
            let mut game = open_game(n);
            game.info.created_at = time((n * 10).into());
            game.info.seats = vec![seat_of("ann"), open_seat()];
            store.alone(create(&game)).await.unwrap();
        }
        // Before the first, at the end, among others, and more in a row than fit on a page.
        for (of, copies) in [(1, 1), (4, 1), (6, 9), (9, 2)] {
            for n in 0..copies {
                let how = UNREADABLE[n as usize % UNREADABLE.len()];
                copy(backend, &id(of).to_string(), &id(100 * of + n).to_string(), n % 3, how);
            }
        }
        copy(backend, &id(1).to_string(), &id(99).to_string(), 0, UNREADABLE[0]);
        // A page looks past unreadable games, but not for ever.
        let first = store.reads.list(&ListQuery { limit: 1, ..ListQuery::default() }).await.unwrap();
        assert!(first.games.len() == 1 && first.next.is_some());
        for limit in [1, 2, 3, 4, 9, 10, 1000] {
            let mut query = ListQuery { limit, ..ListQuery::default() };
            let mut met = Vec::new();
            loop {
                let page = store.reads.list(&query).await.unwrap();
                met.extend(page.games.iter().map(|game| game.info.id));
                query.after = page.next;
                if page.next.is_none() {
                    break;
                }
            }
            assert_eq!(met, (1..=9).rev().map(id).collect::<Vec<_>>(), "limit {limit}");
        }
    })
    .await;
}

#[tokio::test]
async fn a_game_that_cannot_be_read_says_so_and_names_no_contents() {
    on_both(async |backend, store| {
        store.alone(create(&running_game(1))).await.unwrap();
        for (n, how) in (2..).zip(UNREADABLE) {
            copy(backend, &id(1).to_string(), &id(n).to_string(), 0, how);
            let error = store.reads.load(id(n)).await.err().unwrap();
            assert!(matches!(error, StoreError::Unreadable { .. }));
            assert_eq!(error.to_string(), format!("column {} of a stored game cannot be read", how.0));
        }
        assert!(load(&store, 1).await == running_game(1));
    })
    .await;
}

/// Returns the results of versions requested together.
async fn versions_together(store: &Database, ids: &[GameId]) -> Vec<Result<Option<Version>, String>> {
    let mut asking = JoinSet::new();
    for (place, id) in ids.iter().copied().enumerate() {
        let store = store.clone();
        asking
            .spawn(async move { (place, store.reads.version(id).await.map_err(|error| error.to_string())) });
    }
    let mut found = asking.join_all().await;
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, found)| found).collect()
}

/// Returns the results of versions requested one by one.
async fn versions_alone(store: &Database, ids: &[GameId]) -> Vec<Result<Option<Version>, String>> {
    let mut found = Vec::new();
    for id in ids {
        found.push(store.reads.version(*id).await.map_err(|error| error.to_string()));
    }
    found
}

#[tokio::test]
async fn versions_asked_for_together_are_those_asked_for_alone_whatever_is_among_them() {
    on_both(async |backend, store| {
        store.alone(create(&running_game(1))).await.unwrap();
        store.alone(create(&open_game(2))).await.unwrap();
        copy(backend, &id(1).to_string(), &id(3).to_string(), 0, ("head", "substr(head, 1, 1)"));
        let ids = [1, 77, 3, 2, 1].map(id);
        let alone = versions_alone(&store, &ids).await;
        let [first, missing, unreadable, open, again] = &alone[..] else { panic!("{alone:?}") };
        let version_of = |game: &StoredGame| Ok(Some(Version::from_info(&game.info)));
        assert_eq!((first, open), (&version_of(&running_game(1)), &version_of(&open_game(2))));
        assert_eq!((missing, again), (&Ok(None), first));
        assert!(unreadable.is_err());
        assert_eq!(versions_together(&store, &ids).await, alone);
    })
    .await;
}

#[tokio::test]
async fn a_damaged_page_of_the_file_harms_the_games_on_it_alone() {
    const SIZE: usize = 4096;
    let backend = sqlite();
    let ids: Vec<GameId> = (1..=20).map(id).collect();
    let log = |n: u32| format!("{n:02}:{}", "a~1 ".repeat(400));
    let store = backend.open().await;
    for (n, id) in (1..).zip(&ids) {
        let mut game = running_game(n);
        (game.info.id, game.log) = (*id, log(n));
        store.alone(create(&game)).await.unwrap();
    }
    drop(store);
    let url = backend.url();
    let file = url.strip_prefix("sqlite:").unwrap();
    let mut bytes = fs::read(file).unwrap();
    // The first byte of a page is its kind: 13 for rows of a table.
    let of_game = log(7).into_bytes();
    let damaged = bytes
        .chunks_mut(SIZE)
        .skip(1)
        .filter(|page| page[0] == 13 && page.windows(of_game.len()).any(|text| text == of_game));
    assert_eq!(damaged.map(|page| page[0] = 0xff).count(), 1);
    fs::write(file, bytes).unwrap();

    let store = backend.open().await;
    let alone = versions_alone(&store, &ids).await;
    let harmed = alone.iter().filter(|found| found.is_err()).count();
    assert!(alone[6].is_err() && harmed <= 3, "{alone:?}");
    assert_eq!(versions_together(&store, &ids).await, alone);
}

/// Creates a game of two seats, with the creator on the first.
fn game_of(player: &Client<'_>, wanted: Value) -> String {
    let created = player.post("/v1/games", wanted);
    assert_eq!(created.status, 201, "{}", created.text);
    let game = created.json()["id"].as_str().unwrap().to_owned();
    let taken = player.put(&format!("/v1/games/{game}/seats/1"), json!({"join_code": "sesame"}));
    assert_eq!(taken.status, 201, "{}", taken.text);
    game
}

/// Sends every request about a game.
fn asked(client: &Client<'_>, game: &str) -> Vec<Answer> {
    let mut answers = Vec::new();
    for (path, methods) in client.service().routes(game) {
        for method in methods.iter().filter(|_| path.contains(game)) {
            let body = match (method.as_str(), path.contains("/seats/")) {
                ("GET", _) => "",
                (_, true) => r#"{"name": "Eve", "join_code": "open"}"#,
                (_, false) => r#"{"move": "N"}"#,
            };
            answers.push(client.send(method, &path, &[("Content-Type", "application/json")], body));
        }
    }
    assert!(answers.len() > 8);
    answers
}

#[test]
fn a_stranger_does_not_learn_of_a_private_game_that_cannot_be_read() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (owner, stranger) = (service.player(), service.player());
        let wanted = |visibility, join_code: Value| json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": visibility, "join_code": join_code});
        let private = game_of(&owner, wanted("private", json!("sesame")));
        let public = game_of(&owner, wanted("public", json!(null)));
        for (n, how) in (1..).zip(UNREADABLE) {
            let hidden = id(n).to_string();
            copy(&backend, &private, &hidden, 0, how);
            let told = |answer: &Answer| (answer.status, answer.problem(), answer.json()["detail"].clone());
            let missing: Vec<_> = asked(&stranger, &id(77).to_string()).iter().map(told).collect();
            let found: Vec<_> = asked(&stranger, &hidden).iter().map(told).collect();
            assert_eq!(found, missing, "{how:?}");
            assert!(found.iter().all(|(status, ..)| *status == 404), "{found:?}");
            let path = format!("/v1/games/{hidden}");
            assert_eq!(owner.get(&path).problem(), "internal");
            let shown = id(10 + n).to_string();
            copy(&backend, &public, &shown, 0, how);
            assert_eq!(stranger.get(&format!("/v1/games/{shown}")).problem(), "internal");
        }
        let mut met = BTreeSet::new();
        let mut path = "/v1/games?limit=1".to_owned();
        loop {
            let page = service.stranger().get(&path).json();
            met.extend(page["games"].as_array().unwrap().iter().map(|game| game["id"].to_string()));
            let Some(next) = page["next"].as_str() else { break };
            path = format!("/v1/games?limit=1&cursor={next}");
        }
        assert_eq!(met, BTreeSet::from([json!(public).to_string()]));
    }
}

#[test]
fn a_game_that_never_starts_is_removed_however_many_older_ones_cannot_be_read() {
    for backend in backends() {
        let of = {
            let service = Service::start(&backend);
            game_of(&service.player(), json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}))
        };
        for n in 1..=101 {
            copy(&backend, &of, &id(n).to_string(), 0, UNREADABLE[0]);
        }
        let service = Service::start_with(&backend, &["--open-game-ttl", "1s"]);
        let owner = service.player();
        let last = game_of(&owner, json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
        while owner.get(&format!("/v1/games/{last}")).status == 200 {}
        assert_eq!(owner.get(&format!("/v1/games/{last}")).problem(), "game_not_found");
        assert_eq!(owner.get(&format!("/v1/games/{}", id(101))).problem(), "internal");
    }
}
