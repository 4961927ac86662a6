//! Assam, the game-record service: it keeps games in a store, serves them over HTTP, and proves how they were played.
//!
//! `http` translates requests into calls of `app`, the application. `app` reads games from a store, and changes them through one writer, `GameWriter`.
//! What a game is, how its play is proved, and the databases are crates of their own: `assam-record`, `assam-proofs` and `assam-store`.

pub mod app;
pub mod backup;
pub mod bulk;
mod counted;
pub mod http;
mod position_parts;
mod problem;
mod traced;
