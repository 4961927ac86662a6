//! Connections to PostgreSQL: where its servers are, the sessions with them, and whether they answer.

pub(super) mod circuit_breaker;
pub(super) mod servers;
pub(super) mod session;
pub(super) mod url;
