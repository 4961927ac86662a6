//! The openings of log entries.

use assam_record::chance;
use assam_record::game::{Bytes32, StoredGame};
use assam_record::hex::Hex;
use assam_record::log::{Chain, Damaged, MaskedReplay};
use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use crate::signed::Receipt;

const ENTRY: u8 = 0x05;

/// The milestone of a game that an entry records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Milestone {
    /// The start: the receipt of ply 0.
    Start,
    /// The end: the receipt of its last ply.
    End,
}

impl Milestone {
    /// Both, in order.
    pub const ALL: [Self; 2] = [Self::Start, Self::End];

    /// Returns the name: `start` or `end`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::End => "end",
        }
    }
}

/// The opening of an entry: a receipt, and a salt that cannot be guessed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryOpening {
    /// The service's statement.
    pub receipt: Receipt,
    /// `HMAC-SHA-256(seed, "entry\n" + hex(start) + "\n" + moment)`.
    pub salt: Hex<32>,
}

impl EntryOpening {
    /// Returns the opening of a game's entry, or `None` if the game has not reached the milestone or was
    /// imported.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn new(game: &StoredGame, moment: Milestone) -> Result<Option<Self>, Damaged> {
        let (Some(seed), Some(last)) = (&game.seed, game.info.head) else { return Ok(None) };
        let head = match moment {
            Milestone::Start if last.ply == 0 => last,
            Milestone::Start => MaskedReplay::by(Viewer::Arbiter, game, 0)?.head,
            Milestone::End if game.info.is_over() => last,
            Milestone::End => return Ok(None),
        };
        let salt = Hex(chance::entry_salt(seed, &Chain::new(game).head, moment.name()));
        Ok(Receipt::of_ply(game, head).map(|receipt| Self { receipt, salt }))
    }

    /// Returns the entry: `SHA-256(0x05 | salt | text of the receipt)`.
    pub fn entry(&self) -> Bytes32 {
        Self::entry_of(&self.salt, &self.receipt.to_string())
    }

    /// Returns the entry for a salt and the text of a receipt.
    pub fn entry_of(salt: &Hex<32>, receipt: &str) -> Bytes32 {
        Sha256::new_with_prefix([ENTRY]).chain_update(salt.0).chain_update(receipt).finalize().into()
    }
}
