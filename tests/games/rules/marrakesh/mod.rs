//! The rules of Marrakesh, one sentence each, in positions played to from the start.

mod cards;
mod diagram;
mod ending;
mod every_board;
mod example;
mod hidden;
mod movement;
mod round;
mod scoring;
mod script;
mod solitaire;
mod tricks;
mod values;
