//! Clocks in the databases.

use assam_record::game_clock::{ClockRule, GameClock, RunningClock};
use assam_record::log::Start;
use assam_store::Pause;

use super::*;

/// A running game with the clock of the first seat, started at a moment.
fn timed_game(n: u32, since: i64) -> StoredGame {
    let mut game = running_game(n);
    game.info.clock = Some(clock(since));
    game
}

fn clock(since: i64) -> GameClock {
    let running = RunningClock { since: time(since), until: time(since + 60_000) };
    let rule = ClockRule { initial: 60, increment: 5 };
    GameClock { rule, left: vec![60_000, 1], running: Some(running) }
}

#[tokio::test]
async fn a_clock_is_kept_as_it_is_and_goes_on_with_the_log() {
    on_all(async |_, store| {
        let mut game = timed_game(1, 7000);
        store.alone(create(&game)).await.unwrap();
        assert!(load(&store, 1).await == game);
        let clock = GameClock { left: vec![59_000, 1], ..clock(9000) };
        let extension = Extension { clock: Some(Box::new(clock.clone())), ..word("d~0", head(4, 4)) };
        let mut changes = [append(id(1), &head(3, 3), &extension)];
        assert!(matches!(store.games.write(&mut changes).await[..], [Ok(())]));
        let [written] = changes;
        // Counted from when it was written.
        game.info.clock = written.into_clock();
        let running = game.info.clock.as_ref().unwrap().running.unwrap();
        assert!(running.since > clock.running.unwrap().since);
        assert_eq!(running.until.duration_since(running.since).as_millis(), 60_000);
        game.info.head = Some(head(4, 4));
        game.log = "d~0 c~1a b~0 a~zz".into();
        assert!(load(&store, 1).await == game);
        assert_eq!(store.clocks.running_clocks(10).await.unwrap(), [(id(1), running.until)]);
        let over = GameClock { running: None, ..game.info.clock.clone().unwrap() };
        let last = Extension {
            clock: Some(Box::new(over.clone())),
            status: Status::Finished,
            ..word("e~0", head(5, 5))
        };
        let end = append(id(1), &head(4, 4), &last);
        store.alone(listed_as(&game.info, end)).await.unwrap();
        assert!(load(&store, 1).await.info.clock == Some(over));
        assert_eq!(store.clocks.running_clocks(10).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_game_with_a_clock_starts_with_it() {
    on_all(async |_, store| {
        let mut game = open_game(1);
        game.info.clock = Some(GameClock { running: None, ..clock(0) });
        store.alone(create(&game)).await.unwrap();
        let extension = Extension { clock: Some(Box::new(clock(9))), ..word("a~0", head(1, 1)) };
        let start = Start { at: time(9), extension };
        let taken = reseat(id(1), 0, &[seat_of("ann"), seat_of("bob")], Some(&start));
        store.alone(listed_as(&game.info, taken)).await.unwrap();
        let started = load(&store, 1).await.info.clock.unwrap();
        assert!(started.left == clock(9).left);
        // The first look reads all servers.
        for _ in 0..2 {
            assert_eq!(
                store.clocks.running_clocks(10).await.unwrap(),
                [(id(1), started.running.unwrap().until)]
            );
        }
    })
    .await;
}

#[tokio::test]
async fn the_clocks_that_run_out_first_are_found_however_many_run() {
    on_all(async |_, store| {
        for (n, since) in [(1, 3000), (2, 1000), (3, 2000)] {
            store.alone(create(&timed_game(n, since))).await.unwrap();
        }
        store.alone(create(&running_game(4))).await.unwrap();
        let until = |since: i64| time(since + 60_000);
        let all = [(id(2), until(1000)), (id(3), until(2000)), (id(1), until(3000))];
        for limit in 1..5 {
            assert_eq!(
                store.clocks.running_clocks(limit).await.unwrap(),
                all[..all.len().min(limit as usize)]
            );
        }
    })
    .await;
}

#[tokio::test]
async fn clocks_that_run_stand_still_in_a_pause_and_what_was_counted_before_stays() {
    on_all(async |_, store| {
        let without = running_game(4);
        for game in [timed_game(1, 1000), timed_game(2, 6000), timed_game(3, 20_000), without.clone()] {
            store.alone(create(&game)).await.unwrap();
        }
        assert_eq!(store.clocks.last_beat().await.unwrap(), None);
        store.clocks.beat(None, time(5000), None).await.unwrap();
        assert!(is_conflict(store.clocks.beat(None, time(5001), None).await));
        let pause = Pause { from: time(5000), until: time(10_000) };
        assert!(is_conflict(store.clocks.beat(Some(time(4000)), time(10_000), Some(pause)).await));
        assert!(load(&store, 1).await == timed_game(1, 1000));
        store.clocks.beat(Some(time(5000)), time(10_000), Some(pause)).await.unwrap();
        assert_eq!(store.clocks.last_beat().await.unwrap(), Some(time(10_000)));
        // The first had used 4 seconds, the second none that were noted, and the third begins later.
        for (n, since, revision) in [(1, 6000, 3), (2, 10_000, 3), (3, 20_000, 2)] {
            let info = load(&store, n).await.info;
            assert!(info.clock == Some(clock(since)) && info.revision == revision, "{n}");
        }
        assert!(load(&store, 4).await == without);
    })
    .await;
}
