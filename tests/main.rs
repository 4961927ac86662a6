//! The one test binary of the workspace: everything is proved from outside.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

mod docs_page;
mod documents;
mod harness;
mod playthrough;
mod program;
mod store_contract;
