//! The known witnesses, the addresses that checkpoints are sent to, and the outcomes.

use assam_proofs::signed::{Policy, WitnessKey};
use assam_store::counted::Total;
use parking_lot::RwLock;

/// The outcome of sending a checkpoint to a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessOutcome {
    /// It was cosigned.
    Cosigned,
    /// The witness cannot be reached, or failed.
    Unreachable,
    /// The witness refused it.
    Refused,
    /// The witness gave an answer that cannot be true.
    Wrong,
}

/// An address that checkpoints are sent to.
#[derive(Debug)]
pub struct WitnessAddress {
    /// The submission prefix.
    pub url: String,
    /// The key that must cosign there, if the policy names one.
    pub(in crate::app) key: Option<WitnessKey>,
    submitted: [Total; WitnessOutcome::ALL.len()],
}

/// The number of entries that are not cosigned yet.
#[derive(Clone, Default, Debug)]
pub struct WitnessLags {
    /// By each witness.
    pub witnesses: Vec<(WitnessKey, u64)>,
    /// Entries without a quorum of cosignatures. None if the policy has no quorum.
    pub quorum: Option<u64>,
}

/// The known witnesses.
#[derive(Default)]
pub(in crate::app) struct Witnesses {
    /// The witnesses, and which of them must cosign.
    pub(in crate::app) policy: Policy,
    addresses: Vec<WitnessAddress>,
    lags: RwLock<WitnessLags>,
}

impl WitnessOutcome {
    const ALL: [Self; 4] = [Self::Cosigned, Self::Unreachable, Self::Refused, Self::Wrong];

    const fn name(self) -> &'static str {
        match self {
            Self::Cosigned => "cosigned",
            Self::Unreachable => "unreachable",
            Self::Refused => "refused",
            Self::Wrong => "wrong",
        }
    }
}

impl WitnessAddress {
    /// Counts a sent checkpoint.
    pub(in crate::app) fn count(&self, what: WitnessOutcome) {
        self.submitted[what as usize].add(1);
    }

    /// Returns the number of sent checkpoints, by outcome.
    pub fn submitted(&self) -> impl Iterator<Item = (&'static str, u64)> {
        WitnessOutcome::ALL.into_iter().map(|what| (what.name(), self.submitted[what as usize].get()))
    }
}

impl Witnesses {
    /// Takes the witnesses of a policy. Checkpoints are sent to the addresses in it, and to these.
    pub(in crate::app) fn new(policy: Policy, urls: Vec<String>) -> Self {
        let named =
            policy.witnesses().iter().filter_map(|one| Some((one.url.clone()?, Some(one.key.clone()))));
        let mut addresses: Vec<WitnessAddress> = Vec::new();
        for (url, key) in named.chain(urls.into_iter().map(|url| (url, None))).collect::<Vec<_>>() {
            if addresses.iter().all(|known| known.url != url) {
                addresses.push(WitnessAddress { url, key, submitted: Default::default() });
            }
        }
        Self { policy, addresses, lags: RwLock::default() }
    }

    /// Returns the addresses that checkpoints are sent to.
    pub(in crate::app) fn addresses(&self) -> &[WitnessAddress] {
        &self.addresses
    }

    /// Returns the last recorded lags.
    pub(super) fn lags(&self) -> WitnessLags {
        self.lags.read().clone()
    }

    /// Records the lags.
    pub(in crate::app) fn note(&self, lags: WitnessLags) {
        *self.lags.write() = lags;
    }

    /// Returns all keys.
    pub(in crate::app) fn keys(&self) -> impl Iterator<Item = &WitnessKey> {
        self.policy.witnesses().iter().map(|witness| &witness.key)
    }
}
