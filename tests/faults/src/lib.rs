//! Runs the service under faults that a seed repeats. Clients play, read and follow whole games while
//! processes and databases are killed, frozen and cut off. Their observations are kept as a history and
//! judged. See docs/develop/faults.md.

pub mod clients;
pub mod fault;
pub mod field;
pub mod history;
pub mod judge;
pub mod plant;
pub mod report;
pub mod run;
