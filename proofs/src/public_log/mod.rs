//! The public log of games: a Merkle tree (RFC 6962) of every start and end, in tiles
//! (<https://c2sp.org/tlog-tiles>), with signed checkpoints (<https://c2sp.org/tlog-checkpoint>). It knows
//! neither databases nor HTTP.
//!
//! An entry is a salted hash of the service's statement about a game. It reveals nothing without its opening,
//! which only viewers of the game can see.

mod add_checkpoint;
mod checkpoint;
mod inclusion;
mod opening;
mod prove;
#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod published;
mod tiles;
mod tlog_proof;
mod tree;

pub use add_checkpoint::{WitnessAnswer, add_checkpoint};
pub use checkpoint::{Checkpoint, NotACheckpoint};
pub use inclusion::{Inclusion, LoggedEntry, NotIncluded};
pub use opening::{EntryOpening, Milestone};
pub use prove::{NotProved, verify_consistency, verify_inclusion};
pub use tiles::{Tile, WIDTH};
pub use tlog_proof::{NotATlogProof, TlogProof};
pub use tree::{Growth, Missing, NewNode, Tree, TreeHead, empty_root, leaf, rebuilt};
