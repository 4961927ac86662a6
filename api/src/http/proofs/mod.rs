//! Evidence of how a game was played: its proof, its receipts and its place in the public log. Nothing is
//! signed or verified here.

pub mod proof;
pub mod public_log;
pub mod receipts;
