//! Bulk requests: many records validated, analysed, imported or exported at once. They run at the lowest priority, in
//! bounded memory.

use assam_record::log::Damaged;
use serde::Serialize;
use tokio::task::yield_now;
use utoipa::ToSchema;

use crate::app::StoreError;
use crate::bulk::{Cut, Cutter, NotHeard};
use crate::problem::{Code, HasProblemCodes, Problem};

pub mod analyse;
pub mod export;
mod export_query;
mod exported;
pub mod import;
mod incoming;
mod outgoing;
mod rows;
pub mod states;
pub mod validate;

use incoming::Incoming;
use rows::Rows;

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

/// The bytes of records processed before their lines may be sent. A line may be longer than its record.
const PART: usize = 1024;

/// Adds the lines for every record of a body.
async fn each_record(
    mut incoming: Incoming,
    rows: &mut Rows,
    mut add: impl FnMut(&Cut<'_>, &mut Rows),
) -> Result<(), BrokeOff> {
    let mut cutter = Cutter::new(incoming.bundle);
    loop {
        rows.came(incoming.take_came());
        let bytes = incoming.next().await.map_err(|problem| BrokeOff::Stopped(Box::new(problem)))?;
        if bytes.is_empty() {
            break;
        }
        for part in bytes.chunks(PART) {
            cutter.feed(part, |cut| add(&cut, rows));
            if rows.is_much() {
                rows.send().await?;
            }
            // Other work gets a turn.
            yield_now().await;
        }
        rows.send().await?;
    }
    cutter.finish(|cut| add(&cut, rows));
    Ok(())
}

/// A bulk body that is not read at all.
pub struct BadBulk;

impl HasProblemCodes for BadBulk {
    fn codes() -> Vec<Code> {
        vec![Code::UnsupportedMediaType]
    }
}
