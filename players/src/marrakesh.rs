//! The players of Marrakesh: `solitaire-ai` is the automated opponent of the solitaire game.

use assam_rules::Game;
use assam_rules::marrakesh::{Action, Digit, Hand, Lead, Phase, Position, Uses};

use crate::{Playable, Player, random_action};

impl Playable for Position {
    const PLAYERS: &'static [Player] = &[Player::SolitaireAi, Player::Random];

    fn choose(&self, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
        match player {
            Player::Random => random_action(self, draw),
            Player::SolitaireAi => solitaire_action(self, draw),
        }
    }
}

/// Returns the solitaire player's decision, or `None` if no seat is to move or the cards are unknown.
///
/// It plays a card of its hand, each physical card with equal probability: it draws an index into the hand,
/// sorted as written. Among the ways to use the values of the trick or the bonus card, it takes the one that
/// bears the most pieces off. Ties go to moves from higher points, then to larger numbers.
fn solitaire_action(position: &Position, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
    position.turn().seat()?;
    let is = position.diagram();
    match is.phase {
        Phase::Lead { leader } => card(is.hands[leader], draw),
        Phase::Reply { leader, lead: Lead::Known(_) } => card(is.hands[leader.opponent()], draw),
        Phase::Use { .. } => {
            let uses = position.open_uses()?;
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

/// The merits of a line of uses, ordered by preference.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
struct Line {
    off: u8,
    /// The points moved from, in order, and 0 after the end of the line.
    points: [u8; 6],
    numbers: [u8; 6],
}

/// Returns the best complete line.
fn best_line(uses: Uses) -> Line {
    uses.legal().map(|(number, point)| line_from(uses, number, point)).max().unwrap_or_default()
}

/// Returns the best complete line that begins with this use.
fn line_from(mut uses: Uses, number: Digit, point: Digit) -> Line {
    let is_off = uses.advance(number, point);
    let rest = best_line(uses);
    let after = |first: Digit, [a, b, c, d, e, _]: [u8; 6]| [first.get(), a, b, c, d, e];
    Line {
        off: rest.off + u8::from(is_off),
        points: after(point, rest.points),
        numbers: after(number, rest.numbers),
    }
}
