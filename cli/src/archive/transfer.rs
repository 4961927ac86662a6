//! The place and the failures that `assam import` and `assam export` share.

use std::io;
use std::process::ExitCode;

use assam_api::app::{App, Limits, StoreError};
use assam_api::http::NotExported;
use assam_proofs::signed::Keyring;
use assam_store::Database;
use clap::{Args, ValueHint};

use crate::database::DatabaseArgs;
use crate::keys::KeyArgs;
use crate::process::input::escaped;
use crate::process::output::{Failure, say_failed};
use crate::remote::args::RemoteArgs;

/// Arguments that name the place of games.
#[derive(Args)]
pub struct PlaceArgs {
    /// Use this service, `http://host:port` or `https://host`, instead of a database. The environment
    /// variable `ASSAM_SECRET` may hold a secret to send
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    pub url: Option<String>,
    #[command(flatten)]
    pub remote: RemoteArgs,
    #[command(flatten)]
    pub database: DatabaseArgs,
}

/// Why games are not transferred, or not all of them.
#[derive(Debug, thiserror::Error)]
pub enum NotTransferred {
    #[error("{0}")]
    Refused(String),
    #[error("{0}")]
    Failed(String),
    #[error("the reader closed the output")]
    NotHeard,
}

impl From<io::Error> for NotTransferred {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::NotHeard
        } else {
            Self::Failed(error.to_string())
        }
    }
}

impl From<StoreError> for NotTransferred {
    fn from(error: StoreError) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<Failure> for NotTransferred {
    fn from(error: Failure) -> Self {
        Self::Failed(error.to_string())
    }
}

impl From<NotExported> for NotTransferred {
    fn from(error: NotExported) -> Self {
        match error {
            NotExported::Refused(why) => Self::Refused(why),
            NotExported::Failed(why) => Self::Failed(why),
            NotExported::NotHeard => Self::NotHeard,
        }
    }
}

impl NotTransferred {
    /// Reports the reason, and returns the exit status: 1 for a refusal, else 2.
    pub fn exit(&self) -> ExitCode {
        match self {
            Self::Refused(why) | Self::Failed(why) => say_failed(&escaped(why)),
            // A reader that closes the pipe has seen enough.
            Self::NotHeard => {}
        }
        ExitCode::from(if matches!(self, Self::Refused(_)) { 1 } else { 2 })
    }
}

/// Changes that may wait to be written.
const QUEUE: usize = 4096;

/// Opens the application on a database, which it brings up to date. It signs with these keys, or not at all
/// if there are none or they are not available.
///
/// # Errors
/// Database errors.
pub async fn open(store: Database, keys: Option<(&KeyArgs, &DatabaseArgs)>) -> Result<App, NotTransferred> {
    store.admin.migrate().await?;
    let keyring = match keys {
        Some((keys, database)) => keys.at_hand(database, &store).await.unwrap_or_else(|why| {
            say_failed(&format!("proofs have no signed receipts: {why}"));
            Keyring::empty()
        }),
        None => Keyring::empty(),
    };
    Ok(App::new(store, Limits { queue: QUEUE, kept_bytes: 0 }, keyring)?)
}
