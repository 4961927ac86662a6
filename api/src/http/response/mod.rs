//! Responses: caching, tagging and sending bodies, and listing the problems of an operation. Nothing here
//! knows an operation.

pub mod finished;
pub mod refusals;
pub mod reply;
