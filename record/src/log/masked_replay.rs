//! A game as one viewer may see it, from a single replay of its log.

use std::borrow::Cow;
use std::cell::Cell;

use assam_referee::{AnyWord, Table, Walk, Walked};
use assam_rules::{Seat, Turn, Viewer};
use jiff::Timestamp;

use super::{Damaged, later};
use crate::beacon::GameBeacon;
use crate::chain;
use crate::chance::{self, Committed};
use crate::game::{Bytes32, Head, Info, StoredGame};
use crate::log::entries;

/// A word of a log.
pub struct ReplayedWord<'a> {
    /// The ply.
    pub ply: u32,
    /// The turn in which it was written.
    pub turn: Turn,
    /// The full word, including what the viewer may not know.
    pub word: AnyWord<'a>,
    /// The word as the viewer may read it now.
    pub told: Cow<'a, str>,
    /// Whether it begins a new line in file form.
    pub begins_line: bool,
    /// The milliseconds since the start of the game.
    pub at_ms: u64,
}

impl ReplayedWord<'_> {
    /// Returns the seat that decided or left, or `None` for ply 0 and for an abort.
    pub fn seat(&self) -> Option<Seat> {
        match self.word.leave() {
            Some(leave) => leave.seat(),
            None => self.turn.seat(),
        }
    }

    /// Returns the time it was written, or `None` in an imported game.
    pub fn time(&self, game: &StoredGame) -> Option<Timestamp> {
        game.info.started_at.map(|start| later(start, self.at_ms))
    }
}

/// A game up to a ply, as one viewer may see it.
pub struct MaskedReplay<'a> {
    /// The last word, or `None` before the first.
    pub last: Option<ReplayedWord<'a>>,
    /// The game after it, as far as the viewer may know.
    pub table: Box<dyn Table>,
    /// The head after it, the same for everyone.
    pub head: Head,
}

impl<'a> MaskedReplay<'a> {
    /// Replays a game up to and including ply `last`, as `viewer` may see it now.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn by(viewer: Viewer, game: &'a StoredGame, last: u32) -> Result<Self, Damaged> {
        Self::word_by_word(viewer, game, last, |_| ())
    }

    /// Replays like [`MaskedReplay::by`] and passes on every word on the way.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn word_by_word(
        viewer: Viewer,
        game: &'a StoredGame,
        last: u32,
        mut each: impl FnMut(&ReplayedWord<'a>),
    ) -> Result<Self, Damaged> {
        // Hashed only if it is not stored.
        let mut head = game.info.head.filter(|head| head.ply == last).ok_or_else(|| Chain::new(game));
        let mut newest = None;
        let table = walk(seen_as(viewer, game), game, last, newest_ply(game), |written, _| {
            if let Err(chain) = &mut head {
                chain.extend(&written);
            }
            each(&written);
            newest = Some(written);
        })?;
        let head = head.unwrap_or_else(|chain| Head { ply: last, hash: chain.head });
        Ok(Self { last: newest, table, head })
    }
}

/// Returns the effective viewer. A game that hides nothing is shown in full.
fn seen_as(viewer: Viewer, game: &StoredGame) -> Viewer {
    if game.info.may_hide_something() { viewer } else { Viewer::Arbiter }
}

fn newest_ply(game: &StoredGame) -> u32 {
    game.info.head.map_or(0, |head| head.ply)
}

/// A ply of a game as one viewer may see it now.
pub struct SeenPly<'s> {
    /// The word as the viewer may read it. `None` at a start without chance.
    pub word: Option<&'s str>,
    /// The game after it, as far as the viewer may know.
    pub table: &'s dyn Table,
    /// The head after it, the same for everyone.
    pub head: Head,
}

/// Replays a whole log as `viewer` may see it now, and passes on every ply from ply 0.
///
/// # Errors
/// The stored log is damaged.
pub fn ply_by_ply(
    viewer: Viewer,
    game: &StoredGame,
    mut each: impl FnMut(SeenPly<'_>),
) -> Result<(), Damaged> {
    let mut chain = Chain::new(game);
    if !game.info.setup.table().is_start_due() {
        let start = MaskedReplay::by(viewer, game, 0)?;
        each(SeenPly { word: None, table: &*start.table, head: start.head });
    }
    let last = newest_ply(game);
    walk(seen_as(viewer, game), game, last, last, |written, table| {
        chain.extend(&written);
        let head = Head { ply: written.ply, hash: chain.head };
        each(SeenPly { word: Some(&*written.told), table, head });
    })?;
    Ok(())
}

/// Returns the time a ply was written, without a replay. Ply 0 has the time of the start. `None` in an
/// imported game and before the start.
pub fn time_of_ply(game: &StoredGame, ply: u32) -> Option<Timestamp> {
    let (start, last) = (game.info.started_at?, game.info.head?.ply);
    // Counted from the last, because ply 0 may have no word.
    let later_plies = last.saturating_sub(ply) as usize;
    let up_to = entries(&game.log).rev().skip(later_plies);
    let after_ms = up_to.fold(0_u64, |sum, entry| sum.saturating_add(entry.after_ms));
    Some(later(start, after_ms))
}

/// Replays a log up to and including ply `last` and passes on every word. Shows it as `viewer` could read it
/// when that was the last ply of a game that was not over there.
///
/// # Errors
/// The stored log is damaged.
pub fn walk_as_of<'a>(
    viewer: Viewer,
    game: &'a StoredGame,
    last: u32,
    mut each: impl FnMut(ReplayedWord<'a>),
) -> Result<Box<dyn Table>, Damaged> {
    walk(viewer, game, last, last, |written, _| each(written))
}

/// Replays a log up to and including ply `last`, as `viewer` may read it while `head` is the last written
/// ply.
pub(super) fn walk<'a>(
    viewer: Viewer,
    game: &'a StoredGame,
    last: u32,
    head: u32,
    mut each: impl FnMut(ReplayedWord<'a>, &dyn Table),
) -> Result<Box<dyn Table>, Damaged> {
    let at_ms = Cell::new(0_u64);
    let mut words = entries(&game.log).map(|entry| {
        at_ms.set(at_ms.get().saturating_add(entry.after_ms));
        entry.word
    });
    let mut each = |Walked { ply, turn, word, told, begins_line }: Walked<'a>, table: &dyn Table| {
        each(ReplayedWord { ply, turn, word, told, begins_line, at_ms: at_ms.get() }, table);
    };
    let decided = last_decided(game, head);
    let walk = Walk { viewer, decided, last, words: &mut words, each: &mut each };
    game.info.setup.walk(walk).map_err(|broken| Damaged::at(game.info.id, broken.ply, &broken.refusal))
}

/// Returns the ply of the last decision of a seat on turn up to ply `head`, or 0 if there is none.
fn last_decided(game: &StoredGame, head: u32) -> u32 {
    let plies = (0..=game.info.head.map_or(0, |head| head.ply)).rev();
    let newest_first = plies.zip(game.log.split(' ')).filter(|(ply, _)| *ply <= head);
    newest_first
        .map_while(|(ply, word)| word.starts_with('!').then_some(ply))
        .last()
        .map_or(head, |ply| ply - 1)
}

/// The head, computed word by word.
#[derive(Clone)]
pub struct Chain {
    /// The head so far.
    pub head: Bytes32,
    /// Everything derived from the seed, or `None` in an imported game, where nothing is sealed.
    pub committed: Option<Committed>,
}

impl Chain {
    /// Returns the head before the first word.
    pub fn new(game: &StoredGame) -> Self {
        let Info { setup, id, seats, .. } = &game.info;
        let head = match &game.commitment {
            Some(commitment) => {
                let signed = game.beacon.as_ref().and_then(GameBeacon::signed);
                chance::start(setup.line(), *id, commitment, seats, signed.as_ref())
            }
            None => chance::import_start(setup.line()),
        };
        Self { head, committed: game.seed.map(|seed| Committed::new(&seed, setup, &head)) }
    }

    /// Extends the head by a word.
    pub fn extend(&mut self, written: &ReplayedWord<'_>) {
        self.head = chain::extend_by(&self.head, written.ply, &written.word, self.committed.as_ref());
    }
}
