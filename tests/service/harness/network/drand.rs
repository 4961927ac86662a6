//! A drand chain with a key known to the tests, which publish its rounds as needed.

use std::path::Path;

use assam_record::beacon::DrandChain;
use blst::min_sig::SecretKey;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Client, Service};

/// drand's description of the chain known to services of the tests.
pub(crate) const CHAIN: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/service/harness/network/drand_chain.json");

const DOMAIN: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// A chain and its key.
pub(crate) struct Drand(SecretKey);

impl Drand {
    /// Returns the chain of [`CHAIN`].
    pub(crate) fn of_tests() -> Self {
        Self::with_key(7)
    }

    /// Returns a different chain for each number.
    pub(crate) fn with_key(number: u8) -> Self {
        Self(SecretKey::key_gen(&[number; 32], b"").unwrap())
    }

    /// Returns drand's description of a chain at `/info`.
    pub(crate) fn info(&self) -> Value {
        let (period, genesis, key, group) = (3_u32, 1_i64, self.0.sk_to_pk().to_bytes(), [9; 32]);
        let hash = Sha256::new_with_prefix(period.to_be_bytes())
            .chain_update(genesis.to_be_bytes())
            .chain_update(key)
            .chain_update(group)
            .chain_update("assam-tests")
            .finalize();
        json!({
            "public_key": hex::encode(key),
            "period": period,
            "genesis_time": genesis,
            "hash": hex::encode(hash),
            "groupHash": hex::encode(group),
            "schemeID": "bls-unchained-g1-rfc9380",
            "metadata": {"beaconID": "assam-tests"},
        })
    }

    /// Returns its name in games.
    pub(crate) fn name(&self) -> String {
        DrandChain::read(&self.info().to_string()).unwrap().name.to_string()
    }

    /// Writes its description.
    pub(crate) fn write(&self, file: &Path) {
        std::fs::write(file, self.info().to_string()).unwrap();
    }

    /// Returns the signature of a round.
    pub(crate) fn signature(&self, round: u64) -> String {
        hex::encode(self.0.sign(&Sha256::digest(round.to_be_bytes()), DOMAIN, &[]).to_bytes())
    }

    /// Returns the body that delivers the round that a game waits for.
    pub(crate) fn awaited(&self, game: &Value) -> Value {
        self.round(game["beacon"]["round"].as_u64().unwrap())
    }

    /// Returns the body that delivers a round.
    pub(crate) fn round(&self, round: u64) -> Value {
        json!({"round": round, "signature": self.signature(round)})
    }
}

impl Service {
    /// Returns the path of a game that waits for its beacon, its players with the owner first, and the body
    /// that delivers the round.
    pub(crate) fn waiting_for_beacon(&self) -> (String, [Client<'_>; 2], Value) {
        let (drand, players) = (Drand::of_tests(), [self.player(), self.player()]);
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "beacon": drand.name()});
        let game = players[0].post("/v1/games", wanted).header("location").unwrap().to_owned();
        let take =
            |(seat, player): (u8, &Client<'_>)| player.put(&format!("{game}/seats/{seat}"), json!({})).json();
        let taken: Vec<Value> = (1..).zip(&players).map(take).collect();
        let round = drand.awaited(&taken[1]);
        (game, players, round)
    }
}
