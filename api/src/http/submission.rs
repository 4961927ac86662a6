//! A submitted move, checked in a fixed order so that no answer tells more than its asker may know.
//!
//! Before this: visibility 404, then 401, 413 and 415, 400 and `unknown_field`, `chance_not_yours`.

use assam_rules::{Seat, Turn, Viewer};
use jiff::Timestamp;

use super::moves::started;
use super::request::Condition;
use crate::game::{Game, Head, SeatKind};
use crate::log;
use crate::problem::{Code, HeadView, Problem};
use crate::record::{NotExtended, Record, Written};
use crate::referee::Referee;
use crate::store::Extension;

/// Who submits.
pub struct Actor {
    /// The seat that the secret holds.
    pub seat: Option<Seat>,
    /// Did the secret create the game?
    pub is_owner: bool,
}

/// One decision as it was sent.
pub enum Item {
    /// A decision of the seat on turn, in canonical form.
    Decision(String),
    /// `!resign`, or with the number of the seat.
    Resign(Option<Seat>),
    /// `!timeoutN`.
    Timeout(Seat),
    /// `!abort`.
    Abort,
}

/// Decisions for a ply and those behind it.
pub struct Submission<'a> {
    /// The first ply, 1 or more.
    pub ply: u32,
    /// The decisions; never empty.
    pub items: &'a [Item],
    /// `If-Match`.
    pub if_match: Option<&'a Condition<'a>>,
}

/// What a submission comes to.
pub enum Outcome {
    /// This seat wrote exactly this before.
    Repeated {
        /// The words as they were written.
        words: Vec<String>,
        /// The head behind them.
        head: Head,
    },
    /// To be appended.
    Extended {
        /// Where the game stood.
        at: Head,
        /// What to append.
        extension: Extension,
        /// The new words.
        words: Vec<String>,
    },
}

/// Reads the decisions of a submission. No board is needed.
///
/// # Errors
/// `notation_syntax`, `bad_request`; then `chance_not_yours`.
pub fn read_items(referee: &dyn Referee, texts: &[String]) -> Result<Vec<Item>, Problem> {
    let mut items = Vec::new();
    let mut chance = None;
    for (number, text) in (1..).zip(texts) {
        if text == "!resign" {
            items.push(Item::Resign(None));
            continue;
        }
        let read = referee.read_decision(text).map_err(|error| Problem {
            rule: Some(error.rule.to_owned()),
            word: Some(number),
            column: Some(error.offset as u32 + 1),
            expected: Some(error.expected.to_owned()),
            ..Problem::new(Code::NotationSyntax, error.detail)
        })?;
        if read.has_chance {
            chance.get_or_insert(number);
        }
        items.push(Item::of(read.decision));
    }
    if items.is_empty() {
        return Err(Problem::new(Code::BadRequest, "there is no move in the body"));
    }
    if items.len() > 1 && items.iter().any(|item| !matches!(item, Item::Decision(_))) {
        return Err(Problem::new(Code::BadRequest, "a word with `!` stands alone"));
    }
    match chance {
        None => Ok(items),
        Some(word) => Err(Problem {
            word: Some(word),
            ..Problem::new(Code::ChanceNotYours, "send the decision alone: the service draws what follows it")
        }),
    }
}

/// Checks a submission against a game as it stands, and draws its chance.
///
/// # Errors
/// In this order: `not_your_seat`, `ply_taken`, `not_started`, `game_over`, `ply_gap`, `not_your_turn`,
/// `stale_head`, `chance_pending`, `illegal_move`.
pub fn submit(
    game: &Game,
    actor: &Actor,
    submission: &Submission<'_>,
    now: Timestamp,
) -> Result<Outcome, Problem> {
    let decisions = actor.decisions(submission.items)?;
    let ply = submission.ply;
    if let Some(head) = game.info.head.filter(|head| ply <= head.ply) {
        return repeated(game, actor, ply, &decisions, &head);
    }
    let head = started(game)?;
    let mut record = Record::replay(game, None).map_err(Problem::internal)?;
    if game.info.is_over() {
        let result = Some(Box::new(record.table.score()));
        return Err(Problem { result, ..Problem::new(Code::GameOver, "the game is over") });
    }
    let at_head = Some(HeadView::from(head));
    if ply > head.ply + 1 {
        let detail = format!("the next ply is {}, not {ply}", head.ply + 1);
        return Err(Problem { head: at_head, ..Problem::new(Code::PlyGap, detail) });
    }
    if let ([Item::Decision(_), ..], Turn::Player(seat)) = (submission.items, record.table.turn())
        && actor.seat != Some(seat)
    {
        let detail = format!("seat {} is on turn", seat.number());
        return Err(Problem { seat: Some(seat.number()), ..Problem::new(Code::NotYourTurn, detail) });
    }
    let hash = hex::encode(head.hash);
    let is_head = |tag: &str| tag.split('.').next() == Some(&hash);
    if submission.if_match.is_some_and(|wanted| !wanted.matches(is_head)) {
        let detail = "If-Match names another head than the game's";
        return Err(Problem { head: at_head, ..Problem::new(Code::StaleHead, detail) });
    }
    check_leave(game, actor, &record, submission.items, now)?;
    let last = log::last_time(game.info.started_at.unwrap_or(now), &game.log);
    let after_ms = u64::try_from(now.as_millisecond() - last.as_millisecond()).unwrap_or(0);
    let first = record.words.len();
    let extension = record
        .extend(&decisions, after_ms)
        .map_err(|error| not_extended(error, &record, actor.viewer(), ply, submission.items.len() > 1))?;
    let words = record.told(first, record.words.len(), actor.viewer()).map_err(Problem::internal)?;
    Ok(Outcome::Extended { at: *head, extension, words })
}

/// A ply that is written already: the same answer for the same decisions of the same seat, else refused.
fn repeated(
    game: &Game,
    actor: &Actor,
    ply: u32,
    decisions: &[String],
    head: &Head,
) -> Result<Outcome, Problem> {
    let record = Record::replay(game, None).map_err(Problem::internal)?;
    let first = record.words.iter().take_while(|written| written.ply < ply).count();
    let stood = &record.words[first..];
    let is_same = stood.len() >= decisions.len()
        && stood
            .iter()
            .zip(decisions)
            .all(|(stands, sent)| actor.wrote(stands) && stands.decision() == *sent);
    if !is_same {
        let detail = format!("ply {ply} is written already; the next is {}", head.ply + 1);
        let head = Some(HeadView::from(head));
        return Err(Problem { ply: Some(ply), head, ..Problem::new(Code::PlyTaken, detail) });
    }
    let answers = stood[decisions.len()..].iter().take_while(|written| is_answer(game, written)).count();
    let end = first + decisions.len() + answers;
    let words = record.told(first, end, actor.viewer()).map_err(Problem::internal)?;
    Ok(Outcome::Repeated { words, head: record.head_behind(end) })
}

/// Was this word the decision of a built-in player? Those are written together with the move that they answer.
fn is_answer(game: &Game, written: &Written) -> bool {
    let kind = |seat: Seat| game.info.seats.get(seat.index()).map(|seat| seat.kind);
    !written.decision().starts_with('!') && written.seat().and_then(kind).is_some_and(SeatKind::is_built_in)
}

/// What the rules of the table, not of the game, say about leaving it.
fn check_leave(
    game: &Game,
    actor: &Actor,
    record: &Record<'_>,
    items: &[Item],
    now: Timestamp,
) -> Result<(), Problem> {
    let refuse = |rule: &str, detail: String| {
        Err(Problem { rule: Some(rule.to_owned()), ..Problem::new(Code::IllegalMove, detail) })
    };
    match items {
        [Item::Abort] if record.table.ply() > 0 => {
            refuse("table.abort.after-first-ply", "a game is aborted before its first ply only".to_owned())
        }
        [Item::Timeout(seat)] if actor.seat == Some(*seat) => refuse(
            "table.timeout.own-seat",
            "another seat claims this one out; `!resign` gives it up".to_owned(),
        ),
        [Item::Timeout(seat)] => {
            let Some(hours) = game.info.patience_hours else {
                return refuse(
                    "table.timeout.no-patience",
                    "this game was created without patience_hours".to_owned(),
                );
            };
            if record.table.turn() != Turn::Player(*seat) {
                return refuse("table.timeout.not-on-turn", format!("seat {} is not on turn", seat.number()));
            }
            // What the others do out of turn gives nobody more time.
            let is_others = |word: &&Written| word.turn == Turn::Player(*seat) && word.seat() != Some(*seat);
            let came_on_turn = record.words.iter().rev().find(|word| !is_others(word));
            let start = game.info.started_at.unwrap_or(now);
            let since = log::later(start, came_on_turn.map_or(0, |word| word.at_ms));
            let until = log::later(since, u64::from(hours) * 3_600_000);
            if now < until {
                return refuse(
                    "table.timeout.too-early",
                    format!("seat {} has time until {until}", seat.number()),
                );
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn not_extended(
    error: NotExtended,
    record: &Record<'_>,
    viewer: Viewer,
    first_ply: u32,
    is_list: bool,
) -> Problem {
    let word = |item: usize| is_list.then_some(item as u32 + 1);
    match error {
        NotExtended::NoSeed | NotExtended::Damaged(_) => Problem::internal(error),
        NotExtended::RunsTooFar { item } => Problem {
            word: word(item),
            ..Problem::new(Code::ChancePending, "the list must end here: chance or another seat is next")
        },
        NotExtended::Refused { item, refusal } => {
            let seat = match record.table.turn() {
                Turn::Player(seat) => Some(seat.number()),
                Turn::Chance | Turn::Over | Turn::Aborted => None,
            };
            let legal = record.table.legal_moves(viewer).unwrap_or_default();
            Problem {
                rule: Some(refusal.rule.to_owned()),
                ply: Some(first_ply + item as u32),
                seat,
                word: word(item),
                expected: (!legal.is_empty()).then(|| legal.join(", ")),
                ..Problem::new(Code::IllegalMove, refusal.text)
            }
        }
    }
}

impl Item {
    /// Of a decision in canonical form.
    fn of(decision: String) -> Self {
        let seat = || decision.as_bytes().last().and_then(|digit| Seat::new(digit.wrapping_sub(b'0')));
        if decision == "!abort" {
            return Self::Abort;
        }
        match (decision.split_at_checked("!resign".len()), seat()) {
            (Some(("!resign", _)), Some(seat)) => Self::Resign(Some(seat)),
            (Some(("!timeou", _)), Some(seat)) => Self::Timeout(seat),
            _ => Self::Decision(decision),
        }
    }
}

impl Actor {
    /// For whom the answer is written.
    fn viewer(&self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// The decisions in canonical form, where this actor may make them.
    fn decisions(&self, items: &[Item]) -> Result<Vec<String>, Problem> {
        let not_yours = |detail: &str| Err(Problem::new(Code::NotYourSeat, detail));
        if let [Item::Abort] = items {
            let owned = if self.is_owner {
                Ok(vec!["!abort".to_owned()])
            } else {
                not_yours("only the owner aborts a game")
            };
            return owned;
        }
        let Some(own) = self.seat else {
            return not_yours("your secret holds no seat of this game");
        };
        if items.iter().any(|item| matches!(item, Item::Resign(Some(seat)) if *seat != own)) {
            return not_yours("a seat resigns for itself only");
        }
        Ok(items.iter().map(|item| item.text(own)).collect())
    }

    fn wrote(&self, written: &Written) -> bool {
        match written.decision() {
            "!abort" => self.is_owner,
            decision if decision.starts_with("!timeout") => {
                self.seat.is_some() && self.seat != written.seat()
            }
            _ => self.seat.is_some() && self.seat == written.seat(),
        }
    }
}

impl Item {
    /// The decision in canonical form, where `own` is the seat that sends it.
    fn text(&self, own: Seat) -> String {
        match self {
            Self::Decision(decision) => decision.clone(),
            Self::Resign(_) => format!("!resign{}", own.number()),
            Self::Timeout(seat) => format!("!timeout{}", seat.number()),
            Self::Abort => "!abort".to_owned(),
        }
    }
}
