//! Records in files: commands that read, show, convert and count them, and that play and write new ones. No database is opened here.

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
