//! Legal, submitted and written moves, the log, state and score at any ply, and the analysis.

pub mod analysis;
pub mod moves;
pub mod replay;
