//! Connections to PostgreSQL: its servers, their sessions, and whether they respond.

pub(super) mod circuit_breaker;
pub(super) mod servers;
pub(super) mod session;
pub(super) mod url;
