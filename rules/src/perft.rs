//! Perft: the number of lines that the rules allow, the usual check of a move generator.

use crate::{Game, Move, Turn};

/// Counts the lines of `decisions` decisions, each with every distinct chance outcome.
///
/// Finished games are not extended, and neither are lines that reach chance with too many outcomes to list
/// (see [`Game::outcomes`]). Chance that is due before the first decision belongs to the first line.
pub fn perft<G: Game>(position: &G, decisions: u32) -> u64 {
    match position.turn() {
        Turn::Player(_) if decisions == 0 => 1,
        Turn::Player(_) => {
            let actions = position.legal_actions();
            let counted = |action: &G::Action| perft(&after(position, Move::Action(*action)), decisions - 1);
            actions.iter().map(counted).sum()
        }
        Turn::Chance => {
            let outcomes = position.outcomes();
            if outcomes.is_empty() {
                return u64::from(decisions == 0);
            }
            let counted =
                |(chance, _): &(G::Chance, _)| perft(&after(position, Move::Chance(*chance)), decisions);
            outcomes.iter().map(counted).sum()
        }
        Turn::Over | Turn::Aborted => u64::from(decisions == 0),
    }
}

fn after<G: Game>(position: &G, mv: Move<G>) -> G {
    let mut next = position.clone();
    next.apply(mv);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marrakech::{Options, Position, Setup, TwoPlayer};

    #[test]
    fn perft_from_the_start_is_12_111_1332_10917_for_two_three_and_four_players() {
        for seats in 2..=4 {
            let two_player = (seats == 2).then_some(TwoPlayer::OneColour);
            let options = Options { two_player, ..Options::default() };
            let setup = Setup::new(seats, &options).expect("these options go together");
            let start = Position::new(&setup);
            let counted = [1, 2, 3, 4].map(|decisions| perft(&start, decisions));
            assert_eq!(counted, [12, 111, 1332, 10917], "{seats} seats");
        }
    }
}
