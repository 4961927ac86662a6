//! Many records at once: what comes in is cut into records, and there is one JSON object a line about each of them. The
//! service and the command line share it.

mod cut;
mod import;
mod row;
mod spool;

pub use cut::{Bundle, Cut, Cutter, MAX_LINE, NoRecord};
pub use import::{ImportOutcome, ImportRow, ImportSummary, ReadRecord};
pub use row::{RecordRow, RowError};
pub use spool::NotHeard;
pub(crate) use spool::Spool;
