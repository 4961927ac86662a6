//! What anyone can check of a service: proofs, receipts and its public log, from the side of players and witnesses.

pub mod beacons;
pub mod inclusion;
pub mod receipts;
pub mod verify;
pub mod witness;
