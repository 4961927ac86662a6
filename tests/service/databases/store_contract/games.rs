//! Creating, reading, appending, and taking seats.

use std::time::{Duration, Instant};

use assam_record::log::Start;
use assam_store::{Change, RowChange};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use tokio_postgres::NoTls;

use super::*;

#[tokio::test]
async fn every_column_comes_back_as_it_was_stored() {
    on_all(async |_, store| {
        let mut imported = open_game(3);
        imported.info.imported = true;
        imported.info.visibility = Visibility::Unlisted;
        imported.info.status = Status::Aborted;
        imported.info.head = Some(head(0, 0));
        (imported.seed, imported.commitment) = (None, None);
        for game in [open_game(1), running_game(2), imported] {
            store.alone(create(&game)).await.unwrap();
            assert!(store.reads.load(game.info.id).await.unwrap() == Some(game));
        }
        assert!(store.reads.load(id(4)).await.unwrap().is_none());
    })
    .await;
}

#[tokio::test]
async fn creating_a_game_twice_finds_the_first_and_changes_nothing() {
    on_all(async |_, store| {
        let first = running_game(1);
        store.alone(create(&first)).await.unwrap();
        let mut second = open_game(1);
        second.info.seats[0] = seat_of("eve");
        assert!(matches!(store.alone(create(&second)).await, Err(StoreError::Exists)));
        assert!(load(&store, 1).await == first);
        assert!(ids(&store, &of_player("eve")).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_append_moves_the_head_and_puts_the_newest_word_first() {
    on_all(async |_, store| {
        let mut game = running_game(1);
        store.alone(create(&game)).await.unwrap();
        let extension = Extension {
            entries: "e~2 d~1".into(),
            head: head(5, 5),
            status: Status::Finished,
            finished_at: Some(time(9)),
            clock: None,
        };
        store.alone(append(id(1), &head(3, 3), &extension)).await.unwrap();
        game.log = "e~2 d~1 c~1a b~0 a~zz".into();
        game.info.head = Some(head(5, 5));
        game.info.status = Status::Finished;
        game.info.finished_at = Some(time(9));
        assert!(load(&store, 1).await == game);
    })
    .await;
}

#[tokio::test]
async fn the_first_word_of_an_empty_log_stands_alone() {
    on_all(async |_, store| {
        let mut game = running_game(1);
        game.info.head = Some(head(0, 0));
        game.log = String::new();
        store.alone(create(&game)).await.unwrap();
        let extension = word("a~0", head(1, 1));
        store.alone(append(id(1), &head(0, 0), &extension)).await.unwrap();
        assert_eq!(load(&store, 1).await.log, "a~0");
    })
    .await;
}

#[tokio::test]
async fn an_append_at_another_head_is_a_conflict_and_changes_nothing() {
    on_all(async |_, store| {
        let stale = [head(2, 3), head(4, 3), head(3, 4)];
        for n in 1..=4 {
            store.alone(create(&running_game(n))).await.unwrap();
        }
        store.alone(create(&open_game(5))).await.unwrap();
        let extension = word("d~0", head(4, 4));
        for at in stale {
            assert!(is_conflict(store.alone(append(id(1), &at, &extension)).await));
        }
        // Moves written together are still distinguished.
        let mut together: Vec<_> = (1..).zip(stale).map(|(n, at)| append(id(n), &at, &extension)).collect();
        together.push(append_at(1, id(4), &head(3, 3), &extension));
        assert!(store.games.write(&mut together).await.into_iter().all(is_conflict));
        for n in 1..=4 {
            assert!(load(&store, n).await == running_game(n));
        }
        // A game that has not started has no head.
        assert!(is_conflict(store.alone(append(id(5), &head(0, 0), &extension)).await));
        assert!(is_not_found(store.alone(append(id(9), &head(3, 3), &extension)).await));
    })
    .await;
}

#[tokio::test]
async fn reseating_takes_the_revision_it_was_computed_from() {
    on_all(async |_, store| {
        let mut game = open_game(1);
        store.alone(create(&game)).await.unwrap();
        let seats = [seat_of("ann"), open_seat()];
        store.alone(reseat(id(1), 0, &seats, None)).await.unwrap();
        game.info.seats = seats.to_vec();
        game.info.revision = 1;
        assert!(load(&store, 1).await == game);

        let late = [seat_of("eve"), open_seat()];
        assert!(is_conflict(store.alone(reseat(id(1), 0, &late, None)).await));
        assert!(is_conflict(store.alone(reseat(id(1), 2, &late, None)).await));
        assert!(is_not_found(store.alone(reseat(id(9), 0, &late, None)).await));
        assert!(load(&store, 1).await == game);
        assert!(ids(&store, &of_player("eve")).await.is_empty());
    })
    .await;
}

#[tokio::test]
async fn the_last_seat_starts_the_game_in_the_same_change() {
    on_all(async |_, store| {
        // Ply 0 may draw something or nothing, and built-in players may continue from there.
        for (n, entries, ply) in [(1, "+r~0", 0), (2, "", 0), (3, "b~0 a~0", 2)] {
            let mut game = open_game(n);
            store.alone(create(&game)).await.unwrap();
            let seats = [seat_of("ann"), seat_of("bob")];
            let start = Start { at: time(9000), extension: word(entries, head(ply, 7)) };
            assert!(is_conflict(store.alone(reseat(id(n), 5, &seats, Some(&start))).await));
            store.alone(reseat(id(n), 0, &seats, Some(&start))).await.unwrap();
            game.info.seats = seats.to_vec();
            game.info.revision = 1;
            game.info.status = Status::Running;
            game.info.started_at = Some(time(9000));
            game.info.head = Some(head(ply, 7));
            game.log = entries.into();
            assert!(load(&store, n).await == game);
            // A game starts only once.
            assert!(is_conflict(store.alone(reseat(id(n), 1, &seats, Some(&start))).await));
        }
    })
    .await;
}

/// Writes a change as the application does, again if another session is just writing the game.
async fn once_free(store: &Database, change: Change) -> Result<(), StoreError> {
    loop {
        match store.alone(change.clone()).await {
            Err(StoreError::Locked) => {}
            written => return written,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_appends_at_one_head_exactly_one_wins() {
    const ROUNDS: u32 = 60;
    const WRITERS: u8 = 4;
    on_all(async |backend, store| {
        let mut game = running_game(1);
        game.info.head = Some(head(0, 0));
        game.log = String::new();
        store.alone(create(&game)).await.unwrap();
        // Two stores represent two processes.
        let other = backend.connect();
        for ply in 0..ROUNDS {
            let at = load(&store, 1).await.info.head.unwrap();
            assert_eq!(at.ply, ply);
            let barrier = Arc::new(Barrier::new(WRITERS.into()));
            let mut writers = JoinSet::new();
            for writer in 0..WRITERS {
                let store = if writer % 2 == 0 { store.clone() } else { other.clone() };
                let barrier = Arc::clone(&barrier);
                writers.spawn(async move {
                    // Every attempt has a distinct hash, like real ones.
                    let hash = u8::try_from(ply).unwrap() * WRITERS + writer + 1;
                    let extension = word(&format!("{writer}~0"), head(ply + 1, hash));
                    barrier.wait().await;
                    once_free(&store, append(id(1), &at, &extension)).await
                });
            }
            let outcomes = writers.join_all().await;
            assert_eq!(outcomes.iter().filter(|won| won.is_ok()).count(), 1);
            for lost in outcomes.into_iter().filter_map(Result::err) {
                assert!(matches!(lost, StoreError::Conflict), "{lost}");
            }
        }
        let log = load(&store, 1).await.log;
        assert_eq!(log.split(' ').count(), ROUNDS as usize);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_concurrent_creations_of_one_game_exactly_one_creates_it() {
    on_all(async |backend, store| {
        for n in 0..20 {
            let barrier = Arc::new(Barrier::new(4));
            let mut creators = JoinSet::new();
            for store in [&store, &store, &backend.connect(), &backend.connect()] {
                let (store, barrier) = (store.clone(), Arc::clone(&barrier));
                creators.spawn(async move {
                    barrier.wait().await;
                    once_free(&store, create(&running_game(n))).await
                });
            }
            let found = creators.join_all().await;
            assert_eq!(found.iter().filter(|found| found.is_ok()).count(), 1);
            assert!(found.iter().all(|found| matches!(found, Ok(()) | Err(StoreError::Exists))));
        }
    })
    .await;
}

#[tokio::test]
async fn a_lock_held_elsewhere_is_unavailable_soon_and_reading_goes_on() {
    on_all(async |backend, store| {
        store.alone(create(&running_game(1))).await.unwrap();
        store.alone(create(&running_game(2))).await.unwrap();
        let extension = word("d~0", head(4, 4));
        let begun = Instant::now();
        let refused = match backend {
            Backend::Postgres(_) => {
                let url = backend.url();
                let (client, work) = tokio_postgres::connect(&url, NoTls).await.unwrap();
                let work = tokio::spawn(work);
                let lock = format!("BEGIN; SELECT FROM games WHERE id = {} FOR UPDATE", backend.id(id(1)));
                client.batch_execute(&lock).await.unwrap();
                // One locked row does not stall the others.
                let other = store.alone(append(id(2), &head(3, 3), &extension)).await;
                other.unwrap();
                let refused = store.alone(append(id(1), &head(3, 3), &extension)).await;
                drop(client);
                work.await.unwrap().unwrap();
                refused
            }
            Backend::Sqlite(_) => {
                let url = backend.url();
                let path = url.strip_prefix("sqlite:").unwrap();
                let connection = rusqlite::Connection::open(path).unwrap();
                connection.execute_batch("BEGIN IMMEDIATE").unwrap();
                store.alone(append(id(1), &head(3, 3), &extension)).await
            }
        };
        assert!(matches!(refused, Err(StoreError::Unwritable(_) | StoreError::Locked)), "{refused:?}");
        assert!(begun.elapsed() < Duration::from_secs(30));
        assert!(load(&store, 1).await == running_game(1));
        let again = store.alone(append(id(1), &head(3, 3), &extension)).await;
        again.unwrap();
    })
    .await;
}

#[tokio::test]
async fn changes_that_are_written_together_are_each_written_or_refused_by_themselves() {
    on_all(async |backend, store| {
        for n in 1..=3 {
            store.alone(create(&running_game(n))).await.unwrap();
        }
        store.alone(create(&open_game(4))).await.unwrap();
        let extension = word("d~0", head(4, 4));
        let appended = |n, at| append(id(n), &at, &extension);
        let seats = vec![seat_of("anna"), seat_of("ben")];
        let reseated = |n, revision| listed_as(&open_game(n).info, reseat(id(n), revision, &seats, None));
        let mut changes = [
            appended(1, head(3, 3)),
            appended(2, head(2, 2)),
            appended(8, head(3, 3)),
            create(&running_game(5)),
            create(&open_game(3)),
            reseated(4, 0),
            reseated(9, 0),
        ];
        let outcomes = store.games.write(&mut changes).await;
        assert!(
            matches!(
                outcomes[..],
                [
                    Ok(()),
                    Err(StoreError::Conflict),
                    Err(StoreError::NotFound),
                    Ok(()),
                    Err(StoreError::Exists),
                    Ok(()),
                    Err(StoreError::NotFound),
                ]
            ),
            "{outcomes:?}"
        );
        assert!(load(&store, 1).await.info.head == Some(head(4, 4)));
        assert!(load(&store, 2).await == running_game(2));
        assert!(load(&store, 3).await == running_game(3));
        assert!(load(&store, 5).await == running_game(5));
        let reseated = load(&store, 4).await.info;
        assert!((reseated.revision, reseated.seats) == (1, seats.clone()));
        assert_eq!(ids(&store, &of_player("anna")).await, [id(4)]);

        // A refusal by the database does not stop the others.
        let sql = format!("UPDATE games SET log = 'x~0' WHERE id = {}", backend.id(id(2)));
        assert!(backend.sabotage(&sql).is_err(), "the guard refuses it");
        let backwards = Extension {
            entries: "e~0".into(),
            head: head(2, 2),
            status: Status::Running,
            finished_at: None,
            clock: None,
        };
        let refused = append(id(2), &head(3, 3), &backwards);
        let outcomes =
            store.games.write(&mut [appended(3, head(3, 3)), refused, appended(5, head(3, 3))]).await;
        assert!(matches!(outcomes[..], [Ok(()), Err(StoreError::Backend(_)), Ok(())]), "{outcomes:?}");
        assert!(load(&store, 2).await == running_game(2));
    })
    .await;
}

#[tokio::test]
async fn a_row_that_a_list_has_already_is_left_as_it_is_and_keeps_no_change_from_being_written() {
    on_all(async |backend, store| {
        store.games.write(&mut [create(&open_game(1)), create(&open_game(2))]).await;
        let ann = backend.bytes(player_id("ann"));
        backend.script(&format!(
            "INSERT INTO player_games (player, ruleset, status, created_at, game_id) \
             SELECT {ann}, ruleset, status, created_at, game_id FROM player_games WHERE game_id = {}",
            backend.id(id(2))
        ));
        let seats = [seat_of("ann"), seat_of("ben")];
        let seated = |n| listed_as(&open_game(n).info, reseat(id(n), 0, &seats, None));
        let outcomes = store.games.write(&mut [seated(1), seated(2)]).await;
        assert!(matches!(outcomes[..], [Ok(()), Ok(())]), "{outcomes:?}");
        assert_eq!(ids(&store, &of_player("ann")).await, [id(2), id(1)]);
    })
    .await;
}

#[tokio::test]
async fn a_locked_row_does_not_keep_changes_of_other_games_from_being_written_together() {
    on_all(async |backend, store| {
        let Backend::Postgres(_) = backend else { return };
        for n in 1..=3 {
            store.alone(create(&running_game(n))).await.unwrap();
        }
        let (client, work) = tokio_postgres::connect(&backend.url(), NoTls).await.unwrap();
        let work = tokio::spawn(work);
        let lock = format!("BEGIN; SELECT FROM games WHERE id = {} FOR UPDATE", backend.id(id(2)));
        client.batch_execute(&lock).await.unwrap();
        let extension = word("d~0", head(4, 4));
        let append = |n| append(id(n), &head(3, 3), &extension);
        let outcomes = store.games.write(&mut [append(1), append(2), append(3)]).await;
        assert!(matches!(outcomes[..], [Ok(()), Err(StoreError::Locked), Ok(())]), "{outcomes:?}");
        let outcomes = store.games.write_skip_locked(&mut [append(1), append(2), append(9)]).await;
        let told = matches!(
            outcomes[..],
            [Err(StoreError::Conflict), Err(StoreError::Locked), Err(StoreError::NotFound)]
        );
        assert!(told, "{outcomes:?}");
        drop(client);
        work.await.unwrap().unwrap();
        assert!(matches!(store.games.write(&mut [append(2)]).await[..], [Ok(())]));
    })
    .await;
}

#[tokio::test]
async fn a_round_is_fixed_and_its_signature_comes_with_the_start_and_one_of_two_that_deliver_is_first() {
    on_all(async |_, store| {
        let new = GameBeacon { due: None, ..beacon(None) };
        let game = StoredGame { beacon: Some(new.clone()), ..open_game(1) };
        store.alone(create(&game)).await.unwrap();
        assert!(load(&store, 1).await == game);
        let seats = [seat_of("ann"), seat_of("bob")];
        let with = |revision, beacon: GameBeacon, start: Option<&Start>| {
            let mut change = reseat(id(1), revision, &seats, start);
            if let RowChange::Update(update) = &mut change.row {
                update.beacon = Some(beacon);
            }
            change
        };
        store.alone(with(0, beacon(None), None)).await.unwrap();
        let fixed = load(&store, 1).await;
        assert!(fixed.beacon == Some(beacon(None)) && fixed.info.revision == 1);
        assert!(fixed.info.status == Status::Open && fixed.info.head.is_none());
        // Later changes of seats leave the round unchanged.
        store.alone(reseat(id(1), 1, &seats, None)).await.unwrap();
        assert!(load(&store, 1).await.beacon == Some(beacon(None)));
        let start = Start { at: time(7000), extension: word("a~0", head(0, 9)) };
        let signed = beacon(Some(Hex([0xb1; 48])));
        store.alone(with(2, signed.clone(), Some(&start))).await.unwrap();
        assert!(is_conflict(store.alone(with(2, signed.clone(), Some(&start))).await));
        assert!(is_conflict(store.alone(with(3, signed.clone(), Some(&start))).await));
        let started = load(&store, 1).await;
        assert!(started.beacon == Some(signed) && started.info.head == Some(head(0, 9)));
        assert!(started.info.status == Status::Running && started.info.revision == 3);
    })
    .await;
}
