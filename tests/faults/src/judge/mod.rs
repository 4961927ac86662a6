//! Judges histories: what holds for a game under any fault, checked by comparing times and words. It knows
//! nothing about how a history arose. `linear` is a second judge with a different method.

mod appends;
mod hidden;
pub mod linear;
pub mod masks;
mod reads;
mod streams;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::history::{Answer, Asked, Attempt, GameHistory, Last};

/// A kind of violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wrong {
    /// An acknowledged word or seat is missing.
    Lost,
    /// A word was never requested, or a game was created twice.
    Doubled,
    /// Only part of a group acknowledged together is there.
    Half,
    /// A word differs from the acknowledged one.
    Changed,
    /// More than one client was acknowledged as the first to write a ply.
    TwoWinners,
    /// A read showed less than an earlier one.
    Stale,
    /// A word was shown before it was requested.
    Early,
    /// A viewer saw a card that the rules hide from them.
    Leaked,
    /// A ply has two heads.
    Head,
    /// A stream left out a word.
    Skipped,
    /// A stream repeated a word.
    Repeated,
    /// A stream took back words.
    Reset,
    /// A correct request was refused.
    Refused,
    /// A client got a 5xx other than a 503 with `Retry-After`.
    Broken,
    /// A client gave up without an answer.
    Unanswered,
    /// The game cannot be read.
    Unreadable,
    /// The service ended by itself, or did not write again after a fault.
    Service,
    /// An audit of the database found a fault.
    Audit,
    /// No order of the operations explains the answers.
    NotLinearizable,
}

/// A fault that was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The kind of violation.
    pub wrong: Wrong,
    /// The game, or another subject.
    pub game: String,
    /// The observation.
    pub detail: String,
}

/// A game with its final state, and the findings so far.
struct Case<'a> {
    game: &'a GameHistory,
    last: &'a Last,
    /// How many words precede all requests of clients, written by built-in players at the start.
    base: u32,
    findings: Vec<Finding>,
}

impl Case<'_> {
    fn find(&mut self, wrong: Wrong, detail: String) {
        self.findings.push(Finding { wrong, game: self.game.game.clone(), detail });
    }

    /// Returns the final word of a ply.
    fn word(&self, ply: u32) -> Option<&str> {
        self.last.words.get((ply as usize).checked_sub(1)?).map(String::as_str)
    }
}

/// Judges one game.
pub fn judge(game: &GameHistory, last: Option<&Last>) -> Vec<Finding> {
    let Some(last) = last else {
        let detail = "nobody asked for the game in the end".to_owned();
        return vec![Finding { wrong: Wrong::Unreadable, game: game.game.clone(), detail }];
    };
    let lifted = masks::lifted(game, last);
    let (whole, end) = lifted.as_ref().map_or((game, last), |(game, last)| (game, last));
    let mut findings = hidden::judge(game, end);
    findings.extend(judge_whole(whole, end));
    findings
}

/// Judges a game without masks in the words shown.
fn judge_whole(game: &GameHistory, last: &Last) -> Vec<Finding> {
    let asked = game.attempts.iter().filter_map(|attempt| match attempt.asked {
        Asked::Append { ply, .. } => Some(ply),
        Asked::Create { .. } | Asked::Sit { .. } | Asked::Game | Asked::Log | Asked::State { .. } => None,
    });
    let base = asked.min().map_or(last.words.len() as u32, |ply| ply.saturating_sub(1));
    let mut case = Case { game, last, base, findings: Vec::new() };
    if last.is_gone && last.words.is_empty() && has_begun(game) {
        case.find(
            Wrong::Lost,
            "every seat was acknowledged, and the game has not begun in the end".to_owned(),
        );
    } else if !last.is_shown {
        case.find(Wrong::Unreadable, "the service does not show the game in the end".to_owned());
    }
    answers(&mut case);
    unanswered(&mut case);
    appends::judge(&mut case);
    reads::judge(&mut case);
    streams::judge(&mut case);
    case.findings
}

/// Returns whether the game has begun: a client saw every open seat taken.
fn has_begun(game: &GameHistory) -> bool {
    let is_done = |attempt: &&Attempt| matches!(attempt.answer, Answer::Done { .. });
    let mut open = None;
    let mut taken = BTreeSet::new();
    for attempt in game.attempts.iter().filter(is_done) {
        match &attempt.asked {
            Asked::Create { seats, .. } => open = Some(seats.iter().filter(|seat| *seat == "open").count()),
            Asked::Sit { seat } => {
                taken.insert(*seat);
            }
            Asked::Append { .. } | Asked::Game | Asked::Log | Asked::State { .. } => {}
        }
    }
    open == Some(taken.len())
}

/// Returns whether a refusal means that another client was first.
pub(crate) fn is_taken(code: &str) -> bool {
    code == "ply_taken"
}

/// Finds requests that clients gave up. Reads are not repeated.
fn unanswered(case: &mut Case<'_>) {
    let mut operations: BTreeMap<u64, (&Asked, bool)> = BTreeMap::new();
    for attempt in &case.game.attempts {
        let is_answered = match attempt.answer {
            Answer::Done { .. } | Answer::Refused { .. } | Answer::Broken { .. } => true,
            Answer::Busy { .. } | Answer::Cut => false,
        };
        match attempt.asked {
            Asked::Create { .. } | Asked::Sit { .. } | Asked::Append { .. } => {
                operations.entry(attempt.op).or_insert((&attempt.asked, false)).1 |= is_answered;
            }
            Asked::Game | Asked::Log | Asked::State { .. } => {}
        }
    }
    for (asked, is_answered) in operations.into_values() {
        if !is_answered {
            case.find(Wrong::Unanswered, format!("{asked:?}"));
        }
    }
}

/// Returns a word without its draws.
fn decision_of(word: &str) -> &str {
    word.split('+').next().unwrap_or(word)
}

/// Checks that clients see no more of a fault than a cut connection or a 503 with `Retry-After`.
fn answers(case: &mut Case<'_>) {
    for attempt in &case.game.attempts {
        let what = format!("client {} at {} us, {:?}", attempt.client, attempt.start, attempt.asked);
        match &attempt.answer {
            Answer::Done { .. } | Answer::Cut => {}
            Answer::Busy { has_retry_after: true, .. } => {}
            Answer::Busy { has_retry_after: false, code } => {
                case.find(Wrong::Broken, format!("{what}: 503 {code} without Retry-After"));
            }
            Answer::Broken { status, body } => case.find(Wrong::Broken, format!("{what}: {status} {body}")),
            Answer::Refused { status, code } => {
                // If another decision is there, the refusal is right.
                let is_right = match &attempt.asked {
                    Asked::Append { ply, decision } => {
                        is_taken(code) && case.word(*ply).is_none_or(|word| decision_of(word) != decision)
                    }
                    Asked::Create { .. }
                    | Asked::Sit { .. }
                    | Asked::Game
                    | Asked::Log
                    | Asked::State { .. } => false,
                };
                if !is_right {
                    case.find(Wrong::Refused, format!("{what}: {status} {code}"));
                }
            }
        }
    }
}
