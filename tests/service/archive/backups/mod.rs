//! `assam backup` and `assam restore`.

mod damaged;
mod lossy;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rusqlite::Connection;
use rusqlite::types::Value as Cell;
use serde_json::json;
use tempfile::TempDir;

use crate::harness::{
    AS_IF_DISTRIBUTED, Backend, Client, Service, assam, backends, comes, err, out, postgres, secret, sit,
    sqlite,
};

const OVER: &str = "MKN/1 marrakech/1 seats=3\nseat1: Lea\n\n!resign1 !resign2 = 0 0 30\n";

fn back_up(from: &Backend, file: &Path) -> Output {
    assam(&["backup", file.to_str().unwrap(), "--database", &from.url()], "")
}

/// Returns a folder with a backup of a database.
fn backed_up(from: &Backend) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assam.backup");
    let told = back_up(from, &file);
    assert_eq!(told.status.code(), Some(0), "{}", err(&told));
    (folder, file)
}

fn restore(file: &Path, arguments: &[&str], to: &Backend) -> Output {
    assam(&[&["restore", file.to_str().unwrap(), "--database", &to.url()], arguments].concat(), "")
}

/// Creates games in every state, each with a client that knows its secrets.
pub(crate) fn scene<'a>(service: &'a Service, backend: &Backend) -> Vec<(String, Client<'a>)> {
    let mut games = Vec::new();
    let table = |games: &mut Vec<_>, ruleset, seats: &[&str], more: &[(&str, &str)]| {
        let mut wanted = json!({"ruleset": ruleset, "seats": seats});
        more.iter().for_each(|(name, value)| wanted[*name] = json!(value));
        let (id, mut players) = service.seated(wanted);
        games.push((id.clone(), players[0].clone()));
        (id, players.remove(0))
    };
    let (id, player) = table(&mut games, "marrakech/1", &["open", "random", "random"], &[]);
    assert_eq!(player.patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"})).status, 200);
    assert_eq!(player.play(&id, 1, "N").status, 201);
    private(service, &mut games);
    table(&mut games, "marrakesh/1", &["open", "solitaire-ai"], &[("visibility", "unlisted")]);
    let (id, player) = table(&mut games, "marrakech/1", &["open", "open"], &[]);
    assert_eq!(player.put(&format!("/v1/games/{id}/moves/1"), json!({"move": "!resign"})).status, 201);
    let (id, _) = table(&mut games, "marrakech/1", &["open", "open"], &[]);
    out(&backend.take_down(&id, "a reason"));
    let waiting = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "patience_hours": 24});
    let key = secret();
    let repeatable = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
    let open = waiting.send("POST", "/v1/games", &repeatable, wanted.to_string()).json();
    let open = open["id"].as_str().unwrap().to_owned();
    games.push((open, waiting));
    // A removed game, whose id is never used again.
    let gone = service.player();
    let key = secret();
    let repeatable = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
    let removed = gone.send("POST", "/v1/games", &repeatable, wanted.to_string()).json();
    let removed = format!("/v1/games/{}", removed["id"].as_str().unwrap());
    assert_eq!(gone.send("DELETE", &removed, &[], "").status, 204);
    let imported = service.player().post_text("/v1/imports", OVER).json();
    games.push((imported["id"].as_str().unwrap().to_owned(), service.stranger()));
    games
}

/// Creates a game that waits for its beacon, and one that has it.
fn beacons<'a>(service: &'a Service, games: &mut Vec<(String, Client<'a>)>) {
    for is_delivered in [false, true] {
        let (path, [owner, _], round) = service.waiting_for_beacon();
        if is_delivered {
            assert_eq!(owner.put(&format!("{path}/beacon"), round).status, 200);
        }
        games.push((path.rsplit('/').next().unwrap().to_owned(), owner));
    }
}

/// Creates a private game with hidden hands.
fn private<'a>(service: &'a Service, games: &mut Vec<(String, Client<'a>)>) {
    let players = [service.player(), service.player()];
    let code = json!({"join_code": "rosewater"});
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "visibility": "private", "join_code": "rosewater"});
    let id = players[0].post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    sit(&id, &players, |_| code.clone());
    games.push((id, players[0].clone()));
}

/// Returns the same client of another service.
fn on<'a>(service: &'a Service, client: &Client<'_>) -> Client<'a> {
    client.secret.as_ref().map_or_else(|| service.stranger(), |secret| service.with_secret(secret))
}

/// Reads everything about a game that a client may read.
fn read(client: &Client<'_>, id: &str) -> Vec<(String, u16, String)> {
    let paths = client.service().readable(id).into_iter().filter(|path| path.contains(id));
    let read: Vec<_> = paths
        // A stream has no end, and that of a running game depends on its position.
        .filter(|path| !path.ends_with("/events"))
        .map(|path| {
            let answer = client.get(&path);
            (path, answer.status, answer.text)
        })
        .collect();
    assert!(read.len() > 8, "{read:?}");
    read
}

#[test]
fn what_was_backed_up_and_restored_into_either_database_reads_the_same_for_everybody_and_goes_on() {
    for source in backends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("assam.backup");
        let service = Service::start(&source);
        let mut games = scene(&service, &source);
        beacons(&service, &mut games);
        let made = back_up(&source, &file);
        assert_eq!(made.status.code(), Some(0), "{}", err(&made));
        assert!(out(&made).starts_with("9 games, verified with "), "{}", out(&made));
        for target in backends() {
            let restored = restore(&file, &[], &target);
            assert_eq!(restored.status.code(), Some(0), "{}", err(&restored));
            let there = Service::start(&target);
            for (id, client) in &games {
                let same = on(&there, client);
                let after = read(&same, id).into_iter();
                for (before, after) in read(client, id).into_iter().zip(after) {
                    // Waiting times are relative to now.
                    assert_eq!(before, after, "{} to {}", source.name(), target.name());
                }
                assert_eq!(read(&service.stranger(), id), read(&there.stranger(), id));
            }
            let (id, player) = &games[0];
            let player = on(&there, player);
            let legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
            let (ply, first) = (legal["ply"].as_u64().unwrap(), legal["moves"][0].as_str().unwrap());
            assert_eq!(player.play(id, ply, first).status, 201, "{legal}");
            for list in ["/v1/games", "/v1/games?status=finished", "/v1/games?status=open"] {
                let (before, after) = (service.stranger().get(list), there.stranger().get(list));
                assert_eq!(
                    before.json()["games"].as_array().unwrap().len(),
                    after.json()["games"].as_array().unwrap().len()
                );
            }
            // Not a second time.
            let again = restore(&file, &[], &target);
            assert_eq!(again.status.code(), Some(1));
            assert!(err(&again).contains("the database already has games"), "{}", err(&again));
        }
    }
}

/// Returns every row of every table, except a database's own migrations and the seal of a backup.
fn rows(file: &Path) -> Vec<(String, Vec<Vec<Cell>>)> {
    let connection = Connection::open(file).unwrap();
    let mut names = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('refinery_schema_history', 'backup') ORDER BY 1")
        .unwrap();
    let names: Vec<String> = names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert!(names.len() >= 4, "{names:?}");
    names
        .into_iter()
        .map(|name| {
            let mut select = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let width = select.column_count();
            let rows = select.query_map([], |row| (0..width).map(|at| row.get(at)).collect()).unwrap();
            let mut rows: Vec<Vec<Cell>> = rows.map(Result::unwrap).collect();
            rows.sort_by_key(|row| format!("{row:?}"));
            (name, rows)
        })
        .collect()
}

#[test]
fn a_backup_has_every_column_of_every_table_whichever_way_it_went() {
    let Some(postgres) = postgres() else { return };
    let [first, last] = [(); 2].map(|()| sqlite());
    let service = Service::start(&first);
    let mut games = scene(&service, &first);
    beacons(&service, &mut games);
    let (id, player) = &games[0];
    let secret = json!({"secret": secret()});
    let clock = json!({"initial": 604_800, "increment": 1});
    service.seated(json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": clock}));
    let (over, loser) = &games[3];
    assert_eq!(loser.send("POST", &format!("/v1/games/{over}/rematch"), &[], "").status, 201);
    for written in ["heartbeat SET at = at", "counted_ends SET entries = entries"] {
        while first.sabotage(&format!("UPDATE {written}")) != Ok(1) {}
    }
    let replaced = player.put(&format!("/v1/games/{id}/seats/1/secret"), secret);
    assert_eq!(replaced.status, 204, "{}", replaced.text);
    service.wait_for_log();
    service.wait_until_counted();
    assert_eq!(service.stranger().post_text("/log/cosignatures", &service.cosigned()).status, 204);
    // Nothing is pending for the feed while a service runs.
    service.kill();
    let waiting = "INSERT INTO feed_waiting SELECT game_id, revision, kind, ruleset, at FROM feed_entries WHERE position = 1";
    assert_eq!(first.sabotage(waiting), Ok(1));
    let folder = tempfile::tempdir().unwrap();
    let file = |name| folder.path().join(name);
    for (from, name, to) in [(&first, "one", &postgres), (&postgres, "two", &last)] {
        assert_eq!(back_up(from, &file(name)).status.code(), Some(0));
        assert_eq!(restore(&file(name), &[], to).status.code(), Some(0));
    }
    back_up(&last, &file("three"));
    let before = rows(&file("one"));
    for (table, rows) in &before {
        assert!(!rows.is_empty(), "{table}");
        let columns = if table == "games" { rows[0].len() } else { 0 };
        for column in 0..columns {
            let is_used = rows.iter().any(|row| row[column] != Cell::Null);
            assert!(is_used, "no game here has column {column}, so that nobody sees whether it is copied");
        }
    }
    assert!(before == rows(&file("two")) && before == rows(&file("three")));
}

#[test]
fn a_backup_taken_while_games_are_played_has_all_that_was_answered_before_it_began() {
    for source in backends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("assam.backup");
        let service = Service::start(&source);
        let (is_over, answered) = (AtomicBool::new(false), Mutex::new(Vec::new()));
        let counts = thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        let (id, players) = service.game(3, json!({}));
                        assert_eq!(players[0].play(&id, 1, "N").status, 201);
                        answered.lock().unwrap().push(id);
                    }
                });
            }
            let counts: Vec<usize> = (0..3)
                .map(|_| {
                    // More were answered since.
                    let known = answered.lock().unwrap().len();
                    assert!(comes(60, || answered.lock().unwrap().len() >= known + 5));
                    let count = answered.lock().unwrap().len();
                    let made = back_up(&source, &file);
                    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
                    count
                })
                .collect();
            is_over.store(true, Ordering::Relaxed);
            counts
        });
        let target = sqlite();
        assert_eq!(restore(&file, &[], &target).status.code(), Some(0));
        let there = Service::start(&target);
        let answered = answered.into_inner().unwrap();
        let last = counts[2];
        assert!(last >= 15 && answered.len() > last, "games were played meanwhile");
        for id in &answered[..last] {
            let game = there.stranger().get(&format!("/v1/games/{id}"));
            assert_eq!((game.status, game.json()["head"]["ply"].as_u64()), (200, Some(1)), "{}", game.text);
        }
    }
}

#[test]
fn where_games_are_on_several_servers_a_backup_waits_for_what_one_of_them_has_yet_to_commit() {
    let Some(source) = postgres() else { return };
    let (id, _) = Service::start(&source).game(2, json!({}));
    source.script(AS_IF_DISTRIBUTED);
    let revision = format!("SELECT revision::bigint FROM games WHERE id = {}", source.id(&id));
    let before = source.count(&revision);
    let mut committing = postgres::Client::connect(&source.url(), postgres::NoTls).unwrap();
    let change = format!("BEGIN; UPDATE games SET revision = revision + 1 WHERE id = {}", source.id(&id));
    committing.batch_execute(&change).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assam.backup");
    let made = thread::scope(|scope| {
        let made = scope.spawn(|| back_up(&source, &file));
        let waits = "SELECT count(*) FROM pg_locks WHERE relation = 'games'::regclass AND NOT granted";
        assert!(comes(60, || source.count(waits) == 1));
        committing.batch_execute("COMMIT").unwrap();
        made.join().unwrap()
    });
    assert_eq!(made.status.code(), Some(0), "{}", err(&made));
    let stored: i64 = Connection::open(&file)
        .unwrap()
        .query_row("SELECT revision FROM games", [], |row| row.get(0))
        .unwrap();
    assert_eq!(stored, before + 1);
}

#[test]
fn a_backup_is_its_owners_alone_replaces_an_earlier_one_and_no_other_file_and_is_restored_into_none() {
    let source = sqlite();
    let service = Service::start(&source);
    scene(&service, &source);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assam.backup");
    for _ in 0..2 {
        assert_eq!(back_up(&source, &file).status.code(), Some(0));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left beside it");
    let other = folder.path().join("notes.txt");
    fs::write(&other, "mine").unwrap();
    let database = source.url();
    let database = Path::new(database.strip_prefix("sqlite:").unwrap());
    for taken in [other.as_path(), database] {
        let before = fs::read(taken).unwrap();
        let refused = back_up(&source, taken);
        assert_eq!(refused.status.code(), Some(2));
        assert!(err(&refused).contains("is not an earlier backup"), "{}", err(&refused));
        assert!(fs::read(taken).unwrap() == before);
    }
    let missing = folder.path().join("missing.db");
    let nothing = assam(&["backup", "-", "--database", &format!("sqlite:{}", missing.display())], "");
    assert_eq!(nothing.status.code(), Some(2));
    assert!(err(&nothing).contains("there is no database") && !missing.exists(), "{}", err(&nothing));
    let foreign = assam(&["restore", other.to_str().unwrap(), "--check"], "");
    assert_eq!(foreign.status.code(), Some(2));
    assert!(err(&foreign).contains("neither a backup nor a database"), "{}", err(&foreign));
    let left = "what is left of a database ".repeat(500);
    fs::write(&other, &left).unwrap();
    let over =
        assam(&["restore", file.to_str().unwrap(), "--database", &format!("sqlite:{}", other.display())], "");
    assert_eq!(over.status.code(), Some(2));
    assert!(err(&over).contains("cannot restore into this --database: "), "{}", err(&over));
    assert_eq!(fs::read_to_string(&other).unwrap(), left);
}

#[test]
fn a_backup_that_is_served_is_a_database_and_no_new_backup_replaces_it() {
    let source = sqlite();
    let service = Service::start(&source);
    scene(&service, &source);
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("assam.backup"), folder.path().join("latest"));
    std::os::unix::fs::symlink(&file, &link).unwrap();
    for _ in 0..2 {
        assert_eq!(back_up(&source, &link).status.code(), Some(0));
        assert!(link.is_symlink() && file.is_file(), "a link stays one");
    }
    let served = Service::start_on(&format!("sqlite:{}", file.display()));
    assert_eq!(served.stranger().get("/v1/games").json()["games"].as_array().unwrap().len(), 4);
    let refused = back_up(&source, &file);
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("is used as a database"), "{}", err(&refused));
    // Its leftovers after a kill belong to it, even if the file itself is gone.
    drop(served);
    assert!(folder.path().join("assam.backup-wal").exists());
    fs::remove_file(&file).unwrap();
    assert_eq!(back_up(&source, &file).status.code(), Some(2));
}

#[test]
fn a_backup_goes_through_a_pipe_and_the_file_of_a_service_is_one_too() {
    for source in backends() {
        let service = Service::start(&source);
        scene(&service, &source);
        let target = backends().pop().unwrap();
        let program = || Command::new(env!("CARGO_BIN_EXE_assam"));
        let mut from = program()
            .args(["backup", "-", "--database", &source.url()])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let into = program()
            .args(["restore", "-", "--database", &target.url()])
            .stdin(from.stdout.take().unwrap())
            .output()
            .unwrap();
        let from = from.wait_with_output().unwrap();
        assert!(err(&from).starts_with("7 games, verified with "), "{}", err(&from));
        assert_eq!(into.status.code(), Some(0), "{}", err(&into));
        assert!(out(&into).starts_with("7 games restored, verified with "), "{}", out(&into));
        assert!(err(&into).starts_with("a backup has no signing keys: put the key file"), "{}", err(&into));
        if let Some(file) = source.url().strip_prefix("sqlite:") {
            let checked = assam(&["restore", file, "--check"], "");
            assert!(out(&checked).starts_with("7 games, verified with "), "{}", err(&checked));
        }
    }
}
