//! The pages in a real browser, as people use them: by mouse, by touch, and by keyboard.

mod hidden;
mod player;
mod playing;
mod serving;
mod watching;
