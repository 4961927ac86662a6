//! Marrakesh (Joli Quentin Kansil, 1978), rule set `marrakesh/1`.
//!
//! Two players, Blue and Red, win tricks of two cards to bear six pieces off into three ovals each. Start
//! with [`Setup`] and [`Position`].

mod board;
mod card;
mod cards;
mod counts;
mod diagram;
mod draw;
mod facts;
mod impossible;
mod layout;
mod list;
mod moves;
mod phase;
mod play;
mod position;
mod rule;
mod score;
mod setup;
mod side;
mod trick;
mod uses;

pub use board::{Oval, Ovals, Points, Throw};
pub use card::{Card, Digit, Rank, Suit};
pub use cards::{Cards, Deal, Hand, NoSuchCard};
pub use diagram::{Diagram, Discards};
pub use impossible::Impossible;
pub use list::List;
pub use moves::{Action, Chance, Event};
pub use phase::{Lead, Phase, Stop};
pub use position::Position;
pub use rule::Rule;
pub use score::{Defence, Offence, RoundScore, SideScore};
pub use setup::{FullOvals, Rounds, Setup, SnBonus, ValueOrder};
pub use side::{BySide, Side};
pub use trick::{Match, Trick, Values};
pub use uses::Uses;
