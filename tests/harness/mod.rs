//! What tests stand on: fresh stores of both kinds, and the program that serves them.

mod service;
mod stores;

pub(crate) use service::{Client, Service, secret};
pub(crate) use stores::{Backend, backends};
