//! Assam, the game-record service. It stores games, serves them over HTTP, and proves how they were played.
//!
//! `http` translates requests into calls of `app`, the application. `app` reads games from a store, and
//! changes them only through `GameWriter`. Games, proofs and databases are separate crates: `assam-record`,
//! `assam-proofs` and `assam-store`.

pub mod app;
pub mod backup;
pub mod bulk;
mod counted;
pub mod http;
mod position_parts;
mod problem;
mod traced;
