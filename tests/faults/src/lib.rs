//! The service under faults that a seed repeats: clients play whole games, read and follow them while processes and databases are killed, frozen and
//! cut off; what they saw is kept as a history and judged. docs/faults.md says how to run it.

pub mod balancer;
pub mod client;
pub mod cluster;
pub mod database;
pub mod fault;
pub mod field;
pub mod follow;
pub mod history;
pub mod http;
pub mod judge;
pub mod linear;
pub mod masks;
pub mod pipe;
pub mod plant;
pub mod process;
pub mod proxy;
pub mod report;
pub mod run;
pub mod table;
