//! Clocks in the databases.

use assam_api::game_clock::{ClockRule, GameClock, RunningClock};
use assam_api::store::{Pause, Start};

use super::*;

/// A game that runs since a moment, with the clock of the first seat.
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
    on_both(async |_, store| {
        let mut game = timed_game(1, 7000);
        store.alone(create(&game)).await.unwrap();
        assert!(load(&store, 1).await == game);
        let clock = GameClock { left: vec![59_000, 1], ..clock(9000) };
        let extension = Extension { clock: Some(Box::new(clock.clone())), ..word("d~0", head(4, 4)) };
        let mut changes = [append(id(1), &head(3, 3), &extension)];
        assert!(matches!(store.write(&mut changes).await[..], [Ok(())]));
        let [written] = changes;
        // Counted from when it was written.
        game.info.clock = written.into_clock();
        let running = game.info.clock.as_ref().unwrap().running.unwrap();
        assert!(running.since > clock.running.unwrap().since);
        assert_eq!(running.until.duration_since(running.since).as_millis(), 60_000);
        game.info.head = Some(head(4, 4));
        game.log = "d~0 c~1a b~0 a~zz".into();
        assert!(load(&store, 1).await == game);
        assert_eq!(store.running_clocks(10).await.unwrap(), [(id(1), running.until)]);
        let over = GameClock { running: None, ..game.info.clock.clone().unwrap() };
        let last = Extension {
            clock: Some(Box::new(over.clone())),
            status: Status::Finished,
            ..word("e~0", head(5, 5))
        };
        store.alone(append(id(1), &head(4, 4), &last)).await.unwrap();
        assert!(load(&store, 1).await.info.clock == Some(over));
        assert_eq!(store.running_clocks(10).await.unwrap(), []);
    })
    .await;
}

#[tokio::test]
async fn a_game_with_a_clock_starts_with_it() {
    on_both(async |_, store| {
        let mut game = open_game(1);
        game.info.clock = Some(GameClock { running: None, ..clock(0) });
        store.alone(create(&game)).await.unwrap();
        let extension = Extension { clock: Some(Box::new(clock(9))), ..word("a~0", head(1, 1)) };
        let start = Start { at: time(9), extension };
        store.alone(reseat(id(1), 0, &[seat_of("ann"), seat_of("bob")], Some(&start))).await.unwrap();
        let started = load(&store, 1).await.info.clock.unwrap();
        assert!(started.left == clock(9).left && started.running.is_some());
    })
    .await;
}

#[tokio::test]
async fn clocks_that_run_stand_still_in_a_pause_and_what_was_counted_before_stays() {
    on_both(async |_, store| {
        let without = running_game(4);
        for game in [timed_game(1, 1000), timed_game(2, 6000), timed_game(3, 20_000), without.clone()] {
            store.alone(create(&game)).await.unwrap();
        }
        assert_eq!(store.last_beat().await.unwrap(), None);
        store.beat(None, time(5000), None).await.unwrap();
        assert!(is_conflict(store.beat(None, time(5001), None).await));
        let pause = Pause { from: time(5000), until: time(10_000) };
        assert!(is_conflict(store.beat(Some(time(4000)), time(10_000), Some(pause)).await));
        assert!(load(&store, 1).await == timed_game(1, 1000));
        store.beat(Some(time(5000)), time(10_000), Some(pause)).await.unwrap();
        assert_eq!(store.last_beat().await.unwrap(), Some(time(10_000)));
        // The first had spent 4 seconds, the second none that were noted, the third begins later.
        for (n, since, revision) in [(1, 6000, 3), (2, 10_000, 3), (3, 20_000, 2)] {
            let info = load(&store, n).await.info;
            assert!(info.clock == Some(clock(since)) && info.revision == revision, "{n}");
        }
        assert!(load(&store, 4).await == without);
    })
    .await;
}
