//! The clients that are published, against the service.

pub(crate) mod python_client;
pub(crate) mod typescript;
