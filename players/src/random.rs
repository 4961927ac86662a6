//! The player that decides at random.

use assam_rules::Game;

/// Returns one of the legal decisions with equal probability, or `None` if no seat is to move.
///
/// `draw(r)` must return a number below `r`, with equal probability. `r` is never 0.
pub fn random_action<G: Game>(position: &G, draw: &mut dyn FnMut(u64) -> u64) -> Option<G::Action> {
    one_of(&position.legal_actions(), draw)
}

pub(crate) fn one_of<A: Copy>(actions: &[A], draw: &mut dyn FnMut(u64) -> u64) -> Option<A> {
    if actions.is_empty() { None } else { actions.get(draw(actions.len() as u64) as usize).copied() }
}
