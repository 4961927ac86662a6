//! Assam, the game-record service: referee, stores, HTTP interface and commands.

pub mod chain;
pub mod chance;
mod clock;
pub mod commands;
mod digits;
mod entropy;
pub mod game;
pub mod http;
mod judge;
mod log;
pub mod picture;
mod problem;
mod proof;
pub mod record;
pub mod referee;
mod ruleset;
mod secret;
pub mod store;
mod view;
