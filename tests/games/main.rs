//! Tests without a service: rules, laws, notation, recorded games. `cargo test -p assam-tests` builds and
//! runs only these.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

#[path = "../dice.rs"]
mod dice;
mod golden;
mod house;
mod laws;
mod letters;
mod notation;
mod option_values;
mod players;
mod rules;
mod slips;
