//! The one test binary of the workspace: everything is proved from outside.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

mod blindness;
mod built_in;
mod contract;
mod conventions;
mod convert;
mod docs_page;
mod documents;
mod games;
mod golden;
mod harness;
mod hidden_hands;
mod laws;
mod marrakesh;
mod notation;
mod order_of_checks;
mod perft;
mod pictures;
mod playthrough;
mod positions;
mod problems;
mod program;
mod proofs;
mod python_reader;
mod races;
mod random;
mod requests;
mod rules;
mod show;
mod store_contract;
mod submissions;
mod validate;
mod visibility;
