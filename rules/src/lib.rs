//! The rules of the games as pure state machines: a position takes moves and says whose turn it is.
//!
//! Nothing here does I/O, reads a clock, draws a random number or allocates. The caller owns the randomness, and passes a
//! source of it to [`Game::draw_chance`]. Squares, rugs, cards and what is as small have the letters that the notation
//! writes them with, by `Display` and `FromStr`; words, positions and records are the notation's.
//!
//! ```
//! use assam_rules::marrakech::{Action, Chance, Die, Direction, Options, Position, Setup};
//! use assam_rules::{Game, Move, Turn};
//!
//! let setup = Setup::new(3, &Options::default())?;
//! let mut game = Position::new(&setup);
//! game.play(Move::Action(Action::Orient(Direction::North)))?;
//! game.play(Move::Chance(Chance::Die(Die::Three)))?;
//! assert!(matches!(game.turn(), Turn::Player(seat) if seat.number() == 1));
//! assert_eq!(game.legal_actions().len(), 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`marrakech`] is the game of rugs and merchants for two to four, [`marrakesh`] the game of cards and pieces for two.
#![no_std]
#[cfg(test)]
extern crate std;

#[cfg(feature = "serde")]
pub mod as_text;
mod game;
mod letters;
pub mod marrakech;
pub mod marrakesh;
mod perft;
mod ranking;
mod seat;

pub use game::{Audience, Bounded, Game, Leave, Move, Rule, Turn, Viewer};
pub use letters::LettersError;
pub use perft::perft;
pub use ranking::Ranking;
pub use seat::{BySeat, Seat, Seats};
