#![doc = include_str!("../README.md")]
//!
//! [`marrakech`] is the game of rugs and merchants for two to four, [`marrakesh`] the game of cards and pieces for two. The
//! caller owns the randomness, and passes a source of it to [`Game::draw_chance`].
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

pub use game::{Audience, Bounded, Game, Leave, Move, Pool, Rule, Turn, Viewer};
pub use letters::LettersError;
pub use perft::perft;
pub use ranking::Ranking;
pub use seat::{BySeat, Seat, Seats};
