//! The words of a game as one viewer is told them, one after the other, each with what it opened. What is told of a ply follows from the
//! log up to it, and from nothing else: not from when it is told, and not from what was written together.

use std::{iter, mem};

use assam_referee::{Refusal, State, Table, Walk, tokens};
use assam_rules::Viewer;
use jiff::Timestamp;

use super::masked_replay::Chain;
use super::{Damaged, entries, later};
use crate::chain;
use crate::game::{Bytes32, Head, StoredGame};

/// A ply, as a viewer is told it when it is written.
pub struct FedPly {
    /// The word, as the viewer could read it when it was the last one; none at a start where nothing was drawn.
    pub word: Option<String>,
    /// The head after it.
    pub head: Head,
    /// When it was written; none in an imported game.
    pub at: Option<Timestamp>,
    /// The key of the ply; none in an imported game.
    pub key: Option<Bytes32>,
    /// What it opened for the viewer, in order.
    pub opened: Vec<OpenedWord>,
    /// The position after it, as the viewer could see it when it was the last one; where it is wanted.
    pub state: Option<State>,
}

/// An earlier word of which a viewer may read more than before.
pub struct OpenedWord {
    /// Its ply.
    pub ply: u32,
    /// The word, as the viewer may read it from then on.
    pub word: String,
    /// The salts of the parts that were opened, each with the number of its part.
    pub salts: Vec<(u32, Bytes32)>,
}

/// A game up to some ply, ready to tell one viewer the next ones.
pub struct GameFeed {
    viewer: Viewer,
    table: Box<dyn Table>,
    positions: Positions,
    chain: Chain,
    /// The last ply that was told; none before the start.
    last: Option<u32>,
    /// When it was written, in milliseconds since the start of the game.
    at_ms: u64,
    /// The words of which something is hidden from the viewer.
    veiled: Vec<Veiled>,
    /// The ply of the last decision of a seat on turn, if the next one opens something of it.
    awaited: Option<u32>,
}

/// A word of which something is hidden from a viewer.
struct Veiled {
    ply: u32,
    /// The word as it is.
    word: String,
    /// As the viewer may read it.
    told: String,
    /// As the viewer may read it once the next decision is made.
    next: String,
    /// The numbers of its sealed parts.
    sealed: Vec<u32>,
}

/// Where positions come from.
enum Positions {
    /// None are wanted.
    Unwanted,
    /// From the game as it is: nothing is hidden from the viewer.
    Open,
    /// From what the viewer may see.
    Masked(MaskedTable),
}

/// A game as a viewer may see it, which never shows what only a later decision opens.
struct MaskedTable {
    /// The game up to the words of which the next decision may open something.
    seen: Box<dyn Table>,
    /// The opening as the first decision opens it, until then.
    opened: Option<Box<dyn Table>>,
    /// The words after `seen`: as the viewer could read each when it was the last one, and as they may read it after the next decision.
    awaited: Vec<(String, String)>,
}

impl MaskedTable {
    fn new(viewer: Viewer, game: &StoredGame) -> Option<Self> {
        let opening = |decided| {
            let walk = Walk { viewer, decided, last: 0, words: &mut iter::empty(), each: &mut |_, _| () };
            // Without a word, nothing is refused.
            game.info.setup.walk(walk).ok()
        };
        Some(Self { seen: opening(0)?, opened: opening(1), awaited: Vec::new() })
    }

    /// Plays a word, and returns the position after it as the viewer may see it while it is the last one. A seat that leaves decides
    /// nothing.
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

/// Why a feed does not go on with a game.
#[derive(Debug, thiserror::Error)]
pub enum NotFed {
    /// The words that were told are not those of the game.
    #[error("the game has another history")]
    OtherHistory,
    /// The stored log is damaged.
    #[error(transparent)]
    Damaged(#[from] Damaged),
}

impl GameFeed {
    /// Begins before the start of a game. `has_states` says that the position after each ply is wanted.
    pub fn begin(viewer: Viewer, game: &StoredGame, has_states: bool) -> Self {
        // Of an imported game nothing was ever hidden, and a game without secrets is masked for nobody.
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

    /// Goes on to the last ply of a game, and returns the plies that were not told before.
    ///
    /// # Errors
    /// Where the game has another history, or its stored log is damaged: this must not be used again then.
    pub fn advance(&mut self, game: &StoredGame) -> Result<Vec<FedPly>, NotFed> {
        let Some(head) = game.info.head else {
            return if self.last.is_none() { Ok(Vec::new()) } else { Err(NotFed::OtherHistory) };
        };
        let mut told = Vec::new();
        if self.last.is_none() {
            // Seats, and a beacon, became part of it since.
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

    /// Opens some of the words that are veiled, and returns what the viewer may read of them now.
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
