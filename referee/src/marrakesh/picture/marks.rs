//! The marks on a picture of the table: the last word, and the possible decisions.

use assam_notation::{Decision, Word};
use assam_rules::Game as _;
use assam_rules::marrakesh::{Action, BySide, Diagram, Digit, Oval, Phase, Position, Side};

use crate::picture::Moment;

/// The things that are marked on the table.
pub(in super::super) struct TableMarks {
    /// The piece that the last word moved.
    pub(super) moved: Option<MovedPiece>,
    /// The oval that the last word marked: its side, and its place from 0.
    pub(super) oval: Option<(Side, usize)>,
    /// The possible decisions, if they are marked.
    pub(super) legal: Vec<Action>,
    /// The numbers of the trick that may be used now, the largest first.
    pub(super) usable: Vec<Digit>,
}

/// A piece that was moved.
#[derive(Clone, Copy)]
pub(super) struct MovedPiece {
    pub(super) side: Side,
    /// The point that it left.
    pub(super) from: Digit,
    /// The point that it reached, or `None` if it was borne off.
    pub(super) to: Option<Digit>,
}

impl TableMarks {
    /// Returns the marks after a word that led to a position. A word that ends a round leaves no traces on
    /// the table.
    pub(in super::super) fn of(position: &Position, moment: &Moment, legal: Vec<Action>) -> Self {
        let is = position.diagram();
        let word = moment.word.as_deref().and_then(|word| Word::<Position>::read(word).ok());
        let action = word.and_then(|word| match word.decision {
            Some(Decision::Action(action)) => Some(action),
            Some(Decision::Leave(_)) | None => None,
        });
        let trick = match is.phase {
            Phase::Use { trick, .. } | Phase::Bonus { trick, .. } => Some(trick),
            Phase::Lead { .. } => is.tricks.last().copied(),
            Phase::Dice | Phase::Deal(_) | Phase::Reply { .. } | Phase::Over => None,
        };
        let moved = action.zip(trick).and_then(|(action, trick)| match action {
            Action::Use { number, point } => Some(MovedPiece {
                side: trick.winner(),
                from: point,
                to: Digit::new(point.get().saturating_sub(number.get())),
            }),
            Action::Play(_) | Action::LeadUnknown => None,
        });
        // The next lead is due only after a word that ended a trick.
        let has_ended = action.is_some() && matches!(is.phase, Phase::Lead { .. });
        let used = position.legal_actions().into_iter().filter_map(|action| match action {
            Action::Use { number, .. } => Some(number),
            Action::Play(_) | Action::LeadUnknown => None,
        });
        let mut usable: Vec<Digit> = used.collect();
        usable.sort_unstable_by(|one, other| other.cmp(one));
        usable.dedup();
        Self { moved, oval: last_oval(is).filter(|_| has_ended), legal, usable }
    }

    /// Returns sentences about the marks of the last word.
    pub(super) fn legend(&self) -> impl Iterator<Item = &'static str> {
        let moved = self.moved.map(|moved| match moved.to {
            Some(_) => "Rings: the piece that moved last, and where it was.",
            None => "Empty ring: the piece that was borne off last.",
        });
        moved.into_iter().chain(self.oval.map(|_| "Framed: the oval that was marked last."))
    }
}

/// Returns the oval that the last trick of a round marked: the winner's next one, or the opponent's if the
/// winner had none left.
fn last_oval(is: &Diagram) -> Option<(Side, usize)> {
    let mut marked = BySide([0; 2]);
    let mut last = None;
    for trick in is.tricks.iter() {
        let has_room = |side: Side| {
            let ovals = is.ovals[side].0;
            ovals.get(marked[side]).is_some_and(|oval| *oval != Oval::Closed)
        };
        let winner = trick.winner();
        let side = if has_room(winner) { winner } else { winner.opponent() };
        last = Some((side, marked[side]));
        marked[side] += 1;
    }
    last
}
