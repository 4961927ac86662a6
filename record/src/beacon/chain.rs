//! A drand chain: its key, times and hash, and the signatures of its rounds.

use blst::BLST_ERROR;
use blst::min_sig::{PublicKey, Signature};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::{BeaconName, DueRound};
use crate::hex::Hex;

/// The only supported scheme: a signature covers the round alone, is in G1, and is hashed to its curve
/// according to RFC 9380.
const SCHEME: &str = "bls-unchained-g1-rfc9380";
/// The domain separator from signatures of other schemes.
const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
/// The id of a beacon that is not part of its chain's hash.
const DEFAULT_ID: &str = "default";
/// The least time between fixing a round and its publication.
const AHEAD: SignedDuration = SignedDuration::from_secs(3);

/// A drand chain.
#[derive(Clone, Debug)]
pub struct DrandChain {
    /// The name, derived from its hash.
    pub name: BeaconName,
    key: PublicKey,
    /// The seconds between rounds, 1 or more.
    period: u32,
    /// The time of round 1, in seconds since 1970.
    genesis: i64,
}

/// The reason a text does not describe a chain.
#[derive(Debug, thiserror::Error)]
pub enum NotAChain {
    /// The text does not have the form of drand's `/info`.
    #[error("the text does not have the form of drand's /info: {0}")]
    Form(#[from] serde_json::Error),
    /// The rounds are signed with another scheme.
    #[error("its scheme is {0:?}, and only {SCHEME} is known")]
    Scheme(String),
    /// The key is not a point of the group.
    #[error("its public key is not a point of the group")]
    Key,
    /// The rounds have impossible times.
    #[error("its period is 1 to 86400 seconds, and its first round comes after 1970 and before 2100")]
    Times,
    /// The hash does not follow from the rest.
    #[error("its hash is {hash}, and {found} follows from the rest")]
    Hash {
        /// The stated hash.
        hash: Hex<32>,
        /// The computed hash.
        found: Hex<32>,
    },
}

/// The reason a signature is not a round's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoBeacon {
    /// The chain is unknown.
    #[error("this service does not know the chain of this beacon")]
    UnknownChain,
    /// The signature is not the round's.
    #[error("the signature does not match this round of the chain")]
    Signature,
}

/// A chain as described by drand, in the form of its first interface. The names of the second are read too.
#[derive(Deserialize)]
struct ChainInfo {
    public_key: Hex<96>,
    period: u32,
    genesis_time: i64,
    #[serde(alias = "chain_hash")]
    hash: Hex<32>,
    #[serde(rename = "groupHash", alias = "genesis_seed")]
    group_hash: Hex<32>,
    #[serde(rename = "schemeID", alias = "scheme")]
    scheme: String,
    #[serde(default)]
    beacon_id: String,
    #[serde(default)]
    metadata: ChainMetadata,
}

#[derive(Default, Deserialize)]
struct ChainMetadata {
    #[serde(rename = "beaconID", default)]
    beacon_id: String,
}

impl ChainInfo {
    /// Returns the hash of the chain as drand computes it.
    fn computed_hash(&self) -> Hex<32> {
        let mut hash = Sha256::new_with_prefix(self.period.to_be_bytes())
            .chain_update(self.genesis_time.to_be_bytes())
            .chain_update(self.public_key.0)
            .chain_update(self.group_hash.0);
        let id = if self.beacon_id.is_empty() { &self.metadata.beacon_id } else { &self.beacon_id };
        if id != DEFAULT_ID {
            hash.update(id);
        }
        Hex(hash.finalize().into())
    }
}

impl DrandChain {
    /// Reads drand's description of a chain, as served at `/info`.
    ///
    /// # Errors
    /// Refuses other texts, a hash that does not follow from the rest, and other schemes.
    pub fn read(json: &str) -> Result<Self, NotAChain> {
        /// The start of the year 2100.
        const LATEST: i64 = 4_102_444_800;
        let info: ChainInfo = serde_json::from_str(json)?;
        let found = info.computed_hash();
        if info.scheme != SCHEME {
            return Err(NotAChain::Scheme(info.scheme));
        }
        if !(1..=86400).contains(&info.period) || !(1..LATEST).contains(&info.genesis_time) {
            return Err(NotAChain::Times);
        }
        if found != info.hash {
            return Err(NotAChain::Hash { hash: info.hash, found });
        }
        let key = PublicKey::key_validate(&info.public_key.0).map_err(|_| NotAChain::Key)?;
        Ok(Self { name: BeaconName(info.hash), key, period: info.period, genesis: info.genesis_time })
    }

    /// Returns the time a round is published, or `None` for numbers that no round has and for rounds without
    /// a valid time.
    pub fn time_of(&self, round: u64) -> Option<Timestamp> {
        let periods = i64::try_from(round.checked_sub(1)?).ok()?;
        let second = self.genesis.checked_add(periods.checked_mul(self.period.into())?)?;
        Timestamp::from_second(second).ok()
    }

    /// Returns the first round that is far enough ahead of a moment: two periods, but at least 3 seconds.
    pub fn round_after(&self, moment: Timestamp) -> DueRound {
        let period = i64::from(self.period);
        let ahead = SignedDuration::from_secs(2 * period).max(AHEAD);
        let earliest = moment.saturating_add(ahead).unwrap_or(Timestamp::MAX).as_millisecond();
        let since_genesis = (earliest - self.genesis * 1000).max(0) as u64;
        let periods = since_genesis.div_ceil(period as u64 * 1000);
        let second = self.genesis + periods as i64 * period;
        DueRound { number: periods + 1, at: Timestamp::from_second(second).unwrap_or(Timestamp::MAX) }
    }

    /// Checks that a signature is a round's.
    ///
    /// # Errors
    /// The signature is not the round's.
    pub fn check(&self, round: u64, signature: &Hex<48>) -> Result<(), NoBeacon> {
        let message = Sha256::digest(round.to_be_bytes());
        let signature = Signature::from_bytes(&signature.0).map_err(|_| NoBeacon::Signature)?;
        // The key was checked to be in its group when it was read.
        let verified = signature.verify(true, &message, DOMAIN, &[], &self.key, false);
        if verified == BLST_ERROR::BLST_SUCCESS { Ok(()) } else { Err(NoBeacon::Signature) }
    }
}
