//! Vectors of Marrakech.

use assam_notation::read_record;
use assam_rules::marrakech::{Payment, Position, Setup};
use assam_rules::{Game, Seat, perft};
use serde::Deserialize;

use super::{
    Golden, are_valid_records_in_canonical_form, counts_with_every_setting, replays_to_the_same_states,
};

impl Golden for Position {
    type Consequences = Vec<Paid>;
    type Final = Final;

    const FILES: &'static [&'static str] = &[
        include_str!("../../../notation/vectors/marrakech/default-2.jsonl"),
        include_str!("../../../notation/vectors/marrakech/default-3.jsonl"),
        include_str!("../../../notation/vectors/marrakech/default-4.jsonl"),
        include_str!("../../../notation/vectors/marrakech/options.jsonl"),
    ];

    fn consequences(events: &[Self::Event]) -> Vec<Paid> {
        events.iter().map(Paid::of).collect()
    }

    fn at_the_end(&self) -> Final {
        Final::of(self)
    }
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Paid {
    payer: u8,
    payee: u8,
    due: u16,
    paid: u16,
    out: bool,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Final {
    scores: Vec<i32>,
    visible: Vec<u8>,
    dirhams: Vec<u16>,
    ranking: Vec<Vec<u8>>,
    out: Vec<u8>,
}

#[test]
fn every_vector_of_marrakech_replays_to_the_same_states_choices_and_payments() {
    assert_eq!(replays_to_the_same_states::<Position>(), 5709);
}

#[test]
fn every_vector_of_marrakech_is_a_valid_record_whose_canonical_text_is_itself() {
    are_valid_records_in_canonical_form::<Position>();
}

#[test]
fn there_are_71_vectors_of_marrakech_with_every_option_value_and_number_of_seats() {
    let settings = [
        "seats=2",
        "seats=3",
        "seats=4",
        "bankrupt_rugs=open",
        "cover=any",
        "insolvency=eliminate-at-zero",
        "insolvency=pay-what-you-can",
        "last_standing=no",
        "orientation=end",
        "region=owner",
        "rugs_per_player=",
        "start_dirhams=",
        "start_facing=E",
        "start_facing=S",
        "start_facing=W",
        "tie_break=rugs",
        "tie_break=none",
        "track=nw-se",
        "two_player=one-colour",
    ];
    assert_eq!(counts_with_every_setting::<Position>(&settings), 71);
}

/// Up to four decisions here, as the deeper figures need a release build.
#[test]
fn the_perft_tables_in_the_documents_are_true() {
    let mut rows = 0;
    for row in include_str!("../../../docs/develop/perft.md").lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let setup = setup(cells[0].trim_matches('`'));
        for (decisions, figure) in (1..=4).zip(&cells[1..]) {
            let counted = perft(&Position::new(&setup), decisions);
            assert_eq!(counted.to_string(), figure.replace(',', ""), "{}, {decisions} decisions", cells[0]);
        }
        rows += 1;
    }
    assert_eq!(rows, 19);
}

fn setup(settings: &str) -> Setup {
    read_record::<Position>(format!("MKN/1 marrakech/1 {settings}\n\n*\n"))
        .opening
        .unwrap()
        .setup()
        .to_owned()
}

impl Paid {
    fn of(payment: &Payment) -> Self {
        Self {
            payer: payment.payer.number(),
            payee: payment.payee.number(),
            due: payment.due,
            paid: payment.paid,
            out: payment.eliminated,
        }
    }
}

impl Final {
    fn of(position: &Position) -> Self {
        let seats = || Seat::all(position.setup().seats());
        let numbers = |seats: &[Seat]| seats.iter().map(|seat| seat.number()).collect::<Vec<u8>>();
        Self {
            scores: position.scores().to_vec(),
            visible: seats().map(|seat| position.visible(seat)).collect(),
            dirhams: seats().map(|seat| position.dirhams(seat)).collect(),
            ranking: position.ranking().unwrap().0.iter().map(|group| numbers(group)).collect(),
            out: numbers(&position.out()),
        }
    }
}
