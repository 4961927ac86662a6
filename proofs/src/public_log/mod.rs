//! The public log of games: a Merkle tree (RFC 6962) of every start and every end, in tiles (<https://c2sp.org/tlog-tiles>), with
//! signed checkpoints (<https://c2sp.org/tlog-checkpoint>). Nothing here knows databases or HTTP.
//!
//! An entry is a salted hash of what the service states of a game, so that nobody learns of a game from it whom the game does not
//! show the opening.

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
