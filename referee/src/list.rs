//! The end of a list of decisions sent in one request.

use assam_rules::{Audience, Game, Move, Turn, Viewer};

/// Returns whether every list of decisions in one request ends with the decision that is due in a position.
///
/// This depends only on public information. A list ends at possible chance, at hidden or opened information,
/// when the turn passes to another seat, and when the game ends.
pub fn ends_list<G: Game>(position: &G) -> bool {
    let Turn::Player(seat) = position.turn() else { return true };
    let Some(actions) = position.legal_actions_for(Viewer::Spectator) else { return true };
    actions.into_iter().any(|action| {
        let mv = Move::Action(action);
        let mut after = position.clone();
        after.apply(mv);
        position.audience(&mv) != Audience::Everyone || after.turn() != Turn::Player(seat)
    })
}
