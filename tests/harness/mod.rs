//! What tests stand on: fresh stores of both kinds, and the program that serves them.

mod proxy;
mod service;
mod stores;

pub(crate) use proxy::Proxy;
pub(crate) use service::{Answer, Client, Service, secret};
pub(crate) use stores::{Backend, backends};
