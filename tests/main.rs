//! The one test binary of the workspace: everything is proved from outside.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

mod docs_page;
mod documents;
mod golden;
mod conventions;
mod games;
mod harness;
mod laws;
mod notation;
mod order_of_checks;
mod playthrough;
mod program;
mod rules;
mod store_contract;
mod problems;
mod races;
mod requests;
mod submissions;
mod visibility;
