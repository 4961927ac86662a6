//! Clients that put load on the service.

pub mod player;
pub mod reads;
