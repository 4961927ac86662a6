//! The one test binary of the workspace.
#![allow(clippy::unwrap_used)]

mod golden;
mod laws;
mod notation;
mod rules;
