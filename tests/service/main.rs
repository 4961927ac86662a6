//! Tests of the service and of the program, from outside: real HTTP, real stores, real processes.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails, as it should")]

mod away;
mod backups;
mod blindness;
mod built_in;
mod bulk;
mod by_the_book;
mod clients;
mod contract;
mod conventions;
mod convert;
mod data_tools;
#[path = "../dice.rs"]
mod dice;
mod docs_page;
mod documents;
mod examples;
mod fewer_requests;
mod forced;
mod games;
mod harness;
mod held;
mod hidden_hands;
mod leaving;
mod limits;
mod marrakesh;
mod memory;
mod order_of_checks;
mod own_games;
mod pasted;
mod perft;
mod pictures;
mod playthrough;
mod positions;
mod problem_lists;
mod problems;
mod program;
mod proofs;
mod python_client;
mod python_reader;
mod races;
mod random;
mod replaced;
mod requests;
mod show;
mod stats;
mod store_contract;
mod submissions;
mod tables;
mod taken_down;
mod transfer;
mod validate;
mod visibility;
mod withdraw;
