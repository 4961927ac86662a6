//! The built-in players: what they decide, from what they know, under every option.

mod accounts;
mod blind;
mod decisions;

use assam_players::{Playable, Player};
use assam_rules::{Move, Turn};

use crate::dice::Dice;

/// Plays a game between players, the seats in turn, and passes each position with its decision to `look`. The game
/// ends early if `look` returns false.
fn play<G: Playable>(
    setup: &G::Setup,
    players: &[Player],
    dice: &mut Dice,
    mut look: impl FnMut(&G, Player, G::Action) -> bool,
) -> G {
    let mut position = G::new(setup);
    loop {
        match position.turn() {
            Turn::Chance => {
                for chance in position.draw_chance(&mut |range| dice.below(range)) {
                    position.play(Move::Chance(chance)).unwrap();
                }
            }
            Turn::Player(seat) => {
                let player = players[seat.index() % players.len()];
                let action = position.decision_of(player, &mut |range| dice.below(range)).unwrap();
                if !look(&position, player, action) {
                    return position;
                }
                position.play(Move::Action(action)).unwrap();
            }
            Turn::Over | Turn::Aborted => return position,
        }
    }
}
