//! The result for one of many records, for programs.

use std::borrow::Cow;

use assam_notation::{Error, Piece};
use assam_referee::{Score, State, Table, Verdict};
use serde::Serialize;
use utoipa::ToSchema;

use super::NoRecord;
use crate::position_parts::{MovesOrNull, PositionPart, PositionParts};
use crate::problem::Code;

/// The verdict on a record.
#[derive(Serialize, ToSchema)]
pub struct RecordRow<'a> {
    /// The file of the record, if there are several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(ignore)]
    source: Option<&'a str>,
    /// The number of the record, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    number: u64,
    /// The line on which it begins, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    line: u64,
    /// Whether the record is complete and valid.
    valid: bool,
    /// The last valid ply.
    #[schema(maximum = 65_536, example = 90)]
    ply: u32,
    /// The correct end marker. Empty if the first line is invalid.
    #[schema(max_length = 4096, example = "= 36 43 41")]
    marker: &'a str,
    /// Whether anything is masked. If so, `valid` covers only the visible parts.
    masked: bool,
    /// The first error. Null if valid.
    error: Option<RowError<'a>>,
    /// The position line after the valid words, if in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    position: Option<String>,
    /// The position after the valid words, if in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
    /// Scores and ranking after the valid words, if in `include`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    score: Option<Score>,
    /// The legal decisions after the valid words, if in `include`. Null if they depend on masked cards.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = MovesOrNull)]
    legal_moves: Option<Option<Vec<String>>>,
}

/// The first error of a record.
#[derive(Serialize, ToSchema)]
pub struct RowError<'a> {
    /// The code for programs to match on.
    #[schema(pattern = "^[a-z_]+$", example = "illegal_move")]
    code: &'static str,
    /// The broken rule, more specific than the code.
    #[schema(pattern = "^[a-z]+(?:[.-][a-z0-9]+)*$", example = "marrakech.rug.covers-whole-rug")]
    rule: Option<&'static str>,
    /// The line, counted from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    line: u64,
    /// The column in characters, counted from 1.
    #[schema(maximum = 65_536, minimum = 1)]
    column: Option<u32>,
    /// The word of the record, counted from 1.
    #[schema(minimum = 1, maximum = 65_536)]
    word: Option<u32>,
    /// The ply that the word would have been.
    #[schema(maximum = 65_536)]
    ply: Option<u32>,
    /// An explanation for people.
    #[schema(max_length = 4096)]
    detail: Cow<'a, str>,
    /// Why the rule applies here.
    #[schema(max_length = 4096)]
    why: Option<Cow<'a, str>>,
    /// The text that would have been correct.
    #[schema(max_length = 4096)]
    expected: Option<Cow<'a, str>>,
}

impl<'a> RecordRow<'a> {
    /// Returns the row of the nth record of a source, which may have a name. Messages count the record's
    /// lines from `first`.
    pub fn new(
        source: Option<&'a str>,
        number: u64,
        piece: Piece<'_>,
        first: u64,
        verdict: &'a Verdict,
    ) -> Self {
        Self {
            source,
            number,
            line: piece.line,
            valid: verdict.error.is_none(),
            ply: verdict.ply,
            marker: &verdict.marker,
            masked: verdict.masked,
            error: verdict.error.as_ref().map(|error| RowError::new(error, first, piece.column)),
            position: None,
            state: None,
            score: None,
            legal_moves: None,
        }
    }

    /// Returns the row of a line without a record.
    pub fn missing(number: u64, line: u64, why: &NoRecord) -> Self {
        Self {
            source: None,
            number,
            line,
            valid: false,
            ply: 0,
            marker: "",
            masked: false,
            error: Some(RowError::missing(why, line)),
            position: None,
            state: None,
            score: None,
            legal_moves: None,
        }
    }

    /// Adds parts of the position after the valid words.
    pub(crate) fn with(self, wanted: &[PositionPart], table: Option<&dyn Table>) -> Self {
        let Some(table) = table else { return self };
        let PositionParts { position, state, score, legal_moves } = PositionParts::new(table, wanted);
        Self { position, state, score, legal_moves, ..self }
    }
}

impl<'a> RowError<'a> {
    /// Returns the error of a record that begins at this line and column.
    pub fn new(error: &'a Error, line: u64, column: u64) -> Self {
        let place = Piece { line, column, bytes: &[] }.place(error.place);
        Self {
            code: error.kind.as_str(),
            rule: Some(error.rule),
            line: place.line.into(),
            column: Some(place.column),
            word: error.place.word,
            ply: error.place.ply,
            detail: error.detail.as_str().into(),
            why: error.why.as_deref().map(Cow::Borrowed),
            expected: error.expected.as_deref().map(Cow::Borrowed),
        }
    }

    /// Returns the code.
    pub const fn code(&self) -> &'static str {
        self.code
    }

    /// Returns the explanation for people.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Returns the error with owned texts.
    pub fn into_owned(self) -> RowError<'static> {
        RowError {
            detail: self.detail.into_owned().into(),
            why: self.why.map(|why| why.into_owned().into()),
            expected: self.expected.map(|expected| expected.into_owned().into()),
            ..self
        }
    }

    /// Returns the error of a line without a record.
    pub fn missing(why: &NoRecord, line: u64) -> Self {
        let code = match why {
            NoRecord::TooLong => Code::TooLarge,
            NoRecord::NotJson(_) => Code::BadJson,
        };
        Self::plain(code.as_str(), why.to_string(), line)
    }

    /// Returns the error of a record as a whole.
    pub fn plain(code: &'static str, detail: String, line: u64) -> Self {
        Self {
            code,
            rule: None,
            line,
            column: None,
            word: None,
            ply: None,
            detail: detail.into(),
            why: None,
            expected: None,
        }
    }
}
