//! Checks of a service by players and witnesses: proofs, receipts and the public log.

pub mod beacons;
pub mod inclusion;
pub mod receipts;
pub mod verify;
pub mod witness;
