//! What shows that a game was played as its record states: proofs of heads and chance, signed receipts, and the public log.
//!
//! Everything here is a function of values, and both the service and `assam verify` call it. No database, network or runtime
//! is known here.

pub mod proof;
pub mod public_log;
pub mod signed;
