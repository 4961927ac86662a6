//! Marrakech (Dominique Ehrhard, Gigamic 2007), rule set `marrakech/1`.
//!
//! Two to four merchants move Assam across a 7x7 market, pay for the rugs he stops on, and lay rugs next to
//! him. Start with [`Setup`] and [`Position`].

mod board;
mod colour;
mod diagram;
mod moves;
mod phase;
mod play;
mod position;
mod rug;
mod rule;
mod setup;
mod square;
mod track;

pub use board::Board;
pub use colour::{ByColour, Colour};
pub use diagram::{Diagram, Impossible};
pub use moves::{Action, Chance, Die, Payment};
pub use phase::Phase;
pub use position::Position;
pub use rug::Rug;
pub use rule::Rule;
pub use setup::{
    BankruptRugs, Cover, Insolvency, Options, Orientation, Region, Setup, SetupError, TieBreak, Track,
    TwoPlayer,
};
pub use square::{Direction, Square};
