//! The built-in players: functions of a position and a source of random numbers.
//!
//! A player uses nothing that is hidden from the seat on turn, keeps no state, and draws only from the source that it
//! is given, so that its decisions can be recomputed. [`Playable::PLAYERS`] lists the players that a game has;
//! [`Player::Random`] plays every game.
//!
//! ```
//! use assam_players::{Playable, Player};
//! use assam_rules::Game;
//! use assam_rules::marrakech::{Options, Position, Setup};
//!
//! let game = Position::new(&Setup::new(3, &Options::default())?);
//! let decision = game.choose(Player::Random, &mut |_| 0);
//! assert_eq!(decision, game.legal_actions().first().copied());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#[cfg(test)]
extern crate std;

mod marrakech;
mod marrakesh;
mod player;
mod random;

pub use player::{Playable, Player};
pub use random::random_action;
