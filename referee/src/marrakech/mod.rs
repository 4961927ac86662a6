//! Marrakech, as clients see it.

use assam_notation::write_position_line;
use assam_rules::Seat;
use assam_rules::marrakech::{Action, Chance, Payment, Position, TieBreak};

use self::picture::Marks;
use self::view::View;
use crate::picture::{Moment, Picture, Scene};
use crate::{Column, Datum, Faces, Score, ScorePart, Shown, TieBreakValue};

mod board;
mod columns;
mod event;
mod picture;
mod state;
mod view;

pub use event::Event;
pub use state::State;

const DIRHAMS: &str = "dirhams";
const VISIBLE_RUGS: &str = "visible_rugs";

impl Shown for Position {
    type State = State;
    type ShownEvent = Event;

    const SCORE_PARTS: &'static [&'static str] = &[DIRHAMS, VISIBLE_RUGS];
    const TIE_BREAKS: &'static [&'static str] = &[DIRHAMS, VISIBLE_RUGS];
    const PLY_COLUMNS: &'static [Column] = columns::COLUMNS;
    const BOARD_COLUMNS: &'static [Column] = board::COLUMNS;

    /// [`Die::FACES`](assam_rules::marrakech::Die::FACES).
    const DIE: Faces = [1, 2, 2, 1, 0, 0];

    fn thrown(&self, chance: Chance) -> Vec<(Seat, Faces)> {
        let Chance::Die(die) = chance else { return Vec::new() };
        vec![(self.seat(), std::array::from_fn(|face| u8::from(face + 1 == usize::from(die.steps()))))]
    }

    fn state(&self) -> State {
        State::of(&View::of(self), write_position_line(self))
    }

    fn shown_event(payment: &Payment) -> Event {
        Event::of(payment)
    }

    fn score_parts(&self, seat: Seat) -> Vec<ScorePart> {
        if self.out().contains(&seat) {
            return Vec::new();
        }
        vec![
            ScorePart { round: None, name: DIRHAMS, points: self.dirhams(seat).into() },
            ScorePart { round: None, name: VISIBLE_RUGS, points: self.visible(seat).into() },
        ]
    }

    fn tie_breaks(&self, seat: Seat) -> Vec<TieBreakValue> {
        if self.out().contains(&seat) {
            return Vec::new();
        }
        match assam_rules::Game::setup(self).options().tie_break {
            TieBreak::Dirhams => vec![TieBreakValue { name: DIRHAMS, value: self.dirhams(seat).into() }],
            TieBreak::Rugs => vec![TieBreakValue { name: VISIBLE_RUGS, value: self.visible(seat).into() }],
            TieBreak::None => Vec::new(),
        }
    }

    fn action_name(&self, action: &Action) -> &'static str {
        match action {
            Action::Orient(_) => "orient",
            Action::Lay(_) => "lay",
        }
    }

    fn fill_row(&self, drawn: &[Chance], payments: &[Payment], row: &mut [Datum]) {
        columns::fill(self, drawn, payments, row);
    }

    fn fill_board(&self, row: &mut [Datum]) {
        board::fill(self, row);
    }

    fn picture<'a>(&self, moment: &'a Moment, score: &'a Score, legal: Vec<Action>) -> impl Picture + 'a {
        Scene { view: View::of(self), moment, score, marks: Marks::of(self, moment, legal) }
    }
}
