//! Vectors of Marrakesh.

use assam_notation::Events;
use assam_rules::marrakesh::{Event, Position, Side};
use assam_rules::{Game, Seat, Turn};
use serde::Deserialize;

use super::{
    Golden, are_valid_records_in_canonical_form, counts_with_every_setting, replays_to_the_same_states,
};

impl Golden for Position {
    /// What the round that the word ends brought Blue and Red.
    type Consequences = Option<[u8; 2]>;
    type Final = Final;

    const FILES: &'static [&'static str] = &[
        include_str!("../../notation/vectors/marrakesh/default.jsonl"),
        include_str!("../../notation/vectors/marrakesh/options.jsonl"),
    ];

    fn consequences(events: &Events<Self>) -> Option<[u8; 2]> {
        events.iter().find_map(|event| match event {
            Event::RoundScored { score, .. } => Some(score.0.map(|side| side.points())),
            Event::TrickWon { .. } | Event::BonusDrawn { .. } | Event::OvalMarked { .. } => None,
        })
    }

    fn at_the_end(&self) -> Final {
        assert_eq!(self.turn(), Turn::Over);
        let numbers = |seats: &[Seat]| seats.iter().map(|seat| seat.number()).collect::<Vec<u8>>();
        Final {
            scores: self.scores().to_vec(),
            rounds_scored: Side::BOTH.map(|side| self.rounds_scored(side)),
            best_round: Side::BOTH.map(|side| self.best_round(side)),
            ranking: self.ranking().unwrap().0.iter().map(|group| numbers(group)).collect(),
        }
    }
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Final {
    scores: Vec<i32>,
    rounds_scored: [u8; 2],
    best_round: [u8; 2],
    ranking: Vec<Vec<u8>>,
}

#[test]
fn every_vector_of_marrakesh_replays_to_the_same_states_choices_and_round_scores() {
    assert_eq!(replays_to_the_same_states::<Position>(), 1589);
}

#[test]
fn every_vector_of_marrakesh_is_a_valid_record_whose_canonical_text_is_itself() {
    are_valid_records_in_canonical_form::<Position>();
}

#[test]
fn there_are_11_vectors_of_marrakesh_with_every_option_value() {
    let settings = ["rounds=6", "full_ovals=null-only", "sn_bonus=1", "value_order=high-first"];
    assert_eq!(counts_with_every_setting::<Position>(&settings), 11);
}
