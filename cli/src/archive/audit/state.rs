//! How far an audit is, kept in a file: where it was stopped, it goes on there.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use assam_record::game::GameId;
use assam_store::file_access::explained;
use serde::{Deserialize, Serialize};

use super::findings::Findings;
use super::source_id::SourceId;
use crate::process::input::printable;
use crate::process::output_file::NewFile;
use crate::process::output_path::FilePurpose;

/// The version of the form of the file.
const VERSION: u32 = 1;

/// How far an audit is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditState {
    version: u32,
    /// What is audited.
    pub source: SourceId,
    /// Whether all of it was.
    pub is_finished: bool,
    /// How many games were examined, in their order.
    pub done: u64,
    /// The id of the last of them that has one that can be read.
    pub last: Option<GameId>,
    /// What was found in them.
    pub findings: Findings,
}

/// Why a state is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NoState {
    /// The file cannot be read or written.
    #[error("{0}: {1}")]
    Io(String, io::Error),
    /// It is something else.
    #[error("{0} is no state of an audit: {1}")]
    Foreign(String, serde_json::Error),
    /// It was written by another version.
    #[error("{0} is the state of an audit in a form of another version, {1}: remove it to start anew")]
    Version(String, u32),
    /// It is of another source.
    #[error("{file} is the state of another audit, of {of}: use another --state, or remove it to start anew")]
    OtherSource {
        /// The name of the file.
        file: String,
        /// What was audited.
        of: String,
    },
}

/// The version alone, which every form has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl AuditState {
    /// Returns the state of an audit that begins.
    pub fn new(source: SourceId) -> Self {
        Self {
            version: VERSION,
            source,
            is_finished: false,
            done: 0,
            last: None,
            findings: Findings::default(),
        }
    }

    /// Reads the state of an audit of this source, or begins one where there is no file.
    ///
    /// # Errors
    /// Where the file is none, or of another audit.
    pub fn open(file: Option<&Path>, source: SourceId) -> Result<Self, NoState> {
        let Some(file) = file else { return Ok(Self::new(source)) };
        let name = printable(file);
        let text = match fs::read(file) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::new(source)),
            read => read.map_err(|error| NoState::Io(name.clone(), explained(file, error)))?,
        };
        let foreign = |error| NoState::Foreign(name.clone(), error);
        let AnyVersion { version } = serde_json::from_slice(&text).map_err(foreign)?;
        if version != VERSION {
            return Err(NoState::Version(name, version));
        }
        let state: Self = serde_json::from_slice(&text).map_err(foreign)?;
        match state.source == source {
            true => Ok(state),
            false => Err(NoState::OtherSource { file: name, of: state.source.described() }),
        }
    }

    /// Writes it, in place of what the file held, all or nothing. `inputs` are what the audit reads.
    ///
    /// # Errors
    /// Of the file system.
    pub fn save(&self, file: &Path, inputs: &[PathBuf]) -> Result<(), NoState> {
        let written = || -> io::Result<()> {
            let mut new = NewFile::begin_private(file, FilePurpose::Output, inputs)?;
            new.write_all(&serde_json::to_vec(self)?)?;
            new.keep()
        };
        written().map_err(|error| NoState::Io(printable(file), error))
    }
}
