//! What databases promise, what happens when they fail, and requests that meet in them.

mod away;
mod full_disk;
mod half_committed;
mod held;
pub(crate) mod races;
mod store_contract;
mod without_triggers;
