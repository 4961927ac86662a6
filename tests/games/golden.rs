//! The published vectors: games made by another implementation, compared state by state.

use std::fmt::Debug;

use assam_notation::{Explain, Word, read_record};
use assam_rules::Turn;
use serde::Deserialize;
use serde::de::DeserializeOwned;

mod marrakech;
mod marrakesh;

/// A game with vectors.
trait Golden: Explain {
    /// The consequences of the moves of a word, as far as the vectors list them.
    type Consequences: DeserializeOwned + Default + PartialEq + Debug;
    /// How a game ends.
    type Final: DeserializeOwned + PartialEq + Debug;

    /// The files.
    const FILES: &'static [&'static str];

    fn consequences(events: &[Self::Event]) -> Self::Consequences;

    fn at_the_end(&self) -> Self::Final;
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector<C: Default, F> {
    name: String,
    record: String,
    #[serde(bound(deserialize = "C: Deserialize<'de>"))]
    plies: Vec<Ply<C>>,
    /// `None` if the record ends before the game.
    #[serde(bound(deserialize = "F: Deserialize<'de>"))]
    r#final: Option<F>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ply<C: Default> {
    word: String,
    position: String,
    legal: usize,
    #[serde(default, alias = "payments", alias = "round")]
    consequences: C,
}

type VectorOf<G> = Vector<<G as Golden>::Consequences, <G as Golden>::Final>;

fn vectors<G: Golden>() -> impl Iterator<Item = VectorOf<G>> {
    G::FILES.iter().flat_map(|file| file.lines()).map(|line| serde_json::from_str(line).unwrap())
}

/// Compares every state, choice and consequence, and returns the number of words.
fn replays_to_the_same_states<G: Golden>() -> usize {
    let mut words = 0;
    for vector in vectors::<G>() {
        let opening = read_record::<G>(&vector.record).opening.unwrap();
        let setup = opening.setup();
        let mut replay = opening.replay();
        for (n, ply) in vector.plies.iter().enumerate() {
            let at = format!("{}, entry {n}, word {:?}", vector.name, ply.word);
            if !ply.word.is_empty() {
                let word = Word::read(&ply.word).unwrap_or_else(|error| panic!("{at}: {error:?}"));
                let mut events = Vec::new();
                let played = replay.play_telling(&word, |event| events.push(event));
                played.unwrap_or_else(|refused| panic!("{at}: {refused:?}"));
                assert_eq!(G::consequences(&events), ply.consequences, "{at}");
                words += 1;
            }
            assert_eq!(replay.position().write_position(), ply.position, "{at}");
            let read = G::read_position(setup, &ply.position);
            assert_eq!(read.as_ref(), Ok(replay.position()), "{at}");
            assert_eq!(replay.position().legal_actions().len(), ply.legal, "{at}");
        }
        let is_over = replay.position().turn() == Turn::Over;
        let end = is_over.then(|| replay.position().at_the_end());
        assert_eq!(end, vector.r#final, "{}", vector.name);
    }
    words
}

/// Reads every record, writes it in both forms, and reads it again.
fn are_valid_records_in_canonical_form<G: Golden>() {
    for vector in vectors::<G>() {
        let record = read_record::<G>(&vector.record);
        assert_eq!(record.verdict, Ok(()), "{}", vector.name);
        assert_eq!(record.canonical(), vector.record, "{}", vector.name);
        let words: Vec<&str> =
            vector.plies.iter().map(|ply| &*ply.word).filter(|word| !word.is_empty()).collect();
        assert_eq!(record.words.iter().map(Word::text).collect::<Vec<_>>(), words, "{}", vector.name);
        let file = record.file_form();
        assert_ne!(file, vector.record, "{}", vector.name);
        assert_eq!(read_record::<G>(&file), record, "{}", vector.name);
    }
}

/// Counts the vectors, with each setting somewhere among them. A lost file or line would let every other test
/// pass.
fn counts_with_every_setting<G: Golden>(settings: &[&str]) -> usize {
    let all: Vec<VectorOf<G>> = vectors::<G>().collect();
    for setting in settings {
        assert!(
            all.iter().any(|vector| vector.record.lines().next().unwrap().contains(setting)),
            "{setting}"
        );
    }
    all.len()
}
