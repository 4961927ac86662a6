//! Faults that an audit finds, in plain words.

use std::fmt;

use assam_proofs::proof::{Fault, Scope, What};
use assam_record::game::GameId;
use serde::{Deserialize, Serialize};

use super::check::Check;

/// A fault, with its place.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AuditFault {
    /// The check that found it.
    pub check: Check,
    pub game: Option<GameId>,
    /// The line of a file, or the record in it, from 1.
    pub place: Option<String>,
    pub ply: Option<u32>,
    pub what: String,
    /// The expected value, unless unknown or secret.
    pub expected: Option<String>,
    /// The value found, unless unknown or secret.
    pub found: Option<String>,
}

impl AuditFault {
    /// Returns a fault of a check, without further details.
    pub fn new(check: Check, what: impl Into<String>) -> Self {
        Self { check, game: None, place: None, ply: None, what: what.into(), expected: None, found: None }
    }

    /// Returns the fault of a proof. Expected and found values may be secret.
    pub fn of_proof(fault: &Fault, is_secret: bool) -> Self {
        let (check, what) = plain(fault.what);
        let (ply, what) = match fault.scope {
            Scope::Proof => (None, what.to_owned()),
            Scope::Seat(seat) => (None, format!("seat {seat}: {what}")),
            Scope::Ply(ply) => (Some(ply), what.to_owned()),
            Scope::Part(ply, part) => (Some(ply), format!("part {part}: {what}")),
        };
        let told = |text: &String| (!is_secret).then(|| text.clone());
        let (expected, found) = (told(&fault.expected), told(&fault.found));
        Self { ply, expected, found, ..Self::new(check, what) }
    }
}

impl fmt::Display for AuditFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut place: Vec<String> = Vec::new();
        place.extend(self.place.clone());
        place.extend(self.game.map(|game| format!("game {game}")));
        place.extend(self.ply.map(|ply| format!("ply {ply}")));
        if !place.is_empty() {
            write!(f, "{}: ", place.join(", "))?;
        }
        f.write_str(&self.what)?;
        if let (Some(expected), Some(found)) = (&self.expected, &self.found) {
            write!(f, ": expected {expected}, found {found}")?;
        }
        Ok(())
    }
}

/// Returns the check for a fault in a proof, and a description.
const fn plain(what: What) -> (Check, &'static str) {
    match what {
        What::GameId => (Check::Rules, "the id of an imported game does not match its record"),
        What::Setup => (Check::Rules, "the setup is not possible in a game"),
        What::Ply => (Check::Rules, "a ply is missing, or there is one too many"),
        What::Part => (Check::Rules, "a part of a word is missing, or there is one too many"),
        What::Token => (Check::Rules, "a token is invalid, or is hidden when it must not be"),
        What::Word => (Check::Rules, "the word is against the rules"),
        What::Record => (Check::Rules, "the record has different words"),
        What::Seat => (Check::Chain, "the seats are not possible in a game"),
        What::Revision => (Check::Chain, "the order in which the seats were taken is not possible"),
        What::Start => {
            (Check::Chain, "the hash of the start does not match the setup, id, commitment and seats")
        }
        What::Salt => (Check::Chain, "the salt does not match the sealed token"),
        What::Hash => (Check::Chain, "the hash does not match the token"),
        What::Head => (Check::Chain, "the head does not follow from the words"),
        What::Commitment => {
            (Check::Commitment, "the commitment does not match the anchor and the hash of the seed")
        }
        What::Anchor => (Check::Commitment, "the anchor is missing, or should not be there"),
        What::SeedHash => (Check::Commitment, "the hash of the seed is missing, or should not be there"),
        What::Key => (Check::Commitment, "the key of the ply does not lead to the commitment"),
        What::Seed => {
            (Check::Commitment, "the seed is missing, came too early, or does not match the commitment")
        }
        What::Beacon => {
            (Check::Beacons, "the beacon does not match its chain's signature, or should not be there")
        }
        What::Chance => (Check::Chance, "the outcome does not follow from the committed chance"),
        What::Choice => {
            (Check::Choices, "the decision of a built-in player does not follow from the committed chance")
        }
        What::Receipt => (Check::Ends, "the signed receipt does not agree with the game"),
    }
}
