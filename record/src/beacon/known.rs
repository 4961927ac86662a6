//! The drand chains that the service and the program know.

use jiff::Timestamp;

use super::{BeaconName, BeaconRound, DrandChain, GameBeacon, NoBeacon};

/// The chain quicknet as described by drand: <https://api.drand.sh/52db9ba7…/info>.
const QUICKNET: &str = include_str!("quicknet.json");

/// Chains by name: quicknet, and those named by the operator.
#[derive(Clone, Debug)]
pub struct KnownBeacons(Vec<DrandChain>);

/// Only quicknet.
impl Default for KnownBeacons {
    fn default() -> Self {
        Self(vec![DrandChain::read(QUICKNET).expect("a test reads it")])
    }
}

impl KnownBeacons {
    /// Adds chains.
    pub fn with(mut self, chains: impl IntoIterator<Item = DrandChain>) -> Self {
        self.0.extend(chains);
        self
    }

    /// Returns the names.
    pub fn names(&self) -> impl Iterator<Item = BeaconName> {
        self.0.iter().map(|chain| chain.name)
    }

    /// Returns the chain with a name.
    ///
    /// # Errors
    /// The chain is unknown.
    pub fn get(&self, name: BeaconName) -> Result<&DrandChain, NoBeacon> {
        self.0.iter().find(|chain| chain.name == name).ok_or(NoBeacon::UnknownChain)
    }

    /// Returns the beacon of a game with the round that it waits for from a moment on.
    ///
    /// # Errors
    /// The chain is unknown.
    pub fn fixed(&self, beacon: &GameBeacon, from: Timestamp) -> Result<GameBeacon, NoBeacon> {
        let due = Some(self.get(beacon.chain)?.round_after(from));
        Ok(GameBeacon { due, ..beacon.clone() })
    }

    /// Returns the time a round is published, or `None` if the chain is unknown.
    pub fn time_of(&self, chain: BeaconName, round: u64) -> Option<Timestamp> {
        self.get(chain).ok()?.time_of(round)
    }

    /// Checks that a round belongs to its chain.
    ///
    /// # Errors
    /// The chain is unknown, or its signature of the round is another one.
    pub fn check(&self, signed: &BeaconRound) -> Result<(), NoBeacon> {
        self.get(signed.chain)?.check(signed.round, &signed.signature)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::NotAChain;
    use super::*;
    use crate::hex::Hex;

    /// Rounds published by quicknet. 123 is from the tests of the crate drand-verify 0.6.2, which name
    /// <https://api3.drand.sh/52db9ba7…/public/123>. 1000 to 1002 are from the tests of the Ideal Network's
    /// pallets.
    const PUBLISHED: [(u64, &str); 4] = [
        (
            123,
            "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
        ),
        (
            1000,
            "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
        ),
        (
            1001,
            "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41",
        ),
        (
            1002,
            "ab066f9c12dd6de1336fca0f925192fb0c72a771c3e4c82ede1fd362c1a770f9eb05843c6308ce2530b53a99c0281a6e",
        ),
    ];
    /// The randomness of round 1000, as published with it.
    const OF_1000: &str = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd";

    fn quicknet() -> DrandChain {
        DrandChain::read(QUICKNET).unwrap()
    }

    #[test]
    fn published_rounds_of_quicknet_are_its_rounds_and_no_others() {
        let (known, chain) = (KnownBeacons::default(), quicknet().name);
        for (round, signature) in PUBLISHED {
            let signed = |round, signature| BeaconRound { chain, round, signature };
            let signature: Hex<48> = signature.parse().unwrap();
            assert_eq!(known.check(&signed(round, signature)), Ok(()));
            assert_eq!(known.check(&signed(round + 1, signature)), Err(NoBeacon::Signature));
            for bit in [0, 1, 2, 7, 100, 383] {
                let mut other = signature;
                other.0[bit / 8] ^= 0x80 >> (bit % 8);
                assert_eq!(known.check(&signed(round, other)), Err(NoBeacon::Signature), "bit {bit}");
            }
        }
        // The point at infinity is not a signature.
        let mut nothing = Hex([0; 48]);
        nothing.0[0] = 0xc0;
        assert_eq!(
            known.check(&BeaconRound { chain, round: 1, signature: nothing }),
            Err(NoBeacon::Signature)
        );
        let signature = PUBLISHED[1].1.parse().unwrap();
        let randomness = BeaconRound { chain, round: 1000, signature }.randomness();
        assert_eq!(Hex(randomness).to_string(), OF_1000);
        let unknown = BeaconRound { chain: BeaconName(Hex([7; 32])), round: 1000, signature };
        assert_eq!(known.check(&unknown), Err(NoBeacon::UnknownChain));
    }

    #[test]
    fn the_hash_of_quicknet_follows_from_what_drand_says_of_it_and_any_change_is_found() {
        let name = "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
        assert_eq!(quicknet().name.to_string(), name);
        assert!(KnownBeacons::default().names().eq([quicknet().name]));
        for (from, to) in [
            ("\"period\": 3", "\"period\": 4"),
            ("1692803367", "1692803368"),
            ("f477d5", "f477d6"),
            ("\"beaconID\": \"quicknet\"", "\"beaconID\": \"default\""),
            ("\"beaconID\": \"quicknet\"", "\"beaconID\": \"quicknex\""),
            ("83cf0f", "83cf0e"),
            ("52db9b", "52db9c"),
        ] {
            let changed = QUICKNET.replacen(from, to, 1);
            assert_ne!(changed, QUICKNET);
            let read = DrandChain::read(&changed);
            assert!(matches!(read, Err(NotAChain::Hash { .. })), "{from}: {read:?}");
        }
        let of_other_scheme = QUICKNET.replace("rfc9380", "rfc9381");
        assert!(matches!(DrandChain::read(&of_other_scheme), Err(NotAChain::Scheme(_))));
        let without_period = QUICKNET.replace("\"period\": 3", "\"period\": 0");
        assert!(matches!(DrandChain::read(&without_period), Err(NotAChain::Times)));
        assert!(matches!(DrandChain::read("{}"), Err(NotAChain::Form(_))));
        // The names of drand's second interface.
        let second = QUICKNET
            .replace("\"hash\"", "\"chain_hash\"")
            .replace("groupHash", "genesis_seed")
            .replace("schemeID", "scheme")
            .replace("\"metadata\": { \"beaconID\": \"quicknet\" }", "\"beacon_id\": \"quicknet\"");
        assert_eq!(DrandChain::read(&second).unwrap().name, quicknet().name);
    }

    #[test]
    fn a_round_is_fixed_that_comes_two_periods_later_and_not_earlier() {
        let chain = quicknet();
        let genesis = 1_692_803_367_000;
        for (ms, round) in [
            (genesis - 1_000_000, 1),
            (genesis - 6000, 1),
            (genesis - 5999, 2),
            (genesis, 3),
            (genesis + 1, 4),
            (genesis + 3000, 4),
            (genesis + 2_991_000, 1000),
        ] {
            let moment = jiff::Timestamp::from_millisecond(ms).unwrap();
            let due = chain.round_after(moment);
            assert_eq!(due.number, round, "{ms}");
            assert_eq!(due.at.as_millisecond(), genesis + (round as i64 - 1) * 3000);
            assert_eq!(chain.time_of(round), Some(due.at));
            assert!(due.at.as_millisecond() >= ms + 6000);
        }
        assert_eq!([0, u64::MAX, i64::MAX as u64].map(|round| chain.time_of(round)), [None; 3]);
    }
}
