//! The HTTP interface. It only translates requests into calls of [`App`](crate::app::App), and outcomes into
//! responses.

pub mod document;
mod events;
mod games;
mod limits;
mod play;
mod proofs;
mod records;
mod reference;
mod request;
mod response;
mod routes;
mod server;
mod watch;

pub use limits::{LimitSettings, Rates, SetRate, TrustedProxies};
pub use records::bulk::ExportedProof;
pub use records::bulk::export::{Export, ExportTaker, NotExported};
pub use server::{Listeners, ServerSettings, server};
pub use watch::AdoptSpan;
