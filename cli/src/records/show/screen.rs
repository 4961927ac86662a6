//! The screen for positions.

use std::io::{self, Write};

use anstream::AutoStream;
use assam_notation::{Error, Piece};
use assam_referee::AnyRecord;
use assam_referee::picture::terminal::{WIDTH, wrap};

use crate::process::look::{self, Look};
use crate::process::output::say;
use crate::records::diagnosis;
use crate::records::numbered_record::{NotFound, no_such_record};
use crate::records::plies::Plies;

/// Why showing ends early.
pub(super) enum NotShown {
    Unreadable(io::Error),
    Unwritable(io::Error),
    /// There is no such record, or no such ply.
    Missing(String),
    /// Ctrl-C was pressed.
    Interrupted,
}

impl From<io::Error> for NotShown {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

pub(super) struct Screen {
    pub(super) out: AutoStream<io::Stdout>,
    pub(super) name: String,
    pub(super) errors: Look,
}

impl From<NotFound> for NotShown {
    fn from(error: NotFound) -> Self {
        match error {
            NotFound::Unreadable(error) => Self::Unreadable(error),
            NotFound::Beyond { number, count } => Self::Missing(no_such_record(number, count)),
        }
    }
}

impl Screen {
    /// Shows the rule set and the options, and the number of the record if there are several.
    pub(super) fn heading(
        &mut self,
        record: &AnyRecord,
        number: u64,
        has_next: bool,
    ) -> Result<(), NotShown> {
        let setup_line = record.setup.as_ref().map(|setup| setup.line()).unwrap_or_default();
        let settings = setup_line.split(" position=").next().unwrap_or_default();
        let mut heading = settings.strip_prefix("MKN/1 ").unwrap_or(settings).to_owned();
        if number > 1 || has_next {
            heading.push_str(&format!(" (record {number}"));
            heading.push_str(if has_next { "; --record shows others)" } else { ")" });
        }
        let heading: String = wrap(&heading, width()).iter().map(|line| format!("{line}\n")).collect();
        self.tell(&heading)
    }

    pub(super) fn position(&mut self, plies: &Plies) -> Result<(), NotShown> {
        self.tell(&format!("\n{}", plies.table().screen(plies.moment(), width())))
    }

    pub(super) fn refusal(&self, piece: Piece<'_>, error: &Error) {
        let told = diagnosis::render(&self.name, piece, error, self.errors);
        say(told.trim_end());
    }

    pub(super) fn tell(&mut self, text: &str) -> Result<(), NotShown> {
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()).map_err(NotShown::Unwritable)
    }
}

/// Returns the current width of a picture, since a terminal may change its width.
fn width() -> usize {
    look::columns(&io::stdout()).map_or(WIDTH, |columns| columns.min(WIDTH))
}
