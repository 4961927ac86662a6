//! Responses: how bodies are kept, tagged and sent in portions, and which problems an operation lists. Nothing here knows an operation.

pub mod finished;
pub mod portions;
pub mod refusals;
pub mod reply;
