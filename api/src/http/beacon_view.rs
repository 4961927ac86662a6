//! The outside beacon of a game, as clients see it.

use assam_record::beacon::{BeaconName, GameBeacon};
use assam_record::clock::rfc3339;
use assam_record::hex::Hex;
use serde::Serialize;
use utoipa::ToSchema;

/// The outside beacon of a game, which adds to its chance.
#[derive(Serialize, ToSchema)]
pub struct BeaconView {
    /// The beacon: `drand:` and the hash of its chain.
    #[schema(value_type = String, pattern = "^drand:[0-9a-f]{64}$")]
    chain: BeaconName,
    /// The round that is part of the chance: it is fixed when the last seat is taken, and lies in the future then. Null before that.
    #[schema(minimum = 1)]
    round: Option<u64>,
    /// When the round is out; null before it is fixed.
    #[schema(format = DateTime)]
    round_at: Option<String>,
    /// The signature of the round, 96 hex digits: its SHA-256 is the randomness. Null before somebody has delivered it, which starts
    /// the game.
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{96}$")]
    signature: Option<Hex<48>>,
}

impl From<&GameBeacon> for BeaconView {
    fn from(beacon: &GameBeacon) -> Self {
        Self {
            chain: beacon.chain,
            round: beacon.due.map(|due| due.number),
            round_at: beacon.due.map(|due| rfc3339(due.at)),
            signature: beacon.signature,
        }
    }
}
