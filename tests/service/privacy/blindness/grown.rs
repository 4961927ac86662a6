//! Games grown in memory by the service's own function, for any game.

use assam_record::chance::{self, ChanceSource};
use assam_record::game::{Head, Info, PlayerId, StoredGame};
use assam_record::log::{Chain, Extension, Ledger, NotExtended, ReplayedWord, walk_as_of};
use assam_referee::AnyDecision;
use assam_rules::Viewer;
use sha2::{Digest, Sha256};

use crate::dice::Dice;

/// A match grown in memory by the service's own function.
pub(super) struct Match {
    /// The game after each submission, beginning with its start.
    pub(super) stood: Vec<StoredGame>,
    /// The extension of each submission.
    pub(super) extensions: Vec<Extension>,
}

impl Match {
    /// Starts a game whose seats are taken.
    pub(super) fn start(game: StoredGame, source: &dyn ChanceSource) -> Self {
        let extension = extension(&game, source, &[], 0).unwrap();
        Self { stood: vec![extended(&game, &extension)], extensions: Vec::new() }
    }

    pub(super) fn play(&mut self, source: &dyn ChanceSource, decision: &str, after_ms: u64) {
        let game = self.end();
        let extension = extension(game, source, &[decision.to_owned()], after_ms).unwrap();
        let game = extended(game, &extension);
        self.stood.push(game);
        self.extensions.push(extension);
    }

    pub(super) fn end(&self) -> &StoredGame {
        self.stood.last().unwrap()
    }

    /// Returns what brings a store from one moment to a later one.
    pub(super) fn extension(&self, from: usize, to: usize) -> (Head, Extension) {
        let parts = &self.extensions[from..to];
        let entries: Vec<&str> = parts.iter().rev().map(|part| part.entries.as_str()).collect();
        (
            self.stood[from].info.head.unwrap(),
            Extension { entries: entries.join(" "), ..parts[parts.len() - 1].clone() },
        )
    }
}

/// Returns what these decisions add to a game.
pub(super) fn extension(
    game: &StoredGame,
    source: &dyn ChanceSource,
    decisions: &[String],
    after_ms: u64,
) -> Result<Extension, NotExtended> {
    let ruleset = game.info.ruleset();
    let read = |text: &String| ruleset.read_decision(text).unwrap().decision.unwrap();
    let decisions: Vec<AnyDecision> = decisions.iter().map(read).collect();
    let mut ledger = Ledger::replay(game).unwrap();
    ledger.extend_from(source, &decisions, after_ms).map(|extended| extended.extension)
}

/// Returns the words of a log, unmasked.
pub(super) fn written(game: &StoredGame) -> Vec<ReplayedWord<'_>> {
    let last = game.info.head.map_or(0, |head| head.ply);
    let mut words = Vec::new();
    walk_as_of(Viewer::Arbiter, game, last, |written| words.push(written)).unwrap();
    words
}

fn extended(game: &StoredGame, extension: &Extension) -> StoredGame {
    let log = [extension.entries.as_str(), game.log.as_str()].join(" ").trim().to_owned();
    let &Extension { head, status, finished_at, .. } = extension;
    let info = Info { head: Some(head), status, finished_at, ..game.info.clone() };
    StoredGame { log, info, ..game.clone() }
}

/// Returns each head of a game.
pub(super) fn heads(game: &StoredGame) -> Vec<Head> {
    let mut chain = Chain::new(game);
    let heads = written(game).into_iter().map(|written| {
        chain.extend(&written);
        Head { ply: written.ply, hash: chain.head }
    });
    heads.collect()
}

/// Returns the same game with another seed, and the commitment to it.
pub(super) fn seeded(game: StoredGame, seed: [u8; 32]) -> StoredGame {
    let commitment = chance::commitment(&seed, &game.info.setup);
    StoredGame { seed: Some(seed), commitment: Some(commitment), ..game }
}

/// Returns the head before the first word.
pub(super) fn start(game: &StoredGame) -> [u8; 32] {
    Chain::new(game).head
}

/// Returns the public id of the holder of a secret, computed as documented.
pub(super) fn player(secret: &str) -> PlayerId {
    hex::encode(&Sha256::digest(format!("assam/player\n{secret}"))[..10]).parse().unwrap()
}

pub(super) fn bytes(dice: &mut Dice) -> [u8; 32] {
    [(); 32].map(|()| dice.below(256) as u8)
}

/// Returns 64 hex digits.
pub(super) fn hex(dice: &mut Dice) -> String {
    hex::encode(bytes(dice))
}
