//! A position that can be drawn, and the panel beside its board.

use anstyle::Style;

use super::{Canvas, Line, Moment};

/// A position that can be drawn.
pub trait Picture {
    /// Returns the ply, with its word and events.
    fn moment(&self) -> &Moment;

    /// Returns the panel beside the board.
    fn panel(&self) -> Panel;

    /// Returns the place of the board and its labels in the units of [`Picture::draw`].
    fn bounds(&self) -> Bounds;

    /// Draws the board. Also defines a symbol of 40 by 40 units for each swatch of the panel, and one of 80 by 40 for
    /// the swatch in hand: `assam-rug-R` and `assam-rug-RR`, if [`Panel::symbol`] is `rug` and the letter `R`.
    fn draw(&self, canvas: &mut Canvas);

    /// Returns the board as lines of text, of `width` columns at most where that can be.
    fn print(&self, width: usize) -> Vec<Line>;
}

/// The borders of a drawing, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The western one.
    pub left: i32,
    /// The upper one.
    pub top: i32,
    /// The eastern one.
    pub right: i32,
    /// The lower one.
    pub bottom: i32,
}

/// The panel beside a board.
pub struct Panel {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the game in a rule set.
    pub key: &'static str,
    /// The name of the things that its symbols show.
    pub symbol: &'static str,
    /// The next thing to do, or the outcome of the game, in a few words.
    pub status: String,
    /// The swatch that the seat on turn has in hand.
    pub hand: Option<Swatch>,
    /// The headings of the cells of each seat.
    pub columns: &'static [&'static str],
    /// The seats in order.
    pub seats: Vec<SeatRow>,
    /// Sentences below the last word: about the signs of the picture that do not explain themselves.
    pub legend: Vec<String>,
    /// The board in sentences, for those who cannot see it.
    pub description: String,
}

/// A seat in the panel.
pub struct SeatRow {
    /// Its number.
    pub number: u8,
    /// Its colours.
    pub swatches: Vec<Swatch>,
    /// One for each column.
    pub cells: Vec<String>,
    /// The standing that is marked.
    pub standing: Standing,
}

/// The standing of a seat, as the panel marks it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing to mark.
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
    /// The letter that its symbols are named after: in Marrakech, its letter in notation.
    pub letter: char,
    /// Its name.
    pub name: &'static str,
    /// How it looks in a terminal.
    pub style: Style,
}
