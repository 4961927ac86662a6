//! The automated opponent of the solitaire game, `solitaire-ai`.

use assam_rules::marrakesh::{Action, Digit, Hand, Phase, Position, Uses};

use crate::View;

/// Returns the solitaire player's decision.
///
/// It plays a card of its hand, each physical card with equal probability: it draws an index into the hand,
/// sorted as written. Among the ways to use the values of the trick or the bonus card, it takes the one that
/// bears the most pieces off. Ties go to moves from higher points, then to larger numbers.
pub(super) fn solitaire_action(view: &View<Position>, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
    let position = view.position();
    let is = position.diagram();
    match is.phase {
        Phase::Lead { leader } => card(is.hands[leader], draw),
        Phase::Reply { leader, .. } => card(is.hands[leader.opponent()], draw),
        Phase::Use { .. } => {
            let uses = position.open_uses()?;
            let best = |(number, point)| (line_from(uses, number, point), (number, point));
            let (_, (number, point)) = uses.legal().map(best).max()?;
            Some(Action::Use { number, point })
        }
        Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => None,
    }
}

fn card(hand: Hand, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
    let cards = hand.known();
    if cards.is_empty() { None } else { cards.nth(draw(cards.len().into())).map(Action::Play) }
}

/// The merits of a line of uses, ordered by preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct AnalysisLine {
    off: u8,
    /// The points moved from, in order, and 0 after the end of the line.
    points: [u8; 6],
    numbers: [u8; 6],
}

/// Returns the best complete line.
fn best_line(uses: Uses) -> AnalysisLine {
    uses.legal().map(|(number, point)| line_from(uses, number, point)).max().unwrap_or_default()
}

/// Returns the best complete line that begins with this use.
fn line_from(mut uses: Uses, number: Digit, point: Digit) -> AnalysisLine {
    let is_off = uses.advance(number, point);
    let rest = best_line(uses);
    let after = |first: Digit, [a, b, c, d, e, _]: [u8; 6]| [first.get(), a, b, c, d, e];
    AnalysisLine {
        off: rest.off + u8::from(is_off),
        points: after(point, rest.points),
        numbers: after(number, rest.numbers),
    }
}
