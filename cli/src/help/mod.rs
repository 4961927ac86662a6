//! Help about the program itself: manual pages, shell completions, and the examples of `--help`.

pub mod completions;
pub mod examples;
pub mod man;
