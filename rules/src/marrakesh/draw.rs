//! What is drawn: dice, hands, cards. The order of the things drawn from is part of the rule set version.

use super::{BySide, Card, Cards, Chance, Deal, Points, Side, Throw};
use crate::Drawn;

/// The dice of a round: Blue's six, then Red's six; on equal boards the draws run on.
pub(super) fn dice(draw: &mut dyn FnMut(u64) -> u64) -> Chance {
    loop {
        let (blue, red) = (throw(draw), throw(draw));
        if blue != red {
            return Chance::Dice { blue, red };
        }
    }
}

/// The hands from this player's on, dealt alternately, one draw a card.
pub(super) fn deals(first: Side, mut deck: Cards, draw: &mut dyn FnMut(u64) -> u64) -> Drawn<Chance> {
    let mut hands = BySide([Cards::new(); 2]);
    let sides = &Side::BOTH[first as usize..];
    for _ in 0..Cards::HAND {
        for &side in sides {
            if let Some(card) = card(&mut deck, draw) {
                // What was in the deck fits into a hand.
                let _ = hands[side].insert(card);
            }
        }
    }
    let deal = |&side: &Side| Some(Chance::Deal(side, Deal::new(hands[side])?));
    sides.iter().filter_map(deal).collect()
}

/// The card at a drawn place of the sorted deck, taken out of it.
pub(super) fn card(deck: &mut Cards, draw: &mut dyn FnMut(u64) -> u64) -> Option<Card> {
    let cards = u64::from(deck.len());
    let card = if cards == 0 { None } else { deck.nth(draw(cards)) };
    card.inspect(|&card| {
        deck.remove(card);
    })
}

/// Six dice.
fn throw(draw: &mut dyn FnMut(u64) -> u64) -> Throw {
    let mut counts = [0; 6];
    for _ in 0..Points::PIECES {
        counts[(draw(6) % 6) as usize] += 1;
    }
    Points::new(counts).and_then(Throw::new).expect("six dice place six pieces")
}
