//! The pages in a real browser, as people use them: by mouse, by touch, and by keyboard.

mod accessible;
mod alone;
mod checking;
mod commentary;
mod hidden;
mod listing;
mod loading;
mod modules;
mod player;
mod playing;
mod readable;
mod rules;
mod sitting;
mod watching;
