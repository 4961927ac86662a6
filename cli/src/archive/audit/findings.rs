//! The findings about one game, or about all games so far.

use std::collections::BTreeMap;

use assam_referee::Setup;
use serde::{Deserialize, Serialize};

use super::check::{Check, Left};
use super::fault::AuditFault;

/// The largest number of faults that are listed.
pub const TOLD: usize = 10_000;

/// Counts, checks and faults.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Findings {
    pub games: u64,
    /// Games that wait for players.
    pub open: u64,
    pub running: u64,
    /// Games that are over, including imported ones.
    pub over: u64,
    pub imported: u64,
    /// The plies of sound games.
    pub plies: u64,
    /// Games and plies by rule set.
    pub rulesets: BTreeMap<String, OfRuleset>,
    /// How many dice showed each face from 1 to 6 in finished games that were played here, by rule set.
    pub dice: BTreeMap<String, [u64; 6]>,
    /// Results by check.
    pub checks: BTreeMap<Check, CheckCount>,
    /// Counts of what was not checked, by reason.
    pub left: BTreeMap<Left, u64>,
    pub faults: u64,
    /// Games with a fault.
    pub faulty: u64,
    /// The first faults, [`TOLD`] at most.
    pub told: Vec<AuditFault>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfRuleset {
    pub games: u64,
    /// The plies of sound games.
    pub plies: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckCount {
    /// Things that passed.
    pub verified: u64,
    /// The number of games that these are in.
    pub games: u64,
    /// Faults that it found.
    pub faults: u64,
}

impl Findings {
    /// Returns the findings for a game of this rule set before any check.
    pub fn of_game(ruleset: Option<&str>) -> Self {
        let mut findings = Self { games: 1, ..Self::default() };
        let ruleset = ruleset.unwrap_or("unknown rule set").to_owned();
        findings.rulesets.insert(ruleset, OfRuleset { games: 1, plies: 0 });
        findings
    }

    pub fn add_plies(&mut self, plies: u32) {
        self.plies += u64::from(plies);
        self.rulesets.values_mut().for_each(|ruleset| ruleset.plies += u64::from(plies));
    }

    /// Counts the dice of a finished game that was played here, up to the first refused word.
    pub fn add_dice<'a>(&mut self, setup: &Setup, words: impl IntoIterator<Item = &'a str>) {
        let mut table = setup.table();
        let sums = self.dice.entry(setup.ruleset().name().to_owned()).or_default();
        for word in words {
            for faces in table.thrown(word).unwrap_or_default() {
                sums.iter_mut().zip(faces).for_each(|(sum, count)| *sum += u64::from(count));
            }
            if table.replay(word).is_err() {
                return;
            }
        }
    }

    /// Notes that so many things of a game passed a check.
    pub fn verified(&mut self, check: Check, count: usize) {
        if count > 0 {
            let of = self.checks.entry(check).or_default();
            of.verified += count as u64;
            of.games += 1;
        }
    }

    /// Notes that so many things are not checked.
    pub fn left(&mut self, left: Left, count: usize) {
        if count > 0 {
            *self.left.entry(left).or_default() += count as u64;
        }
    }

    pub fn fault(&mut self, fault: AuditFault) {
        self.checks.entry(fault.check).or_default().faults += 1;
        self.faults += 1;
        if self.told.len() < TOLD {
            self.told.push(fault);
        }
    }

    pub fn add(&mut self, game: Self) {
        self.faulty += u64::from(game.faults > 0);
        self.games += game.games;
        self.open += game.open;
        self.running += game.running;
        self.over += game.over;
        self.imported += game.imported;
        self.plies += game.plies;
        self.faults += game.faults;
        for (name, OfRuleset { games, plies }) in game.rulesets {
            let of = self.rulesets.entry(name).or_default();
            of.games += games;
            of.plies += plies;
        }
        for (name, faces) in game.dice {
            let sums = self.dice.entry(name).or_default();
            sums.iter_mut().zip(faces).for_each(|(sum, count)| *sum += count);
        }
        for (check, CheckCount { verified, games, faults }) in game.checks {
            let of = self.checks.entry(check).or_default();
            of.verified += verified;
            of.games += games;
            of.faults += faults;
        }
        for (left, count) in game.left {
            *self.left.entry(left).or_default() += count;
        }
        let room = TOLD - self.told.len();
        self.told.extend(game.told.into_iter().take(room));
    }
}
