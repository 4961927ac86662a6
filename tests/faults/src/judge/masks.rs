//! Merges the words of games with hidden cards, in which a viewer reads `?` for cards that another one may
//! know.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use crate::history::{Answer, Asked, GameHistory, Last, Said};

/// Replaces a letter of a card that a viewer may not see.
pub(crate) const MASK: char = '?';

/// Merges the views that two viewers have of a word. Returns `None` if they contradict each other.
pub fn merged(one: &str, other: &str) -> Option<String> {
    let merge = |letters| match letters {
        (MASK, letter) | (letter, MASK) => Some(letter),
        (letter, same) => (letter == same).then_some(letter),
    };
    (one.len() == other.len()).then(|| one.chars().zip(other.chars()).map(merge).collect())?
}

/// Returns a game as if every viewer had seen everything that any of them saw, or `None` if no mask was
/// shown.
///
/// A word that contradicts the final one stays unmerged.
pub(crate) fn lifted(game: &GameHistory, last: &Last) -> Option<(GameHistory, Last)> {
    let (mut game, mut last) = (game.clone(), last.clone());
    let mut known: BTreeMap<u32, String> = BTreeMap::new();
    let mut is_masked = false;
    each_word(&mut game, &mut last, |ply, word| {
        is_masked |= word.contains(MASK);
        match known.entry(ply) {
            Entry::Vacant(first) => drop(first.insert(word.clone())),
            Entry::Occupied(mut before) => {
                if let Some(more) = merged(before.get(), word) {
                    before.insert(more);
                }
            }
        }
    });
    each_word(&mut game, &mut last, |ply, word| {
        if let Some(more) = known.get(&ply).and_then(|known| merged(known, word)) {
            *word = more;
        }
    });
    is_masked.then_some((game, last))
}

/// Visits every word shown, with its ply, beginning with the final ones.
fn each_word(game: &mut GameHistory, last: &mut Last, mut each: impl FnMut(u32, &mut String)) {
    let mut list = |first: u32, drawn: &mut Option<String>, words: &mut [String]| {
        drawn.iter_mut().for_each(|word| each(0, word));
        (first..).zip(words).for_each(|(ply, word)| each(ply, word));
    };
    list(1, &mut last.drawn, &mut last.words);
    for attempt in &mut game.attempts {
        match (&attempt.asked, &mut attempt.answer) {
            (Asked::Append { ply, .. }, Answer::Done { words, drawn, .. }) => list(*ply, drawn, words),
            (Asked::Log, Answer::Done { words, drawn, .. }) => list(1, drawn, words),
            (_, _) => {}
        }
    }
    for told in &mut game.told {
        let first = if told.said == Said::Word { told.ply } else { 1 };
        list(first, &mut told.drawn, &mut told.words);
    }
}
