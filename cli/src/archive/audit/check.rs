//! The checks of an audit, and what it leaves unchecked, in plain words.

use serde::{Deserialize, Serialize};

/// A kind of check. Reports have a line for each, in this order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// A game can be read at all.
    Form,
    /// The words follow the rules.
    Rules,
    /// The heads follow from the words.
    Chain,
    /// The keys of plies and the seed lead to the commitment.
    Commitment,
    /// Rounds of outside beacons in the chance of games are as their chains signed them.
    Beacons,
    /// Dice, rugs and cards follow from the keys and the seed.
    Chance,
    /// Decisions of built-in players follow from the keys and the seed.
    Choices,
    /// The columns of a database agree with the words.
    Stored,
    /// The ends of games are signed.
    Ends,
    /// A database knows the keys for the ends of its games.
    Keys,
    /// Starts and ends of games are at their places in the public log.
    Logged,
    /// The entries of the public log lead to its root.
    Log,
    /// The public log still begins with the entries of earlier checkpoints.
    Earlier,
}

/// Why something is not checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Left {
    /// The rest of a game after a fault.
    AfterFault,
    /// Records, which only have words.
    Records,
    /// Masked parts of records.
    Masked,
    /// Tokens that are hidden from spectators.
    Hidden,
    /// Outcomes that depend on a seed that is not published yet.
    Sealed,
    /// Decisions of built-in players that depend on such a seed.
    SealedChoices,
    /// Imported games, whose chance was never committed to.
    Imported,
    /// Games without entropy from players.
    NoEntropy,
    /// Games with a beacon of an unknown chain.
    UnknownBeacon,
    /// Ends without a signed receipt.
    NoReceipt,
    /// Ends whose signature cannot be checked without a key.
    NoKey,
    /// Ends from before the first key of a database.
    BeforeKeys,
    /// Ends in a database that knows no key.
    NoHistory,
    /// Receipts, which a database does not store.
    NotKept,
    /// Games in which people decided.
    People,
    /// Starts and ends that wait for the public log.
    LogWaits,
    /// Games of a source without a public log.
    NoLog,
}

impl Check {
    /// Returns what is counted, in the plural.
    pub const fn subject(self) -> &'static str {
        match self {
            Self::Form => "games that can be read",
            Self::Rules => "words that follow the rules",
            Self::Chain => "heads that follow from the words, the setup and the seats",
            Self::Commitment => "keys of plies that lead to the commitment made before the first move",
            Self::Chance => "dice, rugs and cards that follow from the committed keys and seeds",
            Self::Beacons => "beacon rounds in the chance of games that are signed by their chains",
            Self::Choices => "decisions of built-in players that follow from the committed keys and seeds",
            Self::Stored => "heads, statuses and commitments in the database that agree with its games",
            Self::Ends => "ends of games that are signed by the service",
            Self::Keys => "ends of games whose signing key the database knows",
            Self::Logged => "starts and ends of games that are at their places in the public log",
            Self::Log => "entries of the public log that lead to its root",
            Self::Earlier => "earlier checkpoints that the public log still begins with",
        }
    }
}

impl Left {
    pub fn sentence(self, count: u64) -> String {
        let games = games(count);
        match self {
            Self::AfterFault => {
                format!("the rest of games after their first fault: {games}.")
            }
            Self::Records => format!(
                "chain, chance, signatures and players of records, which only have words: {games}. An export of proofs has the rest."
            ),
            Self::Masked => format!("masked parts of records: {games}."),
            Self::Hidden => format!("tokens that are hidden until their games end: {count}."),
            Self::Sealed => {
                format!("cards that depend on a seed, which is published when the game is over: {count}.")
            }
            Self::SealedChoices => {
                format!(
                    "decisions of built-in players that depend on a seed, which is published when the game is over: {count}."
                )
            }
            Self::Imported => {
                format!("the chance of imported games, which has no commitment: {games}.")
            }
            Self::NoEntropy => {
                format!(
                    "that the service did not choose the chance of games without entropy from players: {games}."
                )
            }
            Self::UnknownBeacon => {
                format!("signatures of beacons of unknown chains (name a chain with --beacon): {games}.")
            }
            Self::NoReceipt => format!("who signed the end of games without a signed receipt: {games}."),
            Self::NoKey => {
                format!("who signed the end of games (pass the service's key with --key): {games}.")
            }
            Self::BeforeKeys => format!(
                "that ends from before the first key of the database were signed at the time (the service signs them now): {games}."
            ),
            Self::NoHistory => format!("signatures, because the database knows no key: {games}."),
            Self::NotKept => format!(
                "signatures of ends, which the service makes on request and does not store: {games}. An export of proofs has them."
            ),
            Self::LogWaits => {
                format!("starts and ends that are not in the public log yet, or came late: {count}.")
            }
            Self::NoLog => format!(
                "that starts and ends of games are in the public log, which exports do not have: {games}. Audit the service for that (--url)."
            ),
            Self::People => format!(
                "what people decided: {games}. Only heads and receipts that the players kept can confirm it."
            ),
        }
    }
}

/// Properties that no archive can show by itself.
pub const NEVER: [&str; 2] = [
    "that no game was left out or shown differently to others, which no archive can show.",
    "times, which the service states and no hash covers.",
];

/// Returns a number of games, with its noun.
pub fn games(count: u64) -> String {
    if count == 1 { "1 game".to_owned() } else { format!("{count} games") }
}
