//! Why there is no report.

use std::io;

use assam_store::StoreError;

use super::state::NoState;
use crate::archive::transfer::NotTransferred;
use crate::process::output::Failure;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum NotAudited {
    /// The source cannot be read.
    #[error("{0}")]
    Unread(String),
    /// The file is something else.
    #[error(
        "{0} is no backup, no export of proofs (`assam export --form ndjson --proofs`), and no file of records"
    )]
    Foreign(String),
    /// The state is not taken, or not written.
    #[error(transparent)]
    State(#[from] NoState),
    /// Something cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Somebody stopped it.
    #[error("stopped after {0}; {1}")]
    Stopped(String, &'static str),
}

impl From<StoreError> for NotAudited {
    fn from(error: StoreError) -> Self {
        Self::Unread(error.to_string())
    }
}

impl From<Failure> for NotAudited {
    fn from(error: Failure) -> Self {
        Self::Unread(error.to_string())
    }
}

impl From<NotTransferred> for NotAudited {
    fn from(error: NotTransferred) -> Self {
        match error {
            NotTransferred::Refused(why) | NotTransferred::Failed(why) => Self::Unread(why),
            NotTransferred::NotHeard => Self::Unread("the service broke off".to_owned()),
        }
    }
}
