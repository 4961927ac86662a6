#![doc = include_str!("../README.md")]
#![no_std]
#[cfg(test)]
extern crate std;

mod account;
mod analysis;
mod equity;
mod luck;
pub mod marrakech;
pub mod marrakesh;
pub mod net;
mod noise;
mod player;
mod random;
pub mod share;
mod view;

pub use account::{Account, Amount, Balance, CERTAIN_WIN, Cause, JudgedMove, Mark, amounts, win_of};
pub use analysis::{Analysis, AnalysisLine, MOST_LINES};
pub use equity::{Equity, Points};
pub use luck::chance;
pub use player::{Level, Playable, Player};
pub use random::random_action;
pub use view::View;
