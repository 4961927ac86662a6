//! Assam, the game-record service: referee, stores and HTTP interface.

pub mod game;
pub mod store;
