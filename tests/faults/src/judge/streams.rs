//! Checks that streams send every word once and in order, however often they resume.

use std::collections::BTreeMap;

use super::reads::Floors;
use super::{Case, Wrong};
use crate::history::{Said, Told};

/// Judges the streams of every client.
pub(super) fn judge(case: &mut Case<'_>) {
    let floors = Floors::of(case);
    let game = case.game;
    let mut followers: BTreeMap<u32, Vec<&Told>> = BTreeMap::new();
    for told in &game.told {
        followers.entry(told.client).or_default().push(told);
    }
    for (client, mut messages) in followers {
        messages.sort_by_key(|told| told.end);
        follow(case, &floors, client, &messages);
    }
}

/// Judges the messages that one client received over all its connections.
fn follow(case: &mut Case<'_>, floors: &Floors, client: u32, messages: &[&Told]) {
    // The last ply that it knows, `None` before the snapshot.
    let mut known: Option<u32> = None;
    for told in messages {
        match told.said {
            Said::Snapshot => {
                if known.is_some() {
                    case.find(Wrong::Reset, format!("client {client} was told everything anew"));
                }
                if told.words.len() != told.ply as usize {
                    let count = told.words.len();
                    case.find(
                        Wrong::Half,
                        format!("client {client} was told {count} words with a head of ply {}", told.ply),
                    );
                }
                words(case, client, 1, told);
                known = Some(told.ply);
            }
            Said::Word => {
                let next = known.map_or(0, |ply| ply + 1);
                if told.ply > next {
                    case.find(
                        Wrong::Skipped,
                        format!("client {client} was told ply {} after {next}", told.ply),
                    );
                } else if told.ply < next {
                    case.find(Wrong::Repeated, format!("client {client} was told ply {} again", told.ply));
                }
                words(case, client, told.ply, told);
                known = known.max(Some(told.ply));
            }
            Said::CaughtUp => {
                let floor = floors.before(told.start);
                if known.unwrap_or(0) < floor {
                    let detail =
                        format!("client {client} was told to have everything at ply {known:?} of {floor}");
                    case.find(Wrong::Stale, detail);
                }
            }
            Said::Reset => case.find(Wrong::Reset, format!("client {client} was told to forget what it has")),
            Said::Over => {
                let end = case.last.words.len() as u32;
                if known != Some(end) {
                    let detail =
                        format!("client {client} was told that the game is over at ply {known:?} of {end}");
                    case.find(Wrong::Skipped, detail);
                }
            }
            Said::Nothing => {}
        }
    }
    let end = case.last.words.len() as u32;
    if known.map_or(case.last.is_shown, |known| known < end) {
        case.find(Wrong::Skipped, format!("client {client} was told up to ply {known:?} of {end}"));
    }
}

fn words(case: &mut Case<'_>, client: u32, first: u32, told: &Told) {
    for (ply, word) in (first..).zip(&told.words) {
        match case.word(ply) {
            Some(kept) if kept == word => {}
            kept => {
                let detail = format!("client {client} was told {word} at ply {ply}; there is {kept:?}");
                case.find(if kept.is_some() { Wrong::Changed } else { Wrong::Lost }, detail);
            }
        }
    }
}
