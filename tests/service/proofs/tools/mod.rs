//! Tools of the proof tests: hashing independent of the program, changed proofs, and the verifiers as
//! commands.

pub(super) mod forging;
pub(crate) mod hashing;
pub(super) mod verifiers;
