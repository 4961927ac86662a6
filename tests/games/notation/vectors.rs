//! The published vectors of odd and refused records. `golden.rs` checks the games.

use std::collections::BTreeSet;
use std::convert::Infallible;

use assam_notation::{Error, Explain, Opening, SetupLine, Splitter};
use assam_rules::{marrakech, marrakesh};
use serde::{Deserialize, Deserializer};

use super::boardless;
use crate::laws::reading::{position_line_is_read, record_is_read};

#[path = "../../../notation/examples/vectors/json.rs"]
mod json;
#[path = "../../../notation/examples/vectors/marrakech/mod.rs"]
mod written;

macro_rules! file {
    ($game:literal, $name:literal) => {
        include_str!(concat!("../../../notation/vectors/", $game, "/", $name))
    };
}

/// The files of one game.
struct Files {
    records: &'static [&'static str],
    streams: &'static str,
    positions: &'static str,
    positions_refused: &'static str,
}

/// The records of Marrakesh. Its positions are tested with its matches, and refused ones are in records.
const MARRAKESH_RECORDS: &[&str] = &[file!("marrakesh", "refused.jsonl")];

const MARRAKECH: Files = Files {
    records: &[
        file!("marrakech", "refused.jsonl"),
        file!("marrakech", "adversarial.jsonl"),
        file!("marrakech", "cuts.jsonl"),
        file!("marrakech", "signs.jsonl"),
    ],
    streams: file!("marrakech", "streams.jsonl"),
    positions: file!("marrakech", "positions.jsonl"),
    positions_refused: file!("marrakech", "positions-refused.jsonl"),
};

/// A record and the expected result of reading it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Case {
    why: String,
    #[serde(flatten)]
    text: Text,
    verdict: Verdict,
    error: Option<Fault>,
    canonical: Option<String>,
    /// Missing if not specified, and `null` if nothing is expected.
    #[serde(default, deserialize_with = "told")]
    expected: Option<Option<String>>,
    syntax: Syntax,
}

#[derive(Deserialize)]
enum Text {
    #[serde(rename = "record", alias = "stream")]
    Plain(String),
    #[serde(rename = "hex")]
    Hex(String),
    #[serde(rename = "parts")]
    Parts(Vec<(String, usize)>),
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Valid,
    Refused,
}

#[derive(Clone, Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Fault {
    code: String,
    rule: String,
    line: u32,
    column: u32,
    word: Option<u32>,
    #[serde(default)]
    ply: Option<u32>,
}

/// The expected result of a reader without a board.
#[derive(Deserialize)]
#[serde(untagged)]
enum Syntax {
    Word(SyntaxWord),
    Fault(Fault),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum SyntaxWord {
    Valid,
    Same,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Stream {
    why: String,
    #[serde(flatten)]
    text: Text,
    pieces: Vec<Piece>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Piece {
    line: u64,
    bytes: usize,
    verdict: Verdict,
    error: Option<Fault>,
    syntax: Syntax,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(rename = "from")]
    _from: String,
    position_line: String,
    legal: Vec<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RefusedLine {
    why: String,
    position_line: String,
    error: Fault,
    syntax: Syntax,
}

fn told<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(value).map(Some)
}

fn rows<T: for<'de> Deserialize<'de>>(file: &str) -> impl Iterator<Item = T> {
    file.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}")))
}

/// Returns every record of Marrakech.
pub(super) fn cases() -> impl Iterator<Item = Case> {
    cases_of(MARRAKECH.records)
}

/// Returns the rules that the records of Marrakesh break.
pub(super) fn rules_of_marrakesh() -> BTreeSet<String> {
    cases_of(MARRAKESH_RECORDS).map(|case| case.rule().to_owned()).collect()
}

fn cases_of(files: &'static [&'static str]) -> impl Iterator<Item = Case> {
    files.iter().flat_map(|file| rows(file))
}

/// Returns the rules that the refused position lines of Marrakech break.
pub(super) fn rules_of_positions() -> BTreeSet<String> {
    rows::<RefusedLine>(MARRAKECH.positions_refused).map(|case| case.error.rule).collect()
}

impl Text {
    fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Plain(text) => text.clone().into_bytes(),
            Self::Hex(digits) => hex::decode(digits).unwrap(),
            Self::Parts(parts) => {
                parts.iter().map(|(text, times)| text.repeat(*times)).collect::<String>().into()
            }
        }
    }
}

impl Fault {
    fn of(error: &Error) -> Self {
        Self {
            code: error.kind.as_str().to_owned(),
            rule: error.rule.to_owned(),
            line: error.place.line,
            column: error.place.column,
            word: error.place.word,
            ply: error.place.ply,
        }
    }

    fn without_board((code, rule, line, column, word): boardless::Fault) -> Self {
        Self { code: code.as_str().to_owned(), rule: rule.to_owned(), line, column, word, ply: None }
    }
}

impl Syntax {
    /// Returns the expected fault of a reader without a board, given that of the whole reader.
    fn fault(&self, whole: Option<&Fault>) -> Option<Fault> {
        match self {
            Self::Word(SyntaxWord::Valid) => None,
            Self::Word(SyntaxWord::Same) => whole.map(|fault| Fault { ply: None, ..fault.clone() }),
            Self::Fault(fault) => Some(fault.clone()),
        }
    }
}

impl Case {
    pub(super) fn rule(&self) -> &str {
        self.error.as_ref().map_or("", |error| &error.rule)
    }

    pub(super) fn code(&self) -> &str {
        self.error.as_ref().map_or("", |error| &error.code)
    }
}

fn records_are_read_or_refused<G: Explain>(files: &'static [&'static str]) {
    for case in cases_of(files) {
        let record = record_is_read::<G>(&case.text.bytes());
        let told = record.verdict.as_ref().err();
        assert_eq!(told.map(Fault::of), case.error, "{}", case.why);
        assert_eq!(case.verdict == Verdict::Refused, case.error.is_some(), "{}", case.why);
        assert_eq!(case.canonical, told.is_none().then(|| record.canonical()), "{}", case.why);
        if let (Some(expected), Some(told)) = (&case.expected, told) {
            assert_eq!(told.expected.as_deref(), expected.as_deref(), "{}", case.why);
        }
    }
}

fn records_are_read_or_refused_without_a_board<G: Explain>(files: &'static [&'static str]) {
    for case in cases_of(files) {
        let told = boardless::read::<G>(&case.text.bytes()).err().map(Fault::without_board);
        assert_eq!(told, case.syntax.fault(case.error.as_ref()), "{}", case.why);
    }
}

fn streams_are_cut_and_judged<G: Explain>(files: &Files) {
    for stream in rows::<Stream>(files.streams) {
        let mut pieces = stream.pieces.iter();
        let mut judge = |piece: assam_notation::Piece<'_>| {
            let expected = pieces.next().unwrap_or_else(|| panic!("{}: a piece too many", stream.why));
            let at = format!("{}, line {}", stream.why, piece.line);
            assert_eq!((piece.line, piece.bytes.len()), (expected.line, expected.bytes), "{at}");
            let told = record_is_read::<G>(piece.bytes).verdict.err().map(|error| Fault::of(&error));
            assert_eq!(told, expected.error, "{at}");
            assert_eq!(told.is_none(), expected.verdict == Verdict::Valid, "{at}");
            let syntax = boardless::read::<G>(piece.bytes).err().map(Fault::without_board);
            assert_eq!(syntax, expected.syntax.fault(told.as_ref()), "{at}");
            Ok::<(), Infallible>(())
        };
        let mut splitter = Splitter::new();
        let Ok(()) = splitter.feed(&stream.text.bytes(), &mut judge);
        let Ok(()) = splitter.finish(&mut judge);
        assert!(pieces.next().is_none(), "{}: a piece is missing", stream.why);
    }
}

fn position_lines_allow_their_legal_moves<G: Explain>(files: &Files) {
    for line in rows::<Line>(files.positions) {
        let position = position_line_is_read::<G>(&line.position_line).unwrap();
        let name = |action| {
            let mut name = String::new();
            G::write_action(action, &mut name);
            name
        };
        let mut legal: Vec<String> = position.legal_actions().into_iter().map(name).collect();
        legal.sort();
        assert_eq!(legal, line.legal, "{}", line.position_line);
    }
}

fn position_lines_are_refused<G: Explain>(files: &Files) {
    for case in rows::<RefusedLine>(files.positions_refused) {
        let split = SetupLine::read_position_line(&case.position_line);
        let told = split.clone().and_then(|line| Opening::<G>::read(&line)).unwrap_err();
        assert_eq!(Fault::of(&told), case.error, "{}", case.why);
        let syntax = split.and_then(|line| boardless::check_line::<G>(&line));
        let syntax = syntax.err().map(|error| Fault::of(&error));
        assert_eq!(syntax, case.syntax.fault(Some(&case.error)), "{}", case.why);
    }
}

#[test]
fn every_record_is_read_or_refused_with_its_code_rule_and_place() {
    records_are_read_or_refused::<marrakech::Position>(MARRAKECH.records);
    records_are_read_or_refused::<marrakesh::Position>(MARRAKESH_RECORDS);
}

#[test]
fn a_reader_without_a_board_reads_or_refuses_every_record_as_the_vectors_say() {
    records_are_read_or_refused_without_a_board::<marrakech::Position>(MARRAKECH.records);
    records_are_read_or_refused_without_a_board::<marrakesh::Position>(MARRAKESH_RECORDS);
}

#[test]
fn every_stream_is_cut_into_its_pieces_and_each_is_judged() {
    streams_are_cut_and_judged::<marrakech::Position>(&MARRAKECH);
}

#[test]
fn every_position_line_allows_exactly_its_legal_moves() {
    position_lines_allow_their_legal_moves::<marrakech::Position>(&MARRAKECH);
}

#[test]
fn every_position_line_that_is_none_or_impossible_is_refused_with_its_code_rule_and_column() {
    position_lines_are_refused::<marrakech::Position>(&MARRAKECH);
}

/// Counts the vectors, as a lost line would let every other test pass.
#[test]
fn there_are_as_many_vectors_of_each_kind_as_the_page_beside_them_says() {
    let page = include_str!("../../../notation/vectors/README.md");
    for (name, file) in [
        ("refused.jsonl", MARRAKECH.records[0]),
        ("adversarial.jsonl", MARRAKECH.records[1]),
        ("cuts.jsonl", MARRAKECH.records[2]),
        ("signs.jsonl", MARRAKECH.records[3]),
        ("streams.jsonl", MARRAKECH.streams),
        ("positions.jsonl", MARRAKECH.positions),
        ("positions-refused.jsonl", MARRAKECH.positions_refused),
    ] {
        let row = page.lines().find(|line| line.starts_with(&format!("| `{name}` |"))).unwrap();
        let count = row.split('|').nth(2).unwrap().trim();
        assert_eq!(count, file.lines().count().to_string(), "{name}");
    }
}

#[test]
fn no_two_vectors_of_a_file_give_the_same_reason() {
    for file in MARRAKECH.records[..2].iter().chain(MARRAKESH_RECORDS) {
        let reasons: BTreeSet<String> = rows::<Case>(file).map(|case| case.why).collect();
        assert_eq!(reasons.len(), file.lines().count());
    }
}

#[test]
fn the_computed_vectors_are_what_the_command_writes() {
    for (name, text) in written::files() {
        let committed = match name {
            "cuts.jsonl" => MARRAKECH.records[2],
            "signs.jsonl" => MARRAKECH.records[3],
            "positions.jsonl" => MARRAKECH.positions,
            other => panic!("{other} is tested nowhere"),
        };
        assert!(text == committed, "run `cargo run -p assam-notation --example vectors`: {name} changed");
    }
}
