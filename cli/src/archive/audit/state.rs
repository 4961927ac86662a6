//! The progress of an audit, kept in a file so that it can resume.

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

/// The version of the format of the file.
const VERSION: u32 = 2;

/// The progress of an audit.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditState {
    version: u32,
    pub source: SourceId,
    pub is_finished: bool,
    /// Games that were examined, in their order.
    pub done: u64,
    /// The last of these with an id that can be read.
    pub last: Option<GameId>,
    pub findings: Findings,
}

/// Why a state file is refused.
#[derive(Debug, thiserror::Error)]
pub enum NoState {
    #[error("{0}: {1}")]
    Io(String, io::Error),
    #[error("{0} is not the state of an audit: {1}")]
    Foreign(String, serde_json::Error),
    #[error("{0} is the state of an audit in the format of another version, {1}: remove it to start over")]
    Version(String, u32),
    #[error("{file} is the state of another audit, of {of}: use another --state, or remove it to start over")]
    OtherSource {
        file: String,
        /// The source of that audit.
        of: String,
    },
}

/// The version alone, which every format has.
#[derive(Deserialize)]
struct AnyVersion {
    version: u32,
}

impl AuditState {
    /// Returns the state at the start of an audit.
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

    /// Reads the state of an audit of this source, or begins one if there is no file.
    ///
    /// # Errors
    /// If the file is not a state, or belongs to another audit.
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

    /// Replaces the file atomically. `inputs` are the files that the audit reads.
    ///
    /// # Errors
    /// File system errors.
    pub fn save(&self, file: &Path, inputs: &[PathBuf]) -> Result<(), NoState> {
        let written = || -> io::Result<()> {
            let mut new = NewFile::begin_private(file, FilePurpose::Output, inputs)?;
            new.write_all(&serde_json::to_vec(self)?)?;
            new.keep()
        };
        written().map_err(|error| NoState::Io(printable(file), error))
    }
}
