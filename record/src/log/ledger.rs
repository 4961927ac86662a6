//! A game with everything known, including hands and leads. Every log is extended here.

use assam_referee::{AnyDecision, AnyWord, Refusal, Table};
use assam_rules::{Turn, Viewer};
use jiff::Timestamp;

use super::masked_replay::Chain;
use super::{Damaged, Entry, entries, later};
use crate::chain;
use crate::chance::{ChanceSource, Committed, Purpose, counted};
use crate::game::{Forced, Head, Info, Status, StoredGame};
use crate::game_clock::GameClock;

/// The result of a log: the current game with everything known, and everything its next words depend on.
pub struct Replayed {
    table: Box<dyn Table>,
    /// The start of the chain.
    chain: Chain,
    /// The time of the last word, in milliseconds since the start of the game.
    last_ms: u64,
}

/// A game with everything known, at its last word: for extending it, or for listing what is legal.
pub struct Ledger<'a> {
    game: &'a StoredGame,
    now: Replayed,
}

/// The part that one submission appends to a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Extension {
    /// The new entries, newest first, separated by single spaces. May be empty at the start.
    pub entries: String,
    /// The head after them.
    pub head: Head,
    /// The status after them.
    pub status: Status,
    /// The end of the game, if it ends with them.
    pub finished_at: Option<Timestamp>,
    /// The clock after them, if the game has one.
    pub clock: Option<Box<GameClock>>,
}

impl Extension {
    /// Extends the log of a game.
    pub fn apply(&self, game: &mut StoredGame) {
        let StoredGame { info, log, .. } = game;
        let mut newest_first = String::with_capacity(self.entries.len() + 1 + log.len());
        newest_first.push_str(&self.entries);
        if !log.is_empty() {
            newest_first.push(' ');
            newest_first.push_str(log);
        }
        *log = newest_first;
        (info.head, info.status, info.finished_at) = (Some(self.head), self.status, self.finished_at);
        info.clock = self.clock.as_deref().cloned();
    }
}

/// The start of a game, in the same change as its last seat or its beacon round.
#[derive(Clone, PartialEq, Eq)]
pub struct Start {
    /// The moment of the start.
    pub at: Timestamp,
    /// The first words: the chance before the first decision, and the first moves of built-in players.
    pub extension: Extension,
}

/// The words that a submission adds to a log.
pub struct Extended {
    /// The extension to append.
    pub extension: Extension,
    /// The new words, with everything known.
    words: Vec<AnyWord<'static>>,
    /// The game before them, if they may hide something from anyone.
    before: Option<Box<dyn Table>>,
}

impl Replayed {
    /// Replays a game to its last word.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn new(game: &StoredGame) -> Result<Self, Damaged> {
        let (table, last_ms) = replay(&game.info, &game.log)?;
        Ok(Self { table, chain: Chain::new(game), last_ms })
    }
}

/// Replays the log of a game. Returns its result, and the time of its last word in milliseconds since the
/// start of the game.
fn replay(info: &Info, log: &str) -> Result<(Box<dyn Table>, u64), Damaged> {
    let mut table = info.setup.table();
    let mut last_ms = 0_u64;
    for entry in entries(log) {
        let ply = table.next_ply();
        table.replay(entry.word).map_err(|refusal| Damaged::at(info.id, ply, &refusal))?;
        last_ms = last_ms.saturating_add(entry.after_ms);
    }
    Ok((table, last_ms))
}

/// Returns the status of a game that has started.
pub const fn status(turn: Turn) -> Status {
    match turn {
        Turn::Player(_) | Turn::Chance => Status::Running,
        Turn::Over => Status::Finished,
        Turn::Aborted => Status::Aborted,
    }
}

/// Returns whose turn it is after the last word of a log, and the time of that word. Without words, there is
/// no time.
///
/// # Errors
/// The log is damaged.
pub fn last_word(info: &Info, log: &str) -> Result<(Turn, Option<Timestamp>), Damaged> {
    let (table, last_ms) = replay(info, log)?;
    Ok((table.turn(), time_of_last(info, log, last_ms)))
}

/// Returns the time of the last word of a log, some milliseconds after the start.
fn time_of_last(info: &Info, log: &str, last_ms: u64) -> Option<Timestamp> {
    info.started_at.filter(|_| !log.is_empty()).map(|start| later(start, last_ms))
}

impl Clone for Replayed {
    fn clone(&self) -> Self {
        Self { table: self.table.fork(), chain: self.chain.clone(), last_ms: self.last_ms }
    }
}

impl<'a> Ledger<'a> {
    /// Replays a game to its last word.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn replay(game: &'a StoredGame) -> Result<Self, Damaged> {
        Ok(Self { game, now: Replayed::new(game)? })
    }

    /// Resumes a game that was replayed before.
    pub const fn resume(game: &'a StoredGame, now: Replayed) -> Self {
        Self { game, now }
    }

    /// Returns the current game with everything known.
    pub fn table(&self) -> &dyn Table {
        &*self.now.table
    }

    /// Returns the time of the last word, in milliseconds since the start of the game.
    pub const fn last_ms(&self) -> u64 {
        self.now.last_ms
    }

    /// Returns the time of the last word, or `None` before the first.
    pub fn last_ply_at(&self) -> Option<Timestamp> {
        time_of_last(&self.game.info, &self.game.log, self.now.last_ms)
    }

    /// Returns the result of the log.
    pub fn into_replayed(self) -> Replayed {
        self.now
    }

    /// Plays decisions, draws their chance, and makes the following decisions that are the service's. Without
    /// a decision, draws the chance due at the start.
    ///
    /// # Errors
    /// The index of the refused decision and the reason, or a list that runs too far. Nothing is drawn for a
    /// refused decision.
    pub fn extend(&mut self, decisions: &[AnyDecision], after_ms: u64) -> Result<Extended, NotExtended> {
        self.play(None, decisions, after_ms)
    }

    /// Extends the game with draws from another source. The service has only one.
    ///
    /// # Errors
    /// As for [`Ledger::extend`].
    pub fn extend_from(
        &mut self,
        source: &dyn ChanceSource,
        decisions: &[AnyDecision],
        after_ms: u64,
    ) -> Result<Extended, NotExtended> {
        self.play(Some(source), decisions, after_ms)
    }

    fn play(
        &mut self,
        source: Option<&dyn ChanceSource>,
        decisions: &[AnyDecision],
        after_ms: u64,
    ) -> Result<Extended, NotExtended> {
        let first = self.now.table.next_ply();
        // Taken out while the table is played on, then put back.
        let mut committed = self.now.chain.committed.take();
        if let Some(committed) = &mut committed {
            committed.keys.look_ahead(first);
        }
        let seed = committed.as_ref().map(|committed| committed as &dyn ChanceSource);
        let extended = match source.or(seed) {
            Some(source) => self.play_from(source, committed.as_ref(), decisions, after_ms),
            None => Err(NotExtended::NoSeed),
        };
        self.now.chain.committed = committed;
        extended
    }

    fn play_from(
        &mut self,
        source: &dyn ChanceSource,
        committed: Option<&Committed>,
        decisions: &[AnyDecision],
        after_ms: u64,
    ) -> Result<Extended, NotExtended> {
        let before = self.game.info.may_hide_something().then(|| self.now.table.fork());
        let first = self.now.table.next_ply();
        let mut words = Vec::new();
        let refused = |item| move |refusal| NotExtended::Refused { item, refusal };
        if self.now.table.is_start_due() {
            words.push(self.write(source, None).map_err(refused(0))?);
        }
        for (item, decision) in decisions.iter().enumerate() {
            if item + 1 < decisions.len() && self.now.table.ends_list() {
                return Err(NotExtended::RunsTooFar { item });
            }
            words.push(self.write(source, Some(decision)).map_err(refused(item))?);
        }
        while let Some(answer) = self.answer(source) {
            words.push(self.write(source, Some(&answer)).map_err(refused(decisions.len()))?);
        }
        // All words are written at one moment, so the first one carries the time since the previous entry.
        let entries =
            words.iter().enumerate().rev().map(|(n, word)| {
                Entry { word: word.text(), after_ms: if n == 0 { after_ms } else { 0 } }.text()
            });
        let head = self.game.info.head.map_or(self.now.chain.head, |head| head.hash);
        let hash = (first..)
            .zip(&words)
            .fold(head, |head, (ply, word)| chain::extend_by(&head, ply, word, committed));
        let status = status(self.now.table.turn());
        let began = self.game.info.started_at;
        let last_ms = self.now.last_ms.saturating_add(after_ms);
        let extension = Extension {
            entries: entries.collect::<Vec<_>>().join(" "),
            head: Head { ply: self.now.table.ply(), hash },
            status,
            finished_at: began.filter(|_| status.is_over()).map(|start| later(start, last_ms)),
            clock: None,
        };
        self.now.last_ms = last_ms;
        Ok(Extended { extension, words, before })
    }

    /// Plays one decision or the start, and draws its chance.
    fn write(
        &mut self,
        source: &dyn ChanceSource,
        decision: Option<&AnyDecision>,
    ) -> Result<AnyWord<'static>, Refusal> {
        let ply = self.now.table.next_ply();
        self.now.table.decide(decision, &mut counted(source, Purpose::Chance, ply))
    }

    /// Returns the decision of the seat on turn if the service makes it: a built-in player's, or one without
    /// a choice if the seat wants that.
    fn answer(&self, source: &dyn ChanceSource) -> Option<AnyDecision> {
        let holder = self.game.info.holder(self.now.table.turn().seat()?)?;
        match (holder.kind.player(), holder.forced) {
            (Some(player), _) => self
                .now
                .table
                .choose(player, &mut counted(source, Purpose::Choice, self.now.table.next_ply())),
            (None, Forced::Play) => self.now.table.forced(),
            (None, Forced::Ask) => None,
        }
    }
}

impl Extended {
    /// Returns the new words as `viewer` may read them.
    ///
    /// # Errors
    /// A word that was just played is refused. No client can cause this.
    pub fn told(&mut self, game: &StoredGame, viewer: Viewer) -> Result<Vec<String>, Damaged> {
        let is_over = self.extension.status != Status::Running;
        let before = self.before.as_mut().filter(|_| !is_over && viewer != Viewer::Arbiter);
        let Some(before) = before else {
            return Ok(self.words.iter().map(|word| word.text().to_owned()).collect());
        };
        let last = self.words.iter().rposition(|word| word.leave().is_none());
        let told = self.words.iter().enumerate().map(|(n, word)| {
            let ply = before.next_ply();
            let masked = before.replay_masked(word.text(), viewer, last == Some(n));
            masked.map_err(|refusal| Damaged::at(game.info.id, ply, &refusal))
        });
        told.collect()
    }
}

/// Starts a game with all seats taken: draws the chance before the first decision, and lets the built-in
/// players make their first moves.
///
/// # Errors
/// The game cannot start. No client can cause this.
pub fn start(game: &StoredGame, at: Timestamp) -> Result<Start, NotExtended> {
    let mut ledger = Ledger::replay(game)?;
    let Extended { mut extension, .. } = ledger.extend(&[], 0)?;
    let clock = game.info.clock.clone();
    extension.clock = clock.map(|clock| Box::new(clock.run_for(ledger.table().turn().seat(), at)));
    extension.finished_at = extension.status.is_over().then_some(at);
    Ok(Start { at, extension })
}

/// The reason a log was not extended.
#[derive(Debug, thiserror::Error)]
pub enum NotExtended {
    /// A decision is refused.
    #[error("decision {item} is refused: {}", refusal.rule)]
    Refused {
        /// The index of the decision, from 0.
        item: usize,
        /// The reason.
        refusal: Refusal,
    },
    /// The list continues after a decision that must be its last.
    #[error("the list runs too far after decision {item}")]
    RunsTooFar {
        /// The index of that decision, from 0.
        item: usize,
    },
    /// The game is imported and has no seed to draw from.
    #[error("an imported game is never extended")]
    NoSeed,
    /// The stored log is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}
