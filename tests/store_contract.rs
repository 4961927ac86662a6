//! What both stores promise, tested on both with the same words.

#![allow(clippy::unwrap_used)]

mod games;
mod guard;
mod lists;
mod opening;

use std::sync::Arc;

use assam::game::{Game, Head, Info, Seat, SeatKind, Status, Visibility};
use assam::store::{Extension, ListQuery, Store, StoreError};
use jiff::Timestamp;

use crate::harness::{Backend, backends};

/// Runs a test on every kind of database; libtest shows the last name printed where it fails.
async fn on_both(test: impl AsyncFn(&Backend, Arc<dyn Store>)) {
    for backend in backends() {
        println!("on {}, {}", backend.name(), backend.url());
        test(&backend, backend.open().await).await;
    }
}

fn id(n: u32) -> String {
    format!("{n:032x}")
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + ms).unwrap()
}

fn head(ply: u32, byte: u8) -> Head {
    Head { ply, hash: [byte; 32] }
}

fn open_seat() -> Seat {
    Seat { kind: SeatKind::Open, player: None, secret: None, name: None, entropy: None }
}

fn seat_of(player: &str) -> Seat {
    Seat {
        kind: SeatKind::Human,
        player: Some(player.into()),
        secret: Some("5e".repeat(32)),
        name: Some("Zoë \"the rug\" 🧶".into()),
        entropy: Some("e7".repeat(32)),
    }
}

/// A game that waits for its players.
fn open_game(n: u32) -> Game {
    Game {
        info: Info {
            id: id(n),
            created_at: time(n.into()),
            ruleset: "marrakech/1".into(),
            setup: "marrakech/1 seats=2 cover=any".into(),
            visibility: Visibility::Public,
            imported: false,
            patience_hours: None,
            revision: 0,
            seats: vec![open_seat(), open_seat()],
            status: Status::Open,
            started_at: None,
            head: None,
        },
        owner: None,
        join_code: None,
        request: None,
        seed: Some([0x5d; 32]),
        tags: String::new(),
        log: String::new(),
    }
}

/// A game at ply 3, with something in every column.
fn running_game(n: u32) -> Game {
    let mut game = open_game(n);
    game.info.visibility = Visibility::Private;
    game.info.patience_hours = Some(72);
    game.info.revision = 2;
    game.info.seats = vec![seat_of("ann"), seat_of("bob")];
    game.info.status = Status::Running;
    game.info.started_at = Some(time(5000));
    game.info.head = Some(head(3, 3));
    game.owner = Some([0x0a; 32]);
    game.join_code = Some([0x0b; 32]);
    game.request = Some([0x0c; 32]);
    game.tags = "Event \"Höhle\"\nRound 1".into();
    game.log = "c~1a b~0 a~zz".into();
    game
}

/// One more word.
fn word(text: &str, head: Head) -> Extension {
    Extension { entries: text.into(), head, status: Status::Running }
}

async fn load(store: &Arc<dyn Store>, n: u32) -> Game {
    store.load(&id(n)).await.unwrap().unwrap()
}

fn is_conflict<T>(outcome: Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Conflict))
}

fn is_not_found<T>(outcome: Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::NotFound))
}

fn of_player(player: &str) -> ListQuery {
    ListQuery { player: Some(player.into()), limit: 1000, ..ListQuery::default() }
}

async fn ids(store: &Arc<dyn Store>, query: &ListQuery) -> Vec<String> {
    let games = store.list(query).await.unwrap();
    games.into_iter().map(|info| info.id).collect()
}
