//! A judged record, ply by ply.

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
    /// Begins at ply 0, after what is drawn before the first decision; none where the first line of the record broke.
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

    /// Plays the next word; returns false where there is none.
    pub fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        // The words of a record that was read are legal.
        if self.table.replay(&word).is_err() {
            return false;
        }
        self.moment = Moment { ply: self.table.ply(), word: Some(word), events: self.table.events() };
        true
    }

    /// Returns where the game stands.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// Returns the ply, with its word and events.
    pub const fn moment(&self) -> &Moment {
        &self.moment
    }
}
