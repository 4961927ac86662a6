//! The beacon of a game: its chain, the round that the game waits for, and what that round adds to its
//! chance.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::hex::{Hex, Hex48, NotHex};

/// The name of a beacon: `drand:` and the hash of a chain, which is derived from its key and its times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeaconName(pub Hex<32>);

/// The beacon of a game, fixed at its creation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameBeacon {
    /// The chain.
    pub chain: BeaconName,
    /// The round that the game waits for or waited for. `None` while seats are open.
    pub due: Option<DueRound>,
    /// The signature of that round, or `None` before the start.
    pub signature: Option<Hex<48>>,
}

/// A round of a beacon and the time of its publication.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueRound {
    /// The number, from 1.
    pub number: u64,
    /// The time of its publication.
    pub at: Timestamp,
}

/// A published round of a beacon.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
pub struct BeaconRound {
    /// The beacon: `drand:` and the hash of its chain.
    pub chain: BeaconName,
    /// The number of the round.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    pub round: u64,
    /// The signature of the round: 96 hex digits. Its SHA-256 is the randomness.
    pub signature: Hex48,
}

impl GameBeacon {
    /// Returns the beacon of a game at its creation.
    pub const fn new(chain: BeaconName) -> Self {
        Self { chain, due: None, signature: None }
    }

    /// Returns the round that the game waits for.
    pub fn awaited(&self) -> Option<DueRound> {
        self.due.filter(|_| self.signature.is_none())
    }

    /// Returns the round that is part of the game's chance, once it is delivered.
    pub fn signed(&self) -> Option<BeaconRound> {
        let (due, signature) = self.due.zip(self.signature)?;
        Some(BeaconRound { chain: self.chain, round: due.number, signature })
    }
}

impl BeaconRound {
    /// Returns the randomness of the round: SHA-256 of its signature.
    pub fn randomness(&self) -> [u8; 32] {
        Sha256::digest(self.signature.0).into()
    }
}

impl fmt::Display for BeaconName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "drand:{}", self.0)
    }
}

/// The error of a text that does not name a beacon.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a beacon is `drand:` and the hash of its chain, 64 lower-case hex digits")]
pub struct NotABeacon;

impl From<NotHex> for NotABeacon {
    fn from(_: NotHex) -> Self {
        Self
    }
}

impl FromStr for BeaconName {
    type Err = NotABeacon;

    fn from_str(text: &str) -> Result<Self, NotABeacon> {
        Ok(Self(text.strip_prefix("drand:").ok_or(NotABeacon)?.parse()?))
    }
}

impl Serialize for BeaconName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for BeaconName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl PartialSchema for BeaconName {
    fn schema() -> RefOr<Schema> {
        let pattern = Some("^drand:[0-9a-f]{64}$");
        ObjectBuilder::new().schema_type(Type::String).pattern(pattern).into()
    }
}

impl ToSchema for BeaconName {}
