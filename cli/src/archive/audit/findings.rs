//! What an audit found: of one game, or of all so far.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::check::{Check, Left};
use super::fault::AuditFault;

/// How many faults are told one by one, at most.
pub const TOLD: usize = 10_000;

/// What was found.
#[derive(Clone, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Findings {
    /// How many games there are.
    pub games: u64,
    /// How many of them wait for players.
    pub open: u64,
    /// How many go on.
    pub running: u64,
    /// How many are over, imported ones too.
    pub over: u64,
    /// How many were imported.
    pub imported: u64,
    /// How many plies the sound ones have.
    pub plies: u64,
    /// Games and plies of each rule set.
    pub rulesets: BTreeMap<String, OfRuleset>,
    /// What came of each check.
    pub checks: BTreeMap<Check, CheckCount>,
    /// How much was not checked, and why.
    pub left: BTreeMap<Left, u64>,
    /// How many faults there are.
    pub faults: u64,
    /// How many games have a fault.
    pub faulty: u64,
    /// The first faults, [`TOLD`] at most.
    pub told: Vec<AuditFault>,
}

/// Games of a rule set.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OfRuleset {
    /// How many games.
    pub games: u64,
    /// How many plies the sound ones have.
    pub plies: u64,
}

/// What came of a check.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct CheckCount {
    /// How many things are as they must be.
    pub verified: u64,
    /// In how many games they are.
    pub games: u64,
    /// How many faults it found.
    pub faults: u64,
}

impl Findings {
    /// Returns what is found of a game of this rule set, before anything is checked.
    pub fn of_game(ruleset: Option<&str>) -> Self {
        let mut findings = Self { games: 1, ..Self::default() };
        let ruleset = ruleset.unwrap_or("no known rule set").to_owned();
        findings.rulesets.insert(ruleset, OfRuleset { games: 1, plies: 0 });
        findings
    }

    /// Notes the plies of a game, which is sound.
    pub fn add_plies(&mut self, plies: u32) {
        self.plies += u64::from(plies);
        self.rulesets.values_mut().for_each(|ruleset| ruleset.plies += u64::from(plies));
    }

    /// Notes so many things of a game that are as they must be.
    pub fn verified(&mut self, check: Check, count: usize) {
        if count > 0 {
            let of = self.checks.entry(check).or_default();
            of.verified += count as u64;
            of.games += 1;
        }
    }

    /// Notes so many things that are not checked.
    pub fn left(&mut self, left: Left, count: usize) {
        if count > 0 {
            *self.left.entry(left).or_default() += count as u64;
        }
    }

    /// Notes a fault.
    pub fn fault(&mut self, fault: AuditFault) {
        self.checks.entry(fault.check).or_default().faults += 1;
        self.faults += 1;
        if self.told.len() < TOLD {
            self.told.push(fault);
        }
    }

    /// Adds what was found of a game.
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
