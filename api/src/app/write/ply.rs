//! The checks of all submissions for a ply, and the plan to append the result. The order of the checks keeps
//! responses from revealing more than their requesters may know.

use assam_record::clock::now;
use assam_record::game::{Bytes32, Forced, Head, Holder, NotStarted, StoredGame};
use assam_record::log::{Chain, Damaged, Extended, Ledger, NotExtended, ReplayedWord, later, walk_as_of};
use assam_referee::{AnyDecision, Score};
use assam_rules::{Leave, Seat, Viewer};
use assam_store::StoreError;
use jiff::Timestamp;

use super::plan::{Plan, PlannedChange};
use crate::app::{CachedGame, Caller};

/// The sender of a submission.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) struct Submitter {
    /// The seat that the secret holds.
    pub seat: Option<Seat>,
    /// Whether the secret created the game.
    pub is_owner: bool,
}

/// The heads that a decision was made for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HeadCondition {
    /// Any head.
    Any,
    /// One of these.
    OneOf(Vec<Bytes32>),
}

/// The written words.
#[derive(Clone, PartialEq, Eq)]
pub struct Wrote {
    /// The submitted words, then the built-in players' answers, as the submitter may read them.
    pub words: Vec<String>,
    /// The head after them.
    pub head: Head,
    /// The seat on turn after them, or none if the game is over.
    pub seat: Option<Seat>,
    /// Whether they were written now, as opposed to earlier by the same seat.
    pub is_new: bool,
}

/// Why a submission was not written.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The secret holds no seat of the game.
    #[error("your secret holds no seat of this game")]
    NoSeat,
    /// The caller does not hold the seat that is to resign.
    #[error("a seat may resign only for itself")]
    NotYourSeat,
    /// The caller is not the owner. Only the owner may abort the game.
    #[error("only the owner may abort a game")]
    NotOwner,
    /// Something else is written there.
    #[error("ply {ply} is already written. The next is {}", head.ply + 1)]
    Taken {
        /// The ply.
        ply: u32,
        /// The current head of the game.
        head: Head,
    },
    /// Seats are open.
    #[error(transparent)]
    NotStarted(#[from] NotStarted),
    /// The game is over.
    #[error("the game is over")]
    GameOver(Box<Score>),
    /// Plies before it are not written yet.
    #[error("the next ply is {}, not {ply}", head.ply + 1)]
    Gap {
        /// The ply.
        ply: u32,
        /// The current head of the game.
        head: Head,
    },
    /// It is another seat's turn.
    #[error("it is seat {}'s turn", .0.number())]
    NotYourTurn(Seat),
    /// It was decided for another head.
    #[error("the decision was made for a head that is not the game's")]
    Stale {
        /// The current head of the game.
        head: Head,
    },
    /// The table, as opposed to the game, has a rule against it.
    #[error("{detail}")]
    TableRule {
        /// The stable identifier of the rule.
        rule: &'static str,
        /// The rule as it applies here.
        detail: String,
    },
    /// The rules of the game forbid a decision.
    #[error("{}", .0.text)]
    Illegal(Illegal),
    /// The list continues after a decision that must be its last.
    #[error("the list must end here, because chance, another seat or the end of the game is next")]
    ListTooLong {
        /// The number of that decision in the list, from 1.
        word: Option<u32>,
    },
    /// The stored log is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The game has no seed to draw chance from.
    #[error("the game has no seed")]
    NoSeed,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why the rules forbid a decision.
#[derive(Debug)]
pub struct Illegal {
    /// The stable identifier of the rule.
    pub rule: &'static str,
    /// The rule in a sentence.
    pub text: &'static str,
    /// The ply that the decision would be.
    pub ply: u32,
    /// The seat on turn.
    pub seat: Option<Seat>,
    /// The number of the decision in the list, from 1. None if it was submitted alone.
    pub word: Option<u32>,
    /// The legal decisions, as far as the submitter may know them.
    pub legal: Vec<String>,
}

/// The result of the first checks.
pub(super) enum Attempt<'a> {
    /// The submission was written before.
    Repeated(Wrote),
    /// The submission is for the next ply.
    Next(Ledger<'a>, Head),
}

impl Submitter {
    /// The service itself.
    pub(in crate::app) const SERVICE: Self = Self { seat: None, is_owner: false };

    /// Returns the caller as a submitter in a game.
    pub(in crate::app) fn new(caller: &Caller, game: &StoredGame) -> Self {
        Self { seat: caller.seat(game), is_owner: caller.is_owner(game) }
    }

    /// Returns the viewer of the response.
    pub(in crate::app) fn viewer(self) -> Viewer {
        self.seat.map_or(Viewer::Spectator, Viewer::Seat)
    }

    /// Returns whether this submitter wrote a word.
    fn wrote(self, written: &ReplayedWord<'_>) -> bool {
        match written.word.leave() {
            Some(Leave::Abort) => self.is_owner,
            // Another seat claims a seat out.
            Some(Leave::Timeout(seat)) => self.seat.is_some() && self.seat != Some(seat),
            Some(Leave::Resign(_)) | None => self.seat.is_some() && self.seat == written.seat(),
        }
    }
}

impl HeadCondition {
    /// Checks the head.
    pub(in crate::app) fn check(this: Option<&Self>, head: Head) -> Result<(), SubmitError> {
        match this {
            None | Some(Self::Any) => Ok(()),
            Some(Self::OneOf(hashes)) if hashes.contains(&head.hash) => Ok(()),
            Some(Self::OneOf(_)) => Err(SubmitError::Stale { head }),
        }
    }
}

/// Finds out whether decisions for a ply were written before, or are for the next ply.
pub(super) fn attempt<'a>(
    game: &'a CachedGame,
    submitter: Submitter,
    ply: u32,
    decisions: &[AnyDecision],
) -> Result<Attempt<'a>, SubmitError> {
    let head = game.started()?;
    if ply <= head.ply {
        return repeated(game, submitter, ply, decisions, head).map(Attempt::Repeated);
    }
    let ledger = game.ledger()?;
    if game.info.is_over() {
        return Err(SubmitError::GameOver(Box::new(ledger.table().score())));
    }
    if ply > head.ply + 1 {
        return Err(SubmitError::Gap { ply, head });
    }
    Ok(Attempt::Next(ledger, head))
}

/// Returns what was written at a ply, if the same seat made the same decisions there.
fn repeated(
    game: &StoredGame,
    submitter: Submitter,
    ply: u32,
    decisions: &[AnyDecision],
    head: Head,
) -> Result<Wrote, SubmitError> {
    let mut stood = Vec::new();
    // Follows the walk, if decisions may have been made for some seat.
    let mut before = has_forced(game).then(|| game.info.setup.table());
    let mut keep = |written: ReplayedWord<'_>| {
        let forced = before.as_ref().and_then(|before| before.forced());
        if let Some(before) = &mut before {
            // The walk has already played the word.
            let _ = before.replay(written.word.text());
        }
        if written.ply >= ply {
            let is_own = submitter.wrote(&written);
            let is_answer = is_answer(game, &written, forced.is_some());
            stood.push((written.word.decision().to_owned(), is_own, is_answer));
        }
    };
    walk_as_of(Viewer::Arbiter, game, head.ply, &mut keep)?;
    let is_same = stood.len() >= decisions.len()
        && stood.iter().zip(decisions).all(|((stands, is_own, _), sent)| *is_own && *stands == sent.text());
    if !is_same {
        return Err(SubmitError::Taken { ply, head });
    }
    let answers = stood[decisions.len()..].iter().take_while(|(_, _, is_answer)| *is_answer).count();
    let end = ply + (decisions.len() + answers) as u32 - 1;
    // Masked as of then, unless the game was over with it.
    let was_over = game.info.is_over() && end == head.ply;
    let viewer = if was_over { Viewer::Arbiter } else { submitter.viewer() };
    let mut words = Vec::new();
    let mut chain = Chain::new(game);
    let table = walk_as_of(viewer, game, end, |written| {
        chain.extend(&written);
        if written.ply >= ply {
            words.push(written.told.into_owned());
        }
    })?;
    let head = Head { ply: end, hash: chain.head };
    Ok(Wrote { words, head, seat: table.turn().seat(), is_new: false })
}

/// Returns whether a word was written together with the move before it. That is the decision of a built-in
/// player, or one without a choice that the service made for a seat (`was_forced`).
fn is_answer(game: &StoredGame, written: &ReplayedWord<'_>, was_forced: bool) -> bool {
    let holder = written.seat().and_then(|seat| game.info.holder(seat));
    let is_made =
        |holder: &Holder| holder.kind.player().is_some() || (was_forced && holder.forced == Forced::Play);
    written.word.leave().is_none() && holder.is_some_and(is_made)
}

/// Returns whether any seat wants the service to make decisions without a choice.
fn has_forced(game: &StoredGame) -> bool {
    game.info.seats.iter().any(|holder| holder.forced == Forced::Play)
}

/// Plans to append decisions after the head, with what they trigger. The seat on turn has spent its time
/// until they `arrived`.
pub(in crate::app) fn append(
    game: &StoredGame,
    mut ledger: Ledger<'_>,
    at: Head,
    submitter: Submitter,
    decisions: &[AnyDecision],
    arrived: Timestamp,
) -> Result<Plan<Wrote>, SubmitError> {
    let now = now();
    let last = later(game.info.started_at.unwrap_or(now), ledger.last_ms());
    let after_ms = u64::try_from(now.as_millisecond() - last.as_millisecond()).unwrap_or(0);
    let was = ledger.table().turn().seat();
    let word = |item: usize| (decisions.len() > 1).then_some(item as u32 + 1);
    let mut extended = match ledger.extend(decisions, after_ms) {
        Ok(extended) => extended,
        Err(NotExtended::Refused { item, refusal }) => {
            return Err(SubmitError::Illegal(Illegal {
                rule: refusal.rule,
                text: refusal.text,
                ply: ledger.table().next_ply(),
                seat: ledger.table().turn().seat(),
                word: word(item),
                legal: ledger.table().legal_moves(submitter.viewer()).unwrap_or_default(),
            }));
        }
        Err(NotExtended::RunsTooFar { item }) => return Err(SubmitError::ListTooLong { word: word(item) }),
        Err(NotExtended::NoSeed) => return Err(SubmitError::NoSeed),
        Err(NotExtended::Damaged(error)) => return Err(error.into()),
    };
    let words = extended.told(game, submitter.viewer())?;
    let Extended { mut extension, .. } = extended;
    let head = extension.head;
    let seat = ledger.table().turn().seat();
    if let Some(clock) = &game.info.clock {
        let decided = decisions.iter().filter(|one| submitter.seat == was && one.leave().is_none());
        extension.clock = Some(Box::new(clock.after(was, decided.count(), arrived, seat)));
    }
    let replayed = Box::new(ledger.into_replayed());
    Ok(Plan::Change(
        PlannedChange::Append { at, extension, replayed },
        Wrote { words, head, seat, is_new: true },
    ))
}
