//! Shows a refused record the way compilers show errors: the place, the line with a caret, what is wrong and
//! why, and what was expected.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use assam_notation::{Error, Piece, Place, SetupLine};

use crate::process::input::is_steering;
use crate::process::look::Look;

/// The width of a diagnosis in columns, unless the terminal is narrower. Longer lines are cut around the
/// caret.
const WIDTH: usize = 100;
/// The smallest width.
const LEAST: usize = 40;

/// Renders the diagnosis of a refused record of `source`. It ends with a blank line.
pub fn render(source: &str, piece: Piece<'_>, error: &Error, look: Look) -> String {
    // Text before a record on its first line belongs to another record.
    let Place { line, column, .. } = piece.place(error.place);
    let before = " ".repeat((column - error.place.column) as usize);
    let (text, line) = (before + &line_of(piece.bytes, error.place.line), line as usize);
    let span = span_of(&text, column);
    let title = Group::with_title(Level::ERROR.primary_title(&error.detail).id(error.kind.as_str()));
    let mut group = if is_shown(piece.bytes) {
        let snippet = Snippet::source(text.as_str()).path(source).line_start(line);
        title.element(snippet.annotation(AnnotationKind::Primary.span(span).label(error.why.as_deref())))
    } else {
        title.element(Origin::path(source).line(line).char_column(column as usize))
    };
    group = group.element(Level::NOTE.with_name("rule").message(note(error)));
    if let Some(expected) = &error.expected {
        group = group.element(Level::HELP.with_name("expected").message(expected.as_ref()));
    }
    if let Some(advice) = advice(piece.bytes, error) {
        group = group.element(Level::HELP.message(advice));
    }
    let renderer = if look.is_colored { Renderer::styled() } else { Renderer::plain() };
    let width = look.columns.map_or(WIDTH, |columns| columns.clamp(LEAST, WIDTH));
    let mut rendered = renderer.term_width(width).render(&[group]);
    rendered.push_str("\n\n");
    rendered
}

/// Returns whether to show a line. Binary data would fill the terminal with noise.
fn is_shown(text: &[u8]) -> bool {
    text.starts_with(b"MKN/") || std::str::from_utf8(text).is_ok_and(|text| !text.contains('\0'))
}

/// Returns advice on the command that takes a text that is not a record.
fn advice(text: &[u8], error: &Error) -> Option<&'static str> {
    let is_other =
        matches!(error.rule, "notation.setup.no-format" | "notation.limit.record" | "notation.text.utf8");
    if !is_other || text.starts_with(b"MKN/") {
        return None;
    }
    if text.trim_ascii_start().starts_with(b"{") {
        return Some(
            "`assam verify` takes a proof; `jq -r .record` extracts the records of an export in ndjson",
        );
    }
    if text.starts_with(b"SQLite format 3\0") {
        return Some("`assam export --database sqlite:FILE` writes the games of a database");
    }
    let first_line = line_of(text, 1);
    let is_position = SetupLine::read_position_line(&first_line).is_ok();
    is_position
        .then_some("`assam show` takes a position line in a file, `assam perft --position` as an argument")
}

/// Returns the identifier of the rule, and the place in the game.
fn note(error: &Error) -> String {
    let place = match (error.place.ply, error.place.word) {
        (Some(ply), _) => format!(", ply {ply}"),
        (None, Some(word)) => format!(", word {word}"),
        (None, None) => String::new(),
    };
    format!("{}{place}", error.rule)
}

/// Returns a line of a record, counted from 1, without its end. Invalid UTF-8 is replaced.
fn line_of(record: &[u8], line: u32) -> String {
    let text = String::from_utf8_lossy(record).replace("\r\n", "\n");
    let line = text.split(['\n', '\r']).nth(line as usize - 1).unwrap_or_default();
    // The renderer shows terminal controls as pictures, except U+0080 to U+009F. Characters without width
    // have no column for a caret.
    line.replace(|c| ('\u{80}'..='\u{9f}').contains(&c) || is_steering(c), "\u{fffd}")
}

/// Returns the byte range from a column, counted in characters from 1, to the next blank. Only one character,
/// if that is not visible ASCII.
fn span_of(text: &str, column: u32) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    let length = match rest.chars().next() {
        // This character alone is at fault.
        Some(first) if !first.is_ascii_graphic() => first.len_utf8(),
        Some(_) | None => rest.find([' ', '\t']).unwrap_or(rest.len()),
    };
    start..start + length
}
