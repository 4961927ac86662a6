//! Laws of Marrakech for every position, move and record of random games.

mod allocations;
mod market;
mod mutations;
mod records;
mod rules;
mod table;
