//! Many games at once: backups, transfers and audits.

mod audits;
pub(crate) mod backups;
mod transfer;
