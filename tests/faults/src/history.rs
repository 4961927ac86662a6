//! What happened: every operation of every client with its start and its end, every message of a stream, every fault, and how each game stands in
//! the end; a line of JSON each.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Result, Write as _};
use std::path::Path;

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

/// A line of a history. Times are microseconds since the run began.
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
    /// A game in the end.
    Last(Last),
}

/// How the program was called.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// What the schedule of faults follows from.
    pub seed: u64,
    /// The database.
    pub store: String,
    /// How many processes of the service share it.
    pub processes: usize,
    /// What was made wrong on purpose.
    pub plant: Option<String>,
}

/// A fault that was struck.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Struck {
    /// What it was.
    pub fault: String,
    /// When it began.
    pub start: u64,
    /// When nothing was in the way of the service any more: a process was killed, or was let go on.
    pub lifted: u64,
    /// When the service wrote again; none where it did not within a minute.
    pub answered: Option<u64>,
}

/// What a client asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Asked {
    /// A new game, which this key leads to however often it is asked for.
    Create {
        /// The key.
        key: String,
        /// Its rule set.
        ruleset: String,
        /// Who sits where.
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
    /// The game as it stands.
    Game,
    /// All words.
    Log,
    /// The position after a ply.
    State {
        /// The ply.
        ply: u32,
    },
}

/// A request, and what became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Attempt {
    /// The game.
    pub game: String,
    /// Which client it is.
    pub client: u32,
    /// Which process it asked.
    pub process: usize,
    /// The seat whose secret it had, from 1 on; none where it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub viewer: Option<usize>,
    /// The operation: attempts to do the same thing share a number.
    pub op: u64,
    /// What it asks for.
    #[serde(flatten)]
    pub asked: Asked,
    /// When it was sent.
    pub start: u64,
    /// When the answer was there.
    pub end: u64,
    /// The answer.
    pub answer: Answer,
}

/// What a client was answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// It was acknowledged, or shown.
    Done {
        /// The status.
        status: u16,
        /// The ply of the head that was shown.
        ply: u32,
        /// The hash of that head.
        hash: Option<String>,
        /// The words that were shown, from ply 1 on or from the one that was asked for; of a creation the id of the game.
        words: Vec<String>,
        /// The word of ply 0, which is there where something is drawn before the first decision.
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
        /// Whether it says when to come again.
        has_retry_after: bool,
        /// The code of the problem.
        code: String,
    },
    /// Another 5xx, or nothing that a client understands.
    Broken {
        /// The status.
        status: u16,
        /// The body.
        body: String,
    },
    /// The connection broke, or nothing came in time.
    Cut,
}

/// A message of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Told {
    /// The game.
    pub game: String,
    /// Which client it is.
    pub client: u32,
    /// When its connection was opened.
    pub start: u64,
    /// When it came.
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

/// The messages of a stream that matter here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Said {
    /// Nothing yet: the client begins to follow.
    Nothing,
    /// The game so far.
    Snapshot,
    /// A word.
    Word,
    /// All that is written was told.
    CaughtUp,
    /// What was told does not hold.
    Reset,
    /// The game is over.
    Over,
}

/// A game as it stands in the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Last {
    /// The game.
    pub game: String,
    /// When it was asked for.
    pub start: u64,
    /// When it was there.
    pub end: u64,
    /// Whether the service shows it. If it does not, the words are what the database holds.
    pub is_shown: bool,
    /// Whether it says that there is no such game, or that it has not begun.
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

/// All that clients of one game did and saw.
#[derive(Clone, Debug, Default)]
pub struct GameHistory {
    /// Its id.
    pub game: String,
    /// Requests.
    pub attempts: Vec<Attempt>,
    /// Messages of streams.
    pub told: Vec<Told>,
}

/// A file to which a history is written. The lines of a game are written together, when it is over.
pub struct Journal(Mutex<BufWriter<File>>);

impl Journal {
    /// Creates the file.
    ///
    /// # Errors
    /// Where that cannot be done.
    pub fn create(path: &Path) -> Result<Self> {
        Ok(Self(Mutex::new(BufWriter::new(File::create(path)?))))
    }

    /// Writes lines one after another.
    ///
    /// # Errors
    /// Where that cannot be done.
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

/// What a history holds beside games.
#[derive(Debug, Default)]
pub struct Outline {
    /// How the program was called.
    pub run: Option<Run>,
    /// The faults.
    pub faults: Vec<Struck>,
    /// The games as they stand in the end.
    pub last: HashMap<String, Last>,
}

/// Reads what a history holds beside games.
///
/// # Errors
/// Where the file cannot be read, or is no history.
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
/// Where the file cannot be read, or is no history, and those of `each`.
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
