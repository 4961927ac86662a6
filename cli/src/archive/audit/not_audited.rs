//! Reasons for an audit without a report.

use std::io;

use assam_store::StoreError;

use super::state::NoState;
use crate::archive::transfer::NotTransferred;
use crate::process::output::Failure;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum NotAudited {
    #[error("{0}")]
    Unread(String),
    #[error(
        "{0} is not a backup, an export of proofs (`assam export --form ndjson --proofs`) or a file of records"
    )]
    Foreign(String),
    #[error(transparent)]
    State(#[from] NoState),
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("stopped after {0}: {1}")]
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
            NotTransferred::NotHeard => Self::Unread("the service cut off the response".to_owned()),
        }
    }
}
