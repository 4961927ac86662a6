//! Responses: how bodies are kept, tagged and sent, and which problems an operation lists. Nothing here knows an operation.

pub mod finished;
pub mod refusals;
pub mod reply;
