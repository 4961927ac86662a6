//! Access and visibility: hidden hands, private games, erased names, games taken down.

mod blindness;
mod hidden_hands;
mod names;
mod replaced;
mod taken_down;
mod visibility;
