//! A position of Marrakesh and its moves.

use arrayvec::ArrayVec;

use super::draw;
use super::uses::Uses;
use super::{
    Action, BySide, Card, Cards, Chance, Deal, Diagram, Discards, Event, Hand, Lead, List, Phase, Points,
    Rule, Setup, Side, Stop, Values,
};
use crate::{Audience, Game, Leave, Move, Pool, Ranking, Seat, Turn, Viewer};

/// A position of Marrakesh: a checked diagram, or the result of moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) setup: Setup,
    pub(super) is: Diagram,
}

impl Game for Position {
    type Setup = Setup;
    type Action = Action;
    type Chance = Chance;
    type Event = Event;
    type Rule = Rule;
    type Actions = ArrayVec<Action, 32>;
    type Drawn = ArrayVec<Chance, 8>;
    type Outcomes = ArrayVec<(Chance, u32), 28>;

    const HAS_SECRETS: bool = true;

    fn new(setup: &Setup) -> Self {
        Self {
            setup: *setup,
            is: Diagram {
                round: 1,
                phase: Phase::Dice,
                stop: None,
                points: BySide::default(),
                ovals: BySide::default(),
                hands: BySide([Hand::EMPTY; 2]),
                tricks: List::new(),
                discards: Discards::default(),
                scores: List::new(),
            },
        }
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    #[inline]
    fn turn(&self) -> Turn {
        match (self.is.stop, self.is.phase) {
            (Some(Stop::Aborted), _) => Turn::Aborted,
            (Some(Stop::Left(_)), _) | (None, Phase::Over) => Turn::Over,
            (None, Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. }) => Turn::Chance,
            (None, Phase::Lead { leader }) => Turn::Player(leader.seat()),
            (None, Phase::Reply { leader, .. }) => Turn::Player(leader.opponent().seat()),
            (None, Phase::Use { trick, .. }) => Turn::Player(trick.winner().seat()),
        }
    }

    /// Lists every legal decision. A card held twice is listed once. No reply to an unknown lead is legal.
    fn legal_actions(&self) -> ArrayVec<Action, 32> {
        match self.is.phase {
            _ if self.is.stop.is_some() => ArrayVec::new(),
            Phase::Lead { leader } => {
                let hand = self.is.hands[leader];
                let unknown = (hand.unknown() > 0).then_some(Action::LeadUnknown);
                self.playable(hand).map(Action::Play).chain(unknown).collect()
            }
            Phase::Reply { leader, lead: Lead::Known(_) } => {
                self.playable(self.is.hands[leader.opponent()]).map(Action::Play).collect()
            }
            Phase::Use { trick, values, .. } => {
                let used = |(number, point)| Action::Use { number, point };
                self.uses(trick.winner(), values).legal().map(used).collect()
            }
            Phase::Reply { lead: Lead::Unknown, .. }
            | Phase::Dice
            | Phase::Deal(_)
            | Phase::Bonus { .. }
            | Phase::Over => ArrayVec::new(),
        }
    }

    /// Lists the legal decisions if `viewer` may know them. Uses of numbers depend on the open boards, but
    /// playable cards depend on a hand. With an unknown hand or lead, the result is `None`.
    fn legal_actions_for(&self, viewer: Viewer) -> Option<ArrayVec<Action, 32>> {
        let is_public = !matches!(self.is.phase, Phase::Lead { .. } | Phase::Reply { .. });
        let is_own = matches!((self.turn(), viewer), (Turn::Player(seat), Viewer::Seat(own)) if seat == own);
        let is_told = self.knows_choices() && (is_public || is_own || viewer == Viewer::Arbiter);
        (is_told || self.is.stop.is_some()).then(|| self.legal_actions())
    }

    /// Returns the only decision of the seat to move if everyone can see that it is the only one. A hand of
    /// equal cards leaves no choice either, but only its holder knows that. A card is forced if it is the
    /// last one in the hand.
    fn forced_action(&self) -> Option<Action> {
        let has_last_card = |side| self.is.hands[side].len() == 1;
        let is_public = match self.is.phase {
            Phase::Lead { leader } => has_last_card(leader),
            Phase::Reply { leader, .. } => has_last_card(leader.opponent()),
            Phase::Dice | Phase::Deal(_) | Phase::Use { .. } | Phase::Bonus { .. } | Phase::Over => true,
        };
        match self.legal_actions().as_slice() {
            [only] if is_public => Some(*only),
            _ => None,
        }
    }

    fn check_action(&self, action: Action) -> Result<(), Rule> {
        match self.turn() {
            Turn::Over | Turn::Aborted => return Err(Rule::Over),
            Turn::Chance => return Err(Rule::ChanceDue),
            Turn::Player(_) => {}
        }
        match (self.is.phase, action) {
            (Phase::Lead { leader }, Action::Play(card)) => self.check_card(leader, card),
            (Phase::Lead { leader }, Action::LeadUnknown) if self.is.hands[leader].unknown() == 0 => {
                Err(Rule::UnknownCard)
            }
            (Phase::Lead { .. }, Action::LeadUnknown) => Ok(()),
            (Phase::Reply { lead: Lead::Unknown, .. }, Action::Play(_) | Action::LeadUnknown) => {
                Err(Rule::UnknownLead)
            }
            (Phase::Reply { leader, .. }, Action::Play(card)) => self.check_card(leader.opponent(), card),
            (Phase::Reply { .. }, Action::LeadUnknown) => Err(Rule::UnknownReply),
            (Phase::Lead { .. } | Phase::Reply { .. }, Action::Use { .. }) => Err(Rule::CardDue),
            (Phase::Use { trick, values, .. }, Action::Use { number, point }) => {
                self.uses(trick.winner(), values).check(number, point)
            }
            (Phase::Use { .. }, Action::Play(_) | Action::LeadUnknown) => Err(Rule::UseDue),
            (Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over, _) => Err(Rule::ChanceDue),
        }
    }

    fn check_chance(&self, chance: Chance) -> Result<(), Rule> {
        match self.turn() {
            Turn::Over | Turn::Aborted => return Err(Rule::Over),
            Turn::Player(_) => return Err(Rule::NoChanceDue),
            Turn::Chance => {}
        }
        match (self.is.phase, chance) {
            (Phase::Dice, Chance::Dice { blue, red }) if blue == red => Err(Rule::EqualDice),
            (Phase::Dice, Chance::Dice { .. }) => Ok(()),
            (Phase::Deal(due), Chance::Deal(side, deal)) if side == due => {
                self.cards_out().union(deal.hand().known()).map(|_| ()).ok_or(Rule::CardNotInDeck)
            }
            (Phase::Bonus { .. }, Chance::Bonus(card)) => self.check_in_deck(card),
            (Phase::Dice, Chance::Deal(..) | Chance::Bonus(_)) => Err(Rule::DiceDue),
            (Phase::Deal(Side::Blue), _) => Err(Rule::BlueHandDue),
            (Phase::Deal(Side::Red), _) => Err(Rule::RedHandDue),
            (Phase::Bonus { .. }, Chance::Dice { .. } | Chance::Deal(..)) => Err(Rule::BonusDue),
            (Phase::Lead { .. } | Phase::Reply { .. } | Phase::Use { .. } | Phase::Over, _) => {
                Err(Rule::NoChanceDue)
            }
        }
    }

    fn check_leave(&self, leave: Leave) -> Result<(), Rule> {
        match (self.turn(), leave) {
            (Turn::Over | Turn::Aborted, _) => Err(Rule::Over),
            (Turn::Chance, _) => Err(Rule::ChanceDue),
            (Turn::Player(_), Leave::Abort) => Ok(()),
            (Turn::Player(_), Leave::Resign(seat) | Leave::Timeout(seat)) => {
                Side::of(seat).map(|_| ()).ok_or(Rule::NoSuchSeat)
            }
        }
    }

    /// Draws dice, hands or a bonus card.
    ///
    /// Dice show 1..=6, Blue's six first, then Red's six. On equal boards, all twelve are drawn again. Cards
    /// take one draw each, from the sorted cards that are not known to be dealt or drawn. A deal alternates,
    /// Blue first. If cards are unknown, the probabilities are those of an observer who knows only this
    /// position.
    fn draw_chance(&self, draw: &mut dyn FnMut(u64) -> u64) -> ArrayVec<Chance, 8> {
        match self.is.phase {
            _ if self.is.stop.is_some() => ArrayVec::new(),
            Phase::Dice => ArrayVec::from_iter([draw::dice(draw)]),
            Phase::Deal(first) => draw::deals(first, self.cards_out().rest(), draw),
            Phase::Bonus { .. } => {
                draw::card(&mut self.cards_out().rest(), draw).map(Chance::Bonus).into_iter().collect()
            }
            Phase::Lead { .. } | Phase::Reply { .. } | Phase::Use { .. } | Phase::Over => ArrayVec::new(),
        }
    }

    /// Dice are open. Cards come from a deck without the hands, so the deck reveals something about the
    /// hands.
    fn pool(&self) -> Pool {
        if matches!(self.is.phase, Phase::Dice) { Pool::Open } else { Pool::Hidden }
    }

    fn choice_pool(&self) -> Pool {
        if matches!(self.is.phase, Phase::Lead { .. } | Phase::Reply { .. }) {
            Pool::Hidden
        } else {
            Pool::Open
        }
    }

    /// In a round each player has six cards and six pieces. Each use moves a piece down at least one point,
    /// from the 6 at most. Each seat can leave once, and the game can be aborted once.
    fn most_plies(setup: &Setup) -> u32 {
        u32::from(setup.rounds.number()) * 2 * (6 + 6 * 6) + 2
    }

    /// Lists the faces of the bonus card. Dice and hands have too many outcomes to list.
    fn outcomes(&self) -> ArrayVec<(Chance, u32), 28> {
        match self.is.phase {
            Phase::Bonus { .. } if self.is.stop.is_none() => {
                let deck = self.cards_out().rest();
                deck.faces().map(|card| (Chance::Bonus(card), deck.count(card).into())).collect()
            }
            Phase::Bonus { .. }
            | Phase::Dice
            | Phase::Deal(_)
            | Phase::Lead { .. }
            | Phase::Reply { .. }
            | Phase::Use { .. }
            | Phase::Over => ArrayVec::new(),
        }
    }

    fn apply_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Event)) {
        match mv {
            Move::Action(Action::Play(card)) => self.play_card(card, tell),
            Move::Action(Action::LeadUnknown) => self.lead_unknown(),
            Move::Action(Action::Use { number, point }) => self.use_number(number, point, tell),
            Move::Chance(Chance::Dice { blue, red }) => self.set_up(blue, red),
            Move::Chance(Chance::Deal(side, deal)) => self.deal(side, deal),
            Move::Chance(Chance::Bonus(card)) => self.draw_bonus(card, tell),
            Move::Leave(Leave::Resign(seat) | Leave::Timeout(seat)) => {
                self.is.stop = Side::of(seat).map(Stop::Left);
            }
            Move::Leave(Leave::Abort) => self.is.stop = Some(Stop::Aborted),
        }
    }

    fn audience(&self, mv: &Move<Self>) -> Audience {
        match (mv, self.is.phase) {
            (Move::Chance(Chance::Deal(side, _)), _) => Audience::UntilOver(side.seat()),
            (Move::Action(Action::Play(_) | Action::LeadUnknown), Phase::Lead { leader }) => {
                Audience::UntilNextDecision(leader.seat())
            }
            (Move::Action(_) | Move::Chance(_) | Move::Leave(_), _) => Audience::Everyone,
        }
    }

    fn hidden_action(&self, action: Action) -> Action {
        match action {
            Action::Play(_) | Action::LeadUnknown => Action::LeadUnknown,
            Action::Use { .. } => action,
        }
    }

    fn hidden_chance(&self, chance: Chance) -> Chance {
        match chance {
            Chance::Deal(side, _) => Chance::Deal(side, Deal::UNKNOWN),
            Chance::Dice { .. } | Chance::Bonus(_) => chance,
        }
    }

    fn is_masked(mv: &Move<Self>) -> bool {
        match mv {
            Move::Action(Action::LeadUnknown) => true,
            Move::Chance(Chance::Deal(_, deal)) => *deal == Deal::UNKNOWN,
            Move::Action(Action::Play(_) | Action::Use { .. })
            | Move::Chance(Chance::Dice { .. } | Chance::Bonus(_))
            | Move::Leave(_) => false,
        }
    }

    /// Masks the hands and the lead. The discards stay, because everyone with a position line knows them.
    fn masked(&self, viewer: Viewer, is_decided: bool) -> Self {
        let is_over = matches!(self.turn(), Turn::Over | Turn::Aborted);
        let sees = |side: Side| match viewer {
            Viewer::Arbiter => true,
            Viewer::Seat(seat) => is_over || seat == side.seat(),
            Viewer::Spectator => is_over,
        };
        let mut masked = self.clone();
        for side in Side::BOTH.into_iter().filter(|&side| !sees(side)) {
            masked.is.hands[side].hide();
            if let Phase::Reply { leader, lead } = &mut masked.is.phase
                && *leader == side
                && !is_decided
            {
                *lead = Lead::Unknown;
            }
        }
        masked
    }

    /// A reply does not depend on the lead, which may be unknown.
    fn choices_of(&self, seat: Seat) -> Option<ArrayVec<Action, 32>> {
        let side = Side::of(seat).filter(|_| self.turn() == Turn::Player(seat))?;
        match self.is.phase {
            Phase::Lead { .. } | Phase::Reply { .. } => match self.is.hands[side] {
                Hand::Known(cards) => Some(cards.faces().map(Action::Play).collect()),
                Hand::Unknown(_) => None,
            },
            Phase::Dice | Phase::Deal(_) | Phase::Use { .. } | Phase::Bonus { .. } | Phase::Over => {
                Some(self.legal_actions())
            }
        }
    }

    /// Masks the discards, too, except for the card on top: among them are cards that the other player did not
    /// play in earlier rounds.
    fn seen_by(&self, seat: Seat) -> Self {
        let mut seen = self.masked(Viewer::Seat(seat), false);
        seen.is.discards = seen.is.discards.seen();
        seen
    }

    fn has_unknown(&self) -> bool {
        self.unknown_out() > 0
    }

    /// Returns the totals of the finished rounds.
    fn scores(&self) -> ArrayVec<i32, 4> {
        Side::BOTH.into_iter().map(|side| i32::from(self.total(side))).collect()
    }

    /// Returns the ranking, or `None` for an aborted match.
    ///
    /// > The winner is the player with the highest score. If the score is tied, the winner is the player who
    /// > scored in most rounds. If this also is tied, the winner is the person who scored highest in any one
    /// > round.
    ///
    /// A player who left ranks after the other, regardless of the totals.
    fn ranking(&self) -> Option<Ranking> {
        let is_in = |side: Side| self.is.stop != Some(Stop::Left(side));
        let counts = |side: Side| match self.is.stop {
            Some(Stop::Left(_)) => (0, 0, 0),
            Some(Stop::Aborted) | None => (self.total(side), self.rounds_scored(side), self.best_round(side)),
        };
        (self.turn() != Turn::Aborted).then(|| {
            Ranking::by_key(Seat::all(Setup::SEATS), |seat| {
                Side::of(seat).map(|side| (is_in(side), counts(side)))
            })
        })
    }
}

impl Position {
    /// Returns all parts of the position.
    pub const fn diagram(&self) -> &Diagram {
        &self.is
    }

    /// Returns the known cards that are not in the deck.
    pub fn cards_out(&self) -> Cards {
        // Each card was checked when it was drawn, dealt or played.
        let [blue, red] = self.is.hands.0.map(Hand::known);
        self.is.played().fold(self.is.discards.known.and(blue).and(red), Cards::and_card)
    }

    /// Returns the number of unknown cards that are not in the deck.
    pub(super) fn unknown_out(&self) -> u8 {
        let led = matches!(self.is.phase, Phase::Reply { lead: Lead::Unknown, .. });
        let in_hands = Side::BOTH.into_iter().map(|side| self.is.hands[side].unknown()).sum::<u8>();
        self.is.discards.unknown.saturating_add(in_hands + u8::from(led))
    }

    /// Returns the playable faces of this hand.
    fn playable(&self, hand: Hand) -> impl Iterator<Item = Card> {
        match hand {
            Hand::Known(cards) => cards,
            Hand::Unknown(0) => Cards::new(),
            Hand::Unknown(_) => self.cards_out().rest(),
        }
        .faces()
    }

    fn check_card(&self, side: Side, card: Card) -> Result<(), Rule> {
        match self.is.hands[side] {
            Hand::Known(cards) if cards.count(card) > 0 => Ok(()),
            Hand::Known(_) | Hand::Unknown(0) => Err(Rule::CardNotInHand),
            Hand::Unknown(_) => self.check_in_deck(card),
        }
    }

    fn check_in_deck(&self, card: Card) -> Result<(), Rule> {
        if self.cards_out().rest().count(card) > 0 { Ok(()) } else { Err(Rule::CardNotInDeck) }
    }

    pub(super) fn uses(&self, winner: Side, values: Values) -> Uses {
        Uses {
            points: self.is.points[winner],
            may_bear_off: self.is.ovals[winner].next().is_some(),
            values,
            order: self.setup.value_order,
        }
    }

    /// Returns the leader to the first trick of a round.
    ///
    /// > The leader to the first trick is the player with most pieces on her 1-point. If this is equal, the
    /// > leader is the player with most pieces on her 2-point, and so on.
    pub fn first_leader(points: BySide<Points>) -> Side {
        if points[Side::Blue].counts() > points[Side::Red].counts() { Side::Blue } else { Side::Red }
    }

    /// Returns whether this is the first round of a block of three. All cards are shuffled before it.
    pub(super) const fn is_shuffled_before(round: u8) -> bool {
        round % 3 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_takes_three_bytes_and_a_position_200() {
        assert!(size_of::<Action>() <= 3, "{}", size_of::<Action>());
        assert!(size_of::<Position>() <= 200, "{}", size_of::<Position>());
    }
}
