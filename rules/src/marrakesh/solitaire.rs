//! The artificial player of the solitaire game.

use super::uses::Uses;
use super::{Action, Digit, Hand, Lead, Phase, Position};

/// What the solitaire player decides; none where no seat is to move, and where the cards are not known.
///
/// It plays a card of its hand, each physical card equally likely: `draw(r)` must return a number below `r`, an index
/// into the hand sorted as it is written. Of the lines that use the values of the trick, or of the bonus card, it
/// chooses the one with the most pieces off; then by the points that are moved from, higher first; then by the numbers
/// used, larger first.
pub(super) fn solitaire_action(position: &Position, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
    let is = position.diagram();
    match is.phase {
        _ if is.stop.is_some() => None,
        Phase::Lead { leader } => card(is.hands[leader], draw),
        Phase::Reply { leader, lead: Lead::Known(_) } => card(is.hands[leader.opponent()], draw),
        Phase::Use { trick, values, .. } => {
            let uses = position.uses(trick.winner(), values);
            let best = |(number, point)| (line_from(uses, number, point), (number, point));
            let (_, (number, point)) = uses.legal().map(best).max()?;
            Some(Action::Use { number, point })
        }
        Phase::Reply { lead: Lead::Unknown, .. }
        | Phase::Dice
        | Phase::Deal(_)
        | Phase::Bonus { .. }
        | Phase::Over => None,
    }
}

fn card(hand: Hand, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
    let cards = hand.known();
    if cards.is_empty() { None } else { cards.nth(draw(cards.len().into())).map(Action::Play) }
}

/// What a line of uses is judged by: the greater the better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Line {
    off: u8,
    /// The points moved from, in order; 0 where the line has ended.
    points: [u8; 6],
    numbers: [u8; 6],
}

/// The best complete line.
fn best_line(uses: Uses) -> Line {
    uses.legal().map(|(number, point)| line_from(uses, number, point)).max().unwrap_or_default()
}

/// The best complete line that begins with this use.
fn line_from(mut uses: Uses, number: Digit, point: Digit) -> Line {
    let is_off = uses.points.advance(point, number);
    uses.values.use_up(number);
    let rest = best_line(uses);
    let behind = |first: Digit, [a, b, c, d, e, _]: [u8; 6]| [first.get(), a, b, c, d, e];
    Line {
        off: rest.off + u8::from(is_off),
        points: behind(point, rest.points),
        numbers: behind(number, rest.numbers),
    }
}
