//! The contract of databases, their failures, and concurrent requests.

mod away;
mod full_disk;
mod half_committed;
mod held;
pub(crate) mod races;
mod store_contract;
mod without_triggers;
