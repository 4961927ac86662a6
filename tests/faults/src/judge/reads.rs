//! Checks that reads never go back or show unrequested words, and that a ply has one head.

use std::collections::BTreeMap;

use super::{Case, Wrong};
use crate::history::{Answer, Asked, Said};

/// The plies shown to any client by each moment.
pub(super) struct Floors(Vec<(u64, u32)>);

impl Floors {
    /// Collects what every answer and message showed.
    pub(super) fn of(case: &Case<'_>) -> Self {
        let answered =
            case.game.attempts.iter().filter_map(|attempt| match (&attempt.asked, &attempt.answer) {
                (
                    Asked::Append { .. } | Asked::Game | Asked::Log | Asked::State { .. },
                    Answer::Done { ply, .. },
                ) => Some((attempt.end, *ply)),
                (_, _) => None,
            });
        let told = case.game.told.iter().map(|told| (told.end, told.ply));
        let mut shown: Vec<(u64, u32)> = answered.chain(told).collect();
        shown.sort_unstable();
        let mut most = 0;
        for (_, ply) in &mut shown {
            most = most.max(*ply);
            *ply = most;
        }
        Self(shown)
    }

    /// Returns the highest ply shown before a moment.
    pub(super) fn before(&self, moment: u64) -> u32 {
        let count = self.0.partition_point(|(end, _)| *end < moment);
        count.checked_sub(1).map_or(0, |last| self.0[last].1)
    }
}

/// Judges the reads of all clients together, which covers each client alone.
pub(super) fn judge(case: &mut Case<'_>) {
    let floors = Floors::of(case);
    let mut heads: BTreeMap<u32, String> = BTreeMap::new();
    let first_asked = first_asked(case);
    let game = case.game;
    for attempt in &game.attempts {
        let floor = floors.before(attempt.start);
        let who =
            format!("client {} at {} us through process {}", attempt.client, attempt.start, attempt.process);
        match (&attempt.asked, &attempt.answer) {
            (Asked::Game | Asked::Log, Answer::Done { ply, hash, words, drawn, .. }) => {
                if *ply < floor {
                    case.find(Wrong::Stale, format!("{who} was shown ply {ply}, others {floor} before"));
                }
                shown(case, &who, *ply, words);
                started(case, &who, drawn.as_deref(), attempt.asked == Asked::Log);
                early(case, &first_asked, &who, *ply, attempt.end);
                head(case, &mut heads, *ply, hash.as_deref());
            }
            (Asked::Append { ply: asked, .. }, Answer::Done { ply, hash, words, .. }) => {
                let end = (*asked + words.len() as u32).saturating_sub(1);
                if *ply != end {
                    case.find(
                        Wrong::Head,
                        format!("{who} was told the words up to ply {end} with a head of ply {ply}"),
                    );
                }
                early(case, &first_asked, &who, end, attempt.end);
                head(case, &mut heads, *ply, hash.as_deref());
            }
            (Asked::State { ply: asked }, Answer::Done { ply, hash, .. }) => {
                if ply != asked {
                    case.find(
                        Wrong::Changed,
                        format!("{who} asked for ply {asked}, and was shown ply {ply}"),
                    );
                }
                early(case, &first_asked, &who, *ply, attempt.end);
                head(case, &mut heads, *ply, hash.as_deref());
            }
            (Asked::State { ply }, Answer::Refused { code, .. }) if *ply <= floor => {
                case.find(
                    Wrong::Stale,
                    format!("{who} was told {code} of ply {ply}, which others were shown"),
                );
            }
            (_, _) => {}
        }
    }
    for told in &game.told {
        head(case, &mut heads, told.ply, told.hash.as_deref());
        let who = format!("the stream of client {}", told.client);
        started(case, &who, told.drawn.as_deref(), told.said == Said::Snapshot);
        if matches!(told.said, Said::Word | Said::Snapshot) {
            early(case, &first_asked, &who, told.ply, told.end);
        }
    }
    let end = case.last.words.len() as u32;
    if case.last.is_shown {
        head(case, &mut heads, end, case.last.hash.as_deref());
    }
    let floor = floors.before(case.last.start);
    if end < floor {
        case.find(Wrong::Lost, format!("the game ends with ply {end}, and was shown up to ply {floor}"));
    }
}

/// Returns when each ply was first requested.
fn first_asked(case: &Case<'_>) -> BTreeMap<u32, u64> {
    let mut first = BTreeMap::new();
    for attempt in &case.game.attempts {
        if let Asked::Append { ply, .. } = attempt.asked {
            let start = first.entry(ply).or_insert(attempt.start);
            *start = attempt.start.min(*start);
        }
    }
    first
}

/// Finds plies shown before they were requested, or before the request that built-in players answered.
fn early(case: &mut Case<'_>, first_asked: &BTreeMap<u32, u64>, who: &str, ply: u32, end: u64) {
    if let Some((asked, start)) = first_asked.range(..=ply).next_back()
        && *start > end
    {
        case.find(Wrong::Early, format!("{who} was shown ply {ply} before ply {asked} was asked for"));
    }
}

/// Finds words that differ from the final ones.
fn shown(case: &mut Case<'_>, who: &str, ply: u32, words: &[String]) {
    if !words.is_empty() && words.len() != ply as usize {
        case.find(Wrong::Half, format!("{who} was shown {} words with a head of ply {ply}", words.len()));
    }
    let differs = (1..).zip(words).find(|(ply, word)| case.word(*ply).is_some_and(|kept| kept != *word));
    if let Some((ply, word)) = differs {
        case.find(Wrong::Changed, format!("{who} was shown {word} at ply {ply}"));
    }
}

/// Finds a word of ply 0 that differs from the final one, or is missing where all words are shown.
fn started(case: &mut Case<'_>, who: &str, drawn: Option<&str>, is_all: bool) {
    let kept = case.last.drawn.as_deref();
    if drawn != kept && (is_all || drawn.is_some()) {
        case.find(Wrong::Changed, format!("{who} was shown {drawn:?} at ply 0; there is {kept:?}"));
    }
}

fn head(case: &mut Case<'_>, heads: &mut BTreeMap<u32, String>, ply: u32, hash: Option<&str>) {
    let Some(hash) = hash else { return };
    let known = heads.entry(ply).or_insert_with(|| hash.to_owned()).clone();
    if known != hash {
        case.find(Wrong::Head, format!("ply {ply} has the heads {known} and {hash}"));
    }
}
