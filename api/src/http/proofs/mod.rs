//! What shows how a game was played: its proof, its receipts, and its place in the public log. Nothing here signs or verifies by itself.

pub mod proof;
pub mod public_log;
pub mod receipts;
