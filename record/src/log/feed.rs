//! The words of a game as sent to one viewer, in order, each with the earlier words that it opened.
//!
//! A ply's event depends only on the log up to that ply. It depends neither on when it is sent nor on which
//! words were written together.

use std::{iter, mem};

use assam_referee::{Refusal, State, Table, Walk, tokens};
use assam_rules::Viewer;
use jiff::Timestamp;

use super::masked_replay::Chain;
use super::{Damaged, entries, later};
use crate::chain;
use crate::game::{Bytes32, Head, StoredGame};

/// A ply as sent to a viewer when it was written.
pub struct FedPly {
    /// The word as the viewer could read it when it was the last one. `None` at a start without chance.
    pub word: Option<String>,
    /// The head after it.
    pub head: Head,
    /// The time it was written, or `None` in an imported game.
    pub at: Option<Timestamp>,
    /// The key of the ply, or `None` in an imported game.
    pub key: Option<Bytes32>,
    /// The earlier words that it opened for the viewer, in order.
    pub opened: Vec<OpenedWord>,
    /// The position after it, if requested, as the viewer could see it when it was the last ply.
    pub state: Option<State>,
}

/// An earlier word that a viewer may now read in more detail.
pub struct OpenedWord {
    /// The ply.
    pub ply: u32,
    /// The word as the viewer may read it from then on.
    pub word: String,
    /// The salts of the opened parts, each with the number of its part.
    pub salts: Vec<(u32, Bytes32)>,
}

/// A game up to some ply, ready to send one viewer the next plies.
pub struct GameFeed {
    viewer: Viewer,
    table: Box<dyn Table>,
    positions: Positions,
    chain: Chain,
    /// The last ply sent, or `None` before the start.
    last: Option<u32>,
    /// The time it was written, in milliseconds since the start of the game.
    at_ms: u64,
    /// The words that are partly hidden from the viewer.
    veiled: Vec<Veiled>,
    /// The ply of the last decision of a seat on turn, if the next one opens part of it.
    awaited: Option<u32>,
}

/// A word that is partly hidden from a viewer.
struct Veiled {
    ply: u32,
    /// The full word.
    word: String,
    /// The word as the viewer may read it.
    told: String,
    /// The word as the viewer may read it after the next decision.
    next: String,
    /// The numbers of its sealed parts.
    sealed: Vec<u32>,
}

/// The source of positions.
enum Positions {
    /// No positions are requested.
    Unwanted,
    /// The full game. Nothing is hidden from the viewer.
    Open,
    /// The game as the viewer may see it.
    Masked(MaskedTable),
}

/// A game as a viewer may see it. It never shows what only a later decision opens.
struct MaskedTable {
    /// The game up to the first word that the next decision may open further.
    seen: Box<dyn Table>,
    /// The opening as the first decision will open it, until then.
    opened: Option<Box<dyn Table>>,
    /// The words after `seen`, each in two forms: readable as the last word, and readable after the next
    /// decision.
    awaited: Vec<(String, String)>,
}

impl MaskedTable {
    fn new(viewer: Viewer, game: &StoredGame) -> Option<Self> {
        let opening = |decided| {
            let walk = Walk { viewer, decided, last: 0, words: &mut iter::empty(), each: &mut |_, _| () };
            // Without words, nothing can be refused.
            game.info.setup.walk(walk).ok()
        };
        Some(Self { seen: opening(0)?, opened: opening(1), awaited: Vec::new() })
    }

    /// Plays a word and returns the position after it, as the viewer may see it while it is the last ply. A
    /// seat that leaves decides nothing.
    fn play(&mut self, decides: bool, told: &str, next: &str) -> Result<State, Refusal> {
        if decides {
            if let Some(opened) = self.opened.take() {
                self.seen = opened;
            }
            for (_, word) in self.awaited.drain(..) {
                self.seen.replay(&word)?;
            }
        }
        self.awaited.push((told.to_owned(), next.to_owned()));
        let mut last = self.seen.fork();
        self.awaited.iter().try_for_each(|(word, _)| last.replay(word))?;
        Ok(last.state())
    }
}

/// The reason a feed cannot continue a game.
#[derive(Debug, thiserror::Error)]
pub enum NotFed {
    /// The words sent so far are not the game's.
    #[error("the game has another history")]
    OtherHistory,
    /// The stored log is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

impl GameFeed {
    /// Begins before the start of a game. With `has_states`, each ply comes with its position.
    pub fn begin(viewer: Viewer, game: &StoredGame, has_states: bool) -> Self {
        // Imported games never hid anything, and games without secrets are masked for no viewer.
        let is_open = game.info.imported || !game.info.ruleset().info().has_secrets;
        let viewer = if is_open { Viewer::Arbiter } else { viewer };
        Self {
            viewer,
            table: game.info.setup.table(),
            positions: match (has_states, viewer) {
                (false, _) => Positions::Unwanted,
                (true, Viewer::Arbiter) => Positions::Open,
                (true, _) => MaskedTable::new(viewer, game).map_or(Positions::Unwanted, Positions::Masked),
            },
            chain: Chain::new(game),
            last: None,
            at_ms: 0,
            veiled: Vec::new(),
            awaited: None,
        }
    }

    /// Continues to the last ply of a game and returns the plies that were not sent before.
    ///
    /// # Errors
    /// The game has another history, or its stored log is damaged. Do not use the feed again then.
    pub fn advance(&mut self, game: &StoredGame) -> Result<Vec<FedPly>, NotFed> {
        let Some(head) = game.info.head else {
            return if self.last.is_none() { Ok(Vec::new()) } else { Err(NotFed::OtherHistory) };
        };
        let mut told = Vec::new();
        if self.last.is_none() {
            // The seats and a beacon may have been added since.
            self.chain = Chain::new(game);
            if !self.table.is_start_due() {
                let state = match &self.positions {
                    Positions::Unwanted => None,
                    Positions::Open => Some(self.table.state()),
                    Positions::Masked(masked) => Some(masked.seen.state()),
                };
                told.push(self.tell(game, 0, None, Vec::new(), state));
            }
        }
        let missing = self.last.map_or(Some(head.ply + 1), |last| head.ply.checked_sub(last));
        let missing = missing.ok_or(NotFed::OtherHistory)? as usize;
        let mut new: Vec<_> = entries(&game.log).rev().take(missing).collect();
        new.reverse();
        for entry in new {
            self.at_ms = self.at_ms.saturating_add(entry.after_ms);
            told.push(self.play(game, entry.word)?);
        }
        let is_there = self.last == Some(head.ply) && self.chain.head == head.hash;
        if is_there { Ok(told) } else { Err(NotFed::OtherHistory) }
    }

    /// Plays the next word.
    fn play(&mut self, game: &StoredGame, text: &str) -> Result<FedPly, Damaged> {
        let ply = self.table.next_ply();
        let damaged = |refusal| Damaged::at(game.info.id, ply, &refusal);
        let word = self.table.describe(text).map_err(damaged)?;
        if let Some(committed) = &mut self.chain.committed {
            committed.keys.look_ahead(ply);
        }
        self.chain.head = chain::extend_by(&self.chain.head, ply, &word, self.chain.committed.as_ref());
        if self.viewer == Viewer::Arbiter {
            self.table.replay(text).map_err(damaged)?;
            let state = matches!(self.positions, Positions::Open).then(|| self.table.state());
            return Ok(self.tell(game, ply, Some(text.to_owned()), Vec::new(), state));
        }
        let told = self.table.fork().replay_masked(text, self.viewer, true).map_err(damaged)?;
        let next = self.table.replay_masked(text, self.viewer, false).map_err(damaged)?;
        let mut state = match &mut self.positions {
            Positions::Unwanted => None,
            Positions::Open => Some(self.table.state()),
            Positions::Masked(masked) => {
                Some(masked.play(word.leave().is_none(), &told, &next).map_err(damaged)?)
            }
        };
        let mut opened = Vec::new();
        // A seat that leaves opens nothing.
        if word.leave().is_none()
            && let Some(awaited) = self.awaited.take()
        {
            opened.extend(self.open(|one| one.ply == awaited, |one| &one.next));
        }
        if self.table.turn().is_end() {
            opened.extend(self.open(|_| true, |one| &one.word));
            state = state.map(|_| self.table.state());
            return Ok(self.tell(game, ply, Some(text.to_owned()), opened, state));
        }
        if told != text {
            if word.leave().is_none() && told != next {
                self.awaited = Some(ply);
            }
            let sealed = word.tokens().filter(|token| token.is_sealed).map(|token| token.part).collect();
            self.veiled.push(Veiled { ply, word: text.to_owned(), told: told.clone(), next, sealed });
        }
        Ok(self.tell(game, ply, Some(told), opened, state))
    }

    /// Opens some of the partly hidden words and returns what the viewer may read of them now.
    fn open(&mut self, which: impl Fn(&Veiled) -> bool, now: fn(&Veiled) -> &String) -> Vec<OpenedWord> {
        let mut opened = Vec::new();
        for one in self.veiled.iter_mut().filter(|one| which(one)) {
            let now = now(one).clone();
            let before = mem::replace(&mut one.told, now);
            let readings = tokens(&before).zip(tokens(&one.told)).zip(tokens(&one.word));
            let open = readings.filter(|(((_, was), (_, is)), (_, real))| was != is && is == real);
            let open = open.map(|(((part, _), _), _)| part).filter(|part| one.sealed.contains(part));
            let salt = |part| Some((part, self.chain.committed.as_ref()?.salt(one.ply, part)));
            opened.push(OpenedWord {
                ply: one.ply,
                word: one.told.clone(),
                salts: open.filter_map(salt).collect(),
            });
        }
        self.veiled.retain(|one| one.told != one.word);
        opened
    }

    fn tell(
        &mut self,
        game: &StoredGame,
        ply: u32,
        word: Option<String>,
        opened: Vec<OpenedWord>,
        state: Option<State>,
    ) -> FedPly {
        self.last = Some(ply);
        FedPly {
            word,
            head: Head { ply, hash: self.chain.head },
            at: game.info.started_at.map(|start| later(start, self.at_ms)),
            key: self.chain.committed.as_ref().map(|committed| committed.keys.of(ply)),
            opened,
            state,
        }
    }
}
