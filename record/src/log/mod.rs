//! The log of a game: its stored entries, replayed for a viewer, extended and audited.

mod audit;
mod damaged;
mod entry;
mod feed;
mod ledger;
mod masked_replay;

pub use audit::{Unsound, audit};
pub use damaged::Damaged;
pub use entry::{Entry, entries, later};
pub use feed::{FedPly, GameFeed, NotFed, OpenedWord};
pub use ledger::{Extended, Extension, Ledger, NotExtended, Replayed, Start, last_word, start, status};
pub use masked_replay::{Chain, MaskedReplay, ReplayedWord, SeenPly, ply_by_ply, time_of_ply, walk_as_of};
