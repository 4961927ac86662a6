//! Measures lists of a large database, which is filled through the store as the service does.

use std::io::{Error, Result};
use std::rc::Rc;

use assam_record::game::{GameId, Head, Holder, Info, PlayerId, SeatKind, Status, StoredGame, Visibility};
use assam_record::hex::Hex;
use assam_referee::Setup;
use assam_store::{Change, Database, PostgresStore, SqliteStore, StoreError};
use jiff::{SignedDuration, Timestamp};
use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::clients::reads::Wanted;
use crate::measured::sizes;

/// Games that are stored together.
const TOGETHER: usize = 256;
/// A player with a fifth of all games, the oldest.
const OLD_HAND: PlayerId = Hex([0xaa; 10]);
/// A player with twenty games.
const GUEST: PlayerId = Hex([0xbb; 10]);

/// Stores this many games of both kinds, in every status.
///
/// # Errors
/// If the database refuses them.
pub async fn fill(url: &str, games: usize) -> Result<()> {
    let store: Database = match url.strip_prefix("sqlite:") {
        Some(file) => SqliteStore::open(file.as_ref()).map_err(Error::other)?.into(),
        None => PostgresStore::connect(url, 1).map_err(Error::other)?.into(),
    };
    let setups = ["MKN/1 marrakech/1 seats=3", "MKN/1 marrakesh/1 seats=2"];
    let setups = setups.map(|line| Setup::read(line).map_err(|error| Error::other(error.detail)));
    let [marrakech, marrakesh] = setups;
    let (marrakech, marrakesh) = (marrakech?, marrakesh?);
    let mut random = SmallRng::seed_from_u64(1);
    let begun = Timestamp::now();
    let mut changes = Vec::with_capacity(TOGETHER);
    for n in 0..games {
        let setup = if n % 3 == 0 { &marrakesh } else { &marrakech };
        let mut seats: Vec<Holder> = (0..setup.seats()).map(|_| holder(Hex(random.random()))).collect();
        if n < games / 5 {
            seats[0] = holder(OLD_HAND);
        }
        // As many of them are finished, running and so on as among the other player's newest twenty.
        if n.checked_sub(games / 5).is_some_and(|n| (30..50).contains(&n)) {
            seats[0] = holder(GUEST);
        }
        let status = match n {
            n if n % 1000 == 0 => Status::Aborted,
            n if n % 50 == 1 => Status::Open,
            n if n % 10 == 2 => Status::Running,
            _ => Status::Finished,
        };
        // Within the last minutes, or the service would remove and end many of them during the run.
        let created_at = begun - SignedDuration::from_millis((games - n) as i64);
        let is_started = status != Status::Open;
        let game = StoredGame {
            info: Info {
                id: GameId::from(Hex(random.random())),
                created_at,
                setup: setup.clone(),
                visibility: Visibility::Public,
                imported: false,
                rated: true,
                clock: None,
                rematch_of: None,
                rematch: None,
                patience_hours: None,
                revision: 0,
                seats,
                status,
                started_at: is_started.then_some(created_at),
                finished_at: status.is_over().then_some(created_at),
                head: is_started.then_some(Head { ply: 0, hash: [7; 32] }),
                removed: None,
            },
            owner: None,
            heir: None,
            join_code: None,
            request: None,
            seed: Some([1; 32]),
            beacon: None,
            // Without entries for the public log, which would take the service hours.
            commitment: None,
            tags: String::new(),
            log: String::new(),
        };
        changes.push(Change::insert(game, None));
        if changes.len() == TOGETHER || n + 1 == games {
            let outcomes = store.games.write(&mut changes).await;
            outcomes
                .into_iter()
                .collect::<std::result::Result<Vec<()>, StoreError>>()
                .map_err(Error::other)?;
            changes.clear();
            // So that the service does not do it while pages are measured.
            place(&store).await?;
        }
    }
    if games > 0 && !url.starts_with("sqlite:") {
        sizes::connect(url).await?.batch_execute("VACUUM (ANALYZE)").await.map_err(Error::other)?;
    }
    Ok(())
}

/// Gives feed positions to everything that waits, together with a service or alone.
async fn place(store: &Database) -> Result<()> {
    loop {
        match store.feed.place_feed(u32::MAX).await {
            Ok(Some(0)) => return Ok(()),
            Ok(Some(_) | None) | Err(StoreError::Conflict) => {}
            Err(error) => return Err(Error::other(error)),
        }
    }
}

fn holder(player: PlayerId) -> Holder {
    Holder { player: Some(player), ..Holder::new(SeatKind::Human) }
}

pub fn loads() -> Vec<(&'static str, Rc<Vec<Wanted>>)> {
    let pages = |player: Option<PlayerId>| {
        let mut pages = Vec::new();
        for status in ["", "&status=open", "&status=running", "&status=finished", "&status=aborted"] {
            for ruleset in ["", "&ruleset=marrakech/1", "&ruleset=marrakesh/1"] {
                let player = player.map_or_else(String::new, |player| format!("&player={player}"));
                pages.push((format!("/v1/games?limit=20{status}{ruleset}{player}"), None));
            }
        }
        pages
    };
    let every = [None, Some(OLD_HAND), Some(GUEST)].into_iter().flat_map(pages).collect();
    let others = |query: &str| {
        let of = |player: &str| (format!("/v1/games?limit=20&{query}{player}"), None);
        Rc::new(vec![of(""), of(&format!("&player={OLD_HAND}")), of(&format!("&player={GUEST}"))])
    };
    let newest = |player: PlayerId, limit: u32| {
        Rc::new(vec![(format!("/v1/games?limit={limit}&player={player}"), None)])
    };
    vec![
        ("GET pages under every filter", Rc::new(every)),
        // Twenty games each, but only the first list continues.
        ("GET the page of a player with a fifth of all games", newest(OLD_HAND, 20)),
        ("GET the page of a player with twenty games", newest(GUEST, 20)),
        // The same responses except for the games: nineteen of them, and the place to continue.
        ("GET the page of nineteen games of a player with a fifth of all games", newest(OLD_HAND, 19)),
        ("GET the page of nineteen games of a player with twenty games", newest(GUEST, 19)),
        ("GET pages by when games ended", others("sort=finished")),
        ("GET pages of games that were not imported", others("imported=false")),
        ("GET pages of running games", others("status=running")),
    ]
}
