//! The evidence that a game was played as its record states: proofs of heads and chance, signed receipts, and
//! the public log.
//!
//! Everything here is a function of values, used by the service and by `assam verify`, without a database,
//! network or runtime.

pub mod proof;
pub mod public_log;
pub mod signed;
