//! Signed notes in the form of C2SP, and the service's signed statements about games.

mod cosignature;
mod keyring;
mod note;
mod policy;
mod receipt;

pub use cosignature::{CosigningKey, WitnessKey};
pub use keyring::{KeyFault, Keyring, NoKey, PublishedKey};
pub use note::{BadKey, NoNewKey, NotANote, NotSigned, Note, SigningKey, VerifyingKey};
pub use policy::{BadPolicy, Policy, PolicyWitness};
pub use receipt::{NotAReceipt, Of, OfPly, OfSeat, OfSeats, Receipt, StatedBeacon};
