//! The identity of an audit's source.

use assam_proofs::signed::VerifyingKey;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SourceKind {
    /// A database, which may be in service.
    Database,
    /// A backup, or the SQLite file of a service.
    Backup,
    Proofs,
    Records,
    Service,
}

/// The identity of a source. A state file resumes only with the same one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceId {
    pub kind: SourceKind,
    /// Its name, without any password.
    pub name: String,
    /// The length of a file, in bytes.
    pub length: Option<u64>,
    /// The modification time of a file, in milliseconds since 1970.
    pub changed: Option<u64>,
    /// The keys that were given.
    keys: Vec<String>,
    /// The checkpoints that its public log must begin with.
    #[serde(default)]
    pub checkpoints: Vec<String>,
    /// The known chains of beacons.
    #[serde(default)]
    pub beacons: Vec<String>,
}

impl SourceId {
    /// Returns a source. The length and time of a file are not known yet.
    pub fn new(kind: SourceKind, name: String, keys: &[VerifyingKey]) -> Self {
        let mut keys: Vec<String> = keys.iter().map(ToString::to_string).collect();
        keys.sort();
        Self { kind, name, length: None, changed: None, keys, checkpoints: Vec::new(), beacons: Vec::new() }
    }

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

    /// Returns whether its keys are the ones that the service lists itself.
    pub fn is_believed(&self) -> bool {
        self.kind == SourceKind::Service && self.keys.is_empty()
    }
}
