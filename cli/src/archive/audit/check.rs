//! What an audit checks, and what it cannot, in plain words.

use serde::{Deserialize, Serialize};

/// A kind of check. Reports have a line for each, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Whether a game can be read at all.
    Form,
    /// The words follow the rules.
    Rules,
    /// The heads follow from the words.
    Chain,
    /// The keys of plies, and the seed, lead to what was committed to.
    Commitment,
    /// The chance of games includes rounds of outside beacons as their chains signed them.
    Beacons,
    /// Dice, rugs and cards follow from the keys and the seed.
    Chance,
    /// So do the decisions of built-in players.
    Choices,
    /// The columns of a database say what the words lead to.
    Stored,
    /// The ends of games are signed.
    Ends,
    /// A database knows the keys for the ends of its games.
    Keys,
    /// Starts and ends of games are in the public log where they should be.
    Logged,
    /// The entries of the public log lead to its root.
    Log,
    /// The public log begins with what it had at earlier checkpoints.
    Earlier,
}

/// Why something is not checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// Games with a fault, after it.
    AfterFault,
    /// Records, which have words alone.
    Records,
    /// Records in which something is masked.
    Masked,
    /// Tokens that are hidden from spectators.
    Hidden,
    /// Outcomes that hang on a seed that is not published yet.
    Sealed,
    /// Decisions of built-in players that hang on one.
    SealedChoices,
    /// Imported games, to whose chance nobody committed.
    Imported,
    /// Games to whose chance nobody added entropy.
    NoEntropy,
    /// Games with a beacon whose chain is not known.
    UnknownBeacon,
    /// Ends without a signed receipt.
    NoReceipt,
    /// Ends whose signature nobody can check.
    NoKey,
    /// Ends from before the first key of a database.
    BeforeKeys,
    /// Ends in a database that knows no key.
    NoHistory,
    /// Receipts, which a database does not keep.
    NotKept,
    /// Games in which people decided.
    People,
    /// Starts and ends that wait for the public log.
    LogWaits,
    /// Games of a source that has no public log.
    NoLog,
}

impl Check {
    /// Returns what is counted, in the plural.
    pub const fn subject(self) -> &'static str {
        match self {
            Self::Form => "games that can be read",
            Self::Rules => "words that follow the rules",
            Self::Chain => "heads that follow from the words, the setup and the seats",
            Self::Commitment => "keys of plies that lead to what was committed to before the first move",
            Self::Chance => "dice, rugs and cards that follow from the committed keys and seeds",
            Self::Beacons => "rounds of outside beacons in the chance of games that their chains signed",
            Self::Choices => "decisions of built-in players that follow from the committed keys and seeds",
            Self::Stored => "heads, statuses and commitments in the database that are those of its games",
            Self::Ends => "ends of games that are signed by the service",
            Self::Keys => "ends of games for which the database knows the key that signs them",
            Self::Logged => "starts and ends of games that are in the public log, where they should be",
            Self::Log => "entries of the public log that lead to its root",
            Self::Earlier => "earlier checkpoints with which the public log begins",
        }
    }
}

impl Left {
    /// Returns a sentence about that many.
    pub fn sentence(self, count: u64) -> String {
        let games = games(count);
        match self {
            Self::AfterFault => {
                format!("what comes after the first fault of a game, or hangs on it: {games}.")
            }
            Self::Records => format!(
                "chain, chance, signatures and who played: a record has words alone ({games}). An export of proofs has the rest."
            ),
            Self::Masked => format!("what is masked in a record: {games}."),
            Self::Hidden => format!("tokens that are hidden while their games go on: {count}."),
            Self::Sealed => {
                format!("cards that hang on a seed, which is published when the game is over: {count}.")
            }
            Self::SealedChoices => {
                format!("decisions of built-in players that hang on a seed not published yet: {count}.")
            }
            Self::Imported => {
                format!("the chance of imported games, to which nobody committed: {games}.")
            }
            Self::NoEntropy => {
                format!("that the service did not choose the chance, where no player added entropy: {games}.")
            }
            Self::UnknownBeacon => {
                format!("signatures of beacons whose chains are not known here (--beacon): {games}.")
            }
            Self::NoReceipt => format!("who signed the end of games that have no signed receipt: {games}."),
            Self::NoKey => {
                format!("who signed the end of games (pass the service's key with --key): {games}.")
            }
            Self::BeforeKeys => format!(
                "that ends from before the first key of the database were signed then; it signs them now: {games}."
            ),
            Self::NoHistory => format!("signatures: the database knows no key: {games}."),
            Self::NotKept => format!(
                "signatures of ends: the service makes them when it is asked, and keeps none ({games}). An export of proofs has them."
            ),
            Self::LogWaits => {
                format!("starts and ends that came into the public log only later, or wait for it: {count}.")
            }
            Self::NoLog => format!(
                "that starts and ends of games are in the public log: an export has no log, its service does (--url): {games}."
            ),
            Self::People => format!(
                "what people decided: nobody but them knows; heads and receipts that they kept vouch for it: {games}."
            ),
        }
    }
}

/// What no archive can show by itself.
pub const NEVER: [&str; 2] = [
    "that no game was left out or shown to others in another way: what an archive has not is not seen in it.",
    "times: they are in no hash, and are what the service says.",
];

/// Returns a number of games.
pub fn games(count: u64) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}
