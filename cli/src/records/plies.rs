//! Replays a judged record ply by ply.

use std::vec::IntoIter;

use assam_referee::picture::Moment;
use assam_referee::{AnyRecord, Table};

/// A replay of the words of a record, ply by ply.
pub struct Plies {
    table: Box<dyn Table>,
    words: IntoIter<String>,
    moment: Moment,
}

impl Plies {
    /// Begins at ply 0, after everything drawn before the first decision. Returns none if the first line of
    /// the record is refused.
    pub fn new(record: &AnyRecord) -> Option<Self> {
        let table = record.setup.as_ref()?.table();
        let is_start_due = table.is_start_due();
        let moment = Moment { ply: 0, word: None, events: Vec::new() };
        let mut plies = Self { table, words: record.words.clone().into_iter(), moment };
        if is_start_due {
            plies.advance();
        }
        Some(plies)
    }

    /// Plays the next word, or returns false if there is none.
    pub fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        // The words of an accepted record are legal.
        if self.table.replay(&word).is_err() {
            return false;
        }
        self.moment = Moment { ply: self.table.ply(), word: Some(word), events: self.table.events() };
        true
    }

    /// Returns the current position.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// Returns the ply, with its word and events.
    pub const fn moment(&self) -> &Moment {
        &self.moment
    }
}
