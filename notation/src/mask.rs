//! Records as one viewer may read them: hidden parts become unknown.

use alloc::vec::Vec;

use assam_rules::{Audience, Bounded as _, Move, Viewer};

use crate::{Decision, Notation, Opening, Word};

/// Returns an opening and the words that follow it, as `viewer` may read them.
///
/// The number of words and plies stays the same, and a replay gives what the viewer may know. Once the game
/// is over, nothing is hidden. Masked words stay masked. The words must be legal.
pub fn mask<G: Notation>(
    opening: &Opening<G>,
    words: &[Word<G>],
    viewer: Viewer,
) -> (Opening<G>, Vec<Word<G>>) {
    let mut position = opening.replay().position().clone();
    let mut masked = Vec::with_capacity(words.len());
    // The last decision stays hidden until the next one opens it. A seat that leaves opens nothing.
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

/// Returns a word, played in the position `before`, as `viewer` may read it while the game continues.
///
/// `is_last` states that no decision of a seat on turn follows yet. The next decision opens moves that wait
/// for it. The word must be legal.
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
                // The list has room for as much as the word has.
                let _ = masked.chance.add(chance);
            }
        }
        position.apply(mv);
    }
    masked
}

/// Returns whether a move, made in a position, is open now. `is_last` states that no decision follows its
/// word yet.
fn is_open<G: Notation>(position: &G, mv: &Move<G>, is_last: bool) -> bool {
    match position.audience(mv) {
        Audience::Everyone => true,
        Audience::UntilNextDecision(_) => !is_last,
        Audience::UntilOver(_) => false,
    }
}
