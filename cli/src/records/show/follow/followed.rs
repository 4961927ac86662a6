//! The state of a followed record: what was shown of it, and what is new.

use assam_notation::{ErrorKind, Piece};
use assam_referee::AnyRecord;

use crate::records::plies::Plies;
use crate::records::show::screen::{NotShown, Screen};

pub(super) struct Followed<'a> {
    screen: &'a mut Screen,
    /// The number of the record in the source, from 1.
    pub(super) number: u64,
    /// The record at the last read, and whether it was complete.
    seen: (Vec<u8>, bool),
    /// The last position shown, if any.
    shown: Option<LastShown>,
    /// Whether an error was shown last.
    is_broken: bool,
}

/// A shown position, as the words that lead to it.
struct LastShown {
    setup: String,
    words: Vec<String>,
}

/// The state of a record so far.
pub(super) enum SoFar {
    /// More is to come.
    Unfinished,
    /// It is complete and valid.
    Good,
    /// It is refused.
    Broken,
}

impl<'a> Followed<'a> {
    /// Begins to follow a record.
    pub(super) fn new(screen: &'a mut Screen, number: u64) -> Self {
        Self { screen, number, seen: (Vec::new(), false), shown: None, is_broken: false }
    }

    /// Shows the new part of the record. A record that is not whole may lack its end marker.
    pub(super) fn show(&mut self, piece: Piece<'_>, is_whole: bool) -> Result<SoFar, NotShown> {
        if piece.bytes.is_empty() {
            return Ok(SoFar::Unfinished);
        }
        let record = AnyRecord::read(piece.bytes);
        let error = record.verdict.as_ref().err();
        let error = error.filter(|error| is_whole || error.kind != ErrorKind::MissingMarker);
        if self.seen.0 != piece.bytes || self.seen.1 != is_whole {
            self.seen = (piece.bytes.to_vec(), is_whole);
            if let Some(plies) = Plies::new(&record)
                && !plies.table().is_start_due()
            {
                self.positions(&record, plies, self.is_broken && error.is_none())?;
            }
            if let Some(error) = error {
                self.screen.refusal(piece, error);
            }
            self.is_broken = error.is_some();
        }
        Ok(match (&record.verdict, error) {
            (Ok(()), _) => SoFar::Good,
            (Err(_), Some(_)) => SoFar::Broken,
            (Err(_), None) => SoFar::Unfinished,
        })
    }

    /// Shows the position after each new word. Shows only the last one at first (as `tail` does), and when
    /// earlier words have changed. With `again`, it shows the last position once more.
    fn positions(&mut self, record: &AnyRecord, mut plies: Plies, again: bool) -> Result<(), NotShown> {
        let setup = record.setup.as_ref().map(|setup| setup.line()).unwrap_or_default();
        let same_game = self.shown.as_ref().filter(|shown| shown.setup == setup);
        if same_game.is_none() {
            self.screen.heading(record, self.number, false)?;
        }
        let last = record.words.len();
        let first_new = match same_game {
            Some(shown) if again && shown.words == record.words => last,
            Some(shown) if record.words.starts_with(&shown.words) => shown.words.len() + 1,
            Some(_) | None => last,
        };
        let start = usize::from(plies.moment().word.is_some());
        for word in start..=last {
            if word > start {
                plies.advance();
            }
            if word >= first_new {
                self.screen.position(&plies)?;
            }
        }
        self.shown = Some(LastShown { setup: setup.to_owned(), words: record.words.clone() });
        Ok(())
    }
}

/// Returns the part of a record that is certainly complete. Before the blank line, it leaves out an
/// unfinished line. After it, an unfinished word, and an end marker with scores whose line has not ended.
pub(super) fn complete(bytes: &[u8]) -> &[u8] {
    let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut whole_lines = bytes[..lines].split_inclusive(|&byte| byte == b'\n');
    let has_body = whole_lines.any(|line| line == b"\n" || line == b"\r\n");
    if !has_body {
        return &bytes[..lines];
    }
    let words = bytes.iter().rposition(u8::is_ascii_whitespace).map_or(0, |end| end + 1);
    match bytes[lines..words].iter().position(|&byte| byte == b'=') {
        Some(marker) => &bytes[..lines + marker],
        None => &bytes[..words],
    }
}
