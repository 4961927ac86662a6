//! Network peers of the service: proxies that can be cut, a proxy with a path, a drand chain.

mod below;
mod drand;
mod proxy;

pub(crate) use below::BelowPath;
pub(crate) use drand::{CHAIN, Drand};
pub(crate) use proxy::Proxy;
