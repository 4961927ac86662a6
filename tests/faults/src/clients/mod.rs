//! Clients of the service that play, read and follow games, and record what they see.

pub mod client;
pub mod follow;
pub mod http;
pub mod table;
