//! Players against each other: matches, ladders, bots in a service, and the engine protocol on both of its sides.
//!
//! Nothing here judges a game. Tables of `assam_referee` check every decision, also those of external programs.

pub mod bot;
mod contestant;
mod estimate;
mod game;
pub mod ladder;
pub mod matches;
mod position;
mod process;
mod protocol;
mod report;
mod seating;
pub mod server;
mod sprt;
