//! Opening, migrating, and missing databases.

use std::net::TcpListener;
use std::path::Path;
use std::time::{Duration, Instant};

use assam_store::{PostgresStore, SortBy, SqliteStore};
use serde_json::json;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio::time::timeout;
use tokio_postgres::NoTls;

use super::*;
use crate::harness::postgres;

#[tokio::test(flavor = "multi_thread")]
async fn migrating_is_harmless_twice_and_by_four_at_once() {
    for backend in backends() {
        println!("on {}", backend.name());
        let backend = Arc::new(backend);
        let barrier = Arc::new(Barrier::new(4));
        let mut starting = JoinSet::new();
        for n in 0..4 {
            let (backend, barrier) = (Arc::clone(&backend), Arc::clone(&barrier));
            starting.spawn(async move {
                barrier.wait().await;
                let store = backend.open().await;
                store.alone(create(&open_game(n))).await.unwrap();
            });
        }
        starting.join_all().await;
        let store = backend.open().await;
        store.admin.migrate().await.unwrap();
        for n in 0..4 {
            assert!(load(&store, n).await == open_game(n));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_is_held_up_holds_up_no_other_service_in_the_same_postgresql() {
    let (Some(held), Some(free)) = (postgres(), postgres()) else { return };
    let slow = held.open().await;
    let (holder, work) = tokio_postgres::connect(&held.url(), NoTls).await.unwrap();
    let work = tokio::spawn(work);
    holder.batch_execute("BEGIN; LOCK TABLE refinery_schema_history IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let migration = tokio::spawn(async move { slow.admin.migrate().await });
    let waiting =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'refinery_schema_history'::regclass";
    while held.count(waiting) == 0 {}
    timeout(Duration::from_secs(20), free.open()).await.expect("it is migrated");
    assert_eq!(held.count(waiting), 1, "the other one is held up no more");
    drop(holder);
    work.await.unwrap().unwrap();
    migration.await.unwrap().unwrap();
}

#[tokio::test]
async fn a_database_without_tables_is_said_to_have_none() {
    for backend in backends() {
        println!("on {}", backend.name());
        let store = backend.connect();
        store.reads.ping().await.unwrap();
        match store.reads.load(id(1)).await {
            Err(StoreError::Backend(text)) => assert!(text.contains("games"), "{text}"),
            _ => panic!("a game was looked for without a table"),
        }
    }
}

#[tokio::test]
async fn games_survive_the_store_that_wrote_them() {
    on_both(async |backend, store| {
        store.alone(create(&running_game(1))).await.unwrap();
        let extension = word("d~0", head(4, 4));
        store.alone(append(id(1), &head(3, 3), &extension)).await.unwrap();
        drop(store);
        let store = backend.open().await;
        let game = load(&store, 1).await;
        assert_eq!(game.log, "d~0 c~1a b~0 a~zz");
        assert!(game.info.head == Some(head(4, 4)));
    })
    .await;
}

/// With nothing listening here, or a silent server.
#[tokio::test]
async fn a_dead_postgres_is_unavailable_within_seconds() {
    // A port that is free now may be taken later, but 1 stays unused.
    let unused_port = 1;
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let silent_port = silent.local_addr().unwrap().port();
    for port in [unused_port, silent_port] {
        let url = format!("postgres://ann:hush@127.0.0.1:{port}/games");
        let store = PostgresStore::connect(&url, 2).unwrap();
        let begun = Instant::now();
        let error = store.ping().await.unwrap_err();
        assert!(begun.elapsed() < Duration::from_secs(30));
        assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
        let text = format!("{error} {error:?}");
        assert!(!text.contains("hush") && !text.contains("127.0.0.1"), "{text}");
        assert!(matches!(store.load(id(1)).await, Err(StoreError::Unavailable(_))));
    }
}

#[test]
fn a_url_that_cannot_be_used_is_refused_without_being_quoted() {
    for url in [
        "postgres://ann:hush@host:port/games",
        "postgres://ann:me@host/games?keepalives=hush",
        "postgres//ann:hush@host/games",
        "postgres://ann:hush@host/games?hush=1",
        "postgres://ann:hush@host/games?sslmode=require",
    ] {
        let Err(StoreError::Backend(text)) = PostgresStore::connect(url, 2) else {
            panic!("{url} was accepted");
        };
        assert!(!text.contains("hush"), "{text}");
    }
}

#[tokio::test]
async fn an_sqlite_file_needs_a_directory_that_exists_and_a_database() {
    let directory = tempfile::tempdir().unwrap();
    let lost = directory.path().join("lost").join("assam.db");
    let Err(StoreError::Backend(text)) = SqliteStore::open(&lost) else {
        panic!("a missing directory was accepted");
    };
    assert!(text.contains("directory"), "{text}");

    let letter = directory.path().join("letter.txt");
    std::fs::write(&letter, "Dear Assam, ".repeat(100)).unwrap();
    let Err(StoreError::Backend(text)) = SqliteStore::open(&letter) else {
        panic!("a letter was accepted as a database");
    };
    assert!(text.contains("not a database"), "{text}");

    assert!(SqliteStore::open(Path::new("/")).is_err());
}

/// Returns a game as the first version of the program stored it.
fn first_version(backend: &Backend, game: &StoredGame) -> String {
    let info = &game.info;
    let text = |text: &str| format!("'{}'", text.replace('\'', "''"));
    let bytes = |bytes: Option<[u8; 32]>| bytes.map_or("NULL".into(), |bytes| backend.bytes(Hex(bytes)));
    let number = |number: Option<i64>| number.map_or("NULL".into(), |number| number.to_string());
    let name = |of: serde_json::Value| text(of.as_str().unwrap());
    let seats = info.seats.iter().map(|holder| {
        let hex = |hex: Option<String>| hex.map_or(json!(null), |hex| json!(hex));
        json!({
            "kind": holder.kind.name(),
            "player": hex(holder.player.map(|it| it.to_string())),
            "secret": hex(holder.secret.map(|it| it.to_string())),
            "name": holder.name,
            "entropy": hex(holder.entropy.map(|it| it.to_string())),
        })
    });
    let row = [
        text(&info.id.to_string()),
        info.created_at.as_millisecond().to_string(),
        text(info.ruleset().name()),
        text(info.setup.line()),
        name(json!(info.visibility)),
        info.imported.to_string(),
        number(info.patience_hours.map(Into::into)),
        bytes(game.owner),
        bytes(game.join_code),
        bytes(game.request),
        bytes(game.seed),
        text(&game.tags),
        info.revision.to_string(),
        text(&seats.collect::<serde_json::Value>().to_string()),
        name(json!(info.status)),
        number(info.started_at.map(|at| at.as_millisecond())),
        number(info.head.map(|head| head.ply.into())),
        bytes(info.head.map(|head| head.hash)),
        text(&game.log),
    ];
    format!("INSERT INTO games VALUES ({});", row.join(", "))
}

/// Turns it into a database of the first version, with these games and players.
fn as_first_version(backend: &Backend, games: &[StoredGame], players: &[(u32, &str)]) {
    let (first, functions) = match backend {
        Backend::Sqlite(_) => (include_str!("../../../../migrations/sqlite/V1__games.sql"), ""),
        Backend::Postgres(_) => (
            include_str!("../../../../migrations/postgres/V1__games.sql"),
            "DROP FUNCTION games_guard_update, games_guard_removal, games_guard_commitment, games_guard_beacon, games_guard_rated, games_guard_clock, games_guard_rematch, signing_keys_guard, games_spend_id, games_refuse_spent_id, log_guard CASCADE;",
        ),
    };
    let rows: String = games.iter().map(|game| first_version(backend, game)).collect();
    let players = players.iter().zip(0..).map(|((game, name), seat)| {
        let (game, player) = (id(*game), player_id(name));
        format!("INSERT INTO seat_players VALUES ('{game}', {seat}, '{player}', 0);")
    });
    let players: String = players.collect();
    backend.script(&format!(
        "DROP TABLE games; DROP TABLE player_games; DROP TABLE own_games; DROP TABLE records; DROP TABLE signing_keys; DROP TABLE spent_ids; \
         DROP TABLE log_entries; DROP TABLE log_nodes; DROP TABLE log_head; DROP TABLE log_cosignatures; DROP TABLE feed_entries; DROP TABLE feed_waiting; DROP TABLE feed_head; DROP TABLE counted_ends; DROP TABLE ratings; DROP TABLE tallies; DROP TABLE dice; DROP TABLE heartbeat; {functions} {first} {rows} {players} \
         DELETE FROM refinery_schema_history WHERE version > 1"
    ));
}

#[tokio::test]
async fn a_database_with_games_whose_chance_is_of_an_earlier_form_is_not_taken_over_and_says_so() {
    on_both(async |backend, store| {
        drop(store);
        as_first_version(backend, &[running_game(1)], &[]);
        let error = backend.connect().admin.migrate().await.unwrap_err().to_string();
        assert!(error.contains("there are games whose chance is of an earlier form"), "{error}");
    })
    .await;
}

#[tokio::test]
async fn a_database_of_the_first_version_keeps_its_games_and_their_lists() {
    on_both(async |backend, store| {
        drop(store);
        let public = StoredGame {
            info: Info { visibility: Visibility::Public, ..running_game(1).info },
            ..running_game(1)
        };
        let mut over = running_game(4);
        over.info.status = Status::Finished;
        // 1a, 0 and zz in base 36.
        over.info.finished_at = Some(time(5000 + 46 + 1295));
        let mut games = [public, running_game(2), open_game(3), over];
        // Chance had another form then.
        for game in &mut games {
            (game.seed, game.commitment, game.beacon) = (None, None, None);
            game.info.seats.iter_mut().for_each(|seat| seat.revision = None);
        }
        let players = [(1, "ann"), (1, "bob"), (2, "ann")];
        as_first_version(backend, &games, &players);
        let store = backend.open().await;
        for (n, game) in (1..).zip(&games) {
            assert!(load(&store, n).await == *game);
        }
        let own = ListScope::AllOf { player: player_id("bob"), secret: [0x5e; 32] };
        let own = ListQuery { scope: own, ..of_player("bob") };
        for (query, found) in [
            (own.clone(), vec![id(4), id(2), id(1)]),
            (ListQuery { order: SortBy::Finished, ..own }, vec![id(4)]),
            (of_player("ann"), vec![id(1)]),
            (ListQuery { statuses: vec![Status::Running], ..of_player("bob") }, vec![id(1)]),
            (ListQuery { limit: 9, ..ListQuery::default() }, vec![id(3), id(1)]),
        ] {
            assert_eq!(ids(&store, &query).await, found);
        }
    })
    .await;
}
