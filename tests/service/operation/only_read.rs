//! A service that only reads its database.

use std::fs;
use std::iter;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::dice::Dice;
use crate::events::waited::{LONG, ask};
use crate::events::{LINES, play_on};
use crate::harness::{Backend, Client, Service, assam, backends, comes, err, sqlite};

/// A file name whose characters must all be taken literally.
const NAME: &str = "a #1&ü.db";

/// Reads a game as any client, on several routes.
fn read(service: &Service, game: &str) -> Vec<(u16, String)> {
    let stranger = service.stranger();
    let paths = [
        format!("/v1/games/{game}"),
        format!("/v1/games/{game}/log"),
        format!("/v1/games/{game}/score"),
        format!("/v1/games/{game}/states/1"),
        "/v1/games".to_owned(),
    ];
    paths.map(|path| stranger.get(&path)).map(|answer| (answer.status, answer.text)).into()
}

/// Checks that changes are refused, each with a `Retry-After`.
fn refuses(service: &Service, player: &Client<'_>, game: &str, ply: u64) {
    let new =
        service.player().post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let word = service.with_secret(player.secret.as_deref().unwrap()).play(game, ply, "!resign");
    for answer in [&new, &word] {
        assert_eq!((answer.status, &answer.json()["code"]), (503, &json!("unavailable")), "{}", answer.text);
        assert_eq!(answer.json()["detail"], "this process is read-only. Send the request to one that writes");
        assert!(answer.header("Retry-After").is_some());
    }
}

#[test]
fn a_process_that_only_reads_shows_what_another_one_writes_and_refuses_changes() {
    for backend in backends() {
        let writes = Service::start(&backend);
        let reads = Service::start_with(&backend, &["--read-only"]);
        let (game, players) = writes.game(3, json!({}));
        let mut dice = Dice::new(5);
        let mut stream = reads.stranger().follow(&game, "", LINES);
        drop(stream.next_of("caught-up"));
        for _ in 0..5 {
            let (_, last) = play_on(&players, &game, &mut dice).unwrap();
            while stream.next_of("word").json["ply"].as_u64().unwrap() < last {}
            assert_eq!(read(&reads, &game), read(&writes, &game));
        }
        let ply = writes.stranger().get(&format!("/v1/games/{game}")).json()["head"]["ply"].as_u64().unwrap();
        refuses(&reads, &players[0], &game, ply + 1);
        assert_eq!(reads.stranger().get("/readyz").status, 200);
        assert_eq!(read(&reads, &game), read(&writes, &game));
    }
}

#[test]
fn a_process_that_only_reads_waits_for_a_ply_that_was_shown_elsewhere() {
    for backend in backends() {
        let writes = Service::start(&backend);
        let reads = Service::start_with(&backend, &["--read-only"]);
        let (game, players) = writes.game(3, json!({}));
        let shown = |service: &Service, rest: &str| {
            let (shown, waited) = ask(service, &format!("/v1/games/{game}?{rest}"));
            (shown["head"]["ply"].as_u64().unwrap(), waited)
        };
        // After a write there, the version is different.
        assert!(shown(&writes, "wait=60&since=2").1 < LONG);
        let (ply, waited) = shown(&reads, "wait=1&since=2");
        assert!(ply == 0 && waited >= Duration::from_secs(1), "{waited:?}");
        let mut dice = Dice::new(8);
        thread::scope(|scope| {
            let waiting = scope.spawn(|| shown(&reads, "wait=60&since=2"));
            for _ in 0..3 {
                play_on(&players, &game, &mut dice).unwrap();
            }
            let (ply, waited) = waiting.join().unwrap();
            assert!(ply == 3 && waited < LONG, "ply {ply} after {waited:?}");
        });
    }
}

#[test]
fn a_stream_that_is_resumed_at_a_process_that_only_reads_waits_for_the_ply_that_was_shown_elsewhere() {
    for backend in backends() {
        let writes = Service::start(&backend);
        let reads = Service::start_with(&backend, &["--read-only"]);
        let (game, players) = writes.game(3, json!({}));
        let mut dice = Dice::new(9);
        let resume = |service: &Service, since: u64| {
            let mut stream = service.stranger().follow(&game, &format!("?since={since}"), LINES);
            (stream.next().unwrap().kind().to_owned(), stream)
        };
        // After a write there, the version is different.
        assert_eq!(resume(&writes, 2).0, "reset");
        thread::scope(|scope| {
            let waiting = scope.spawn(|| resume(&reads, 2));
            for _ in 0..3 {
                play_on(&players, &game, &mut dice).unwrap();
            }
            let (first, mut stream) = waiting.join().unwrap();
            assert_eq!(first, "seats");
            assert_eq!(stream.next_of("word").json["ply"], 3);
        });
        let began = Instant::now();
        let (first, mut stream) = resume(&reads, 9);
        assert!(
            first == "reset" && began.elapsed() >= Duration::from_secs(5),
            "{first} after {:?}",
            began.elapsed()
        );
        assert_eq!(stream.next_of("snapshot").json["game"]["head"]["ply"], 3);
    }
}

#[test]
fn a_process_that_only_reads_and_ends_shows_nothing_older_to_those_who_wait_for_their_place() {
    for backend in backends() {
        let writes = Service::start(&backend);
        let mut reads = Service::start_with(&backend, &["--read-only", "--metrics-listen", "127.0.0.1:0"]);
        let (game, _) = writes.game(2, json!({}));
        for rest in ["", "&follow=false"] {
            let process = reads.process().id().to_string();
            let mut told = Vec::new();
            thread::scope(|scope| {
                let waiting = scope.spawn(|| {
                    let mut stream = reads.stranger().follow(&game, &format!("?since=9{rest}"), LINES);
                    iter::from_fn(|| stream.next()).map(|told| told.kind().to_owned()).collect()
                });
                assert!(comes(10, || reads.metric("assam_followed_games") == 1.0));
                assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
                told = waiting.join().unwrap();
            });
            assert_eq!(told, ["closing"], "{}", backend.name());
            reads = Service::start_with(&backend, &["--read-only", "--metrics-listen", "127.0.0.1:0"]);
        }
    }
}

/// Copies a database into a folder where SQLite can create no files, and returns the URL of the copy.
fn alone(folder: &Path, backend: &Backend) -> String {
    let file = folder.join(NAME);
    backend.script(&format!("VACUUM INTO '{}'", file.display()));
    let copy = rusqlite::Connection::open(&file).unwrap();
    copy.pragma_update(None, "journal_mode", "WAL").unwrap();
    drop(copy);
    fs::create_dir(folder.join(format!("{NAME}-shm"))).unwrap();
    format!("sqlite:{}", file.display())
}

#[test]
fn a_file_beside_which_nothing_can_be_written_is_served_without_its_key_and_does_not_change() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    let mut dice = Dice::new(6);
    for _ in 0..9 {
        play_on(&players, &game, &mut dice).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let url = alone(folder.path(), backend);
    let file = folder.path().join(NAME);
    let before = fs::read(&file).unwrap();
    let reads = Service::start_on_with(&url, &["--read-only", "--key-file", "/there/is/none"]);
    assert_eq!(read(&reads, &game), read(&service, &game));
    refuses(&reads, &players[0], &game, 10);
    drop(reads);
    assert!(fs::read(&file).unwrap() == before);
}

#[test]
fn a_file_has_everything_by_itself_after_a_clean_end_also_where_another_process_has_it_open() {
    let backend = &sqlite();
    let mut service = Service::start(backend);
    let (game, players) = service.game(2, json!({}));
    play_on(&players, &game, &mut Dice::new(7)).unwrap();
    let before = read(&service, &game);
    let file = backend.url().strip_prefix("sqlite:").unwrap().to_owned();
    // The last connection to close a file folds the log in anyway.
    let other = rusqlite::Connection::open(&file).unwrap();
    other.query_row("SELECT count(*) FROM games", [], |_| Ok(())).unwrap();
    let process = service.process();
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
    assert!(process.wait().unwrap().success());
    assert_eq!(fs::metadata(format!("{file}-wal")).unwrap().len(), 0);
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(&file, &copy).unwrap();
    let reads = Service::start_on_with(&format!("sqlite:{}", copy.display()), &["--read-only"]);
    assert_eq!(read(&reads, &game), before);
    drop(other);
}

#[test]
fn a_database_that_lacks_a_migration_is_not_served_for_reading() {
    let serve =
        |url: &str| assam(&["serve", "--read-only", "--listen", "127.0.0.1:0", "--database", url], "");
    for backend in backends() {
        drop(Service::start(&backend));
        let last = "(SELECT max(version) FROM refinery_schema_history)";
        backend.script(&format!("DELETE FROM refinery_schema_history WHERE version = {last}"));
        let refused = serve(&backend.url());
        assert!(!refused.status.success());
        let said = err(&refused);
        assert!(said.contains("assam migrate"), "{said}");
    }
    let none = serve("sqlite:/there/is/none.db");
    assert!(err(&none).contains("there is no database /there/is/none.db"), "{}", err(&none));
}
