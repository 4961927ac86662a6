#![doc = include_str!("../README.md")]
//!
//! # Games
//!
//! * [`marrakech`]: the game of rugs and merchants, for two to four players.
//! * [`marrakesh`]: the game of cards and pieces, for two players.
//!
//! Each module has a `Position` that implements [`Game`]. Code that is generic over [`Game`], such as
//! [`perft()`], works for both.
//!
//! # Chance
//!
//! The crate has no source of randomness. Pass one to [`Game::draw_chance`] to draw dice, rugs or cards, or
//! choose an outcome and play it as [`Move::Chance`]. [`Game::outcomes`] lists the possible outcomes with
//! their weights.
//!
//! # Hidden information
//!
//! Marrakesh has hidden hands. [`Game::mask`] and [`Game::masked`] show a move or a position as one
//! [`Viewer`] may see it, with hidden cards replaced by unknown ones.
//!
//! # Errors
//!
//! A refused move returns the [`Rule`] that it breaks, with a stable identifier and a sentence. The position
//! stays unchanged.
//!
//! # Crate features
//!
//! * `serde` (off by default) implements `Serialize` and `Deserialize` for every type that has a text, and
//!   adds the module `as_text` for fields of other types.
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
