//! Laws that hold in every game, tried on thousands of random ones.
//!
//! Game number n is always the same game: its setup and its moves come from the seed n. A test that fails prints the
//! number of its game.

mod allocations;
mod every_game;
mod marrakesh;
mod mutations;
pub(crate) mod reading;
mod records;
mod rules;
mod seeds;
pub(crate) mod table;
