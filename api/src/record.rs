//! The record of a stored game: replayed from its log, and extended by the one function that appends.
//!
//! A [`Record`] knows everything, and is only for appending and proving. What anybody is shown is a [`Seen`]: the record
//! masked for the one who looks, and replayed like any other.

use std::borrow::Cow;

use assam_rules::{Seat, Turn, Viewer};
use jiff::Timestamp;

use crate::chain;
use crate::chance::{self, Committed, Purpose, Source, counted};
use crate::game::{Bytes32, Game, Head, Info, Status};
use crate::log::{self, Entry};
use crate::referee::{Played, Referee, Refusal, Table};
use crate::ruleset::Ruleset;
use crate::store::{Extension, Start};
use crate::view::Event;

/// A word of a log.
#[derive(Clone)]
pub struct Written {
    /// Its ply.
    pub ply: u32,
    /// It, in canonical form, what followed from it, and what of it was hidden from somebody.
    pub played: Played,
    /// Milliseconds since the start of the game.
    pub at_ms: u64,
    /// Whose turn it was.
    pub turn: Turn,
}

impl Written {
    /// It, in canonical form.
    pub fn word(&self) -> &str {
        &self.played.word
    }

    /// What followed from it.
    pub fn events(&self) -> &[Event] {
        &self.played.events
    }

    /// The decision, without what was drawn.
    pub fn decision(&self) -> &str {
        self.word().split('+').next().unwrap_or_default()
    }

    /// The seat that decided, or that leaves; none for ply 0 and for an abort.
    pub fn seat(&self) -> Option<Seat> {
        match (self.decision().strip_prefix('!'), self.turn) {
            (Some(leave), _) => leave.as_bytes().last().and_then(|digit| Seat::new(digit.wrapping_sub(b'0'))),
            (None, Turn::Player(seat)) => Some(seat),
            (None, Turn::Chance | Turn::Over | Turn::Aborted) => None,
        }
    }

    /// When it was written; none in an imported game.
    pub fn time(&self, game: &Game) -> Option<Timestamp> {
        game.info.started_at.map(|start| log::later(start, self.at_ms))
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

impl Damaged {
    fn at(game: &Game, ply: u32) -> impl Fn(Refusal) -> Self {
        move |refusal| Self { game: game.info.id.clone(), ply, rule: refusal.rule }
    }

    /// The id of a game, a player's, or a share of the chance is not in hex.
    pub fn unwritable(game: &Game) -> Self {
        Self { game: game.info.id.clone(), ply: 0, rule: "an id or an entropy that is not in hex" }
    }
}

/// The referee of a stored game.
///
/// # Errors
/// Where the game is of a rule set that this program does not know.
pub fn referee(game: &Game) -> Result<&'static dyn Referee, Damaged> {
    let damaged = || Damaged { game: game.info.id.clone(), ply: 0, rule: "unknown rule set" };
    Ruleset::named(&game.info.ruleset).map(Ruleset::referee).ok_or_else(damaged)
}

/// A game as one viewer may see it.
pub struct Seen {
    /// The words so far as he may read them now, oldest first.
    pub words: Vec<Written>,
    /// Where the game stands after them, as far as he may know.
    pub table: Box<dyn Table>,
    /// The head behind the last of them, the same for everyone.
    pub head: Head,
}

impl Seen {
    /// A game up to and with ply `last`, as `viewer` may see it now.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn by(viewer: Viewer, game: &Game, last: u32) -> Result<Self, Damaged> {
        let head = match game.info.head {
            Some(head) if head.ply == last => head,
            Some(_) | None => Record::replay(game, Some(last))?.head(),
        };
        let (words, table) =
            if viewer == Viewer::Arbiter || game.info.is_over() || !referee(game)?.has_secrets() {
                play(game, log::entries(&game.log), Some(last))?
            } else {
                let entries: Vec<Entry<'_>> = log::entries(&game.log).collect();
                let masked = mask(game, entries.iter().map(|entry| entry.word), viewer)?;
                let told = masked.iter().zip(&entries).map(|(word, entry)| Entry { word, ..*entry });
                play(game, told, Some(last))?
            };
        Ok(Self { words, table, head })
    }
}

/// The words of a game as `viewer` may read them where these are all.
fn mask<'a>(
    game: &Game,
    words: impl Iterator<Item = &'a str>,
    viewer: Viewer,
) -> Result<Vec<Cow<'a, str>>, Damaged> {
    let words: Vec<&str> = words.collect();
    referee(game)?.mask(&game.info.setup, &words, viewer).map_err(Damaged::at(game, 0))
}

/// Plays the entries of a log, up to and with ply `last` where it is given.
fn play<'a>(
    game: &Game,
    entries: impl Iterator<Item = Entry<'a>>,
    last: Option<u32>,
) -> Result<(Vec<Written>, Box<dyn Table>), Damaged> {
    let mut table = referee(game)?.table(&game.info.setup).map_err(Damaged::at(game, 0))?;
    let mut words = Vec::new();
    let mut at_ms = 0_u64;
    for entry in entries {
        let ply = if table.is_start_due() { 0 } else { table.ply() + 1 };
        if last.is_some_and(|last| ply > last) {
            break;
        }
        at_ms = at_ms.saturating_add(entry.after_ms);
        let turn = table.turn();
        let played = table.replay(entry.word).map_err(Damaged::at(game, ply))?;
        words.push(Written { ply, played, at_ms, turn });
    }
    Ok((words, table))
}

/// All that is known of a game that has started: hands, leads and all.
pub struct Record<'a> {
    game: &'a Game,
    /// The head before the first word.
    pub start: Bytes32,
    /// What follows from the seed; an imported game has none, and nothing sealed.
    pub committed: Option<Committed>,
    /// The words so far, oldest first.
    pub words: Vec<Written>,
    /// Where the game stands after them.
    pub table: Box<dyn Table>,
}

impl<'a> Record<'a> {
    /// Replays a game from its log, up to and with `last` where it is given.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn replay(game: &'a Game, last: Option<u32>) -> Result<Self, Damaged> {
        let start = match &game.seed {
            Some(seed) => {
                let Info { setup, id, seats, .. } = &game.info;
                chance::start(setup, id, &chance::commitment(seed), seats)
            }
            None => chance::import_start(&game.info.setup),
        };
        let committed = game.seed.map(|seed| Committed::new(&seed, &start));
        let (words, table) = play(game, log::entries(&game.log), last)?;
        Ok(Self { game, start, committed, words, table })
    }

    /// The head behind the last of the words that were replayed.
    pub fn head(&self) -> Head {
        self.head_behind(self.words.len())
    }

    /// The head behind so many words.
    pub fn head_behind(&self, end: usize) -> Head {
        let words = self.words.iter().take(end);
        let ply = words.clone().next_back().map_or(0, |last| last.ply);
        let extend = |head: Bytes32, written: &Written| {
            chain::extend_by(&head, written.ply, &written.played, self.committed.as_ref())
        };
        Head { ply, hash: words.fold(self.start, extend) }
    }

    /// The words from index `first` up to index `end` as `viewer` might read them when that was all.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn told(&self, first: usize, end: usize, viewer: Viewer) -> Result<Vec<String>, Damaged> {
        let words = self.words.iter().take(end).map(Written::word);
        Ok(mask(self.game, words, viewer)?.into_iter().skip(first).map(Cow::into_owned).collect())
    }

    /// Plays decisions in canonical form, draws what they trigger, and lets the built-in players answer: what to append.
    /// With no decision, draws what is due at the start. This is the only way to a longer log.
    ///
    /// # Errors
    /// The decision (from 0) that is refused, and why; a list that runs too far. Nothing was drawn for it.
    pub fn extend(&mut self, decisions: &[String], after_ms: u64) -> Result<Extension, NotExtended> {
        let committed = self.committed.clone().ok_or(NotExtended::NoSeed)?;
        self.extend_from(&committed, decisions, after_ms)
    }

    /// The same, with draws from this source. The service has one source only.
    ///
    /// # Errors
    /// As [`Record::extend`].
    pub fn extend_from(
        &mut self,
        source: &dyn Source,
        decisions: &[String],
        after_ms: u64,
    ) -> Result<Extension, NotExtended> {
        let first = self.words.len();
        let at_ms = self.words.last().map_or(0, |last| last.at_ms).saturating_add(after_ms);
        if self.table.is_start_due() {
            self.write(source, None, at_ms).map_err(|refusal| NotExtended::Refused { item: 0, refusal })?;
        }
        for (item, decision) in decisions.iter().enumerate() {
            if item + 1 < decisions.len() && self.table.ends_list() {
                return Err(NotExtended::RunsTooFar { item });
            }
            self.write(source, Some(decision), at_ms)
                .map_err(|refusal| NotExtended::Refused { item, refusal })?;
        }
        while let Some(answer) = self.built_in_answer(source) {
            self.write(source, Some(&answer), at_ms)
                .map_err(|refusal| NotExtended::Refused { item: decisions.len(), refusal })?;
        }
        let written = &self.words[first..];
        // All of them are written at one moment: the first word carries the time since the entry before.
        let entries = written.iter().enumerate().rev().map(|(n, written)| {
            Entry { word: written.word(), after_ms: if n == 0 { after_ms } else { 0 } }.text()
        });
        let head = self.game.info.head.map_or(self.start, |head| head.hash);
        let hash = written.iter().fold(head, |head, written| {
            chain::extend_by(&head, written.ply, &written.played, self.committed.as_ref())
        });
        let status = match self.table.turn() {
            Turn::Player(_) | Turn::Chance => Status::Running,
            Turn::Over => Status::Finished,
            Turn::Aborted => Status::Aborted,
        };
        Ok(Extension {
            entries: entries.collect::<Vec<_>>().join(" "),
            head: Head { ply: self.table.ply(), hash },
            status,
        })
    }

    /// Plays one decision, or what is due at the start, and draws what it triggers.
    fn write(&mut self, source: &dyn Source, decision: Option<&str>, at_ms: u64) -> Result<(), Refusal> {
        let ply = if decision.is_none() { 0 } else { self.table.ply() + 1 };
        let turn = self.table.turn();
        let played = self.table.decide(decision, &mut counted(source, Purpose::Chance, ply))?;
        self.words.push(Written { ply, played, at_ms, turn });
        Ok(())
    }

    /// What the built-in player on turn decides, where one is.
    fn built_in_answer(&self, source: &dyn Source) -> Option<String> {
        let Turn::Player(seat) = self.table.turn() else { return None };
        let kind = self.game.info.seats.get(seat.index())?.kind;
        self.table.choose(kind, &mut counted(source, Purpose::Choice, self.table.ply() + 1))
    }
}

/// The start of a game whose seats are all taken: what is drawn before the first decision, and the first words of the
/// built-in players.
///
/// # Errors
/// Where the game cannot start; none that a client could bring about.
pub fn start(game: &Game, at: Timestamp) -> Result<Start, NotExtended> {
    let mut record = Record::replay(game, None)?;
    Ok(Start { at, extension: record.extend(&[], 0)? })
}

/// Why a log was not extended.
#[derive(Debug, thiserror::Error)]
pub enum NotExtended {
    /// A decision is refused.
    #[error("decision {item} is refused: {}", refusal.rule)]
    Refused {
        /// Which of the list, from 0.
        item: usize,
        /// Why.
        refusal: Refusal,
    },
    /// The list goes on behind a decision that must be its last.
    #[error("the list runs too far behind decision {item}")]
    RunsTooFar {
        /// That decision, from 0.
        item: usize,
    },
    /// An imported game is never extended.
    #[error("an imported game is never extended")]
    NoSeed,
    /// The stored log is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}
