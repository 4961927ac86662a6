//! Bulk requests: many records validated, imported or exported at once. They run at the lowest priority, in
//! bounded memory.

use assam_record::log::Damaged;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::StoreError;
use crate::bulk::NotHeard;
use crate::problem::{Code, HasProblemCodes, Problem};

pub mod export;
mod export_query;
mod exported;
pub mod import;
mod incoming;
mod outgoing;
mod rows;
pub mod states;
pub mod validate;

pub use exported::ExportedProof;
pub use incoming::MAX_UNPACKED;

/// Records, or games in JSON lines.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
struct RecordStream(#[expect(dead_code, reason = "only its schema is used")] Vec<u8>);

/// The reason why a body was not read to its end.
#[derive(Serialize, ToSchema)]
pub struct Stopped {
    /// The code of the problem.
    code: Code,
    /// An explanation for people.
    #[schema(max_length = 4096)]
    detail: String,
}

impl From<Problem> for Stopped {
    fn from(problem: Problem) -> Self {
        Self { code: problem.code, detail: problem.detail }
    }
}

/// Why a bulk request ended early.
enum BrokeOff {
    /// The client is gone.
    NotHeard,
    /// A problem.
    Stopped(Box<Problem>),
}

impl From<NotHeard> for BrokeOff {
    fn from(_: NotHeard) -> Self {
        Self::NotHeard
    }
}

impl From<StoreError> for BrokeOff {
    fn from(error: StoreError) -> Self {
        Self::Stopped(Box::new(error.into()))
    }
}

impl From<Damaged> for BrokeOff {
    fn from(error: Damaged) -> Self {
        Self::Stopped(Box::new(error.into()))
    }
}

/// A bulk body that is not read at all.
pub struct BadBulk;

impl HasProblemCodes for BadBulk {
    fn codes() -> Vec<Code> {
        vec![Code::UnsupportedMediaType]
    }
}
