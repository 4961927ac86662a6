//! The contract of a store, subject by subject: queries and results, errors, and the traits that are the
//! parts of a `Database`.
//!
//! Statements that both databases share are next to the trait that needs them.

mod admin;
mod change;
pub(crate) mod clocks;
pub(crate) mod feed;
pub(crate) mod listing;
mod peer_bus;
pub(crate) mod public_log;
mod query;
mod reads;
pub(crate) mod standings;
mod store_error;
mod tag_key;
mod version;

pub use admin::{Admin, Grade, Observation};
pub use change::{Change, Effects, RowChange, Update, WritesGames};
pub use clocks::{Clocks, Pause};
pub use feed::KeepsFeed;
pub use peer_bus::{ChangedGame, PeerBus, PeerMessage, PresentIn};
pub use public_log::{NewEntry, PublicLog, WaitingEntry, hashes};
pub use query::{ListPage, ListQuery, ListScope, ListedGame, SortBy};
pub use reads::Reads;
pub use standings::{Leader, LeadersBy, Standings};
pub use store_error::{StoreError, UnreadableColumn};
pub use tag_key::TagKey;
pub use version::Version;
