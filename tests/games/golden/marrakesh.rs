//! Vectors of Marrakesh.

use assam_notation::{Notation, Word, mask, read_record};
use assam_rules::marrakesh::{Event, Position, Side};
use assam_rules::{Game, Seat, Viewer};
use serde::Deserialize;

use super::{
    Golden, are_valid_records_in_canonical_form, counts_with_every_setting, replays_to_the_same_states,
    vectors,
};

impl Golden for Position {
    /// The score that the round ended by the word brought Blue and Red.
    type Consequences = Option<[u8; 2]>;
    type Final = Final;

    const FILES: &'static [&'static str] = &[
        include_str!("../../../notation/vectors/marrakesh/default.jsonl"),
        include_str!("../../../notation/vectors/marrakesh/options.jsonl"),
        include_str!("../../../notation/vectors/marrakesh/round.jsonl"),
    ];

    fn consequences(events: &[Self::Event]) -> Option<[u8; 2]> {
        events.iter().find_map(|event| match event {
            Event::RoundScored { score, .. } => Some(score.0.map(|side| side.points())),
            Event::TrickWon { .. } | Event::BonusDrawn { .. } | Event::OvalMarked { .. } => None,
        })
    }

    fn at_the_end(&self) -> Final {
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
    assert_eq!(replays_to_the_same_states::<Position>(), 1633);
}

#[test]
fn every_vector_of_marrakesh_is_a_valid_record_whose_canonical_text_is_itself() {
    are_valid_records_in_canonical_form::<Position>();
}

#[test]
fn there_are_13_vectors_of_marrakesh_with_every_option_value() {
    let settings = ["rounds=6", "full_ovals=null-only", "sn_bonus=1", "value_order=high-first"];
    assert_eq!(counts_with_every_setting::<Position>(&settings), 13);
}

/// A record as one viewer gets it, and what it shows them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Masked {
    /// The name of the vector that it begins, and how many of its words it has.
    game: String,
    words: usize,
    viewer: String,
    /// Whether anything in it is unknown.
    masked: bool,
    record: String,
    position: String,
}

#[test]
fn every_masked_vector_is_what_its_viewer_is_given_and_tells_him_no_more_than_it_says() {
    let mut hidden = 0;
    for line in include_str!("../../../notation/vectors/marrakesh/masked.jsonl").lines() {
        let given: Masked = serde_json::from_str(line).unwrap();
        let at = format!("{}, {} words, {}", given.game, given.words, given.viewer);
        let viewer = match &*given.viewer {
            "spectator" => Viewer::Spectator,
            seat => Viewer::Seat(Seat::new(seat.parse().unwrap()).unwrap()),
        };
        let whole = vectors::<Position>().find(|vector| vector.name == given.game).unwrap();
        let whole = read_record::<Position>(&whole.record);
        let (_, words) = mask(whole.opening.as_ref().unwrap(), &whole.words[..given.words], viewer);
        let record = read_record::<Position>(&given.record);
        assert_eq!(record.verdict, Ok(()), "{at}");
        assert_eq!(
            record.words.iter().map(Word::text).collect::<Vec<_>>(),
            words.iter().map(Word::text).collect::<Vec<_>>(),
            "{at}"
        );
        assert_eq!(record.canonical(), given.record, "{at}");
        assert_eq!(record.is_masked(), given.masked, "{at}");
        let position = record.replay.as_ref().unwrap().position();
        assert_eq!(position.write_position(), given.position, "{at}");
        assert_eq!(Position::read_position(position.setup(), &given.position).as_ref(), Ok(position), "{at}");
        hidden += u32::from(given.masked);
    }
    assert_eq!(hidden, 90);
}
