#![doc = include_str!("../README.md")]
#![no_std]
#[cfg(test)]
extern crate std;

mod analysis;
mod luck;
pub mod marrakech;
pub mod marrakesh;
pub mod net;
mod noise;
mod player;
mod random;
pub mod share;
mod view;

pub use analysis::{Analysis, AnalysisLine, MOST_LINES};
pub use luck::luck;
pub use player::{Level, Playable, Player};
pub use random::random_action;
pub use view::View;
