//! Faults of records, each with its byte.

use serde_json::{Value, json};

/// The reason a record is refused.
pub(super) struct Fault {
    pub(super) code: &'static str,
    pub(super) rule: &'static str,
    /// In bytes.
    pub(super) offset: usize,
    pub(super) word: Option<usize>,
    pub(super) ply: Option<usize>,
}

impl Fault {
    /// Returns the fault of a text outside the grammar, before the body.
    pub(super) const fn syntax(rule: &'static str, offset: usize) -> Self {
        Self { code: "notation_syntax", rule, offset, word: None, ply: None }
    }

    /// Returns the fault of a missing end marker.
    pub(super) const fn missing(rule: &'static str, offset: usize) -> Self {
        Self { code: "missing_marker", rule, offset, word: None, ply: None }
    }

    /// Returns the fault in the form of this text's vectors.
    pub(super) fn json(&self, text: &[u8]) -> Value {
        let before = String::from_utf8_lossy(&text[..self.offset]);
        let on_line = before.rsplit('\n').next().unwrap_or_default();
        json!({
            "code": self.code,
            "rule": self.rule,
            "line": before.matches('\n').count() + 1,
            "column": on_line.chars().count() + 1,
            "word": self.word,
            "ply": self.ply,
        })
    }
}
