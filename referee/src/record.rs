//! Records of any game, and their steps.

use std::fmt;
use std::str::FromStr;

use assam_notation::{Error, Record, SetupLine, read_record};

use crate::account::account;
use crate::ply_row::each_ply;
use crate::slip::add_slip;
use crate::table_of::TableOf;
use crate::{GameAccount, PlyRow, Ruleset, Setup, Shown, Table, Visitor};

/// A record of the game that its first line names, read and replayed up to its end or up to an error.
///
/// [`judge`](fn@crate::judge) also reads a position line as a record: one that begins there and has no words.
pub struct AnyRecord {
    /// The beginning of the game, or `None` if the first line broke.
    pub setup: Option<Setup>,
    /// The tags, in the order of the record.
    pub tags: Vec<(String, String)>,
    /// The valid words, in canonical form.
    pub words: Vec<String>,
    /// The game after these words, without the consequences of the last one, or `None` if the first line
    /// broke.
    pub table: Option<Box<dyn Table>>,
    /// `Ok` if the record is complete and valid, otherwise its first error.
    pub verdict: Result<(), Error>,
    /// `None` if the first line broke, and for a position line.
    of_game: Option<Box<dyn RecordOfGame>>,
}

/// A word of a record, and the game after it.
pub struct AnyStep {
    /// The word in canonical form.
    pub word: String,
    /// The game after it, with the consequences of the word.
    pub table: Box<dyn Table>,
}

/// A record of one game.
trait RecordOfGame {
    fn canonical(&self) -> String;
    fn file_form(&self) -> String;
    fn steps(&self) -> Box<dyn Iterator<Item = Result<AnyStep, Error>> + '_>;
    fn each_ply(&self, each: &mut dyn FnMut(&PlyRow<'_>));
    fn account(&self, nodes: u64) -> Option<GameAccount>;
}

impl<G: Shown> RecordOfGame for Record<G> {
    fn canonical(&self) -> String {
        self.canonical()
    }

    fn file_form(&self) -> String {
        self.file_form()
    }

    fn steps(&self) -> Box<dyn Iterator<Item = Result<AnyStep, Error>> + '_> {
        Box::new(self.steps().map(|step| {
            let step = step?;
            Ok(AnyStep { word: step.word.text(), table: Box::new(TableOf::after(step)) })
        }))
    }

    fn each_ply(&self, each: &mut dyn FnMut(&PlyRow<'_>)) {
        each_ply(self, each);
    }

    fn account(&self, nodes: u64) -> Option<GameAccount> {
        account(self, nodes)
    }
}

impl AnyStep {
    /// Returns the ply of the word, 0 for the leading word.
    pub fn ply(&self) -> u32 {
        self.table.ply()
    }
}

impl AnyRecord {
    /// Reads a record and replays it. If it breaks, the valid part before the error is kept.
    pub fn read(record: impl AsRef<[u8]>) -> Self {
        ruleset_of(record.as_ref()).visit(Whole(record.as_ref()))
    }

    /// Reads a position line.
    pub(crate) fn of_position_line(line: &str) -> Self {
        let setup = Setup::read_position_line(line);
        Self {
            tags: Vec::new(),
            words: Vec::new(),
            table: setup.as_ref().ok().map(Setup::table),
            verdict: setup.as_ref().map(|_| ()).map_err(Clone::clone),
            setup: setup.ok(),
            of_game: None,
        }
    }

    /// Returns its words in order, each with the game after it, and finally the error of a record that
    /// breaks. Each word is played when the iterator reaches it.
    pub fn steps(&self) -> impl Iterator<Item = Result<AnyStep, Error>> {
        let played = self.of_game.iter().flat_map(|record| record.steps());
        played.chain(self.verdict.as_ref().err().cloned().map(Err))
    }

    /// Returns the canonical text of the valid part with the end marker that fits it. A position line stays a
    /// line, in canonical form. The text is empty if the first line broke.
    pub fn canonical(&self) -> String {
        match (&self.of_game, &self.table) {
            (Some(record), _) => record.canonical(),
            (None, Some(table)) => table.position_line(),
            (None, None) => String::new(),
        }
    }

    /// Returns the valid part in file form, with its tags and a line per turn. The text is empty if the first
    /// line broke.
    pub fn file_form(&self) -> String {
        self.of_game.as_ref().map(|record| record.file_form()).unwrap_or_default()
    }

    /// Replays the valid part and passes on every ply as a row of a table. A position line has no plies.
    pub fn each_ply(&self, mut each: impl FnMut(&PlyRow<'_>)) {
        if let Some(record) = &self.of_game {
            record.each_ply(&mut each);
        }
    }

    /// Accounts for every move of the valid part. The judge evaluates about `nodes` positions for a decision.
    /// Returns `None` if the first line broke.
    pub fn account(&self, nodes: u64) -> Option<GameAccount> {
        match &self.of_game {
            Some(record) => record.account(nodes),
            None => {
                let record = Self::read(format!("{}\n\n*\n", self.setup.as_ref()?.line()));
                record.of_game.as_ref()?.account(nodes)
            }
        }
    }
}

impl fmt::Display for AnyRecord {
    /// Writes the canonical text of the valid part.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

impl fmt::Debug for AnyRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyRecord").field(&self.canonical()).field(&self.verdict).finish()
    }
}

impl FromStr for AnyRecord {
    type Err = Error;

    /// Reads a complete and valid record. [`AnyRecord::read`] also gives the valid part of any other.
    fn from_str(text: &str) -> Result<Self, Error> {
        let record = Self::read(text);
        record.verdict.clone().map(|()| record)
    }
}

/// Returns the rule set that judges a record. The first line names it, even if the rest cannot be read.
pub(crate) fn ruleset_of(record: &[u8]) -> Ruleset {
    let first_line = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = std::str::from_utf8(first_line.strip_suffix(b"\r").unwrap_or(first_line));
    Ruleset::of_line(line.ok().and_then(|line| SetupLine::read(line).ok()).as_ref())
}

struct Whole<'a>(&'a [u8]);

impl Visitor for Whole<'_> {
    type Output = AnyRecord;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> AnyRecord {
        let mut record: Record<G> = read_record(self.0);
        // The record of the game keeps no error, because the error for readers of any game lists the known
        // rule sets.
        let verdict = std::mem::replace(&mut record.verdict, Ok(()));
        let verdict = verdict.map_err(|error| add_slip(self.0, &record, error));
        AnyRecord {
            setup: record.opening.clone().map(|opening| Setup::of(ruleset, opening)),
            tags: record.tags.clone(),
            words: record.words.iter().map(|word| word.text()).collect(),
            table: record.replay.clone().map(|replay| Box::new(TableOf::new(replay)) as Box<dyn Table>),
            verdict: verdict.map_err(|error| Ruleset::name_known(error, self.0)),
            of_game: record.opening.is_some().then(|| Box::new(record) as Box<dyn RecordOfGame>),
        }
    }
}
