//! Measurements beyond the load of the table in `main.rs`, with a file for each subject.

pub mod floods;
pub mod frozen;
pub mod limits;
pub mod lists;
pub mod plies;
pub mod sizes;
pub mod soak;
pub mod streams;
