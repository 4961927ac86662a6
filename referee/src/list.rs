//! Where a list of decisions sent in one request must end.

use assam_rules::{Audience, Game, Move, Turn, Viewer};

/// Returns whether every list of decisions that one request may carry ends with the decision that is due in a position.
///
/// This is judged from what everyone may know: a list ends where chance follows or could follow, where something hidden
/// is written or opened, where the turn passes to another seat, and where the game ends.
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
