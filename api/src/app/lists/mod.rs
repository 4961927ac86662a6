//! Games in numbers: lists, exports, and reads that several callers share. It reads only.

pub mod coalescer;
pub mod export;
pub mod list;
pub mod summary;
