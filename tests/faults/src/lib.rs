//! The service under faults that a seed repeats: clients play whole games, read and follow them while processes and databases are killed, frozen and
//! cut off; what they saw is kept as a history and judged. docs/faults.md says how to run it.

pub mod clients;
pub mod fault;
pub mod field;
pub mod history;
pub mod judge;
pub mod plant;
pub mod report;
pub mod run;
