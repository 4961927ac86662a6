//! Rules for every operation of the HTTP interface: the document, the standards, the problems.

mod by_the_book;
mod connections;
mod contract;
pub(crate) mod conventions;
mod examples;
mod order_of_checks;
mod problem_lists;
mod problems;
mod requests;
