//! Who sees what: hidden hands, private games, names that are erased, games that are taken down.

mod blindness;
mod hidden_hands;
mod names;
mod replaced;
mod taken_down;
mod visibility;
