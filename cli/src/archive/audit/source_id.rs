//! Which source is audited.

use assam_proofs::signed::VerifyingKey;
use serde::{Deserialize, Serialize};

/// A kind of source.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A database that may be served.
    Database,
    /// A backup, or the SQLite file of a service.
    Backup,
    /// An export of proofs.
    Proofs,
    /// Records.
    Records,
    /// A service.
    Service,
}

/// Which source it is: a state goes on with the same one alone.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceId {
    /// What it is.
    pub kind: SourceKind,
    /// Its name, without any password.
    pub name: String,
    /// The length of a file, in bytes.
    pub length: Option<u64>,
    /// When a file was changed, in milliseconds since 1970.
    pub changed: Option<u64>,
    /// The keys that were said.
    keys: Vec<String>,
    /// The checkpoints to which its public log is held.
    #[serde(default)]
    pub checkpoints: Vec<String>,
    /// The beacons whose chains are known.
    #[serde(default)]
    pub beacons: Vec<String>,
}

impl SourceId {
    /// Returns a source; of a file its length and time are not known yet.
    pub fn new(kind: SourceKind, name: String, keys: &[VerifyingKey]) -> Self {
        let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        keys.sort();
        Self { kind, name, length: None, changed: None, keys, checkpoints: Vec::new(), beacons: Vec::new() }
    }

    /// Returns what it is, with its name.
    pub fn described(&self) -> String {
        let kind = match self.kind {
            SourceKind::Database => "the database",
            SourceKind::Backup => "the backup",
            SourceKind::Proofs => "the export of proofs",
            SourceKind::Records => "the records",
            SourceKind::Service => "the service",
        };
        format!("{kind} {}", self.name)
    }

    /// Returns whether its keys are those that the service lists.
    pub fn is_believed(&self) -> bool {
        self.kind == SourceKind::Service && self.keys.is_empty()
    }
}
