//! Players decide from what their seat may know: everything hidden from it can be dealt again.

use assam_players::{Playable as _, Player, View};
use assam_rules::marrakesh::{Card, Cards, Hand, Lead, Phase, Position, Side};
use assam_rules::{Game as _, Turn};

use super::play;
use crate::dice::Dice;
use crate::laws::every_game::random_setup;

/// Deals everything again that the seat on turn cannot see: the other hand, a lead face down, and the discards
/// below the top.
fn dealt_again(position: &Position, dice: &mut Dice) -> Position {
    let Turn::Player(seat) = position.turn() else { panic!("a seat is on turn") };
    let own = Side::of(seat).unwrap();
    let mut is = *position.diagram();
    let is_lead_hidden = matches!(is.phase, Phase::Reply { leader, .. } if leader != own);
    let mut seen: Vec<Card> = is.played().collect();
    if is_lead_hidden {
        // It is the last one.
        seen.pop();
    }
    let mut out = is.hands[own].known();
    for card in seen.into_iter().chain(is.discards.top) {
        out.insert(card).unwrap();
    }
    let mut hidden: Vec<Card> = out.rest().iter().collect();
    let mut next = || hidden.swap_remove(dice.below(hidden.len() as u64) as usize);
    let other = own.opponent();
    let deal = |count: u8, next: &mut dyn FnMut() -> Card| {
        let mut cards = Cards::new();
        (0..count).for_each(|_| cards.insert(next()).unwrap());
        cards
    };
    is.hands[other] = Hand::Known(deal(is.hands[other].len(), &mut next));
    if let Phase::Reply { lead, .. } = &mut is.phase
        && is_lead_hidden
    {
        *lead = Lead::Known(next());
    }
    let below = is.discards.len() - u8::from(is.discards.top.is_some());
    is.discards.known = deal(below, &mut next);
    if let Some(top) = is.discards.top {
        is.discards.known.insert(top).unwrap();
    }
    Position::from_diagram(position.setup(), &is).unwrap()
}

#[test]
fn what_is_hidden_from_a_seat_can_be_dealt_again_and_its_view_and_its_decision_stay_the_same() {
    let (mut decisions, mut changed) = (0, 0);
    for seed in 0..12 {
        let mut dice = Dice::new(seed);
        let setup = random_setup::<Position>(&mut dice);
        let players = [Player::Random, Player::SolitaireAi];
        let mut other = Dice::new(seed + 1000);
        play::<Position>(&setup, &players, &mut dice, |position, _, _| {
            let again = dealt_again(position, &mut other);
            changed += usize::from(again != *position);
            assert_eq!(View::new(position), View::new(&again), "{position:?}");
            for &player in <Position as assam_players::Playable>::PLAYERS {
                let [one, two] = [position, &again].map(|position| {
                    let mut draws = Dice::new(seed);
                    position.decision_of(player, &mut |range| draws.below(range))
                });
                assert_eq!(one, two, "{player:?} in {position:?}");
            }
            decisions += 1;
            true
        });
    }
    assert!(decisions > 1_000 && changed > 1_000, "{decisions} {changed}");
}
