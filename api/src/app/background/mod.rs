//! What every process keeps doing: clocks, ratings, the public log of games and its witnesses, and the threads for long work.
//! Games are changed here through the writer only, and nobody who plays waits for any of it.

pub mod clocks;
pub mod cosignatures;
pub mod known_witnesses;
pub mod public_log;
mod standings;
mod witnesses;
pub mod worker_thread;
