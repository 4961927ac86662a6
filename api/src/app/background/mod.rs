//! What every process keeps doing on its own: clocks, ratings, the public log of games and its witnesses, and threads for long work.
//! It changes games through `write` only.

pub mod clocks;
pub mod cosignatures;
pub mod known_witnesses;
pub mod public_log;
mod standings;
mod witnesses;
pub mod worker_thread;
