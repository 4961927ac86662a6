//! The marks on a picture of the market: the last word, and the possible decisions.

use assam_notation::{Decision, Word};
use assam_rules::Game as _;
use assam_rules::marrakech::{Action, Chance, Die, Direction, Position, Rug, Square, Track};

use crate::picture::Moment;

/// A square and the direction Assam faces there.
pub(super) type Stand = (Square, Direction);

/// The things that are marked on the market.
pub(in super::super) struct Marks {
    /// The last die of the last word.
    pub(super) die: Option<Die>,
    /// The way back from Assam's square to the one before the die, both included. He faces back.
    pub(super) way_back: Vec<Stand>,
    /// The squares of the field that the payment counted.
    pub(super) paid: Vec<Square>,
    /// The rug that the last word laid.
    pub(super) laid: Option<Rug>,
    /// The possible decisions, if they are marked.
    pub(super) legal: Vec<Action>,
    /// The turn-arounds: both ends of each, as Assam leaves the market there.
    pub(super) turn_arounds: Vec<(Stand, Stand)>,
}

impl Marks {
    /// Returns the marks after a word that led to a position.
    pub(in super::super) fn of(position: &Position, moment: &Moment, legal: Vec<Action>) -> Self {
        let track = position.setup().options().track;
        let word = moment.word.as_deref().and_then(|word| Word::<Position>::read(word).ok());
        let dice: Vec<Die> = word
            .iter()
            .flat_map(|word| word.chance.iter())
            .filter_map(|chance| match chance {
                Chance::Die(die) => Some(*die),
                Chance::Colour(_) => None,
            })
            .collect();
        let laid = word.and_then(|word| match word.decision {
            Some(Decision::Action(Action::Lay(rug))) => Some(rug),
            Some(Decision::Action(Action::Orient(_)) | Decision::Leave(_)) | None => None,
        });
        let (assam, facing) = position.assam();
        let back = facing.opposite();
        let way_back = dice.last().map_or(Vec::new(), |die| {
            let steps = track.steps(assam, back).take(die.steps().into());
            [(assam, back)].into_iter().chain(steps).collect()
        });
        // Each roll but the last of a word has a payment, which put the payer out.
        let has_paid = !dice.is_empty() && moment.events.len() == dice.len();
        Self {
            die: dice.last().copied(),
            way_back,
            paid: if has_paid { position.field().collect() } else { Vec::new() },
            laid: laid.filter(|&rug| position.board().is_whole(rug)),
            legal,
            turn_arounds: turn_arounds(track),
        }
    }

    /// Returns sentences about the marks that need explanation.
    pub(super) fn legend(&self) -> Vec<String> {
        let mut legend = Vec::new();
        if self.die.is_some() {
            legend.push("Dashed: the way that Assam went, from the die.".to_owned());
        }
        if !self.paid.is_empty() {
            legend.push("Outlined in pink: the field that was paid for.".to_owned());
        }
        if self.laid.is_some() {
            legend.push("Framed: the rug that was laid last.".to_owned());
        }
        if self.legal.iter().any(|action| matches!(action, Action::Lay(_))) {
            legend.push("Green bar: a rug may be laid over both squares.".to_owned());
        }
        if self.legal.iter().any(|action| matches!(action, Action::Orient(_))) {
            legend.push("Green arrow: Assam may face there.".to_owned());
        }
        legend
    }
}

/// Returns both ends of each turn-around, each turn-around once.
fn turn_arounds(track: Track) -> Vec<(Stand, Stand)> {
    let mut all: Vec<(Stand, Stand)> = Vec::new();
    let stands = Square::all().flat_map(|square| Direction::ALL.map(|outward| (square, outward)));
    for (square, outward) in stands.filter(|(square, outward)| square.step(*outward).is_none()) {
        if let Some((back, facing)) = track.steps(square, outward).next() {
            let ends = ((square, outward), (back, facing.opposite()));
            if !all.contains(&(ends.1, ends.0)) {
                all.push(ends);
            }
        }
    }
    all
}
