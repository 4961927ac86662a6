//! The pages in a real browser.

mod accessible;
mod checking;
mod modules;
mod rules;
