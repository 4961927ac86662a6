//! The pages in a real browser, as people use them: by mouse, by touch, and by keyboard.

mod accessible;
mod arriving;
mod checking;
mod commentary;
mod hidden;
mod keeping;
mod listing;
mod modules;
mod player;
mod playing;
mod rules;
mod serving;
mod sitting;
mod watching;
