//! The record of a game: the words of its log, their times and hashes, the chance drawn for them, and
//! statistics over many games.
//!
//! Everything here is a function of values, without a database, network or runtime. Only `clock` reads the
//! time, and only `entropy` draws random bytes.

pub mod beacon;
pub mod chain;
pub mod chance;
pub mod clock;
pub mod entropy;
pub mod feed;
pub mod game;
pub mod game_clock;
pub mod hex;
pub mod log;
mod seat_kind;
pub mod secret;
pub mod standings;
