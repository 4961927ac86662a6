//! Bulk processing: cuts input into records, and writes one JSON object per line for each. Shared by the
//! service and the command line.

mod cut;
mod import;
mod row;
mod spool;

pub use cut::{Bundle, Cut, Cutter, MAX_LINE, NoRecord};
pub use import::{ImportOutcome, ImportRow, ImportSummary, ReadRecord};
pub use row::{RecordRow, RowError};
pub use spool::NotHeard;
pub(crate) use spool::Spool;
