//! The same match with other cards in place of those unknown to one viewer, and the draws that lead to it.

use std::collections::HashMap;

use assam_notation::{Decision, Word};
use assam_players::Playable as _;
use assam_record::chance::{ChanceSource, Draw, Purpose};
use assam_record::game::SeatKind;
use assam_rules::marrakesh::{
    Action, BySide, Card, Cards, Chance, Deal, Digit, Phase, Position, Setup, Side, Throw,
};
use assam_rules::{Game as _, Move, Pool, Turn, Viewer};

use crate::dice::Dice;

/// Predetermined draws by ply.
pub(super) struct Script {
    chance: HashMap<(u32, Pool), Vec<u64>>,
    choices: HashMap<u32, Vec<u64>>,
}

impl ChanceSource for Script {
    fn draw(&self, Draw { purpose, pool, ply, k }: Draw, range: u64) -> u64 {
        let draws = match purpose {
            Purpose::Chance => &self.chance[&(ply, pool)],
            Purpose::Choice => &self.choices[&ply],
        };
        assert!(draws[k as usize] < range, "draw {k} of ply {ply}");
        draws[k as usize]
    }
}

/// A viewer's knowledge of the hands of a round.
#[derive(Clone, Default)]
struct Dealt {
    round: u8,
    /// The word that deals them, and the index of the outcome.
    at: BySide<(usize, usize)>,
    /// The known cards of each hand.
    known: BySide<Cards>,
    /// The word of an unknown lead, and its side.
    lead: Option<(usize, Side)>,
}

/// Returns the words with other cards in place of those unknown to the viewer, with each possible deal
/// equally likely.
pub(super) fn drawn_afresh(
    words: &[Word<Position>],
    setup: &Setup,
    viewer: Viewer,
    dice: &mut Dice,
) -> Vec<Word<Position>> {
    let is_own = |side: Side| viewer == Viewer::Seat(side.seat());
    // Three rounds are dealt from one pack.
    let block = |round: u8| usize::from(round - 1) / 3;
    let mut seen = [Cards::new(); 4];
    let mut rounds: Vec<Dealt> = Vec::new();
    let mut position = Position::new(setup);
    for (n, word) in words.iter().enumerate() {
        let is = position.diagram();
        if let (Some(Decision::Action(Action::Play(card))), Turn::Player(seat)) =
            (word.decision, position.turn())
        {
            let (side, dealt) = (Side::of(seat).unwrap(), rounds.last_mut().unwrap());
            let is_hidden = n + 1 == words.len() && matches!(is.phase, Phase::Lead { .. });
            match (is_own(side), is_hidden) {
                // Known since the deal.
                (true, _) => {}
                (false, true) => dealt.lead = Some((n, side)),
                (false, false) => {
                    dealt.known[side].insert(card).unwrap();
                    seen[block(is.round)].insert(card).unwrap();
                }
            }
        }
        if let Some(decision) = word.decision {
            position.apply(decision.to_move());
        }
        for (k, &drawn) in word.chance.iter().enumerate() {
            let round = position.diagram().round;
            let seen = &mut seen[block(round)];
            match drawn {
                Chance::Dice { .. } => rounds.push(Dealt { round, ..Dealt::default() }),
                Chance::Deal(side, deal) => {
                    let dealt = rounds.last_mut().unwrap();
                    dealt.at[side] = (n, k);
                    if is_own(side) {
                        dealt.known[side] = deal.hand().known();
                        *seen = seen.union(deal.hand().known()).unwrap();
                    }
                }
                Chance::Bonus(card) => seen.insert(card).unwrap(),
            }
            position.apply(Move::Chance(drawn));
        }
    }
    let mut decks = seen.map(Cards::rest);
    let mut fresh = words.to_vec();
    for dealt in rounds {
        let deck = &mut decks[block(dealt.round)];
        for side in Side::BOTH.into_iter().filter(|&side| !is_own(side)) {
            let mut hand = dealt.known[side];
            let mut unseen = Vec::new();
            while hand.len() < Cards::HAND {
                let card = deck.nth(dice.below(deck.len().into())).unwrap();
                deck.remove(card);
                hand.insert(card).unwrap();
                unseen.push(card);
            }
            let (n, k) = dealt.at[side];
            fresh[n].chance[k] = Chance::Deal(side, Deal::new(hand).unwrap());
            if let Some((n, _)) = dealt.lead.filter(|(_, leader)| *leader == side) {
                fresh[n].decision = Some(Decision::Action(Action::Play(dice.pick(&unseen))));
            }
        }
    }
    fresh
}

impl Script {
    /// Returns the draws that lead to these words, with decisions by players of these kinds.
    pub(super) fn of(words: &[Word<Position>], setup: &Setup, kinds: &[SeatKind]) -> Self {
        let mut script = Self { chance: HashMap::new(), choices: HashMap::new() };
        let mut position = Position::new(setup);
        for (ply, word) in (0..).zip(words) {
            if let (Some(Decision::Action(action)), Turn::Player(seat)) = (word.decision, position.turn()) {
                script.choices.insert(ply, choice(&position, kinds[seat.index()], action));
            }
            if let Some(decision) = word.decision {
                position.apply(decision.to_move());
            }
            let (mut dice, mut cards) = (Vec::new(), Vec::new());
            for (k, &drawn) in word.chance.iter().enumerate() {
                let mut deck = position.cards_out().rest();
                let mut draw = |card: Card| {
                    let place = deck.iter().position(|other| other == card).unwrap();
                    deck.remove(card);
                    place as u64
                };
                match (drawn, word.chance.get(k + 1)) {
                    (Chance::Dice { blue, red }, _) => dice.extend(faces(blue).chain(faces(red))),
                    (Chance::Deal(Side::Blue, blue), Some(&Chance::Deal(Side::Red, red))) => {
                        let hands = [blue, red].map(|deal| deal.hand().known().iter().collect::<Vec<Card>>());
                        cards.extend((0..6).flat_map(|n| [hands[0][n], hands[1][n]]).map(draw));
                    }
                    (Chance::Deal(..), _) => {}
                    (Chance::Bonus(card), _) => cards.push(draw(card)),
                }
                position.apply(Move::Chance(drawn));
            }
            script.chance.extend([((ply, Pool::Open), dice), ((ply, Pool::Hidden), cards)]);
        }
        script
    }
}

/// Returns the faces of six dice, from 0.
fn faces(throw: Throw) -> impl Iterator<Item = u64> {
    Digit::all().flat_map(move |point| vec![point.index() as u64; throw.points().on(point).into()])
}

/// Returns the draws that make a player of this kind decide like this.
fn choice(position: &Position, kind: SeatKind, wanted: Action) -> Vec<u64> {
    let draws_of = |number: u64| {
        let mut draws = Vec::new();
        let mut draw = |range: u64| {
            draws.push(number % range);
            number % range
        };
        let decided = match kind {
            SeatKind::Open | SeatKind::Human => Some(wanted),
            SeatKind::BuiltIn(player) => position.decision_of(player, &mut draw),
        };
        (decided == Some(wanted)).then_some(draws)
    };
    // No player has so many cards or uses to choose from.
    (0..32).find_map(draws_of).unwrap_or_else(|| panic!("{kind:?} never decides {wanted:?}"))
}
