//! Games that go into a database or a service, come out of it, or are examined as a whole.

pub mod audit;
pub mod export;
pub mod import;
pub mod transfer;
