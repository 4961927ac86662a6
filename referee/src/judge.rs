//! Judging records and position lines from elsewhere, of whatever rule set their first line names.

use assam_notation::{Error, Record, SetupLine, read_record, validate_record};

use crate::ply_row::each_ply;
use crate::table_of::TableOf;
use crate::{Play as _, PlyRow, Ruleset, Setup, Shown, Table, Visitor};

/// A record that was read and replayed: everything up to its end, or up to where it broke.
pub struct Judgement {
    /// Where it begins; none where the first line broke.
    pub setup: Option<Setup>,
    /// The tags, in the order in which they stand.
    pub tags: Vec<(String, String)>,
    /// The words that are valid, in canonical form.
    pub words: Vec<String>,
    /// The game after these words, which has forgotten the consequences of the last one; none where the first line
    /// broke.
    pub table: Option<Box<dyn Table>>,
    /// Where and why it broke; `Ok` where it is complete and valid.
    pub verdict: Result<(), Error>,
    forms: Option<Box<dyn Forms>>,
}

/// The verdict on a record, without its contents.
pub struct Verdict {
    /// The last valid ply.
    pub ply: u32,
    /// The end marker that belongs there; empty where the first line broke.
    pub marker: String,
    /// Whether anything in it is masked. Then it is valid in everything that is visible.
    pub masked: bool,
    /// Where and why it broke; none where it is complete and valid.
    pub error: Option<Error>,
}

/// The texts of a record.
trait Forms {
    fn canonical(&self) -> String;
    fn file_form(&self) -> String;
    fn each_ply(&self, each: &mut dyn FnMut(&PlyRow<'_>));
}

impl<G: Shown> Forms for Record<G> {
    fn canonical(&self) -> String {
        self.canonical()
    }

    fn file_form(&self) -> String {
        self.file_form()
    }

    fn each_ply(&self, each: &mut dyn FnMut(&PlyRow<'_>)) {
        each_ply(self, each);
    }
}

impl Judgement {
    /// Returns the canonical text of the valid part, with the end marker that belongs to it: for a position line, the
    /// same line in canonical form. Empty where the first line broke.
    pub fn canonical(&self) -> String {
        match (&self.forms, &self.table) {
            (Some(record), _) => record.canonical(),
            (None, Some(table)) => table.position_line(),
            (None, None) => String::new(),
        }
    }

    /// Returns the valid part in file form: with its tags, and a line per turn. Empty where the first line broke.
    pub fn file_form(&self) -> String {
        self.forms.as_ref().map(|record| record.file_form()).unwrap_or_default()
    }

    /// Replays the valid part, and hands on every ply as a row of a table; of a position line there is none.
    pub fn each_ply(&self, mut each: impl FnMut(&PlyRow<'_>)) {
        if let Some(record) = &self.forms {
            record.each_ply(&mut each);
        }
    }
}

/// Judges a record, or a position line.
pub fn judge(text: &[u8]) -> Judgement {
    let line = std::str::from_utf8(text).ok().map(|text| text.strip_suffix('\n').unwrap_or(text));
    let line = line.map(|line| line.strip_suffix('\r').unwrap_or(line));
    let is_position =
        |line: &&str| !line.starts_with("MKN/") && !line.contains('\n') && line.contains(" position=");
    line.filter(is_position).map_or_else(|| judge_record(text), judge_position_line)
}

/// Judges a record, not a position line.
pub fn judge_record(record: &[u8]) -> Judgement {
    ruleset_of(record).visit(Judge(record))
}

/// Judges a record, and keeps nothing of it but the verdict.
pub fn verdict(record: &[u8]) -> Verdict {
    ruleset_of(record).visit(Briefly(record))
}

fn judge_position_line(line: &str) -> Judgement {
    let setup = Setup::read_position_line(line);
    Judgement {
        tags: Vec::new(),
        words: Vec::new(),
        table: setup.as_ref().ok().map(Setup::table),
        verdict: setup.as_ref().map(|_| ()).map_err(Clone::clone),
        setup: setup.ok(),
        forms: None,
    }
}

/// Returns the rule set that judges a record: its first line says so, even where the rest cannot be read.
fn ruleset_of(record: &[u8]) -> Ruleset {
    let first_line = record.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let line = std::str::from_utf8(first_line.strip_suffix(b"\r").unwrap_or(first_line));
    Ruleset::of_line(line.ok().and_then(|line| SetupLine::read(line).ok()).as_ref())
}

struct Judge<'a>(&'a [u8]);

impl Visitor for Judge<'_> {
    type Output = Judgement;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> Judgement {
        let mut record: Record<G> = read_record(self.0);
        Judgement {
            setup: record.opening.clone().map(|opening| Setup::of(ruleset, opening)),
            tags: record.tags.clone(),
            words: record.words.iter().map(|word| word.text()).collect(),
            table: record.replay.clone().map(|replay| Box::new(TableOf::new(replay)) as Box<dyn Table>),
            verdict: std::mem::replace(&mut record.verdict, Ok(())).map_err(Ruleset::name_known),
            forms: record.opening.is_some().then(|| Box::new(record) as Box<dyn Forms>),
        }
    }
}

struct Briefly<'a>(&'a [u8]);

impl Visitor for Briefly<'_> {
    type Output = Verdict;

    fn visit<G: Shown>(self, _: Ruleset) -> Verdict {
        // Most records are good: those need not keep their words.
        let (replay, error) = match validate_record::<G>(self.0) {
            Ok(replay) => (Some(replay), None),
            Err(error) => (read_record::<G>(self.0).replay, Some(error)),
        };
        let table = replay.map(TableOf::new);
        Verdict {
            ply: table.as_ref().map(|table| table.ply()).unwrap_or_default(),
            marker: table.as_ref().map(|table| table.marker()).unwrap_or_default(),
            masked: table.as_ref().is_some_and(|table| table.is_masked()),
            error: error.map(Ruleset::name_known),
        }
    }
}
