//! The pages in a real browser, as people use them: by mouse, by touch, and by keyboard.

mod accessible;
mod alone;
mod arriving;
mod below;
mod checking;
mod commentary;
mod hidden;
mod keeping;
mod listing;
mod modules;
mod player;
mod playing;
mod readable;
mod returning;
mod rules;
mod serving;
mod sitting;
mod tabs;
mod watching;
