//! Many games at once: lists, exports, and reads that several callers share. It changes nothing.

pub mod coalescer;
pub mod export;
pub mod list;
pub mod summary;
