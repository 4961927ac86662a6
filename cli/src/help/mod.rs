//! What the program prints about itself: the manual page, completions of shells, and the examples of `--help`.

pub mod completions;
pub mod examples;
pub mod man;
