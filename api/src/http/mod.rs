//! The HTTP interface. It only translates: requests into calls of [`App`](crate::app::App), and outcomes into
//! responses.

mod beacon;
mod beacon_view;
mod bulk;
mod caller;
mod creation;
mod docs_page;
pub mod document;
mod finished;
mod games;
mod grammar;
mod health;
mod limits;
mod lists;
mod me;
mod moves;
mod openapi;
mod operations;
mod origins;
mod path;
mod problems;
mod proof;
mod public_log;
mod receipts;
mod refusals;
mod replay;
mod reply;
mod request;
mod routes;
mod rulesets;
mod seat_name;
mod seats;
mod server;
mod validate;
mod watch;

pub use bulk::ExportedProof;
pub use bulk::export::{Export, ExportTaker, NotExported};
pub use limits::{LimitSettings, Rates, SetRate, TrustedProxies};
pub use server::{Listeners, ServerSettings, server};
pub use watch::AdoptSpan;
