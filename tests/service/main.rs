//! Tests of the service and of the program, from outside: real HTTP, real stores, real processes.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

mod archive;
mod clients;
mod command_line;
mod databases;
#[path = "../dice.rs"]
mod dice;
mod documents;
mod engines;
mod events;
mod games;
mod harness;
mod interface;
mod lists;
mod operation;
mod pages;
mod privacy;
mod proofs;
mod public_log;
mod records;
