//! The pages in a real browser, used by mouse, touch and keyboard.

mod accessible;
mod alone;
mod analysis;
mod checking;
mod commentary;
mod hidden;
mod listing;
mod loading;
mod modules;
mod pictures;
mod player;
mod playing;
mod readable;
mod rules;
mod sitting;
mod watching;
