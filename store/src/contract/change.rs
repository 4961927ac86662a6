//! Changes of games: the expected row, the new row, and the effects elsewhere in the database.

use assam_proofs::public_log::{EntryOpening, Milestone};
use assam_record::beacon::GameBeacon;
use assam_record::clock::now;
use assam_record::feed::{FeedKind, FeedNews};
use assam_record::game::{Bytes32, GameId, Head, Holder, Info, Status, StoredGame, Visibility};
use assam_record::game_clock::GameClock;
use assam_record::log::{Extension, Start};
use async_trait::async_trait;

use super::listing::{ListRow, PlayerTable, rows};
use super::{StoreError, WaitingEntry};
use crate::sql::row::{clock_columns, columns};
use crate::sql::value::NamedRow;

/// A change of one game. It is written as a whole if the row is as expected, or not at all.
#[derive(Clone)]
pub struct Change {
    /// The game.
    pub id: GameId,
    /// The change of its row.
    pub row: RowChange,
    /// The effects.
    pub effects: Effects,
}

/// The change of a game's row, if the row is still the one that the change was planned for.
#[derive(Clone)]
pub enum RowChange {
    /// Stores the game, unless its id exists.
    Insert(Box<StoredGame>),
    /// Appends to the log, if the row has this revision and this head. With the same revision, the sender
    /// still holds the seat.
    Append {
        /// The revision that the change was planned for.
        revision: i64,
        /// The head that the extension was made for.
        at: Head,
        /// The appended part.
        extension: Extension,
    },
    /// Changes seats, or more than the log. The revision grows by one.
    Update(Box<Update>),
    /// Deletes the row, if it has this revision and the game never started.
    Delete {
        /// The revision that the change was planned for.
        revision: i64,
    },
}

/// New values for the row of a game, in addition to its revision. `None` leaves a value unchanged.
#[derive(Clone)]
pub struct Update {
    /// The revision that the row must have.
    pub revision: i64,
    /// The status that it must have. A game may end without a new revision, and is in other lists then.
    pub status: Status,
    /// The head that it must have, if that matters.
    pub at: Option<Head>,
    /// The holders of the seats.
    pub seats: Vec<Holder>,
    /// The tags.
    pub tags: Option<String>,
    /// The hash of the secret that owns the game from now on.
    pub heir: Option<Bytes32>,
    /// The beacon, with its round or its signature.
    pub beacon: Option<GameBeacon>,
    /// The rematch.
    pub rematch: Option<GameId>,
    /// The start of the game.
    pub start: Option<Start>,
    /// Why the operator hides the game, which is hidden from now on.
    pub removed: Option<String>,
}

impl Update {
    /// Returns an update of a game that sets nothing yet.
    pub fn new(game: &Info) -> Self {
        Self {
            revision: game.revision,
            status: game.status,
            at: None,
            seats: game.seats.clone(),
            tags: None,
            heir: None,
            beacon: None,
            rematch: None,
            start: None,
            removed: None,
        }
    }

    /// Returns an update that hides a game: without tags and names of seats, and in no list.
    pub fn take_down(game: &Info, reason: String) -> Self {
        let mut update = Self { tags: Some(String::new()), removed: Some(reason), ..Self::new(game) };
        update.seats.iter_mut().for_each(|seat| seat.name = None);
        update
    }

    /// Returns the game after it.
    pub fn applied(&self, game: &StoredGame) -> StoredGame {
        let Self { seats, tags, heir, beacon, rematch, start, removed, .. } = self;
        let mut game = game.clone();
        game.heir = heir.or(game.heir);
        game.tags = tags.clone().unwrap_or(game.tags);
        game.beacon = beacon.clone().or(game.beacon);
        game.info.seats.clone_from(seats);
        game.info.revision += 1;
        game.info.rematch = rematch.or(game.info.rematch);
        if let Some(Start { at, extension }) = start {
            game.info.started_at = Some(*at);
            extension.apply(&mut game);
        }
        if removed.is_some() {
            game.info.removed.clone_from(removed);
            if game.info.visibility == Visibility::Public {
                game.info.visibility = Visibility::Unlisted;
            }
        }
        game
    }
}

/// The effects of a change elsewhere in the database.
#[derive(Clone, Default)]
pub struct Effects {
    /// The rows of lists that the game leaves.
    pub(crate) left: Vec<ListRow>,
    /// The rows of lists in which its place changes.
    pub(crate) moved: Vec<ListRow>,
    /// The rows of lists that it enters.
    pub(crate) entered: Vec<ListRow>,
    /// The id that an import of its record would have, if it can be found by that from now on.
    pub(crate) record: Option<GameId>,
    /// New entries for the public log.
    pub(crate) log: Vec<WaitingEntry>,
    /// New items for the feed.
    pub(crate) feed: Vec<FeedNews>,
}

impl Effects {
    /// Returns the effects of a change from one state of a game to another. `record` is the id that an import
    /// of its record would have, if it can be found by that from now on.
    pub fn between(before: Option<&StoredGame>, after: Option<&StoredGame>, record: Option<GameId>) -> Self {
        let (was, becomes) = (before.map(rows).unwrap_or_default(), after.map(rows).unwrap_or_default());
        let stays = |row: &ListRow, rows: &[ListRow]| rows.iter().any(|other| other.is_in_list_of(row));
        let moved = was.iter().filter_map(|row| {
            let now = becomes.iter().find(|now| now.is_in_list_of(row) && now.status != row.status)?;
            Some(ListRow { becomes: now.status, finished_at: now.finished_at, ..row.clone() })
        });
        Self {
            moved: moved.collect(),
            left: was.iter().filter(|row| !stays(row, &becomes)).cloned().collect(),
            entered: becomes.iter().filter(|row| !stays(row, &was)).cloned().collect(),
            record,
            log: after.map(|after| logged(before, after)).unwrap_or_default(),
            feed: fed(before.map(|game| &game.info), after.map(|game| &game.info)),
        }
    }

    /// Returns whether it has new items for the feed.
    pub fn is_fed(&self) -> bool {
        !self.feed.is_empty()
    }

    /// Returns whether lists change.
    pub(crate) fn changes_lists(&self) -> bool {
        !(self.left.is_empty() && self.moved.is_empty() && self.entered.is_empty())
    }

    /// Returns the changed rows of a table.
    pub(crate) fn of_table(rows: &[ListRow], table: PlayerTable) -> impl Iterator<Item = &ListRow> {
        rows.iter().filter(move |row| row.table == table)
    }
}

/// Returns the new entries for the public log: the start of the game, its end, or both.
fn logged(before: Option<&StoredGame>, after: &StoredGame) -> Vec<WaitingEntry> {
    let (game, info, was) = (after.info.id, &after.info, before.map(|before| &before.info));
    let starts = info.head.is_some() && was.is_none_or(|was| was.head.is_none());
    let ends = info.finished_at.is_some() && was.is_none_or(|was| was.finished_at.is_none());
    let is_new = |milestone: &Milestone| {
        after.commitment.is_some()
            && match milestone {
                Milestone::Start => starts,
                Milestone::End => ends,
            }
    };
    // An entry that cannot be computed from a damaged log yet is tried again at its turn.
    let entry = |milestone| EntryOpening::new(after, milestone).ok().flatten().map(|opening| opening.entry());
    let new = Milestone::ALL.into_iter().filter(is_new);
    new.map(|milestone| WaitingEntry { game, milestone, entry: entry(milestone) }).collect()
}

/// Returns the new items for the feed, which has no private and no imported games.
fn fed(before: Option<&Info>, after: Option<&Info>) -> Vec<FeedNews> {
    let is_fed = |info: &&Info| info.visibility == Visibility::Public && !info.imported;
    let Some(info) = before.or(after).filter(is_fed) else { return Vec::new() };
    let end = |status| match status {
        Status::Open | Status::Running => None,
        Status::Finished => Some(FeedKind::Finished),
        Status::Aborted => Some(FeedKind::Aborted),
    };
    let after = after.filter(|after| after.removed.is_none());
    let (kinds, at) = match (before, after) {
        (_, None) => ([Some(FeedKind::Removed), None, None], None),
        (None, Some(new)) => {
            let started = new.head.map(|_| FeedKind::Started);
            ([Some(FeedKind::Created), started, end(new.status)], Some(new.created_at))
        }
        (Some(was), Some(now)) if was.head.is_none() && now.head.is_some() => {
            ([Some(FeedKind::Started), end(now.status), None], now.started_at)
        }
        (Some(was), Some(now)) if was.status != now.status => {
            ([end(now.status), None, None], now.finished_at)
        }
        (Some(was), Some(now)) if was.revision != now.revision => ([Some(FeedKind::Seats), None, None], None),
        (Some(_), Some(_)) => ([None; 3], None),
    };
    let (game, ruleset, at) = (info.id, Some(info.ruleset()), at.unwrap_or_else(now));
    let revision = after.map_or(info.revision + 1, |after| after.revision);
    kinds.into_iter().flatten().map(|kind| FeedNews { game, revision, kind, ruleset, at }).collect()
}

impl Change {
    /// Returns a change that stores a new game. `record` is as for [`Effects::between`].
    pub fn insert(game: StoredGame, record: Option<GameId>) -> Self {
        let effects = Effects::between(None, Some(&game), record);
        Self { id: game.info.id, row: RowChange::Insert(Box::new(game)), effects }
    }

    /// Returns whether it only appends to the log of a running game.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(&self.row, RowChange::Append { extension, .. } if extension.status == Status::Running)
    }

    /// Returns whether it is a move in a game without a clock, and so only changes ply, head and log.
    pub(crate) fn is_move_without_clock(&self) -> bool {
        self.is_move()
            && matches!(&self.row, RowChange::Append { extension, .. } if extension.clock.is_none())
    }

    /// Returns the new revision of the game, if seats are taken or change.
    pub fn seated(&self) -> Option<i64> {
        match &self.row {
            RowChange::Insert(game) => Some(game.info.revision),
            RowChange::Update(update) => update.removed.is_none().then_some(update.revision + 1),
            RowChange::Append { .. } | RowChange::Delete { .. } => None,
        }
    }

    /// Returns the clock of a game that starts or continues.
    fn clock_mut(&mut self) -> Option<&mut GameClock> {
        match &mut self.row {
            RowChange::Update(update) => update.start.as_mut()?.extension.clock.as_deref_mut(),
            RowChange::Append { extension, .. } => extension.clock.as_deref_mut(),
            RowChange::Insert(_) | RowChange::Delete { .. } => None,
        }
    }

    /// Counts time from now on, in all games that start or continue with these changes.
    pub fn restart_clocks(changes: &mut [Self]) {
        let now = now();
        changes.iter_mut().filter_map(Self::clock_mut).for_each(|clock| clock.restart(now));
    }

    /// Returns the clock of a game that starts or continues.
    pub fn into_clock(mut self) -> Option<GameClock> {
        self.clock_mut().cloned()
    }

    /// Returns why it found no row to change. `is_there` means that the game exists.
    pub(crate) const fn why_unchanged(&self, is_there: bool) -> StoreError {
        match (&self.row, is_there) {
            (RowChange::Insert(_), _) => StoreError::Exists,
            (_, true) => StoreError::Conflict,
            (_, false) => StoreError::NotFound,
        }
    }
}

impl RowChange {
    /// Returns the compared and set values by name: every column of an insert, otherwise also `at_revision`
    /// and others like it.
    pub(crate) fn columns(&self, id: GameId) -> NamedRow {
        match self {
            Self::Insert(game) => columns(game),
            Self::Append { revision, at, extension } => append_columns(id, *revision, at, extension),
            Self::Update(update) => update_columns(id, update),
            Self::Delete { revision } => vec![("id", id.into()), ("at_revision", (*revision).into())],
        }
    }
}

/// Returns the values that an update compares and sets.
fn update_columns(id: GameId, update: &Update) -> NamedRow {
    let Update { revision, status, at, seats, tags, heir, beacon, rematch, start, removed } = update;
    let (beacon, extension) = (beacon.as_ref(), start.as_ref().map(|start| &start.extension));
    let due = beacon.and_then(|beacon| beacon.due);
    let mut columns = vec![
        ("id", id.into()),
        ("at_revision", (*revision).into()),
        ("at_status", (*status).into()),
        ("at_head", at.map(|at| at.hash).into()),
        ("seats", seats.as_slice().into()),
        ("status", extension.map_or(*status, |extension| extension.status).into()),
        ("started_at", start.as_ref().map(|start| start.at).into()),
        ("ply", extension.map(|extension| extension.head.ply).into()),
        ("head", extension.map(|extension| extension.head.hash).into()),
        ("log", extension.map(|extension| extension.entries.as_str()).into()),
        ("finished_at", extension.and_then(|extension| extension.finished_at).into()),
        ("tags", tags.as_deref().into()),
        ("heir", (*heir).into()),
        ("rematch", (*rematch).into()),
        ("beacon_round", due.map(|due| due.number).into()),
        ("beacon_at", due.map(|due| due.at).into()),
        ("beacon_signature", beacon.and_then(|beacon| beacon.signature).into()),
        ("removed", removed.as_deref().into()),
    ];
    columns.extend(clock_columns(extension.and_then(|extension| extension.clock.as_deref())));
    columns
}

/// Returns the values that an append compares and sets. The last two columns change only if the game ends.
fn append_columns(id: GameId, revision: i64, at: &Head, extension: &Extension) -> NamedRow {
    let mut columns = vec![
        ("id", id.into()),
        ("at_revision", revision.into()),
        ("at_ply", at.ply.into()),
        ("at_head", at.hash.into()),
        ("ply", extension.head.ply.into()),
        ("head", extension.head.hash.into()),
        ("entries", extension.entries.as_str().into()),
    ];
    columns.extend(clock_columns(extension.clock.as_deref()));
    columns.extend([("status", extension.status.into()), ("finished_at", extension.finished_at.into())]);
    columns
}

/// Writes games.
#[async_trait]
pub trait WritesGames: Send + Sync {
    /// Writes changes of different games, and returns the outcome of each, in order. Each is written as a
    /// whole or not at all, and is durable when this returns. The clocks of continuing games run from the
    /// moment when the database takes the changes, and the changes get that time. May block its thread, so
    /// only one thread writes.
    ///
    /// # Errors
    /// For each change:
    /// - [`StoreError::Exists`] for a new game whose id exists,
    /// - [`StoreError::Conflict`] if a game is no longer the one that the change was made for,
    /// - [`StoreError::NotFound`] if there is none,
    /// - [`StoreError::Locked`] if another transaction holds the game.
    async fn write(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>>;

    /// Writes the changes of games that no other transaction holds, and waits for none. May be called during
    /// another write.
    ///
    /// # Errors
    /// As [`WritesGames::write`].
    async fn write_skip_locked(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>>;

    /// Writes something that leaves no trace, to check whether the database accepts changes again.
    async fn try_to_write(&self) -> Result<(), StoreError>;

    /// Returns whether a single change is best written on the thread that submits it, because the database is
    /// another process and this thread has no other write in progress.
    fn can_write_inline(&self) -> bool {
        false
    }
}
