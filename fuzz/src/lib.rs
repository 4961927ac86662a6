//! The laws that the targets try are those that random games are tried with.

#[path = "../../tests/laws/reading.rs"]
pub mod reading;
