//! Concurrent changes of one game: followers see the first one written last.

use std::pin::pin;

use assam_api::app::{App, CachedGame, Caller, Extent, Limits, ReadError, Taking};
use assam_proofs::signed::Keyring;
use assam_record::clock::now;
use assam_record::game::Forced;
use assam_record::secret::Secret;
use assam_rules::{Leave, Seat, Turn};

use super::*;

/// Returns the holder of a seat.
fn player(seat: Seat) -> Secret {
    Secret::read(&seat.number().to_string().repeat(64)).unwrap()
}

fn called(name: &str) -> Taking {
    Taking {
        name: Some(name.into()),
        entropy: None,
        commitment: None,
        seats_digest: None,
        forced: Forced::Ask,
    }
}

/// Returns a started game for two, its application, and the seat on turn.
async fn begun(store: &Database) -> (Arc<App>, Arc<CachedGame>, Seat) {
    store.alone(create(&open_game(1))).await.unwrap();
    let limits = Limits { queue: 8, kept_bytes: 1 << 20 };
    let app = Arc::new(App::new(store.clone(), limits, Keyring::empty()).unwrap());
    let mut game = app.game(&Caller::new(None), id(1)).await.unwrap();
    for seat in Seat::all(2) {
        (game, _) = app.take_seat(&game, &player(seat), seat, &called("Ann")).await.unwrap();
    }
    let Turn::Player(turn) = game.ledger().unwrap().table().turn() else { panic!("the game has begun") };
    (app, game, turn)
}

/// Lets a player resign, and does something else after the write and before its notification.
async fn resign_while(
    store: &Database,
    app: &Arc<App>,
    game: &Arc<CachedGame>,
    seat: Seat,
    change: impl Future,
) {
    let (resigns, at) = (Caller::new(Some(player(seat))), game.info.head.unwrap());
    let resign = [Leave::Resign(seat).into()];
    let mut resigning = pin!(app.submit(game, &resigns, at.ply + 1, &resign, None, now()));
    // The write is under way, but followers are notified only when this future is polled again.
    tokio::select! {
        biased;
        _ = &mut resigning => panic!("another thread writes"),
        () = std::future::ready(()) => {}
    }
    while store.reads.version(id(1)).await.unwrap().unwrap().head.is_none_or(|head| head.ply == at.ply) {
        tokio::task::yield_now().await;
    }
    change.await;
    resigning.await.unwrap();
}

#[tokio::test]
async fn a_name_that_is_erased_while_the_last_move_is_under_way_is_in_no_record() {
    let backend = Backend::Sqlite(tempfile::tempdir().unwrap());
    let store = backend.open().await;
    let (app, game, turn) = begun(&store).await;
    let other = turn.next(2);
    let caller = Caller::new(Some(player(other)));
    let erasing = app.rename_seat(&game, &caller, other, None, None::<fn(&_) -> bool>);
    resign_while(&store, &app, &game, turn, async { erasing.await.unwrap() }).await;
    let over = app.game_with(&Caller::new(None), id(1), Some(Extent::Whole)).await.unwrap();
    assert_eq!((over.info.seats[other.index()].name.as_deref(), over.info.status), (None, Status::Finished));
}

#[tokio::test]
async fn a_game_that_is_taken_down_while_its_last_move_is_under_way_is_not_shown() {
    let backend = Backend::Sqlite(tempfile::tempdir().unwrap());
    let store = backend.open().await;
    let (app, game, turn) = begun(&store).await;
    let taking_down = async { assert!(app.take_down(id(1), "spam").await.unwrap()) };
    resign_while(&store, &app, &game, turn, taking_down).await;
    let shown = app.game_with(&Caller::new(None), id(1), Some(Extent::Whole)).await;
    assert!(matches!(shown, Err(ReadError::Store(StoreError::TakenDown(_)))), "{:?}", shown.map(|_| ()));
}
