//! The laws that the targets try are those that random games are tried with.

#[path = "../../tests/games/laws/reading.rs"]
pub mod reading;
