//! Changes of one game that cross: what is written first is told last.

use std::pin::pin;

use assam_api::app::{App, Caller, Extent, Limits, Taking};
use assam_api::game::Forced;
use assam_api::signed::Keyring;
use assam_api::{Secret, now};
use assam_rules::{Leave, Seat, Turn};

use super::*;

/// Who takes a seat.
fn player(seat: Seat) -> Secret {
    Secret::read(&seat.number().to_string().repeat(64)).unwrap()
}

fn called(name: &str) -> Taking {
    Taking { name: Some(name.into()), entropy: None, commitment: None, forced: Forced::Ask }
}

#[tokio::test]
async fn a_name_that_is_erased_while_the_last_move_is_under_way_is_in_no_record() {
    let backend = Backend::Sqlite(tempfile::tempdir().unwrap());
    let store = backend.open().await;
    store.alone(create(&open_game(1))).await.unwrap();
    let limits = Limits { queue: 8, kept_bytes: 1 << 20 };
    let app = App::on(Arc::clone(&store), limits, Keyring::empty()).unwrap();
    let anybody = Caller::with(None);
    let mut game = app.game(&anybody, id(1)).await.unwrap();
    for seat in Seat::all(2) {
        (game, _) = app.take_seat(&game, &player(seat), seat, &called("Ann")).await.unwrap();
    }
    let Turn::Player(turn) = game.ledger().unwrap().table().turn() else { panic!("the game has begun") };
    let [resigns, erases] = [turn, turn.next(2)].map(|seat| Caller::with(Some(player(seat))));

    let at = game.info.head.unwrap();
    let resign = [Leave::Resign(turn).into()];
    let mut resigning = pin!(app.submit(&game, &resigns, at.ply + 1, &resign, None, now()));
    // It is on its way. That it was written is not told before it is asked for again.
    tokio::select! {
        biased;
        _ = &mut resigning => panic!("another thread writes"),
        () = std::future::ready(()) => {}
    }
    while store.version(id(1)).await.unwrap().unwrap().head.is_none_or(|head| head.ply == at.ply) {
        tokio::task::yield_now().await;
    }
    let other = turn.next(2);
    app.rename_seat(&game, &erases, other, None, None::<fn(&_) -> bool>).await.unwrap();
    resigning.await.unwrap();

    let over = app.game_with(&anybody, id(1), Some(Extent::Whole)).await.unwrap();
    assert_eq!((over.info.seats[other.index()].name.as_deref(), over.info.status), (None, Status::Finished));
}
