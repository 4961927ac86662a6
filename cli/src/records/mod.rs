//! Commands that read, check, show, convert, count and generate records in files. Nothing here opens a
//! database.

pub mod analyse;
pub mod convert;
pub mod diagnosis;
pub mod numbered_record;
pub mod parallel_records;
pub mod perft;
pub mod plies;
pub mod random;
pub mod setup;
pub mod sheet;
pub mod show;
pub mod stats;
pub mod validate;
