//! The public log of games in the databases: waiting entries, and the tree.

use assam_proofs::public_log::{Growth, Milestone, Missing, Tile, Tree, TreeHead, leaf};
use assam_record::game::{Bytes32, GameId};
use async_trait::async_trait;

use super::StoreError;
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::{FromColumn, NamedRow, Value};

/// An entry to write into the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewEntry {
    /// The game.
    pub game: GameId,
    /// Its start or end.
    pub milestone: Milestone,
    /// The entry.
    pub entry: Bytes32,
}

/// An entry that waits for the log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WaitingEntry {
    /// The game.
    pub game: GameId,
    /// Its start or end.
    pub milestone: Milestone,
    /// The entry, if it was known when the game was written.
    pub entry: Option<Bytes32>,
}

impl WaitingEntry {
    /// Returns it as a new entry, if its entry is known.
    pub fn known(self) -> Option<NewEntry> {
        let Self { game, milestone, entry } = self;
        entry.map(|entry| NewEntry { game, milestone, entry })
    }
}

/// Stores the public log of games.
#[async_trait]
pub trait PublicLog: Send + Sync {
    /// Returns waiting entries after this one, in order, at most `limit`.
    async fn waiting_entries(
        &self,
        after: Option<(GameId, Milestone)>,
        limit: u32,
    ) -> Result<Vec<WaitingEntry>, StoreError>;

    /// Returns the milestones of a game in the log, with their positions if they are not waiting.
    async fn log_positions(&self, game: GameId) -> Result<Vec<(Milestone, Option<u64>)>, StoreError>;

    /// Returns the number of entries of the log, and their root.
    async fn log_head(&self) -> Result<TreeHead, StoreError>;

    /// Returns the stored nodes of a tile: on level 0 the entries, above it hashes.
    async fn log_nodes(&self, tile: Tile) -> Result<Vec<Bytes32>, StoreError>;

    /// Writes those of these entries that still wait into the log, all at once, and returns its head, or none
    /// if another process is writing into it now.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another process wrote at the same time. Nothing is written then.
    async fn extend_log(&self, entries: &[NewEntry]) -> Result<Option<TreeHead>, StoreError>;

    /// Returns the newest checkpoint that each witness cosigned, as a note. Witnesses are named by their
    /// keys.
    async fn cosignatures(&self) -> Result<Vec<(String, String)>, StoreError>;

    /// Stores a cosigned checkpoint of this size for a witness, unless it has a larger one.
    async fn keep_cosignature(&self, witness: &str, size: u64, note: &str) -> Result<(), StoreError>;
}

impl From<Milestone> for Value {
    fn from(moment: Milestone) -> Self {
        Self::Int(match moment {
            Milestone::Start => 0,
            Milestone::End => 1,
        })
    }
}

impl FromColumn for Milestone {
    fn read(value: &Value) -> Option<Self> {
        match i64::read(value)? {
            0 => Some(Self::Start),
            1 => Some(Self::End),
            _ => None,
        }
    }
}

impl From<u64> for Value {
    /// No log has more entries than fit.
    fn from(number: u64) -> Self {
        Self::Int(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl FromColumn for u64 {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value)?.try_into().ok()
    }
}

pub(crate) fn waiting_row(WaitingEntry { game, milestone, entry }: &WaitingEntry) -> NamedRow {
    vec![("game_id", (*game).into()), ("part", (*milestone).into()), ("entry", (*entry).into())]
}

pub(crate) fn waiting(after: Option<(GameId, Milestone)>, limit: u32) -> Statement {
    let mut statement =
        Statement::new("SELECT game_id, part, entry FROM log_entries WHERE position IS NULL", []);
    if let Some((game, moment)) = after {
        let (game, moment) = (statement.param(game), statement.param(moment));
        statement.sql += &format!(" AND (game_id, part) > ({game}, {moment})");
    }
    let limit = statement.param(limit);
    statement.sql += &format!(" ORDER BY game_id, part LIMIT {limit}");
    statement
}

/// Reads the places of a game in the log.
pub(crate) fn positions(game: GameId) -> Statement {
    Statement::new("SELECT part, position FROM log_entries WHERE game_id = $1 ORDER BY part", [game.into()])
}

pub(crate) fn head() -> Statement {
    Statement::new("SELECT size, root FROM log_head", [])
}

pub(crate) fn nodes(tile: Tile) -> Statement {
    let (first, behind) = (tile.first(), tile.first() + u64::from(tile.width));
    Statement::new(
        "SELECT bytes FROM log_nodes WHERE level = $1 AND position >= $2 AND position < $3 ORDER BY position",
        [u32::from(tile.level).into(), first.into(), behind.into()],
    )
}

/// Reads the cosigned checkpoints.
pub(crate) fn cosignatures() -> Statement {
    Statement::new("SELECT witness, note FROM log_cosignatures ORDER BY witness", [])
}

/// Stores a cosigned checkpoint of a witness, unless it has a larger one.
pub(crate) fn keep_cosignature(witness: &str, size: u64, note: &str) -> Statement {
    Statement::new(
        "INSERT INTO log_cosignatures AS kept (witness, size, note) VALUES ($1, $2, $3) \
         ON CONFLICT (witness) DO UPDATE SET size = excluded.size, note = excluded.note \
         WHERE excluded.size >= kept.size",
        [witness.into(), size.into(), note.into()],
    )
}

/// Writes the head of a log that has grown. Changes no row if the head has changed since.
pub(crate) fn advance(was: &TreeHead, head: &TreeHead) -> Statement {
    let (size, root) = (head.size.into(), head.root.into());
    match was.size {
        0 => Statement::new("INSERT INTO log_head (size, root) VALUES ($1, $2)", [size, root]),
        was => Statement::new(
            "UPDATE log_head SET size = $1, root = $2 WHERE size = $3",
            [size, root, was.into()],
        ),
    }
}

impl SqlRow {
    pub(crate) fn waiting(&self) -> Result<WaitingEntry, StoreError> {
        let (game, milestone) = self.milestone()?;
        Ok(WaitingEntry { game, milestone, entry: self.third().ok_or_else(unreadable)? })
    }

    pub(crate) fn milestone(&self) -> Result<(GameId, Milestone), StoreError> {
        self.pair().ok_or_else(unreadable)
    }

    pub(crate) fn position(&self) -> Result<(Milestone, Option<u64>), StoreError> {
        self.pair().ok_or_else(unreadable)
    }

    pub(crate) fn log_head(&self) -> Result<TreeHead, StoreError> {
        self.pair().map(|(size, root)| TreeHead { size, root }).ok_or_else(unreadable)
    }

    /// Reads a witness, and its cosigned note.
    pub(crate) fn cosignature(&self) -> Result<(String, String), StoreError> {
        self.pair().ok_or_else(unreadable)
    }

    /// Reads the only column, an entry or a hash.
    pub(crate) fn log_node(&self) -> Result<Bytes32, StoreError> {
        self.first().ok_or_else(unreadable)
    }
}

fn unreadable() -> StoreError {
    StoreError::Backend("the public log cannot be read".to_owned())
}

/// Returns a tile as the tree has it, from its stored nodes. On level 0, entries are hashed.
pub fn hashes(tile: Tile, nodes: Vec<Bytes32>) -> Vec<Bytes32> {
    if tile.level > 0 { nodes } else { nodes.iter().map(|entry| leaf(entry)).collect() }
}

/// The writes for a log that grows.
pub(crate) struct Grown {
    pub(crate) growth: Growth,
    pub(crate) head: TreeHead,
    /// Each entry, with its position.
    pub(crate) placed: Vec<(NewEntry, u64)>,
}

/// Adds entries to a log with this head and these tiles at its right edge.
///
/// # Errors
/// If the tiles do not lead to the root.
pub(crate) fn grow(
    was: &TreeHead,
    edge: Vec<(Tile, Vec<Bytes32>)>,
    entries: Vec<NewEntry>,
) -> Result<Grown, StoreError> {
    let torn = |Missing(_)| {
        StoreError::Backend("the public log is damaged: a part of its tree is missing".to_owned())
    };
    let mut tree = Tree::of_size(was.size);
    for (tile, nodes) in edge {
        tree.put(tile, hashes(tile, nodes));
    }
    if tree.root_at(was.size).map_err(torn)? != was.root {
        return Err(StoreError::Backend(
            "the public log is damaged: its tree does not lead to its root".to_owned(),
        ));
    }
    let mut growth = Growth::new(tree);
    let placed = entries.into_iter().map(|new| (new, growth.push(new.entry))).collect();
    let head = growth.head().map_err(torn)?;
    Ok(Grown { growth, head, placed })
}
