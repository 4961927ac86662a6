#![doc = include_str!("../README.md")]
//!
//! [`Playable::PLAYERS`] lists the players of a game. [`Player::Random`] plays every game.
#![no_std]
#[cfg(test)]
extern crate std;

mod marrakech;
mod marrakesh;
mod player;
mod random;

pub use player::{Playable, Player};
pub use random::random_action;
