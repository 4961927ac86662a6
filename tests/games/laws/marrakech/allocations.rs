//! Reading allocates nothing per word.

use allocation_counter::measure;
use assam_notation::{Opening, Replay, Word, read_record, validate_record};
use assam_rules::Game;
use assam_rules::marrakech::Position;

use super::table::{Table, for_every_game};

/// Returns the first line of the record of a game, and its words.
fn written(table: &Table) -> (String, Vec<String>) {
    let opening = Opening::<Position>::start(*table.position.setup());
    (opening.line(), table.words.iter().map(Word::text).collect())
}

#[test]
fn a_word_is_read_and_played_without_allocation() {
    let words = for_every_game(500, |table| {
        let table = table.finish();
        let (setup, words) = written(&table);
        let mut replay = Replay::<Position>::new(table.position.setup());
        for text in &words {
            let allocated = measure(|| {
                let word = Word::read(text).unwrap();
                replay.play_telling(&word, |_| ()).unwrap();
            });
            assert_eq!(allocated.count_total, 0, "{text} in {setup}");
        }
        assert_eq!(replay.position(), &table.position);
        words.len() as u64
    });
    assert!(words > 10_000, "{words}");
}

#[test]
fn what_validating_a_record_allocates_does_not_grow_with_its_words_and_keeping_them_doubles_one_list() {
    let words = for_every_game(500, |table| {
        let (setup, mut words) = written(&table.finish());
        // The last word may end the game, which needs another marker.
        words.pop();
        let allocated = |kept: usize| {
            let text = format!("{setup}\n\n{} *\n", words[..kept].join(" "));
            let read = measure(|| assert_eq!(read_record::<Position>(&text).verdict, Ok(())));
            let validated = measure(|| assert!(validate_record::<Position>(&text).is_ok(), "{text}"));
            (validated.count_total, read.count_total - validated.count_total)
        };
        // At least one word: the leading word may be due.
        let Some(few) = words.first().map(|_| allocated(1)) else { return 0 };
        let many = allocated(words.len());
        let doublings = u64::from(words.len().ilog2());
        assert!(many.0 == few.0 && many.1 <= few.1 + doublings, "{few:?} and {many:?}: {setup}");
        words.len() as u64
    });
    assert!(words > 10_000, "{words}");
}
