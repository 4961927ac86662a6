//! The account of a record, with what names the record.

use assam_referee::GameAccount;
use serde::Serialize;

/// The account of a record as JSON.
#[derive(Serialize)]
pub(super) struct Analysed<'a> {
    pub(super) source: &'a str,
    pub(super) record: u64,
    pub(super) setup: &'a str,
    pub(super) nodes: u64,
    /// The players that the tags name, by seat.
    pub(super) players: Vec<Option<&'a str>>,
    #[serde(flatten)]
    pub(super) account: &'a GameAccount,
}
