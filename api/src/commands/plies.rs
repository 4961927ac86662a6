//! A judged record, ply by ply.

use std::vec::IntoIter;

use crate::judge;
use crate::picture::Moment;
use crate::referee::{Judgement, Table};

/// A game on its way through the words of a record.
pub struct Plies {
    table: Box<dyn Table>,
    words: IntoIter<String>,
    moment: Moment,
}

impl Plies {
    /// At ply 0: what is drawn before the first decision is drawn. None where the first line of the record broke.
    pub fn of(judgement: &Judgement) -> Option<Self> {
        let table = judge::table(judgement)?;
        let is_start_due = table.is_start_due();
        let moment = Moment { ply: 0, word: None, events: Vec::new() };
        let mut plies = Self { table, words: judgement.words.clone().into_iter(), moment };
        if is_start_due {
            plies.advance();
        }
        Some(plies)
    }

    /// Plays the next word; false where there is none.
    pub fn advance(&mut self) -> bool {
        let Some(word) = self.words.next() else { return false };
        // The words of a judgement are those that were found legal.
        let Ok(played) = self.table.replay(&word) else { return false };
        self.moment = Moment { ply: self.table.ply(), word: Some(word), events: played.events };
        true
    }

    /// Where the game stands.
    pub fn table(&self) -> &dyn Table {
        &*self.table
    }

    /// The ply, and how it came about.
    pub fn moment(&self) -> &Moment {
        &self.moment
    }
}
