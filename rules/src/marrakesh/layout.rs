//! The checks that turn a diagram into a position.

use super::{
    BySide, Cards, Defence, Diagram, FullOvals, Hand, Impossible, Lead, Offence, Oval, Ovals, Phase, Points,
    Position, RoundScore, Setup, Side, Trick, Uses, Values,
};

impl Position {
    /// Checks a diagram and returns its position.
    ///
    /// The checks find contradictions. They do not prove that play can reach the position.
    ///
    /// # Errors
    /// The first check that the diagram fails.
    pub fn from_diagram(setup: &Setup, diagram: &Diagram) -> Result<Self, Impossible> {
        let position = Self { setup: *setup, is: *diagram };
        position.check_round()?;
        position.check_board()?;
        position.check_tricks()?;
        position.check_hands()?;
        position.check_cards()?;
        position.check_uses()?;
        position.check_scores()?;
        Ok(position)
    }

    fn check_round(&self) -> Result<(), Impossible> {
        let rounds = self.setup.rounds.number();
        let scored = match self.is.phase {
            Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } => return Err(Impossible::ChanceDue),
            Phase::Over if self.is.stop.is_some() => return Err(Impossible::StopAfterEnd),
            Phase::Over => rounds,
            Phase::Lead { .. } | Phase::Reply { .. } | Phase::Use { .. } => self.is.round.wrapping_sub(1),
        };
        let is_last = self.is.round == rounds || self.is.phase != Phase::Over;
        if (1..=rounds).contains(&self.is.round) && is_last && self.is.scores.len() == usize::from(scored) {
            Ok(())
        } else {
            Err(Impossible::Round)
        }
    }

    fn check_board(&self) -> Result<(), Impossible> {
        for side in Side::BOTH {
            let off = self.is.phase.off(side);
            let mut in_ovals = 0;
            let mut last_left = None;
            for oval in self.is.ovals[side].0 {
                let all_off = in_ovals == Points::PIECES;
                match oval {
                    Oval::Pieces(pieces @ 1..=6) if !all_off && last_left.is_none() => in_ovals += pieces,
                    Oval::Chip if !all_off && last_left.is_none() => {}
                    Oval::Empty if !all_off => last_left = Some(oval),
                    Oval::Closed if all_off => last_left = Some(oval),
                    Oval::Pieces(_) | Oval::Chip | Oval::Empty | Oval::Closed => {
                        return Err(Impossible::Ovals);
                    }
                }
            }
            if off.saturating_add(in_ovals + self.is.points[side].pieces()) != Points::PIECES {
                return Err(Impossible::Pieces);
            }
        }
        let is_open = Side::BOTH.iter().any(|&side| self.is.ovals[side].next().is_some());
        if is_open == (self.is.phase == Phase::Over) { Err(Impossible::RoundEnd) } else { Ok(()) }
    }

    /// Checks that the tricks, marked one after another, lead to these ovals.
    fn check_tricks(&self) -> Result<(), Impossible> {
        if self.is.phase == Phase::Over {
            return if self.is.tricks.is_empty() { Ok(()) } else { Err(Impossible::Tricks) };
        }
        let mut marked = BySide::<Ovals>::default();
        let mut leader = None;
        for trick in self.is.tricks.iter() {
            if leader.is_some_and(|leader| leader != trick.leader) {
                return Err(Impossible::Leader);
            }
            let winner = trick.winner();
            leader = Some(winner);
            let has_next = marked[winner].next().is_some() && marked[winner].pieces() < Points::PIECES;
            let side = if has_next { winner } else { winner.opponent() };
            let oval = marked[side].next().ok_or(Impossible::Tricks)?;
            match self.is.ovals[side].0[oval] {
                Oval::Pieces(_) if has_next => {}
                Oval::Chip => {}
                Oval::Pieces(_) | Oval::Empty | Oval::Closed => return Err(Impossible::Tricks),
            }
            marked[side].mark(oval, self.is.ovals[side].0[oval]);
        }
        for side in Side::BOTH {
            if marked[side].pieces() == Points::PIECES {
                marked[side].close();
            }
        }
        if marked != self.is.ovals {
            return Err(Impossible::Tricks);
        }
        self.check_leader(leader)
    }

    fn check_leader(&self, last_winner: Option<Side>) -> Result<(), Impossible> {
        let (leader, before_use) = match self.is.phase {
            Phase::Lead { leader } | Phase::Reply { leader, .. } => (leader, true),
            Phase::Use { trick, .. } => (trick.leader, false),
            Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => return Ok(()),
        };
        let points = self.is.points;
        let fits = match last_winner {
            Some(winner) => leader == winner,
            // Nothing has moved yet, so the boards are those of the dice.
            None if before_use => points.0[0] != points.0[1] && leader == Self::first_leader(points),
            None => true,
        };
        if fits { Ok(()) } else { Err(Impossible::Leader) }
    }

    fn check_hands(&self) -> Result<(), Impossible> {
        for side in Side::BOTH {
            let played = self.is.tricks.len() as u8
                + match self.is.phase {
                    Phase::Reply { leader, .. } => u8::from(leader == side),
                    Phase::Use { .. } | Phase::Bonus { .. } => 1,
                    Phase::Lead { .. } | Phase::Dice | Phase::Deal(_) => 0,
                    Phase::Over => Cards::HAND,
                };
            let hand = self.is.hands[side];
            if Some(hand.len()) != Cards::HAND.checked_sub(played) || hand == Hand::Unknown(0) {
                return Err(Impossible::Hand);
            }
            let led_unknown = self.is.phase == Phase::Reply { leader: side, lead: Lead::Unknown };
            if led_unknown && !hand.known().is_empty() {
                return Err(Impossible::UnknownLead);
            }
        }
        Ok(())
    }

    fn check_cards(&self) -> Result<(), Impossible> {
        let is = &self.is;
        let mut out = is.discards.known;
        for side in Side::BOTH {
            out = out.union(is.hands[side].known()).ok_or(Impossible::Cards)?;
        }
        for card in is.played() {
            out.insert(card).map_err(|_| Impossible::Cards)?;
        }
        if u16::from(out.len()) + u16::from(self.unknown_out()) > u16::from(Cards::PACK) {
            return Err(Impossible::Cards);
        }
        self.check_discards()
    }

    fn check_discards(&self) -> Result<(), Impossible> {
        let discards = self.is.discards;
        let has_bonus = |trick: &Trick| u8::from(trick.matching().has_bonus());
        let bonus = match self.is.phase {
            Phase::Use { bonus, .. } => bonus,
            Phase::Dice
            | Phase::Deal(_)
            | Phase::Lead { .. }
            | Phase::Reply { .. }
            | Phase::Bonus { .. }
            | Phase::Over => None,
        };
        let finished = (self.is.round - 1) % 3 + u8::from(self.is.phase == Phase::Over);
        let drawn_now = self.is.tricks.iter().map(has_bonus).sum::<u8>() + u8::from(bonus.is_some());
        let least = 12 * finished + u8::from(bonus.is_some());
        let most = (12 + 6) * finished + drawn_now;
        // At least four of the twelve cards of a round are played.
        if !(least..=most).contains(&discards.len()) || discards.unknown > 8 * finished {
            return Err(Impossible::Discards);
        }
        let fits = match (discards.top, bonus) {
            (top, Some(bonus)) => top == Some(bonus) && discards.known.count(bonus) > 0,
            (Some(top), None) => discards.known.count(top) > 0,
            (None, None) => discards.is_empty(),
        };
        if fits { Ok(()) } else { Err(Impossible::TopDiscard) }
    }

    fn check_uses(&self) -> Result<(), Impossible> {
        let Phase::Use { trick, values, bonus, off } = self.is.phase else { return Ok(()) };
        let uses: Uses = self.uses(trick.winner(), values);
        let at_first = match bonus {
            None => trick.values(),
            Some(card) => Values::times(card.number(), trick.bonus(card, self.setup.sn_bonus).1),
        };
        let used = at_first.without(values).ok_or(Impossible::Values)?;
        let is_due = bonus.is_none() || trick.matching().has_bonus();
        let moves = uses.may_bear_off || self.setup.full_ovals == FullOvals::Move;
        if !is_due || !moves || !uses.any() {
            return Err(Impossible::Values);
        }
        let used_before = if bonus.is_some() { trick.values().total() } else { 0 };
        let most = if uses.may_bear_off { used.total() + used_before } else { 0 };
        if off <= most { Ok(()) } else { Err(Impossible::Off) }
    }

    fn check_scores(&self) -> Result<(), Impossible> {
        let is_possible = |score: &RoundScore| {
            let [blue, red] = score.0;
            let nobody_is_off = blue.offence.is_none() && red.offence.is_none();
            let pips = !(blue.pips && red.pips) && (nobody_is_off || !(blue.pips || red.pips));
            pips && are_together(blue.offence, red.defence) && are_together(red.offence, blue.defence)
        };
        let last = RoundScore::of(self.is.points, self.is.ovals);
        let last_fits = self.is.phase != Phase::Over || self.is.scores.last() == Some(&last);
        if last_fits && self.is.scores.iter().all(is_possible) { Ok(()) } else { Err(Impossible::Score) }
    }
}

/// Returns whether the same ovals can earn their player this offence and the opponent this defence.
fn are_together(offence: Option<Offence>, defence: Option<Defence>) -> bool {
    match (offence, defence) {
        (None, _) | (_, None) => true,
        (Some(offence), Some(defence)) => offence == Offence::Game && defence == Defence::OneChip,
    }
}
