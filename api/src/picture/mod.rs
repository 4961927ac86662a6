//! Pictures of positions, for terminals and as SVG, drawn from what a viewer may see.
//!
//! A game draws its board and fills in a panel; what stands around them is the same for all games.

use anstyle::Style;

use self::svg::Canvas;
use self::terminal::Line;
use crate::view::{Event, Score};

pub mod marrakech;
pub mod marrakesh;
pub mod svg;
pub mod terminal;

/// A ply, and how it came about.
#[derive(Clone, PartialEq, Debug)]
pub struct Moment {
    /// The ply; 0 is the start.
    pub ply: u32,
    /// The word that led here; none at a start where nothing was drawn.
    pub word: Option<String>,
    /// What followed from it.
    pub events: Vec<Event>,
}

/// What a picture shows.
pub struct Scene<'a, V> {
    /// The position.
    pub view: &'a V,
    /// How it came about.
    pub moment: &'a Moment,
    /// Scores and ranking there.
    pub score: &'a Score,
}

/// A position that can be drawn.
pub trait Picture {
    /// How it came about.
    fn moment(&self) -> &Moment;

    /// What stands beside the board.
    fn panel(&self) -> Panel;

    /// Width and height of the board in units; its labels are outside of that.
    fn size(&self) -> (i32, i32);

    /// Draws the board; defines a symbol of 40 by 40 units for each swatch of the panel, and one of 80 by 40 for the one
    /// in hand.
    fn draw(&self, canvas: &mut Canvas);

    /// The board in lines of text.
    fn print(&self) -> Vec<Line>;
}

/// What stands beside a board.
pub struct Panel {
    /// The name of the game.
    pub game: &'static str,
    /// What is due, or how the game ended, in a few words.
    pub status: String,
    /// What the seat on turn has in hand.
    pub hand: Option<Swatch>,
    /// What each cell of a seat says.
    pub columns: &'static [&'static str],
    /// The seats in order.
    pub seats: Vec<SeatRow>,
    /// The board in sentences, for those who cannot see it.
    pub description: String,
}

/// A seat beside a board.
pub struct SeatRow {
    /// Its number.
    pub number: u8,
    /// Its colours.
    pub swatches: Vec<Swatch>,
    /// One for each column.
    pub cells: Vec<String>,
    /// What is to be marked about it.
    pub standing: Standing,
}

/// What is to be marked about a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing.
    In,
    /// It must decide.
    OnTurn,
    /// It is out.
    Out,
    /// It has won, or shares the first place.
    Winner,
}

/// A colour of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swatch {
    /// What its symbols are named after: in Marrakech its letter in notation.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// How it looks in a terminal.
    pub style: Style,
}

impl Moment {
    /// The last word, and what followed from it, a sentence each.
    fn told(&self) -> Vec<String> {
        let word = self.word.as_ref().map_or(String::new(), |word| format!(": {word}"));
        let mut told = vec![format!("Ply {}{word}", self.ply)];
        told.extend(self.events.iter().map(ToString::to_string));
        told
    }
}

impl<V> Scene<'_, V> {
    /// The seats that share the first place of a game that is over.
    fn winners(&self) -> &[u8] {
        let ranking = self.score.ranking.as_ref().filter(|_| self.score.over);
        ranking.and_then(|groups| groups.first()).map_or(&[], Vec::as_slice)
    }
}

/// A text broken between words into lines of at most `width` characters; a word that is longer is broken where its chance
/// begins.
fn broken(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        let mut parts = vec![word];
        if word.chars().count() > width {
            let starts = word.match_indices('+').map(|(at, _)| at).filter(|&at| at > 0);
            let bounds: Vec<usize> = [0].into_iter().chain(starts).chain([word.len()]).collect();
            parts = bounds.windows(2).filter_map(|bounds| word.get(bounds[0]..bounds[1])).collect();
        }
        for (n, part) in parts.into_iter().enumerate() {
            let joint = if n == 0 { " " } else { "" };
            match lines.last_mut() {
                Some(line) if line.chars().count() + joint.len() + part.chars().count() <= width => {
                    line.push_str(joint);
                    line.push_str(part);
                }
                Some(_) | None => lines.push(part.to_owned()),
            }
        }
    }
    lines
}

/// `Seat 2 has won`, or who shares the first place.
fn who_won(winners: &[u8]) -> String {
    match winners {
        [] => "The game is over".to_owned(),
        [winner] => format!("Seat {winner} has won"),
        [first @ .., last] => {
            let first: Vec<String> = first.iter().map(u8::to_string).collect();
            format!("Seats {} and {last} share the win", first.join(", "))
        }
    }
}
