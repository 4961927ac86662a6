//! Assam, the game-record service: it keeps games in a store, serves them over HTTP, and proves how they were played.
//!
//! `http` translates requests into calls of `app`, the application; `app` reads games from a `store` and writes through
//! one door; `log` replays and extends their logs; `chance`, `chain` and `proof` make all of it verifiable.

pub mod app;
pub mod backup;
pub mod bulk;
mod counted;
pub mod file_access;
pub mod http;
mod kept;
mod position_parts;
mod problem;
mod round;
pub mod store;
mod traced;
