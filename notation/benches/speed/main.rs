//! Benchmarks of reading, replaying and writing games, each task compared with the same yardstick.
//!
//! `cargo bench -p assam-notation`. The performance page explains the figures.

mod random_games;
mod side_by_side;

use std::hint::black_box;

use assam_notation::{
    Explain, Opening, Record, SetupLine, Word, read_record, validate_record, write_position_line,
};
use assam_rules::{marrakech, marrakesh};

use random_games::random_games;
use side_by_side::{Task, compare};

const GAMES_WITH_POSITIONS: usize = 300;

fn main() {
    measure::<marrakech::Position>(3_000);
    measure::<marrakesh::Position>(1_000);
}

fn measure<G: Explain>(games: u32) {
    let records = random_games::<G>(games);
    println!("\n{}: {games} random games, default options\n", G::RULESET);
    measure_records(&records);
    println!();
    measure_positions(&records[..GAMES_WITH_POSITIONS]);
}

fn measure_records<G: Explain>(records: &[Record<G>]) {
    let texts: Vec<String> = records.iter().map(Record::canonical).collect();
    let texts_of_words: Vec<Vec<String>> =
        records.iter().map(|record| record.words.iter().map(Word::text).collect()).collect();
    let plies = records.iter().map(|record| record.words.len()).sum();
    let bytes = texts.iter().map(String::len).sum();
    compare(
        ("plies", plies, bytes),
        &[
            Task::each("split_ascii_whitespace", &texts, |text| text.split_ascii_whitespace().count()),
            Task::each("validate_record", &texts, validate_record::<G>),
            Task::each("read_record, which keeps the words", &texts, read_record::<G>),
            Task::each("Word::read alone, no board", &texts_of_words, |words| {
                words.iter().filter(|word| Word::<G>::read(black_box(word)).is_ok()).count()
            }),
            Task::each("Replay::play of words that are read", records, |record| {
                let mut replay = record.opening.as_ref().map(Opening::replay);
                let mut play = |word| replay.as_mut().is_some_and(|replay| replay.play(word).is_ok());
                record.words.iter().filter(|word| play(word)).count()
            }),
            Task::each("Record::canonical", records, Record::canonical),
            Task::each("Record::file_form", records, Record::file_form),
        ],
    );
}

fn measure_positions<G: Explain>(records: &[Record<G>]) {
    let positions: Vec<G> = records.iter().flat_map(random_games::positions).collect();
    let lines: Vec<String> = positions.iter().map(write_position_line).collect();
    let bytes = lines.iter().map(String::len).sum();
    compare(
        ("positions", positions.len(), bytes),
        &[
            Task::each("split_ascii_whitespace", &lines, |line| line.split_ascii_whitespace().count()),
            Task::each("write_position_line", &positions, write_position_line),
            Task::each("Opening::read of a position line", &lines, |line| {
                SetupLine::read_position_line(line).and_then(|line| Opening::<G>::read(&line))
            }),
            Task::each("Game::legal_actions", &positions, G::legal_actions),
        ],
    );
}
