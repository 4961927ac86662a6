//! Draws of dice, hands and cards. The drawing order is part of the rule set version.

use arrayvec::ArrayVec;

use super::{BySide, Card, Cards, Chance, Deal, Points, Side, Throw};

/// Draws the dice of a round: Blue's six, then Red's six. On equal boards, all twelve are drawn again.
pub(super) fn dice(draw: &mut dyn FnMut(u64) -> u64) -> Chance {
    loop {
        let (blue, red) = (throw(draw), throw(draw));
        if blue != red {
            return Chance::Dice { blue, red };
        }
    }
}

/// Draws the hands, dealt alternately from this player on, with one draw per card.
pub(super) fn deals(first: Side, mut deck: Cards, draw: &mut dyn FnMut(u64) -> u64) -> ArrayVec<Chance, 8> {
    let mut hands = BySide([Cards::new(); 2]);
    let sides = &Side::BOTH[first as usize..];
    for _ in 0..Cards::HAND {
        for &side in sides {
            if let Some(card) = card(&mut deck, draw) {
                // A card from the deck fits into a hand.
                let _ = hands[side].insert(card);
            }
        }
    }
    let deal = |&side: &Side| Some(Chance::Deal(side, Deal::new(hands[side])?));
    sides.iter().filter_map(deal).collect()
}

/// Draws a place of the sorted deck and removes the card there.
pub(super) fn card(deck: &mut Cards, draw: &mut dyn FnMut(u64) -> u64) -> Option<Card> {
    let cards = u64::from(deck.len());
    let card = if cards == 0 { None } else { deck.nth(draw(cards)) };
    card.inspect(|&card| {
        deck.remove(card);
    })
}

/// Draws six dice.
fn throw(draw: &mut dyn FnMut(u64) -> u64) -> Throw {
    let mut counts = [0; 6];
    for _ in 0..Points::PIECES {
        counts[(draw(6) % 6) as usize] += 1;
    }
    Points::new(counts).and_then(Throw::new).expect("six dice place six pieces")
}
