//! The laws for fuzz targets, which random games are also tested against.

#[path = "../../tests/games/laws/reading.rs"]
pub mod reading;
