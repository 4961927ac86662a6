//! The published vectors: games made by another implementation, compared state by state.

use assam_notation::{Notation, Replay, Word, read_record};
use assam_rules::marrakech::{Payment, Position, Setup};
use assam_rules::{Game, Seat, Turn, perft};
use serde::Deserialize;

const FILES: [&str; 4] = [
    include_str!("../notation/vectors/marrakech/default-2.jsonl"),
    include_str!("../notation/vectors/marrakech/default-3.jsonl"),
    include_str!("../notation/vectors/marrakech/default-4.jsonl"),
    include_str!("../notation/vectors/marrakech/options.jsonl"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    record: String,
    plies: Vec<Ply>,
    r#final: Final,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ply {
    word: String,
    position: String,
    legal: usize,
    #[serde(default)]
    payments: Vec<Paid>,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Paid {
    payer: u8,
    payee: u8,
    due: u16,
    paid: u16,
    out: bool,
}

#[derive(Deserialize, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
struct Final {
    scores: Vec<i32>,
    visible: Vec<u8>,
    dirhams: Vec<u16>,
    ranking: Vec<Vec<u8>>,
    out: Vec<u8>,
}

#[test]
fn every_vector_replays_to_the_same_states_choices_and_payments() {
    let mut words = 0;
    for vector in vectors() {
        let setup = read_record::<Position>(&vector.record).opening.unwrap().setup().to_owned();
        let mut replay = Replay::<Position>::new(&setup);
        for (n, ply) in vector.plies.iter().enumerate() {
            let at = format!("{}, entry {n}, word {:?}", vector.name, ply.word);
            if !ply.word.is_empty() {
                let word = Word::read(&ply.word).unwrap();
                let payments = replay.play(&word).unwrap_or_else(|refused| panic!("{at}: {refused:?}"));
                assert_eq!(payments.iter().map(Paid::of).collect::<Vec<_>>(), ply.payments, "{at}");
                words += 1;
            }
            assert_eq!(replay.position().write_position(), ply.position, "{at}");
            let read = Position::read_position(&setup, &ply.position);
            assert_eq!(read.as_ref(), Ok(replay.position()), "{at}");
            assert_eq!(replay.position().legal_actions().len(), ply.legal, "{at}");
        }
        assert_eq!(Final::of(replay.position()), vector.r#final, "{}", vector.name);
    }
    assert_eq!(words, WORDS);
}

#[test]
fn every_vector_is_a_valid_record_whose_canonical_text_is_itself() {
    for vector in vectors() {
        let record = read_record::<Position>(&vector.record);
        assert_eq!(record.verdict, Ok(()), "{}", vector.name);
        assert_eq!(record.canonical(), vector.record, "{}", vector.name);
        let words: Vec<&str> =
            vector.plies.iter().map(|ply| &*ply.word).filter(|word| !word.is_empty()).collect();
        assert_eq!(record.words.iter().map(Word::text).collect::<Vec<_>>(), words, "{}", vector.name);
    }
}

#[test]
fn the_file_form_of_every_vector_reads_back_to_the_same_record() {
    for vector in vectors() {
        let record = read_record::<Position>(&vector.record);
        let file = record.file_form();
        assert_ne!(file, vector.record, "{}", vector.name);
        assert_eq!(read_record::<Position>(&file), record, "{}", vector.name);
    }
}

/// A lost file or line would let every other test pass.
#[test]
fn there_are_71_vectors_with_every_option_value_and_number_of_seats() {
    let all: Vec<Vector> = vectors().collect();
    assert_eq!(all.len(), 71);
    for setting in [
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
    ] {
        assert!(
            all.iter().any(|vector| vector.record.lines().next().unwrap().contains(setting)),
            "{setting}"
        );
    }
}

/// Up to four decisions here: the deeper figures take a release build.
#[test]
fn the_perft_tables_in_the_documents_are_true() {
    let mut rows = 0;
    for row in include_str!("../docs/perft.md").lines().filter(|line| line.starts_with("| `")) {
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

const WORDS: usize = 5709;

fn setup(settings: &str) -> Setup {
    read_record::<Position>(format!("MKN/1 marrakech/1 {settings}\n\n*\n"))
        .opening
        .unwrap()
        .setup()
        .to_owned()
}

fn vectors() -> impl Iterator<Item = Vector> {
    FILES.into_iter().flat_map(str::lines).map(|line| serde_json::from_str(line).unwrap())
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
        assert_eq!(position.turn(), Turn::Over);
        let seats = || Seat::all(position.setup().seats());
        let numbers = |seats: &[Seat]| seats.iter().map(|seat| seat.number()).collect::<Vec<u8>>();
        Self {
            scores: position.scores().to_vec(),
            visible: seats().map(|seat| position.visible(seat)).collect(),
            dirhams: seats().map(|seat| position.dirhams(seat)).collect(),
            ranking: position.ranking().unwrap().0.iter().map(|group| numbers(group)).collect(),
            out: numbers(position.out()),
        }
    }
}
