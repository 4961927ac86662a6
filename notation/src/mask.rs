//! Records as one viewer may read them, with unknown in place of what is hidden.

use alloc::vec::Vec;

use assam_rules::{Audience, Bounded as _, Move, Viewer};

use crate::{Decision, Notation, Opening, Word};

/// Returns the words that follow an opening as `viewer` may read them, and the opening likewise.
///
/// There are as many words and plies as before, and a replay of them gives what the viewer may know. Once the game is
/// over, nothing is hidden. Words that are masked already stay so. The words must be legal.
pub fn mask<G: Notation>(
    opening: &Opening<G>,
    words: &[Word<G>],
    viewer: Viewer,
) -> (Opening<G>, Vec<Word<G>>) {
    let mut position = opening.replay().position().clone();
    let mut masked = Vec::with_capacity(words.len());
    // A decision that the next one opens is hidden while it is the last one. A seat that leaves opens nothing.
    let last = words.iter().rposition(|word| matches!(word.decision, Some(Decision::Action(_))));
    for (n, word) in words.iter().enumerate() {
        masked.push(mask_word(&position, word, viewer, last == Some(n)));
        word.moves().for_each(|mv| position.apply(mv));
    }
    if position.turn().is_end() {
        (opening.clone(), words.to_vec())
    } else {
        (opening.masked(viewer, last.is_some()), masked)
    }
}

/// Returns a word as `viewer` may read it in a game that is not over; `before` is the position that it is played in.
///
/// `is_last` says that no decision of a seat on turn follows it yet: the next one opens what waits for it. The word must
/// be legal.
pub fn mask_word<G: Notation>(before: &G, word: &Word<G>, viewer: Viewer, is_last: bool) -> Word<G> {
    if !G::HAS_SECRETS {
        return word.clone();
    }
    let mut position = before.clone();
    let mut masked = Word::<G> { decision: None, chance: G::Drawn::default() };
    for mv in word.moves() {
        match if is_open(&position, &mv, is_last) { mv } else { position.mask(mv, viewer) } {
            Move::Action(action) => masked.decision = Some(Decision::Action(action)),
            Move::Leave(leave) => masked.decision = Some(Decision::Leave(leave)),
            Move::Chance(chance) => {
                // There is room for as much as the word has.
                let _ = masked.chance.add(chance);
            }
        }
        position.apply(mv);
    }
    masked
}

/// Returns whether a move, made in a position, is open now; `is_last` says that no decision follows its word yet.
fn is_open<G: Notation>(position: &G, mv: &Move<G>, is_last: bool) -> bool {
    match position.audience(mv) {
        Audience::Everyone => true,
        Audience::UntilNextDecision(_) => !is_last,
        Audience::UntilOver(_) => false,
    }
}
