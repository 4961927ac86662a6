//! The pages in a real browser, as people use them: by mouse, by touch, and by keyboard.

mod accessible;
mod checking;
mod commentary;
mod hidden;
mod modules;
mod player;
mod playing;
mod rules;
mod serving;
mod watching;
