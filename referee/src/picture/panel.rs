//! A position that can be drawn, and the panel next to its board.

use anstyle::Style;

use super::{Canvas, Line, Moment};

/// A position that can be drawn.
pub trait Picture {
    /// Returns the ply, with its word and events.
    fn moment(&self) -> &Moment;

    /// Returns the panel next to the board.
    fn panel(&self) -> Panel;

    /// Returns the bounds of the board and its labels in the units of [`Picture::draw`].
    fn bounds(&self) -> Bounds;

    /// Draws the board.
    ///
    /// Also defines a symbol of 40 by 40 units for each swatch of the panel, and one of 80 by 40 for the
    /// swatch in hand. If [`Panel::symbol`] is `rug` and the letter `R`, they are `assam-rug-R` and
    /// `assam-rug-RR`.
    fn draw(&self, canvas: &mut Canvas);

    /// Returns the board as lines of text, at most `width` columns wide if possible.
    fn print(&self, width: usize) -> Vec<Line>;
}

/// The borders of a drawing, in units.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The western border.
    pub left: i32,
    /// The upper border.
    pub top: i32,
    /// The eastern border.
    pub right: i32,
    /// The lower border.
    pub bottom: i32,
}

/// The panel next to a board.
pub struct Panel {
    /// The name of the game.
    pub game: &'static str,
    /// The name of the game in a rule set.
    pub key: &'static str,
    /// The name of the things shown by the symbols.
    pub symbol: &'static str,
    /// The next task, or the outcome of the game, in a few words.
    pub status: String,
    /// The swatch that the seat on turn has in hand.
    pub hand: Option<Swatch>,
    /// The headings of the cells of each seat.
    pub columns: &'static [&'static str],
    /// The seats in order.
    pub seats: Vec<SeatRow>,
    /// Sentences below the last word that explain signs of the picture.
    pub legend: Vec<String>,
    /// The board in sentences, for people who cannot see it.
    pub description: String,
}

/// A seat in the panel.
pub struct SeatRow {
    /// The number.
    pub number: u8,
    /// The colours.
    pub swatches: Vec<Swatch>,
    /// One for each column.
    pub cells: Vec<String>,
    /// The marked standing.
    pub standing: Standing,
}

/// The standing of a seat as marked by the panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// The seat is in, without a mark.
    In,
    /// The seat must decide.
    OnTurn,
    /// The seat is out.
    Out,
    /// The seat has won or shares the first place.
    Winner,
}

/// A colour of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Swatch {
    /// The letter in the names of its symbols. In Marrakech, its letter in notation.
    pub letter: char,
    /// The name.
    pub name: &'static str,
    /// The style in a terminal.
    pub style: Style,
}
