//! Assam, the game-record service: it keeps games in a store, serves them over HTTP, and proves how they were played.
//!
//! `http` translates requests into calls of `app`, the application; `app` reads games from a `store` and writes through
//! one door; `log` replays and extends their logs; `chance`, `chain` and `proof` make all of it verifiable.

pub mod app;
pub mod backup;
pub mod beacon;
pub mod bulk;
pub mod chain;
pub mod chance;
mod clock;
mod counted;
mod entropy;
pub mod feed;
pub mod file_access;
pub mod game;
pub mod game_clock;
pub mod hex;
pub mod http;
mod kept;
pub mod log;
mod position_parts;
mod problem;
pub mod proof;
pub mod public_log;
mod round;
mod seat_kind;
mod secret;
pub mod signed;
pub mod standings;
pub mod store;
mod traced;

pub use clock::{is_set as clock_is_set, last as last_time, now};
pub use secret::Secret;
