//! Marrakesh, as clients see it.

use assam_notation::write_position_line;
use assam_rules::marrakesh::{self as rules, Action, Chance, Diagram, Hand, Lead, Phase, Position, Side};
use assam_rules::{Game as _, Seat};

use self::parts::{SCORE_PARTS, parts_of_round};
use self::picture::TableMarks;
use self::view::View;
use crate::picture::{Moment, Picture, Scene};
use crate::{Column, Datum, Faces, Score, ScorePart, Shown, TieBreakValue};

mod columns;
mod event;
mod names;
mod parts;
mod picture;
mod state;
mod trick;
mod view;

pub use event::Event;
pub use state::State;

const ROUNDS_SCORED: &str = "rounds_scored";
const BEST_ROUND: &str = "best_round";

impl Shown for Position {
    type State = State;
    type ShownEvent = Event;

    const SCORE_PARTS: &'static [&'static str] = SCORE_PARTS;
    const TIE_BREAKS: &'static [&'static str] = &[ROUNDS_SCORED, BEST_ROUND];
    const PLY_COLUMNS: &'static [Column] = columns::COLUMNS;

    const DIE: Faces = [1; 6];

    fn thrown(&self, chance: Chance) -> Vec<(Seat, Faces)> {
        let Chance::Dice { blue, red } = chance else { return Vec::new() };
        [(Side::Blue, blue), (Side::Red, red)]
            .map(|(side, throw)| (side.seat(), throw.points().counts()))
            .into()
    }

    fn state(&self) -> State {
        State::of(&View::of(self), write_position_line(self))
    }

    fn shown_event(event: &rules::Event) -> Event {
        Event::of(event)
    }

    fn score_parts(&self, seat: Seat) -> Vec<ScorePart> {
        let Some(side) = Side::of(seat) else { return Vec::new() };
        let scores = self.diagram().scores.iter();
        (1..).zip(scores).flat_map(|(round, score)| parts_of_round(round, score[side])).collect()
    }

    fn tie_breaks(&self, seat: Seat) -> Vec<TieBreakValue> {
        let Some(side) = Side::of(seat) else { return Vec::new() };
        vec![
            TieBreakValue { name: ROUNDS_SCORED, value: self.rounds_scored(side).into() },
            TieBreakValue { name: BEST_ROUND, value: self.best_round(side).into() },
        ]
    }

    fn action_name(&self, action: &Action) -> &'static str {
        match (action, self.diagram().phase) {
            (Action::Use { .. }, _) => "use",
            (Action::Play(_), Phase::Reply { .. }) => "reply",
            (Action::Play(_) | Action::LeadUnknown, _) => "lead",
        }
    }

    fn fill_row(&self, drawn: &[Chance], events: &[rules::Event], row: &mut [Datum]) {
        columns::fill(drawn, events, row);
    }

    /// Any card in hand may reply to any lead. If the lead is unknown, its consequences are too, so no
    /// decision is legal there.
    fn choices(&self) -> Vec<Action> {
        let Diagram { phase, hands, stop: None, .. } = *self.diagram() else { return Vec::new() };
        match phase {
            Phase::Reply { leader, lead: Lead::Unknown } => match hands[leader.opponent()] {
                Hand::Known(cards) => cards.iter().map(Action::Play).collect(),
                Hand::Unknown(_) => Vec::new(),
            },
            Phase::Dice
            | Phase::Deal(_)
            | Phase::Lead { .. }
            | Phase::Reply { .. }
            | Phase::Use { .. }
            | Phase::Bonus { .. }
            | Phase::Over => self.legal_actions().into_iter().collect(),
        }
    }

    fn picture<'a>(&self, moment: &'a Moment, score: &'a Score, legal: Vec<Action>) -> impl Picture + 'a {
        Scene { view: View::of(self), moment, score, marks: TableMarks::of(self, moment, legal) }
    }
}
