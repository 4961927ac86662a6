//! The record of a stored game: replayed from its log, and extended by the one function that appends.

use assam_rules::{Seat, Turn};
use jiff::Timestamp;

use crate::game::{Bytes32, Game, Head, Status};
use crate::log::{self, Entry};
use crate::referee::{Referee, Refusal, Table};
use crate::ruleset::Ruleset;
use crate::store::Extension;
use crate::view::Event;
use crate::{chain, chance};

/// A word of a log, with the head behind it.
#[derive(Clone)]
pub struct Written {
    /// Its ply.
    pub ply: u32,
    /// The word in canonical form.
    pub word: String,
    /// Milliseconds since the start of the game.
    pub at_ms: u64,
    /// What followed from it.
    pub events: Vec<Event>,
    /// Whose turn it was.
    pub turn: Turn,
}

impl Written {
    /// The decision, without what was drawn.
    pub fn decision(&self) -> &str {
        self.word.split('+').next().unwrap_or_default()
    }

    /// The seat that decided, or that leaves; none for ply 0 and for an abort.
    pub fn seat(&self) -> Option<Seat> {
        match (self.decision().strip_prefix('!'), self.turn) {
            (Some(leave), _) => leave.as_bytes().last().and_then(|digit| Seat::new(digit.wrapping_sub(b'0'))),
            (None, Turn::Player(seat)) => Some(seat),
            (None, Turn::Chance | Turn::Over | Turn::Aborted) => None,
        }
    }
}

/// A stored log that its own rules refuse: damaged, or written by other code.
#[derive(Debug, thiserror::Error)]
#[error("the stored log of game {game} breaks at ply {ply}: {rule}")]
pub struct Damaged {
    game: String,
    ply: u32,
    rule: &'static str,
}

/// The record of a game that has started.
pub struct Record<'a> {
    game: &'a Game,
    /// The head before the first word.
    start: Bytes32,
    /// The words so far, oldest first.
    pub words: Vec<Written>,
    /// Where the game stands after them.
    pub table: Box<dyn Table>,
}

/// The referee of a stored game.
///
/// # Errors
/// Where the game is of a rule set that this program does not know.
pub fn referee(game: &Game) -> Result<&'static dyn Referee, Damaged> {
    let damaged = || Damaged { game: game.info.id.clone(), ply: 0, rule: "unknown rule set" };
    Ruleset::named(&game.info.ruleset).map(Ruleset::referee).ok_or_else(damaged)
}

impl<'a> Record<'a> {
    /// Replays a game from its log, up to and with `last` where it is given.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn replay(game: &'a Game, last: Option<u32>) -> Result<Self, Damaged> {
        let mut record = Self::empty(game)?;
        let mut at_ms = 0_u64;
        for entry in log::entries(&game.log) {
            let table = &mut record.table;
            let ply = if table.is_start_due() { 0 } else { table.ply() + 1 };
            if last.is_some_and(|last| ply > last) {
                break;
            }
            at_ms = at_ms.saturating_add(entry.after_ms);
            let turn = table.turn();
            let damaged = |refusal: Refusal| Damaged { game: game.info.id.clone(), ply, rule: refusal.rule };
            let events = table.replay(entry.word).map_err(damaged)?;
            record.words.push(Written { ply, word: entry.word.to_owned(), at_ms, events, turn });
        }
        Ok(record)
    }

    fn empty(game: &'a Game) -> Result<Self, Damaged> {
        let damaged = |refusal: Refusal| Damaged { game: game.info.id.clone(), ply: 0, rule: refusal.rule };
        let table = referee(game)?.table(&game.info.setup).map_err(damaged)?;
        let start = match &game.seed {
            Some(seed) => chance::start(&game.info, &game.info.seats, seed),
            None => chance::import_start(&game.info.setup),
        };
        Ok(Self { game, start, words: Vec::new(), table })
    }

    /// The hash behind the last of the words that were replayed.
    pub fn head(&self) -> Head {
        let hash = self.words.iter().fold(self.start, |head, written| chain::extend(&head, &written.word));
        Head { ply: self.table.ply(), hash }
    }

    /// When a word was written; none in an imported game.
    pub fn time(&self, written: &Written) -> Option<Timestamp> {
        self.game.info.started_at.map(|start| log::later(start, written.at_ms))
    }

    /// Plays decisions in canonical form and draws what they trigger: what to append, and the new words.
    /// With none, draws what is due at the start. This is the only way to a longer log.
    ///
    /// # Errors
    /// The decision (from 0) that is refused, and why; a list that runs too far. Nothing was drawn for it.
    pub fn extend(
        &mut self,
        decisions: &[String],
        after_ms: u64,
    ) -> Result<(Extension, Vec<Written>), NotExtended> {
        let seed = self.game.seed.ok_or(NotExtended::NoSeed)?;
        let mut head = self.game.info.head.unwrap_or(Head { ply: 0, hash: self.start });
        let mut written = Vec::new();
        let due = self.table.is_start_due().then_some(None);
        let decisions = decisions.iter().map(Some);
        for (n, decision) in due.into_iter().chain(decisions.clone()).enumerate() {
            if n + 1 < decisions.len() && self.table.ends_list() {
                return Err(NotExtended::RunsTooFar { item: n });
            }
            let ply = if decision.is_none() { 0 } else { self.table.ply() + 1 };
            let mut draws = chance::Draws::new(&seed, &self.start, ply);
            let turn = self.table.turn();
            let mut next = |range| draws.draw(range);
            let word = self
                .table
                .decide(decision.map(String::as_str), &mut next)
                .map_err(|refusal| NotExtended::Refused { item: n, refusal })?;
            head = Head { ply, hash: chain::extend(&head.hash, &word) };
            let at_ms = self.words.last().map_or(0, |last| last.at_ms).saturating_add(after_ms);
            written.push(Written { ply, word, at_ms, events: Vec::new(), turn });
        }
        // A list is written at one moment: its first word carries the time since the entry before.
        let mut entries = Vec::new();
        for (n, written) in written.iter().enumerate() {
            let after_ms = if n == 0 { after_ms } else { 0 };
            entries.insert(0, Entry { word: &written.word, after_ms }.text());
        }
        let status = match self.table.turn() {
            Turn::Player(_) | Turn::Chance => Status::Running,
            Turn::Over => Status::Finished,
            Turn::Aborted => Status::Aborted,
        };
        Ok((Extension { entries: entries.join(" "), head, status }, written))
    }
}

/// Why a log was not extended.
#[derive(Debug)]
pub enum NotExtended {
    /// A decision is refused.
    Refused {
        /// Which of the list, from 0.
        item: usize,
        /// Why.
        refusal: Refusal,
    },
    /// The list goes on behind a decision that must be its last.
    RunsTooFar {
        /// That decision, from 0.
        item: usize,
    },
    /// An imported game is never extended.
    NoSeed,
}
