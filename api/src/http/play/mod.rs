//! Playing and replaying: moves that are legal, submitted or written, and the log, state and score at any ply.

pub mod moves;
pub mod replay;
