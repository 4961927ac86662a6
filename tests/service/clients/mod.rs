//! The published clients, tested against the service.

pub(crate) mod python_client;
pub(crate) mod typescript;
