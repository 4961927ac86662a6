//! The stores of games on SQLite and PostgreSQL, behind traits for reading and writing. SQL, rows and pools
//! stay inside this crate.
//!
//! A store knows records and their proofs, but no application and no HTTP.

use std::sync::Arc;

pub mod byte_cache;
mod contract;
pub mod counted;
mod detached;
pub mod file_access;
mod health;
mod postgres;
mod sql;
mod sqlite;

pub use contract::{
    Admin, Change, ChangedGame, Clocks, Effects, Grade, KeepsFeed, Leader, LeadersBy, ListPage, ListQuery,
    ListScope, ListedGame, NewEntry, Observation, Pause, PeerBus, PeerMessage, PresentIn, PublicLog, Reads,
    RowChange, SortBy, Standings, StoreError, TagKey, UnreadableColumn, Update, Version, WaitingEntry,
    WritesGames, hashes,
};
pub use detached::detached;
pub use health::DatabaseHealth;
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
pub use sqlite::copy::copy as copy_sqlite_file;
pub use sqlite::log::WholeLog;
pub use sqlite::seal::{check as check_backup, may_become_backup, seal as seal_backup};

/// An open database, split by what may be done with it. All parts are one store. A holder of one part cannot
/// use the others: the application gives `games` only to its writer.
#[derive(Clone)]
pub struct Database {
    /// Reads games.
    pub reads: Arc<dyn Reads>,
    /// Writes games.
    pub games: Arc<dyn WritesGames>,
    /// The public log.
    pub log: Arc<dyn PublicLog>,
    /// Ratings and tallies.
    pub standings: Arc<dyn Standings>,
    /// The feed for lobbies.
    pub feed: Arc<dyn KeepsFeed>,
    /// The clocks of running games.
    pub clocks: Arc<dyn Clocks>,
    /// Other processes on the same database.
    pub peers: Arc<dyn PeerBus>,
    /// Operations of the operator.
    pub admin: Arc<dyn Admin>,
}

impl<S> From<S> for Database
where
    S: Reads + WritesGames + PublicLog + Standings + KeepsFeed + Clocks + PeerBus + Admin + 'static,
{
    fn from(store: S) -> Self {
        let store = Arc::new(store);
        Self {
            reads: store.clone(),
            games: store.clone(),
            log: store.clone(),
            standings: store.clone(),
            feed: store.clone(),
            clocks: store.clone(),
            peers: store.clone(),
            admin: store,
        }
    }
}
