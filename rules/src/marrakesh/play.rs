//! The effect of each move on a position.

use super::{
    BySide, Card, Deal, Digit, Discards, Event, FullOvals, Hand, Lead, List, Oval, Phase, Position,
    RoundScore, Side, Throw, Trick, Values,
};

impl Position {
    pub(super) fn set_up(&mut self, blue: Throw, red: Throw) {
        self.is.points = BySide([blue.points(), red.points()]);
        self.is.ovals = BySide::default();
        self.is.phase = Phase::Deal(Side::Blue);
    }

    pub(super) fn deal(&mut self, side: Side, deal: Deal) {
        self.is.hands[side] = deal.hand();
        self.is.phase = match side {
            Side::Blue => Phase::Deal(Side::Red),
            Side::Red => Phase::Lead { leader: Self::first_leader(self.is.points) },
        };
    }

    /// Returns whether the possible decisions are known. Playable cards depend on a hand, and for a reply
    /// also on the lead.
    pub(super) fn knows_choices(&self) -> bool {
        match self.is.phase {
            Phase::Lead { leader } => self.is.hands[leader].unknown() == 0,
            Phase::Reply { leader, lead } => {
                lead != Lead::Unknown && self.is.hands[leader.opponent()].unknown() == 0
            }
            Phase::Use { .. } | Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => true,
        }
    }

    pub(super) fn lead_unknown(&mut self) {
        if let Phase::Lead { leader } = self.is.phase {
            self.is.hands[leader].play_unknown();
            self.is.phase = Phase::Reply { leader, lead: Lead::Unknown };
        }
    }

    pub(super) fn play_card(&mut self, card: Card, tell: &mut impl FnMut(Event)) {
        match self.is.phase {
            Phase::Lead { leader } => {
                self.is.hands[leader].play(card);
                self.is.phase = Phase::Reply { leader, lead: Lead::Known(card) };
            }
            Phase::Reply { leader, lead: Lead::Known(lead) } => {
                self.is.hands[leader.opponent()].play(card);
                self.resolve(Trick { leader, lead, reply: card }, tell);
            }
            Phase::Reply { lead: Lead::Unknown, .. }
            | Phase::Dice
            | Phase::Deal(_)
            | Phase::Use { .. }
            | Phase::Bonus { .. }
            | Phase::Over => {}
        }
    }

    fn resolve(&mut self, trick: Trick, tell: &mut impl FnMut(Event)) {
        let winner = trick.winner();
        tell(Event::TrickWon { trick, winner, matching: trick.matching() });
        // If all pieces were off before the trick, no number can be used and no bonus card is due.
        self.go_on(trick, trick.values(), None, 0, tell);
    }

    pub(super) fn use_number(&mut self, number: Digit, point: Digit, tell: &mut impl FnMut(Event)) {
        let Phase::Use { trick, mut values, bonus, mut off } = self.is.phase else { return };
        values.use_up(number);
        off += u8::from(self.is.points[trick.winner()].advance(point, number));
        self.go_on(trick, values, bonus, off, tell);
    }

    pub(super) fn draw_bonus(&mut self, card: Card, tell: &mut impl FnMut(Event)) {
        let Phase::Bonus { trick, off } = self.is.phase else { return };
        let (matching, times) = trick.bonus(card, self.setup.sn_bonus);
        tell(Event::BonusDrawn { card, matching, times });
        // The card was already checked to be in the deck.
        let _ = self.is.discards.known.insert(card);
        self.is.discards.top = Some(card);
        self.go_on(trick, Values::times(card.number(), times), Some(card), off, tell);
    }

    /// Continues after a reply, a use or a bonus card: uses the remaining numbers, then draws a bonus card,
    /// then marks the oval.
    fn go_on(
        &mut self,
        trick: Trick,
        values: Values,
        bonus: Option<Card>,
        off: u8,
        tell: &mut impl FnMut(Event),
    ) {
        let uses = self.uses(trick.winner(), values);
        let moves_nothing = !uses.may_bear_off && self.setup.full_ovals == FullOvals::NullOnly;
        if !moves_nothing && uses.any() {
            self.is.phase = Phase::Use { trick, values, bonus, off };
            return;
        }
        self.is.phase = Phase::Bonus { trick, off };
        let is_drawn = bonus.is_none() && trick.matching().has_bonus() && uses.points.pieces() > 0;
        if moves_nothing || !is_drawn || self.deck() == 0 {
            self.mark_oval(trick, off, tell);
        }
    }

    /// Marks the oval of a finished trick, and ends the round if no oval is left.
    ///
    /// "One trick per oval": the winner's next one, or the opponent's with a null chip if the winner has none
    /// left.
    ///
    /// > A null chip is used whenever a player wins a trick but does not bear off any pieces.
    fn mark_oval(&mut self, trick: Trick, off: u8, tell: &mut impl FnMut(Event)) {
        let winner = trick.winner();
        // Each trick marks one of six ovals, so there is room.
        self.is.tricks.push(trick);
        let side = if self.is.ovals[winner].next().is_some() { winner } else { winner.opponent() };
        let mark = if off > 0 { Oval::Pieces(off) } else { Oval::Chip };
        if let Some(oval) = self.is.ovals[side].next() {
            self.is.ovals[side].mark(oval, mark);
            tell(Event::OvalMarked { side, oval: oval as u8 + 1, mark });
        }
        if self.is.points[winner].pieces() == 0 {
            self.is.ovals[winner].close();
        }
        if Side::BOTH.iter().all(|&side| self.is.ovals[side].next().is_none()) {
            self.end_round(tell);
        } else {
            self.is.phase = Phase::Lead { leader: winner };
        }
    }

    fn end_round(&mut self, tell: &mut impl FnMut(Event)) {
        let score = RoundScore::of(self.is.points, self.is.ovals);
        tell(Event::RoundScored { round: self.is.round, score });
        // A round is scored once, so there is room.
        self.is.scores.push(score);
        self.is.phase = Phase::Over;
        let (known, unknown) = (self.cards_out(), self.unknown_out());
        let is = &mut self.is;
        let top = is.tricks.last().map(|trick| trick.reply);
        is.discards = Discards { known, unknown, top };
        is.hands = BySide([Hand::EMPTY; 2]);
        is.tricks = List::new();
        if is.round < self.setup.rounds.number() {
            is.round += 1;
            is.phase = Phase::Dice;
            if Self::is_shuffled_before(is.round) {
                is.discards = Discards::default();
            }
        }
    }
}
