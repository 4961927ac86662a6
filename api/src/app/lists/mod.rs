//! Many games at once: lists, exports, and shared readings. Nothing here changes a game.

pub mod coalescer;
pub mod export;
pub mod list;
pub mod summary;
