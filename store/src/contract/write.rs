//! Changes of games, and what writes them.

use assam_proofs::public_log::Milestone;
use assam_record::beacon::GameBeacon;
use assam_record::clock::now;
use assam_record::game::{Bytes32, GameId, Head, Holder, Status, StoredGame};
use assam_record::game_clock::GameClock;
use assam_record::log::{Extension, Start};
use async_trait::async_trait;
use jiff::Timestamp;

use super::listing::{ListOwner, PlayerTable, players};
use super::{Listing, StoreError};
use crate::sql::value::Value;
use assam_record::game::Visibility;

/// A change of one game that is to be written.
#[derive(Clone)]
pub enum Write {
    /// A new game is stored, unless its id exists.
    Create {
        /// The game.
        game: Box<StoredGame>,
        /// The id that an import of its record would have, if it is to be found by that.
        record: Option<GameId>,
        /// What comes into the public log with it, as far as that is known.
        entries: Vec<(Milestone, Bytes32)>,
    },
    /// The seats are replaced, and the game may start.
    Reseat(Box<Reseat>),
    /// The log grows, if the row still has this `revision`, and the game still stands at this head (ply and hash): whoever
    /// wrote holds the seat still.
    Append {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// The head that the extension was made for.
        at: Head,
        /// The part that is appended.
        extension: Extension,
        /// What follows where the game ends with it.
        end: Option<Box<Ending>>,
    },
    /// The game goes, if the row still has this `revision` and the game never started.
    Remove {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// Where lists found the game.
        was: Listing,
    },
    /// The game is hidden from everybody, without its tags, if the row still has this `revision`; the revision grows by one.
    TakeDown {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// Why.
        reason: String,
        /// The holders of the seats, without their names.
        seats: Vec<Holder>,
        /// Where lists found the game.
        was: Listing,
    },
}

/// A change of the seats of a game. It is written if the row still has this `revision`, and stands at this head where one is given; the
/// revision grows by one.
#[derive(Clone)]
pub struct Reseat {
    /// The game.
    pub id: GameId,
    /// The revision that the change was made for.
    pub revision: i64,
    /// The head that the change was made for, if another one makes a difference.
    pub at: Option<Head>,
    /// Where lists found the game, if they find it elsewhere then.
    pub was: Option<Listing>,
    /// The holders of the seats.
    pub seats: Vec<Holder>,
    /// The tags, if others are kept from then on.
    pub tags: Option<String>,
    /// The hash of the secret that owns the game from then on, if that is another one.
    pub heir: Option<Bytes32>,
    /// The beacon of the game, if it has its round or its signature from then on.
    pub beacon: Option<Box<GameBeacon>>,
    /// The rematch of the game, if it has another one from then on.
    pub rematch: Option<GameId>,
    /// The start of the game, if it starts with it.
    pub start: Option<Start>,
    /// The id that an import of the record would have, if the game is to be found by that from then on.
    pub record: Option<GameId>,
    /// What comes into the public log with it, as far as that is known.
    pub entries: Vec<(Milestone, Bytes32)>,
}

/// What follows from the end of a game.
#[derive(Clone)]
pub struct Ending {
    /// Where lists found the game.
    pub was: Listing,
    /// The id that an import of the record would have, if the game is to be found by that from then on.
    pub record: Option<GameId>,
    /// What comes into the public log with it, as far as that is known.
    pub entries: Vec<(Milestone, Bytes32)>,
}

impl Write {
    /// Returns the game that changes.
    pub fn id(&self) -> GameId {
        match self {
            Self::Create { game, .. } => game.info.id,
            Self::Reseat(reseat) => reseat.id,
            Self::Append { id, .. } | Self::Remove { id, .. } | Self::TakeDown { id, .. } => *id,
        }
    }

    /// Returns the game and the revision that it has then, where seats are taken or change with this.
    pub fn seated(&self) -> Option<(GameId, i64)> {
        match self {
            Self::Create { game, .. } => Some((game.info.id, game.info.revision)),
            Self::Reseat(reseat) => Some((reseat.id, reseat.revision + 1)),
            Self::Append { .. } | Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }

    /// Returns whether this appends to the log of a game that goes on, and changes nothing else.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Append { extension, .. } if extension.status == Status::Running)
    }

    /// Returns the clock of a game that starts or goes on with it.
    fn clock_mut(&mut self) -> Option<&mut GameClock> {
        match self {
            Self::Reseat(reseat) => reseat.start.as_mut()?.extension.clock.as_deref_mut(),
            Self::Append { extension, .. } => extension.clock.as_deref_mut(),
            Self::Create { .. } | Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }

    /// Counts time from a moment on, in the game that starts or goes on with it.
    fn restart_clock(&mut self, since: Timestamp) {
        if let Some(clock) = self.clock_mut() {
            clock.restart(since);
        }
    }

    /// Counts time from now on, in all games that start or go on with these.
    pub fn restart_clocks(changes: &mut [Self]) {
        let now = now();
        changes.iter_mut().for_each(|change| change.restart_clock(now));
    }

    /// Returns the clock of the game that starts or goes on with it.
    pub fn into_clock(mut self) -> Option<GameClock> {
        self.clock_mut().cloned()
    }

    /// Returns why it found no row to change; `is_there` says whether the game exists.
    pub const fn why_unchanged(&self, is_there: bool) -> StoreError {
        match (self, is_there) {
            (Self::Create { .. }, _) => StoreError::Exists,
            (_, true) => StoreError::Conflict,
            (_, false) => StoreError::NotFound,
        }
    }

    /// Returns the id that an import of the game's record would have, if the game is to be found by that from then on.
    pub fn record(&self) -> Option<GameId> {
        match self {
            Self::Create { record, .. } => *record,
            Self::Reseat(reseat) => reseat.record,
            Self::Append { end, .. } => end.as_ref()?.record,
            Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }
}

/// Where lists find the game.
impl Write {
    /// Returns the rows of a table under which lists find the game no longer.
    pub(crate) fn rows_left(&self, table: PlayerTable) -> Vec<Vec<Value>> {
        let after = self.after();
        self.before().map_or_else(Vec::new, |before| before.rows_beside(table, after.as_ref(), self.id()))
    }

    /// Returns the rows of a table under which lists find the game from then on.
    pub(crate) fn rows_entered(&self, table: PlayerTable) -> Vec<Vec<Value>> {
        self.after().map_or_else(Vec::new, |after| after.rows_beside(table, self.before(), self.id()))
    }

    /// Returns the rows of a table under which lists find the game elsewhere from then on.
    pub(crate) fn rows_moved(&self, table: PlayerTable) -> Vec<Vec<Value>> {
        let (before, after) = (self.before(), self.after());
        before.zip(after).map_or_else(Vec::new, |(before, after)| after.rows_moved(table, before, self.id()))
    }

    /// Returns whether lists change with it.
    pub(crate) fn changes_lists(&self) -> bool {
        let rows = |table| [self.rows_left(table), self.rows_moved(table), self.rows_entered(table)];
        PlayerTable::ALL.into_iter().any(|table| rows(table).iter().any(|rows| !rows.is_empty()))
    }

    /// Returns the status that the game must still have, or lists would find it where it is not: a game may end without a new revision.
    pub(crate) fn at_status(&self) -> Option<Status> {
        self.before().map(|before| before.status)
    }

    fn before(&self) -> Option<&Listing> {
        match self {
            Self::Create { .. } => None,
            Self::Remove { was, .. } | Self::TakeDown { was, .. } => Some(was),
            Self::Reseat(reseat) => reseat.was.as_ref(),
            Self::Append { end, .. } => end.as_ref().map(|end| &end.was),
        }
    }

    fn after(&self) -> Option<Listing> {
        match self {
            Self::Create { game, .. } => Some(Listing::of_game(game)),
            Self::Reseat(reseat) => {
                let Reseat { was, seats, start, .. } = &**reseat;
                let extension = start.as_ref().map(|start| &start.extension);
                let is_tagged = |list: &&(PlayerTable, ListOwner)| matches!(list.1, ListOwner::Tagged(_));
                was.clone().map(|was| Listing {
                    players: players(was.visibility, seats)
                        .into_iter()
                        .chain(was.players.iter().filter(is_tagged).copied())
                        .collect(),
                    status: extension.map_or(was.status, |extension| extension.status),
                    finished_at: extension.and_then(|extension| extension.finished_at).or(was.finished_at),
                    ..was
                })
            }
            Self::Append { extension, end, .. } => end.as_ref().map(|end| Listing {
                status: extension.status,
                finished_at: extension.finished_at,
                ..end.was.clone()
            }),
            Self::Remove { .. } => None,
            // Nobody lists it, but the service, as long as it is open.
            Self::TakeDown { was, .. } => {
                let is_public = was.visibility == Visibility::Public;
                let visibility = if is_public { Visibility::Unlisted } else { was.visibility };
                Some(Listing { visibility, has_clock: false, players: Vec::new(), ..was.clone() })
            }
        }
    }
}

/// What writes games.
#[async_trait]
pub trait WritesGames: Send + Sync {
    /// Writes changes of as many games, and returns the outcome of each, in order. Each is written as a whole or not at
    /// all, and what is written is durable when this returns. The clocks of games that go on run from when the database takes the
    /// changes, which is noted in them. It may block its thread: one thread writes.
    ///
    /// # Errors
    /// For each change: [`StoreError::Exists`] for a new game whose id exists, [`StoreError::Conflict`] where a game is
    /// no longer the one that a change was made for, [`StoreError::NotFound`] where there is none, [`StoreError::Locked`]
    /// where somebody else holds the game.
    async fn write(&self, changes: &mut [Write]) -> Vec<Result<(), StoreError>>;

    /// Writes those changes whose games nobody else holds, and waits for no other game. It may be called while something
    /// else is written.
    ///
    /// # Errors
    /// As [`WritesGames::write`].
    async fn write_skip_locked(&self, changes: &mut [Write]) -> Vec<Result<(), StoreError>>;

    /// Tries to write something that leaves no trace, to find out whether the database can be written again.
    async fn try_to_write(&self) -> Result<(), StoreError>;

    /// Returns whether the thread that writes is free for other work meanwhile: the database is another process.
    fn is_networked(&self) -> bool;

    /// Returns whether a lone change is best written on the thread that brings it: the database is another process, and nothing else of this
    /// thread is on its way there.
    fn can_write_inline(&self) -> bool {
        false
    }
}
