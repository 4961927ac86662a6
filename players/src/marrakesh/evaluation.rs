//! The evaluation between two tricks: tables of half boards, and a network for the hand.

use super::features::{self, HandNet, INPUTS, POINTS_PER_OUTPUT};
use super::half::Half;
use super::table::{POINT, Tables};
use super::tricks::Faces;

/// The tables, and the network if hands count.
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    /// The worth of half boards.
    pub tables: &'a Tables,
    /// The value of a hand.
    pub net: Option<&'a HandNet>,
}

impl Evaluation<'_> {
    /// Returns what a hand adds to the mean margin between two tricks, in [`POINT`]ths.
    pub fn rest(&self, hand: &Faces, unseen: &Faces, halves: &[Half; 2], leads: bool) -> i32 {
        let Some(net) = self.net.filter(|_| halves[0].empty() + halves[1].empty() > 0) else { return 0 };
        let mut inputs = [0; INPUTS];
        features::fill(hand, unseen, halves, leads, &mut inputs);
        let [more, less] = net.outputs(&inputs);
        (more - less) / (HandNet::OUTPUT_UNIT / POINT / POINTS_PER_OUTPUT)
    }
}
