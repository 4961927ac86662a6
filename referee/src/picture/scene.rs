//! The contents of a picture: a position, the word that led to it, and the current score.

use crate::{Event, Score};

/// A ply, with its word and events.
#[derive(Clone, Debug)]
pub struct Moment {
    /// The ply. 0 is the start.
    pub ply: u32,
    /// The word that led to it, or `None` at a start without chance.
    pub word: Option<String>,
    /// The consequences of the word, in order.
    pub events: Vec<Event>,
}

/// The contents of a picture.
pub(crate) struct Scene<'a, V, M> {
    /// The position.
    pub view: V,
    /// The ply, with its word and events.
    pub moment: &'a Moment,
    /// The current scores and ranking.
    pub score: &'a Score,
    /// The things marked on the board.
    pub marks: M,
}

impl Moment {
    /// Returns the last word and its consequences, one sentence each.
    pub(super) fn told(&self) -> Vec<String> {
        let word = self.word.as_ref().map_or(String::new(), |word| format!(": {word}"));
        let mut told = vec![format!("Ply {}{word}", self.ply)];
        told.extend(self.events.iter().map(ToString::to_string));
        told
    }
}

impl<V, M> Scene<'_, V, M> {
    /// Returns the seats that share the first place of a game that is over.
    pub fn winners(&self) -> &[u8] {
        self.score.winners()
    }
}

/// Returns `Seat 2 has won`, or a sentence about the seats that share the first place.
pub(crate) fn who_won(winners: &[u8]) -> String {
    match winners {
        [] => "The game is over".to_owned(),
        [winner] => format!("Seat {winner} has won"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(u8::to_string).collect();
            format!("Seats {} and {last} share the win", first.join(", "))
        }
    }
}
