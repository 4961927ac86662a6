//! Commands that move games into and out of databases and services, or audit all of them.

pub mod audit;
pub mod export;
pub mod import;
pub mod transfer;
