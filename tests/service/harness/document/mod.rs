//! The committed OpenAPI document, as tests hold the service to it: its operations, its examples, its paths.

mod examples;
pub(super) mod operations;
mod routes;

pub(crate) use examples::Examples;
pub(crate) use operations::{DOCUMENT, LISTED, expanded, ignores_query, operation};
