//! What tests of proofs stand on: hashing apart from the program, proofs that are changed, and the verifiers as commands.

pub(super) mod forging;
pub(crate) mod hashing;
pub(super) mod verifiers;
