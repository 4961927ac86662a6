//! Histories of runs, as lines of JSON: every client operation with its start and end, every stream message,
//! every fault, and the final state of each game.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Result, Write as _};
use std::path::Path;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// A line of a history. Times are in microseconds since the run began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum Line {
    /// How the program was called.
    Run(Run),
    /// A fault.
    Fault(Struck),
    /// A request of a client.
    Attempt(Attempt),
    /// A message of a stream.
    Told(Told),
    /// The final state of a game.
    Last(Last),
}

/// How the program was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// The seed of the fault schedule.
    pub seed: u64,
    /// The database.
    pub store: String,
    /// How many service processes share it.
    pub processes: usize,
    /// The planted fault.
    pub plant: Option<String>,
}

/// A fault that was struck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Struck {
    /// Its name.
    pub fault: String,
    /// When it began.
    pub start: u64,
    /// When the fault was over: a process was killed or resumed.
    pub lifted: u64,
    /// When the service wrote again, `None` if it did not within a minute.
    pub answered: Option<u64>,
}

/// The content of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Asked {
    /// A new game, created once for each key.
    Create {
        /// The key.
        key: String,
        /// Its rule set.
        ruleset: String,
        /// The kind of player on each seat.
        seats: Vec<String>,
    },
    /// A seat.
    Sit {
        /// Its number.
        seat: usize,
    },
    /// A decision at a ply.
    Append {
        /// The ply.
        ply: u32,
        /// The decision.
        decision: String,
    },
    /// The current game.
    Game,
    /// All words.
    Log,
    /// The position after a ply.
    State {
        /// The ply.
        ply: u32,
    },
}

/// A request and its answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The game.
    pub game: String,
    /// The number of the client.
    pub client: u32,
    /// The number of the process.
    pub process: usize,
    /// The seat whose secret it carried, from 1 on, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<usize>,
    /// The operation. Attempts at the same operation share a number.
    pub op: u64,
    /// The content of the request.
    #[serde(flatten)]
    pub asked: Asked,
    /// When it was sent.
    pub start: u64,
    /// When the answer arrived.
    pub end: u64,
    /// The answer.
    pub answer: Answer,
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// An acknowledged change, or a read.
    Done {
        /// The status.
        status: u16,
        /// The ply of the head in the answer.
        ply: u32,
        /// The hash of that head.
        hash: Option<String>,
        /// The words in the answer, from ply 1 or the requested ply on. For a creation, the id of the game.
        words: Vec<String>,
        /// The word of ply 0, if something is drawn before the first decision.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        drawn: Option<String>,
    },
    /// A 4xx.
    Refused {
        /// The status.
        status: u16,
        /// The code of the problem.
        code: String,
    },
    /// A 503.
    Busy {
        /// Whether it has a `Retry-After`.
        has_retry_after: bool,
        /// The code of the problem.
        code: String,
    },
    /// Another 5xx, or an answer that clients do not understand.
    Broken {
        /// The status.
        status: u16,
        /// The body.
        body: String,
    },
    /// The connection broke, or the request timed out.
    Cut,
}

/// A message of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The game.
    pub game: String,
    /// The number of the client.
    pub client: u32,
    /// When its connection was opened.
    pub start: u64,
    /// When the message arrived.
    pub end: u64,
    /// Its type.
    pub said: Said,
    /// The ply of its head.
    pub ply: u32,
    /// The hash of its head.
    pub hash: Option<String>,
    /// The words in it.
    pub words: Vec<String>,
    /// The word of ply 0 in a snapshot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<String>,
}

/// The types of stream messages that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// No message: the client begins to follow.
    Nothing,
    /// The game so far.
    Snapshot,
    /// A word.
    Word,
    /// The stream is up to date.
    CaughtUp,
    /// Earlier messages are void.
    Reset,
    /// The game is over.
    Over,
}

/// The final state of a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Last {
    /// The game.
    pub game: String,
    /// When it was requested.
    pub start: u64,
    /// When the answer arrived.
    pub end: u64,
    /// Whether the service shows it. Otherwise the words are those in the database.
    pub is_shown: bool,
    /// Whether the game is reported as unknown or not started.
    #[serde(default)]
    pub is_gone: bool,
    /// All words from ply 1 on.
    pub words: Vec<String>,
    /// The word of ply 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawn: Option<String>,
    /// The hash of the head.
    pub hash: Option<String>,
}

/// Everything that clients of one game did and saw.
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    /// Its id.
    pub game: String,
    /// Requests.
    pub attempts: Vec<Attempt>,
    /// Messages of streams.
    pub told: Vec<Told>,
}

/// A file for a history. The lines of a game are written together when it is over.
pub struct Journal(Mutex<BufWriter<File>>);

impl Journal {
    /// Creates the file.
    ///
    /// # Errors
    /// If that fails.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self(Mutex::new(BufWriter::new(File::create(path)?))))
    }

    /// Appends lines.
    ///
    /// # Errors
    /// If that fails.
    pub fn write(&self, lines: &[Line]) -> Result<()> {
        let mut file = self.0.lock();
        for line in lines {
            serde_json::to_writer(&mut *file, line)?;
            file.write_all(b"\n")?;
        }
        file.flush()
    }
}

/// Reads a history line by line.
fn read(path: &Path) -> Result<impl Iterator<Item = Result<Line>>> {
    let lines = BufReader::new(File::open(path)?).lines();
    Ok(lines.map(|line| Ok(serde_json::from_str(&line?)?)))
}

/// The parts of a history other than games.
#[derive(Debug, Default)]
pub struct Outline {
    /// How the program was called.
    pub run: Option<Run>,
    /// The faults.
    pub faults: Vec<Struck>,
    /// The final states of the games.
    pub last: HashMap<String, Last>,
}

/// Reads the parts of a history other than games.
///
/// # Errors
/// If the file is unreadable or no history.
pub fn outline(path: &Path) -> Result<Outline> {
    let mut outline = Outline::default();
    for line in read(path)? {
        match line? {
            Line::Run(run) => outline.run = Some(run),
            Line::Fault(struck) => outline.faults.push(struck),
            Line::Last(last) => drop(outline.last.insert(last.game.clone(), last)),
            Line::Attempt(_) | Line::Told(_) => {}
        }
    }
    Ok(outline)
}

/// Reads a history game by game.
///
/// # Errors
/// If the file is unreadable or no history, and those of `each`.
pub fn games(path: &Path, mut each: impl FnMut(&GameHistory) -> Result<()>) -> Result<()> {
    let mut game = GameHistory::default();
    for line in read(path)? {
        let line = line?;
        let id = match &line {
            Line::Attempt(attempt) => &attempt.game,
            Line::Told(told) => &told.game,
            Line::Run(_) | Line::Fault(_) | Line::Last(_) => continue,
        };
        if *id != game.game {
            if !game.attempts.is_empty() {
                each(&game)?;
            }
            game = GameHistory { game: id.clone(), ..GameHistory::default() };
        }
        match line {
            Line::Attempt(attempt) => game.attempts.push(attempt),
            Line::Told(told) => game.told.push(told),
            Line::Run(_) | Line::Fault(_) | Line::Last(_) => {}
        }
    }
    if game.attempts.is_empty() { Ok(()) } else { each(&game) }
}
