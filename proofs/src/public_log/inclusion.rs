//! Where a game is in the log, as the service tells it, and as anybody verifies it.

use assam_record::game::Bytes32;
use assam_record::hex::{Hex, Hex32};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::opening::{EntryOpening, Milestone};
use super::prove::{NotProved, verify_inclusion};
use super::tlog_proof::{NotATlogProof, TlogProof};
use super::tree::{TreeHead, leaf};
use crate::signed::{NotAReceipt, Of, Receipt};

/// Where a game is in the public log.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Inclusion {
    /// The signed checkpoint of the log that the proofs lead to.
    #[schema(max_length = 65_536)]
    pub checkpoint: String,
    /// Its start and, once it is over, its end.
    #[schema(max_items = 2)]
    pub entries: Vec<LoggedEntry>,
}

/// An entry of the public log, with what opens it.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct LoggedEntry {
    /// What of the game it is.
    pub moment: Milestone,
    /// What the service states of the game there: the text of the receipt of ply 0, or of the last ply.
    #[schema(max_length = 4096, example = "assam receipt 1\ngame 0f8fad5bd9cb469fa165708f67d64b2a\n...")]
    pub receipt: String,
    /// The salt: 64 hex digits.
    pub salt: Hex32,
    /// The entry: `SHA-256(0x05 | salt | receipt)`.
    pub entry: Hex32,
    /// Its position in the log, from 0; null while it waits, which takes about a second.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub position: Option<u64>,
    /// The hashes that lead from the entry to the root of the checkpoint (RFC 6962, section 2.1.1); null while it waits.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_items = 64)]
    pub proof: Option<Vec<Hex32>>,
}

/// Why an entry is not what it should be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotIncluded {
    /// Salt and receipt make another entry.
    #[error("salt and receipt do not make the entry")]
    Entry,
    /// What it opens is no receipt.
    #[error("what it opens is no receipt: {0}")]
    Receipt(#[from] NotAReceipt),
    /// The entry is not where it should be.
    #[error("it is not at position {position} of the log: {why}")]
    Position {
        /// The position.
        position: u64,
        /// Why not.
        why: NotProved,
    },
}

impl Inclusion {
    /// Returns its last entry as a proof that tools for such logs verify, unless it waits: what opens the entry is `salt | receipt`.
    pub fn tlog_proof(&self) -> Option<TlogProof> {
        let last = self.entries.last()?;
        Some(TlogProof {
            extra: Some([&last.salt.0, last.receipt.as_bytes()].concat()),
            index: last.position?,
            path: last.proof.iter().flatten().map(|hash| hash.0).collect(),
            checkpoint: self.checkpoint.clone(),
        })
    }

    /// Returns what a proof shows that [`Self::tlog_proof`] made: nothing is verified yet.
    ///
    /// # Errors
    /// Where it opens no entry.
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

    /// Checks that the entry is what it opens, and where it should be in a log with this head; returns what the service stated.
    ///
    /// # Errors
    /// Where it is not. While it waits, nothing says where it is.
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
