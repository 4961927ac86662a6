//! Legal, submitted and written moves, and the log, state and score at any ply.

pub mod moves;
pub mod replay;
