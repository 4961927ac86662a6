//! The contract of both stores, tested on both with the same code.

#![allow(clippy::unwrap_used)]

mod clocks;
mod crossing;
mod feed;
mod games;
mod guard;
mod lists;
mod log_of_writes;
mod opening;
mod unreadable;

use std::sync::Arc;

use assam_record::beacon::{BeaconName, DueRound, GameBeacon};
use assam_record::game::{GameId, Head, Holder, Info, PlayerId, SeatKind, Status, StoredGame, Visibility};
use assam_record::hex::Hex;
use assam_record::log::Extension;
use assam_referee::Setup;
use assam_store::{Database, ListQuery, ListScope, Reads as _, StoreError};
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::harness::{
    Backend, Writes as _, append, append_at, backends, blank_game, create, listed_as, remove, reseat, sqlite,
    take_down,
};

/// Runs a test on every kind of database. On failure, libtest shows the last name printed.
async fn on_both(test: impl AsyncFn(&Backend, Database)) {
    for backend in backends() {
        println!("on {}, {}", backend.name(), backend.url());
        test(&backend, backend.open().await).await;
    }
}

/// Runs a test on both databases, and on a PostgreSQL that looks distributed to this process. There, games
/// are read and changed by their ids.
async fn on_all(test: impl AsyncFn(&Backend, Database)) {
    on_both(&test).await;
    for backend in backends().iter().filter(|backend| matches!(backend, Backend::Postgres(_))) {
        let store = backend.open().await;
        backend.script("CREATE TABLE pg_dist_partition ()");
        println!("as if distributed, {}", backend.url());
        test(backend, store).await;
    }
}

fn id(n: u32) -> GameId {
    format!("{n:032x}").parse().unwrap()
}

fn time(ms: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + ms).unwrap()
}

fn head(ply: u32, byte: u8) -> Head {
    Head { ply, hash: [byte; 32] }
}

fn open_seat() -> Holder {
    Holder::new(SeatKind::Open)
}

/// Returns the public id of a player with a short name.
fn player_id(name: &str) -> PlayerId {
    let mut id = [0; 10];
    id[..name.len()].copy_from_slice(name.as_bytes());
    Hex(id)
}

fn seat_of(name: &str) -> Holder {
    Holder {
        kind: SeatKind::Human,
        player: Some(player_id(name)),
        secret: Some(Hex([0x5e; 32])),
        name: Some("Zoë \"the rug\" 🧶".into()),
        entropy: Some(Hex([0xe7; 32])),
        revision: Some(1),
        ..Holder::new(SeatKind::Human)
    }
}

/// Returns a game that waits for its players.
fn open_game(n: u32) -> StoredGame {
    let setup = Setup::read("MKN/1 marrakech/1 seats=2 cover=any").unwrap();
    let blank = blank_game(id(n), setup, time(n.into()));
    StoredGame { seed: Some([0x5d; 32]), commitment: Some([0xc0; 32]), ..blank }
}

/// Returns the beacon of a game that waits for its round, with a signature after the round.
fn beacon(signature: Option<Hex<48>>) -> GameBeacon {
    let due = Some(DueRound { number: 1 << 40, at: time(6000) });
    GameBeacon { chain: BeaconName(Hex([0xbe; 32])), due, signature }
}

/// Returns a game at ply 3, with a value in every column.
fn running_game(n: u32) -> StoredGame {
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
    game.beacon = Some(beacon(Some(Hex([0xb1; 48]))));
    game.tags = "Event \"Höhle\"\nRound 1".into();
    game.log = "c~1a b~0 a~zz".into();
    game
}

/// Returns an extension by one word.
fn word(text: &str, head: Head) -> Extension {
    Extension { entries: text.into(), head, status: Status::Running, finished_at: None, clock: None }
}

async fn load(store: &Database, n: u32) -> StoredGame {
    store.reads.load(id(n)).await.unwrap().unwrap()
}

fn is_conflict<T>(outcome: Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::Conflict))
}

fn is_not_found<T>(outcome: Result<T, StoreError>) -> bool {
    matches!(outcome, Err(StoreError::NotFound))
}

fn of_player(name: &str) -> ListQuery {
    ListQuery { scope: ListScope::PublicOf(player_id(name)), limit: 1000, ..ListQuery::default() }
}

async fn ids(store: &Database, query: &ListQuery) -> Vec<GameId> {
    let page = store.reads.list(query).await.unwrap();
    page.games.into_iter().map(|game| game.info.id).collect()
}
