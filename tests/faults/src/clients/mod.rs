//! Clients of the service: they play, read and follow games, and write down all that they see.

pub mod client;
pub mod follow;
pub mod http;
pub mod table;
