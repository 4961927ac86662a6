//! What stands between the service and others, or is asked by it: proxies that can be cut, a proxy with a path, a chain of drand.

mod below;
mod drand;
mod proxy;

pub(crate) use below::BelowPath;
pub(crate) use drand::{CHAIN, Drand};
pub(crate) use proxy::Proxy;
