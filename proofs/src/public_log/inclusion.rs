//! The place of a game in the log, written by the service and verified by anyone.

use assam_record::game::Bytes32;
use assam_record::hex::{Hex, Hex32};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::opening::{EntryOpening, Milestone};
use super::prove::{NotProved, verify_inclusion};
use super::tlog_proof::{NotATlogProof, TlogProof};
use super::tree::{TreeHead, leaf};
use crate::signed::{NotAReceipt, Of, Receipt};

/// The place of a game in the public log.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Inclusion {
    /// The signed checkpoint of the log that the proofs lead to.
    #[schema(max_length = 65_536)]
    pub checkpoint: String,
    /// The game's start and, once it is over, its end.
    #[schema(max_items = 2)]
    pub entries: Vec<LoggedEntry>,
}

/// An entry of the public log with its opening.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct LoggedEntry {
    /// The milestone of the game.
    pub moment: Milestone,
    /// The service's statement about the game: the text of the receipt of ply 0, or of the last ply.
    #[schema(max_length = 4096, example = "assam receipt 1\ngame 0f8fad5bd9cb469fa165708f67d64b2a\n...")]
    pub receipt: String,
    /// The salt: 64 hex digits.
    pub salt: Hex32,
    /// The entry: `SHA-256(0x05 | salt | receipt)`.
    pub entry: Hex32,
    /// The position in the log, from 0. Null while the entry is waiting to be added, for about a second.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub position: Option<u64>,
    /// The hashes that lead from the entry to the root of the checkpoint (RFC 6962, section 2.1.1). Null
    /// while the entry is waiting.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_items = 64)]
    pub proof: Option<Vec<Hex32>>,
}

/// The reason an entry is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotIncluded {
    /// Salt and receipt give another entry.
    #[error("salt and receipt do not make the entry")]
    Entry,
    /// The opening is not a receipt.
    #[error("its opening is not a receipt: {0}")]
    Receipt(#[from] NotAReceipt),
    /// The entry is not where it should be.
    #[error("it is not at position {position} of the log: {why}")]
    Position {
        /// The position.
        position: u64,
        /// The reason.
        why: NotProved,
    },
}

impl Inclusion {
    /// Returns its last entry as a proof for standard transparency log tools, unless the entry waits. Its
    /// opening is `salt | receipt`.
    pub fn tlog_proof(&self) -> Option<TlogProof> {
        let last = self.entries.last()?;
        Some(TlogProof {
            extra: Some([&last.salt.0, last.receipt.as_bytes()].concat()),
            index: last.position?,
            path: last.proof.iter().flatten().map(|hash| hash.0).collect(),
            checkpoint: self.checkpoint.clone(),
        })
    }

    /// Returns the contents of a proof made by [`Self::tlog_proof`], without verifying them.
    ///
    /// # Errors
    /// The proof does not open an entry.
    pub fn new(proof: TlogProof) -> Result<Self, NotATlogProof> {
        let extra = proof.extra.unwrap_or_default();
        let (salt, receipt) = extra.split_first_chunk().ok_or(NotATlogProof)?;
        let (salt, receipt) = (Hex(*salt), str::from_utf8(receipt).map_err(|_| NotATlogProof)?);
        let stated: Receipt = receipt.parse().map_err(|_| NotATlogProof)?;
        let is_start = matches!(&stated.of, Of::Ply(of) if of.head.ply == 0);
        let entry = LoggedEntry {
            moment: if is_start { Milestone::Start } else { Milestone::End },
            receipt: receipt.to_owned(),
            salt,
            entry: Hex(EntryOpening::entry_of(&salt, receipt)),
            position: Some(proof.index),
            proof: Some(proof.path.into_iter().map(Hex).collect()),
        };
        Ok(Self { checkpoint: proof.checkpoint, entries: vec![entry] })
    }
}

impl LoggedEntry {
    /// Returns an entry with its opening, and its position with the proof that it is there.
    pub fn new(moment: Milestone, opening: &EntryOpening, place: Option<(u64, Vec<Bytes32>)>) -> Self {
        let (position, proof) = place.unzip();
        Self {
            moment,
            receipt: opening.receipt.to_string(),
            salt: opening.salt,
            entry: Hex(opening.entry()),
            position,
            proof: proof.map(|path| path.into_iter().map(Hex).collect()),
        }
    }

    /// Checks that the entry matches its opening and its position in a log with this head. Returns the
    /// service's statement.
    ///
    /// # Errors
    /// The entry or its position does not match. While the entry waits, its position is not checked.
    pub fn verify(&self, head: &TreeHead) -> Result<Receipt, NotIncluded> {
        if EntryOpening::entry_of(&self.salt, &self.receipt) != self.entry.0 {
            return Err(NotIncluded::Entry);
        }
        let receipt = self.receipt.parse()?;
        if let Some(position) = self.position {
            let path: Vec<Bytes32> = self.proof.iter().flatten().map(|hash| hash.0).collect();
            verify_inclusion(&leaf(&self.entry.0), position, &path, head)
                .map_err(|why| NotIncluded::Position { position, why })?;
        }
        Ok(receipt)
    }
}
