//! The witnesses that a service knows, where checkpoints are sent, and what came of that.

use assam_proofs::signed::{Policy, WitnessKey};
use assam_store::counted::Total;
use parking_lot::RwLock;

/// What came of a checkpoint that was sent to a witness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessOutcome {
    /// It was cosigned.
    Cosigned,
    /// The witness cannot be reached, or fails.
    Unreachable,
    /// The witness refused it.
    Refused,
    /// The witness answered something that cannot be true.
    Wrong,
}

/// An address to which checkpoints are sent.
#[derive(Debug)]
pub struct WitnessAddress {
    /// The submission prefix.
    pub url: String,
    /// The key with which it must cosign, if the policy says so.
    pub(in crate::app) key: Option<WitnessKey>,
    submitted: [Total; WitnessOutcome::ALL.len()],
}

/// How many entries of the log were not cosigned yet.
#[derive(Clone, Default, Debug)]
pub struct WitnessLags {
    /// By each witness.
    pub witnesses: Vec<(WitnessKey, u64)>,
    /// Entries without a quorum of cosignatures; none if the policy has no quorum.
    pub quorum: Option<u64>,
}

/// The witnesses that a service knows.
#[derive(Default)]
pub(in crate::app) struct Witnesses {
    /// Which there are, and which must cosign.
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
    /// Counts a checkpoint that was sent there.
    pub(in crate::app) fn count(&self, what: WitnessOutcome) {
        self.submitted[what as usize].add(1);
    }

    /// Returns how many checkpoints were sent there, by what came of them.
    pub fn submitted(&self) -> impl Iterator<Item = (&'static str, u64)> {
        WitnessOutcome::ALL.into_iter().map(|what| (what.name(), self.submitted[what as usize].get()))
    }
}

impl Witnesses {
    /// Knows those of a policy, and sends checkpoints to the addresses in it, and to these.
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

    /// Returns where checkpoints are sent.
    pub(in crate::app) fn addresses(&self) -> &[WitnessAddress] {
        &self.addresses
    }

    /// Returns how far they were behind when that was noted last.
    pub(super) fn lags(&self) -> WitnessLags {
        self.lags.read().clone()
    }

    /// Notes how far they are behind.
    pub(in crate::app) fn note(&self, lags: WitnessLags) {
        *self.lags.write() = lags;
    }

    /// Returns the keys of all.
    pub(in crate::app) fn keys(&self) -> impl Iterator<Item = &WitnessKey> {
        self.policy.witnesses().iter().map(|witness| &witness.key)
    }
}
