//! Laws of Marrakech: what holds in every position and for every move of random games, and for their records.

mod allocations;
mod market;
mod mutations;
mod records;
mod rules;
mod table;
