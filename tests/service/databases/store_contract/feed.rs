//! Messages to followers of the feed.

use std::time::Duration;

use assam_api::app::{App, FeedCursor, FeedFollower, FeedPart, Limits};
use assam_proofs::signed::Keyring;
use assam_record::feed::FeedKind;
use assam_record::log::Start;
use tokio::time::timeout;
use tokio_postgres::NoTls;

use super::*;
use crate::harness::{AS_IF_DISTRIBUTED, place_what_waits, postgres};

/// The number of games that fill one batch.
const PART: u32 = 100;

/// Returns how many entries a follower receives next, and whether it is up to date.
async fn told(app: &App, follower: &mut FeedFollower) -> (usize, bool) {
    match app.feed_after(follower).await.unwrap() {
        FeedPart::Entries(entries, is_all) => (entries.len(), is_all),
        FeedPart::Reset => panic!("nothing was lost"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_told_of_much_is_told_of_what_came_meanwhile_with_no_new_reason() {
    on_both(async |_, store| {
        for n in 0..PART {
            store.alone(create(&open_game(n))).await.unwrap();
        }
        place_what_waits(&store).await;
        let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty()).unwrap();
        let app = Arc::new(app);
        let follow = async {
            let beginning = FeedCursor { position: 0, mark: None };
            let mut slow = app.follow_feed(Some(beginning)).await.unwrap();
            assert_eq!(told(&app, &mut slow).await, (PART as usize, false));
            // While that is sent, one more comes, and a fast follower receives it.
            let mut quick = app.follow_feed(None).await.unwrap();
            assert_eq!(told(&app, &mut quick).await, (0, true));
            store.alone(create(&open_game(PART))).await.unwrap();
            while quick.at().position <= PART.into() {
                timeout(Duration::from_secs(20), quick.changed()).await.expect("something came");
                told(&app, &mut quick).await;
            }
            assert_eq!(told(&app, &mut slow).await, (0, false), "there is more");
            assert_eq!(told(&app, &mut slow).await, (1, true));
        };
        tokio::select! {
            () = Arc::clone(&app).keep_feed() => {}
            () = follow => {}
        }
    })
    .await;
}

#[tokio::test]
async fn what_a_server_has_yet_to_commit_comes_into_the_feed_once_it_has_and_holds_up_no_other_game() {
    let Some(backend) = postgres() else { return };
    let store = backend.open().await;
    backend.script(AS_IF_DISTRIBUTED);
    // Like servers of a distributed PostgreSQL that have prepared the next change but not committed it.
    let set_back = |n: u32, sql: &str| {
        let game = backend.id(id(n));
        backend.script(&format!(
            "CREATE TABLE game_{n} AS SELECT * FROM games WHERE id = {game}; \
             SET session_replication_role = replica; {sql} WHERE id = {game}"
        ));
    };
    let commit = |n: u32| {
        let game = backend.id(id(n));
        backend.script(&format!(
            "SET session_replication_role = replica; DELETE FROM games WHERE id = {game}; \
             INSERT INTO games SELECT * FROM game_{n}"
        ));
    };
    let placed = async || {
        let from = store.feed.feed_head().await.unwrap().position + 1;
        place_what_waits(&store).await;
        let entries = store.feed.feed_entries(from, 100).await.unwrap();
        entries.iter().map(|entry| (entry.news.game, entry.news.kind)).collect::<Vec<_>>()
    };
    let mut games: Vec<StoredGame> = (1..=4).map(open_game).collect();
    games.push(StoredGame {
        info: Info { visibility: Visibility::Public, created_at: time(5), ..running_game(5).info },
        ..running_game(5)
    });
    for game in &games {
        store.alone(create(game)).await.unwrap();
    }
    let removed = &games[3].info;
    store.alone(remove(removed)).await.unwrap();
    set_back(1, "DELETE FROM games");
    let kinds =
        [(2, FeedKind::Created), (3, FeedKind::Created), (4, FeedKind::Created), (5, FeedKind::Created)];
    let mut expected = kinds.map(|(n, kind)| (id(n), kind)).to_vec();
    expected.extend([(id(5), FeedKind::Started), (id(4), FeedKind::Removed)]);
    assert_eq!(placed().await, expected);

    // One starts, and one ends.
    let start = Start { at: time(6000), extension: word("a~0", head(1, 1)) };
    store
        .alone(listed_as(&games[2].info, reseat(id(3), 0, &games[2].info.seats, Some(&start))))
        .await
        .unwrap();
    set_back(
        3,
        "UPDATE games SET revision = 0, status = 0, started_at = NULL, ply = NULL, head = NULL, log = ''",
    );
    let last =
        Extension { status: Status::Finished, finished_at: Some(time(7000)), ..word("b~1", head(4, 4)) };
    store.alone(listed_as(&games[4].info, append(id(5), &head(3, 3), &last))).await.unwrap();
    set_back(5, "UPDATE games SET status = 1, finished_at = NULL, ply = 3");
    store.alone(create(&open_game(6))).await.unwrap();
    let seats = [seat_of("ann"), open_seat()];
    store.alone(listed_as(&games[1].info, reseat(id(2), 0, &seats, None))).await.unwrap();
    assert_eq!(placed().await, [(id(6), FeedKind::Created), (id(2), FeedKind::Seats)]);
    assert_eq!(placed().await, []);

    // A long queue delays nothing else.
    backend.script(
        "INSERT INTO feed_waiting SELECT gen_random_uuid(), 0, 0, 1, n FROM generate_series(1, 2500) AS n",
    );
    store.alone(create(&open_game(7))).await.unwrap();
    assert_eq!(placed().await, [(id(7), FeedKind::Created)]);
    while store.feed.forget_feed(time(0)).await.unwrap() {}
    assert_eq!(placed().await, []);

    [1, 3, 5].into_iter().for_each(commit);
    let late = [(id(1), FeedKind::Created), (id(3), FeedKind::Started), (id(5), FeedKind::Finished)];
    assert_eq!(placed().await, late);
    assert_eq!(backend.count("SELECT count(*) FROM feed_waiting"), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_holds_up_the_feed_and_the_log_of_one_service_holds_up_no_other_in_the_same_postgresql() {
    let (Some(held), Some(free)) = (postgres(), postgres()) else { return };
    let (slow, quick) = (held.open().await, free.open().await);
    for store in [&slow, &quick] {
        store.alone(create(&open_game(1))).await.unwrap();
    }
    let (holder, work) = tokio_postgres::connect(&held.url(), NoTls).await.unwrap();
    let work = tokio::spawn(work);
    holder.batch_execute("BEGIN; LOCK TABLE feed_head, log_head IN ACCESS EXCLUSIVE MODE").await.unwrap();
    let feed = tokio::spawn({
        let slow = slow.clone();
        async move { slow.feed.place_feed(1).await }
    });
    let log = tokio::spawn(async move { slow.log.extend_log(&[]).await });
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted \
         AND relation IN ('feed_head'::regclass, 'log_head'::regclass)";
    while held.count(waiting) < 2 {}
    assert_eq!(quick.feed.place_feed(1).await.unwrap(), Some(1));
    assert!(quick.log.extend_log(&[]).await.unwrap().is_some());
    assert_eq!(held.count(waiting), 2, "they are held up no more");
    drop(holder);
    work.await.unwrap().unwrap();
    // They may have given up.
    let _ = (feed.await.unwrap(), log.await.unwrap());
}
