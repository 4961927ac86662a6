//! The players of a match: built-in ones, and external programs.

use std::str::FromStr;
use std::time::Duration;

use assam_notation::check_tag;
use assam_players::Player;
use assam_referee::{AnyDecision, GameInfo, Setup, Table, likeliest};
use clap::Args;
use parking_lot::Mutex;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::process::{EngineFailure, EngineProcess};
use super::protocol::{Go, MOST_NODES};
use crate::process::output::amount;

/// A player as the command line names it: `merchant-8/1`, `merchant-8`, or `NAME=COMMAND` for a program.
#[derive(Clone)]
pub struct PlayerName {
    /// The name in results and records.
    pub name: String,
    kind: PlayerKind,
}

#[derive(Clone)]
enum PlayerKind {
    BuiltIn(Player),
    Program(String),
}

/// A player of a match. Each thread that plays has a separate process of a program.
pub struct Contestant {
    pub name: String,
    kind: PlayerKind,
    /// Processes that are between games.
    idle: Mutex<Vec<EngineProcess>>,
}

/// How programs are asked.
#[derive(Args, Clone, Copy)]
pub struct AskingArgs {
    /// The number of positions that a program may search for a decision, by default as many as it likes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MOST_NODES))]
    nodes: Option<u64>,
    /// How many seconds a program may take for an answer, 1 to 86400
    #[arg(long, default_value_t = 60, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    answer_timeout: u64,
}

impl AskingArgs {
    /// Returns how programs are asked.
    pub const fn asking(&self) -> Asking {
        Asking { nodes: self.nodes, limit: Duration::from_secs(self.answer_timeout) }
    }
}

/// How programs are asked.
#[derive(Clone, Copy, Default)]
pub struct Asking {
    /// The number of positions that they may search, or `None` to leave it to them.
    pub nodes: Option<u64>,
    /// The longest time for an answer.
    pub limit: Duration,
}

/// A player in a game, with its own draws.
pub enum Seated {
    BuiltIn { player: Player, draws: Box<ChaCha8Rng> },
    Program { process: EngineProcess, nodes: Option<u64> },
}

impl FromStr for PlayerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((name, command)) = text.split_once('=') {
            let is_usable = !name.trim().is_empty() && check_tag("seat1", name);
            return match is_usable && !command.trim().is_empty() {
                true => Ok(Self { name: name.to_owned(), kind: PlayerKind::Program(command.to_owned()) }),
                false => Err("a program must be written NAME=COMMAND".to_owned()),
            };
        }
        match Player::newest(text) {
            Some(player) => Ok(Self { name: player.name().to_owned(), kind: PlayerKind::BuiltIn(player) }),
            None => Err(unknown(text, Player::ALL)),
        }
    }
}

/// Returns a sentence about an unknown player, with the one that was probably meant.
fn unknown(name: &str, known: &[Player]) -> String {
    match likeliest(name, known.iter().map(|player| player.name())) {
        Some(likely) => format!("unknown player {name:?}; did you mean {likely}?"),
        None => format!("unknown player {name:?}; write NAME=COMMAND for a program"),
    }
}

impl PlayerName {
    /// Returns the name of a program.
    pub fn program(name: &str, command: &str) -> Self {
        Self { name: name.to_owned(), kind: PlayerKind::Program(command.to_owned()) }
    }
}

impl From<Player> for PlayerName {
    fn from(player: Player) -> Self {
        Self { name: player.name().to_owned(), kind: PlayerKind::BuiltIn(player) }
    }
}

impl Contestant {
    /// Returns a player between games.
    pub fn new(player: PlayerName) -> Self {
        let PlayerName { name, kind } = player;
        Self { name, kind, idle: Mutex::new(Vec::new()) }
    }

    /// Checks that the player can play a game.
    ///
    /// # Errors
    /// If the game does not have the player.
    pub fn check(&self, game: &GameInfo) -> Result<(), String> {
        match self.kind {
            PlayerKind::BuiltIn(player) if !game.players.contains(&player) => {
                let names: Vec<&str> = game.players.iter().map(|player| player.name()).collect();
                Err(format!("{} does not play {}, which has {}", self.name, game.name, names.join(", ")))
            }
            PlayerKind::BuiltIn(_) | PlayerKind::Program(_) => Ok(()),
        }
    }

    /// Starts the program of the player, if it is one, before its first game.
    ///
    /// # Errors
    /// If its program cannot be used.
    pub fn prepare(&self, asking: Asking) -> Result<(), EngineFailure> {
        if let PlayerKind::Program(command) = &self.kind {
            self.idle.lock().push(EngineProcess::start(command, asking.limit)?);
        }
        Ok(())
    }

    /// Takes a seat in a game. All draws of the player follow from the seed and the stream.
    ///
    /// # Errors
    /// If its program cannot be used.
    pub fn sit(
        &self,
        setup: &Setup,
        asking: Asking,
        seed: u64,
        stream: u64,
    ) -> Result<Seated, EngineFailure> {
        let mut draws = ChaCha8Rng::seed_from_u64(seed);
        draws.set_stream(stream);
        match &self.kind {
            PlayerKind::BuiltIn(player) => Ok(Seated::BuiltIn { player: *player, draws: Box::new(draws) }),
            PlayerKind::Program(command) => {
                let idle = self.idle.lock().pop();
                let mut process = match idle {
                    Some(process) => process,
                    None => EngineProcess::start(command, asking.limit)?,
                };
                process.new_game(setup.line(), draws.random())?;
                Ok(Seated::Program { process, nodes: asking.nodes })
            }
        }
    }

    /// Takes back a player after a game, so that its program is used again.
    pub fn stand_up(&self, seated: Seated) {
        if let Seated::Program { process, .. } = seated {
            self.idle.lock().push(process);
        }
    }
}

impl Seated {
    /// Decides for the seat on turn. `position` writes what the seat may know.
    ///
    /// # Errors
    /// If its program fails.
    pub fn decide(
        &mut self,
        setup: &Setup,
        table: &dyn Table,
        position: impl FnOnce() -> Result<String, String>,
    ) -> Result<AnyDecision, EngineFailure> {
        let refused = |why| EngineFailure::Refused("go", why);
        match self {
            Self::BuiltIn { player, draws } => table
                .choose(*player, &mut |_, range| draws.random_range(0..range))
                .ok_or_else(|| refused("nothing".to_owned())),
            Self::Program { process, nodes } => {
                let legal = table.choices().unwrap_or_default();
                let legal = Some(legal.iter().map(String::as_str).collect());
                let decision = process.decide(&position().map_err(refused)?, &Go { nodes: *nodes, legal })?;
                let read = setup.ruleset().read_decision(&decision).ok();
                read.and_then(|read| read.decision).ok_or_else(|| refused(decision))
            }
        }
    }
}

/// Returns a sentence about a program that failed in a game.
pub fn failed(name: &str, deal: u64, words: usize, failure: &EngineFailure) -> String {
    format!("{name} failed in deal {deal} after {}: {failure}", amount(words as u64, "word", "words"))
}
