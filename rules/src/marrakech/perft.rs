//! Perft: how many lines the rules allow, the field's check of a move generator.

use arrayvec::ArrayVec;

use super::{Chance, Die, Phase, Position};
use crate::{Game, Move, Turn};

/// The distinct things that can be drawn here, each with its weight (faces of the die, rugs in the pile).
pub fn outcomes(position: &Position) -> ArrayVec<(Chance, u32), 4> {
    match position.phase() {
        Phase::TurnUp => position
            .setup()
            .colours(position.seat())
            .iter()
            .map(|&colour| (Chance::Colour(colour), u32::from(position.rugs_left(colour))))
            .filter(|&(_, weight)| weight > 0)
            .collect(),
        Phase::Roll { .. } => [(Die::One, 1), (Die::Two, 2), (Die::Three, 2), (Die::Four, 1)]
            .map(|(die, weight)| (Chance::Die(die), weight))
            .into_iter()
            .collect(),
        Phase::Orient { .. } | Phase::Lay { .. } | Phase::Over | Phase::Aborted => ArrayVec::new(),
    }
}

/// Lines after `decisions` decisions, each with all its distinct chance; a finished game is not extended.
///
/// Chance that is due before the first decision belongs to the first line.
pub fn perft(position: &Position, decisions: u32) -> u64 {
    match position.turn() {
        Turn::Chance => outcomes(position)
            .into_iter()
            .map(|(chance, _)| perft(&after(position, Move::Chance(chance)), decisions))
            .sum(),
        Turn::Player(_) if decisions == 0 => 1,
        Turn::Player(_) => position
            .legal_actions()
            .into_iter()
            .map(|action| perft(&after(position, Move::Action(action)), decisions - 1))
            .sum(),
        Turn::Over | Turn::Aborted => u64::from(decisions == 0),
    }
}

fn after(position: &Position, mv: Move<Position>) -> Position {
    let mut next = position.clone();
    next.apply(mv);
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::marrakech::{Options, Setup, TwoPlayer};

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
