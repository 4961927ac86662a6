//! Records as one viewer may read them: what is hidden from him is unknown.

use alloc::vec::Vec;

use assam_rules::{Audience, Move, Turn, Viewer};

use crate::{Decision, Notation, Opening, Word};

/// The words that follow an opening, as `viewer` may read them, and the opening likewise.
///
/// They are as many words and plies as before, and a replay of them gives what he may know. Once the game is over,
/// nothing is hidden. Words that are masked already stay so. The words must be legal.
pub fn mask<G: Notation>(
    opening: &Opening<G>,
    words: &[Word<G>],
    viewer: Viewer,
) -> (Opening<G>, Vec<Word<G>>) {
    let mut position = opening.replay().position().clone();
    let mut masked = Vec::with_capacity(words.len());
    // A decision that the next one opens is hidden while it is the last one.
    let last = words.iter().rposition(|word| word.decision.is_some());
    for (n, word) in words.iter().enumerate() {
        let mut told = word.clone();
        if let Some(Decision::Action(action)) = word.decision {
            let mv = Move::Action(action);
            let is_opened = match position.audience(&mv) {
                Audience::Everyone => true,
                Audience::UntilNextDecision(_) => last != Some(n),
                Audience::UntilOver(_) => false,
            };
            if !is_opened && let Move::Action(action) = position.mask(mv, viewer) {
                told.decision = Some(Decision::Action(action));
            }
        }
        if let Some(decision) = word.decision {
            position.apply(decision.to_move());
        }
        for (told, &chance) in told.chance.iter_mut().zip(&word.chance) {
            if let Move::Chance(chance) = position.mask(Move::Chance(chance), viewer) {
                *told = chance;
            }
            position.apply(Move::Chance(chance));
        }
        masked.push(told);
    }
    match position.turn() {
        Turn::Player(_) | Turn::Chance => (opening.masked(viewer, last.is_some()), masked),
        Turn::Over | Turn::Aborted => (opening.clone(), words.to_vec()),
    }
}
