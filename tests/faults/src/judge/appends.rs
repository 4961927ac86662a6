//! Checks that acknowledged words are there, once and whole, and nothing else is.

use std::collections::{BTreeMap, BTreeSet};

use super::{Case, Wrong, decision_of};
use crate::history::{Answer, Asked, GameHistory};

/// Checks that every acknowledged word is in its place, every ply has one winner, and every word was
/// requested.
pub(super) fn judge(case: &mut Case<'_>) {
    let mut winners: BTreeMap<u32, u32> = BTreeMap::new();
    // Plies that answers account for, and decisions whose outcome is unknown to their clients.
    let mut known: BTreeSet<u32> = (1..=case.base).collect();
    let mut open: BTreeSet<(u32, &str)> = BTreeSet::new();
    let game = case.game;
    let is_alone = are_all_clients(game);
    for attempt in &game.attempts {
        match (&attempt.asked, &attempt.answer) {
            (Asked::Create { .. }, Answer::Done { words, .. }) if *words != [game.game.as_str()] => {
                case.find(Wrong::Doubled, format!("its key led to another game as well: {words:?}"));
            }
            (Asked::Append { ply, decision }, Answer::Done { status, words, .. }) => {
                if *status == 201 {
                    *winners.entry(*ply).or_default() += 1;
                }
                known.extend((*ply..).take(words.len()));
                if is_alone && words.len() > 1 {
                    let detail = format!("ply {ply}: {words:?}, and no built-in player sits there");
                    case.find(Wrong::Doubled, detail);
                }
                acknowledged(case, *ply, decision, words);
            }
            (Asked::Append { ply, decision }, Answer::Busy { .. } | Answer::Broken { .. } | Answer::Cut) => {
                open.insert((*ply, decision));
            }
            (_, _) => {}
        }
    }
    // A ply without a 201 is fine: the proxy sends some requests twice and drops one answer.
    for (ply, count) in winners.into_iter().filter(|(_, count)| *count > 1) {
        case.find(Wrong::TwoWinners, format!("{count} clients were answered 201 at ply {ply}"));
    }
    let words: Vec<(u32, &str)> = (1..).zip(case.last.words.iter().map(String::as_str)).collect();
    // Built-in players continue after a decision whose answer was lost.
    let mut is_open = false;
    for (ply, word) in words {
        is_open = !known.contains(&ply) && (is_open && !is_alone || open.contains(&(ply, decision_of(word))));
        if !is_open && !known.contains(&ply) {
            case.find(Wrong::Doubled, format!("ply {ply} is {word}, for which nobody asked"));
        }
    }
}

/// Returns whether clients hold every seat, without built-in players.
fn are_all_clients(game: &GameHistory) -> bool {
    game.attempts.iter().any(|attempt| match &attempt.asked {
        Asked::Create { seats, .. } => !seats.is_empty() && seats.iter().all(|seat| seat == "open"),
        Asked::Sit { .. } | Asked::Append { .. } | Asked::Game | Asked::Log | Asked::State { .. } => false,
    })
}

fn acknowledged(case: &mut Case<'_>, ply: u32, decision: &str, words: &[String]) {
    if words.first().is_none_or(|word| decision_of(word) != decision) {
        case.find(Wrong::Changed, format!("ply {ply}: {decision} was answered with {words:?}"));
    }
    let mut there = 0;
    let mut faults = Vec::new();
    for (ply, word) in (ply..).zip(words) {
        match case.word(ply) {
            Some(kept) if kept == word => there += 1,
            Some(kept) if word.starts_with(kept) => {
                faults.push((Wrong::Half, format!("ply {ply}: {word} was acknowledged, {kept} is there")));
            }
            Some(kept) => {
                faults.push((Wrong::Changed, format!("ply {ply}: {word} was acknowledged, {kept} is there")));
            }
            None => faults.push((Wrong::Lost, format!("ply {ply}: {word} was acknowledged"))),
        }
    }
    if there > 0 && there < words.len() {
        let half = format!("ply {ply}: {there} of {words:?}, which were acknowledged together");
        faults.push((Wrong::Half, half));
    }
    for (wrong, detail) in faults {
        case.find(wrong, detail);
    }
}
