//! The committed OpenAPI document that tests compare the service with: its operations, examples and paths.

mod examples;
pub(super) mod operations;
mod routes;

pub(crate) use examples::Examples;
pub(crate) use operations::{DOCUMENT, LISTED, expanded, ignores_query, operation};
