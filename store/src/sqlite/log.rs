//! The public log of games in SQLite.

use std::collections::{BTreeMap, HashMap};

use assam_proofs::public_log::{Growth, Milestone, Tile, TreeHead};
use assam_record::game::{Bytes32, GameId};
use async_trait::async_trait;
use rusqlite::Connection;

use super::SqliteStore;
use super::error::SqliteFault;
use super::session::{execute, query};
use crate::contract::public_log::{self, Grown, NewEntry, PublicLog, WaitingEntry, advance, grow};
use crate::sql::statement::Statement;
use crate::sql::value::FromColumn as _;
use crate::{Reads as _, StoreError};

#[async_trait]
impl PublicLog for SqliteStore {
    async fn waiting_entries(
        &self,
        after: Option<(GameId, Milestone)>,
        limit: u32,
    ) -> Result<Vec<WaitingEntry>, StoreError> {
        let rows = self.read(|connection| query(connection, &public_log::waiting(after, limit)))?;
        rows.iter().map(|row| row.waiting()).collect()
    }

    async fn log_positions(&self, game: GameId) -> Result<Vec<(Milestone, Option<u64>)>, StoreError> {
        let rows = self.read(|connection| query(connection, &public_log::positions(game)))?;
        rows.iter().map(|row| row.position()).collect()
    }

    async fn log_head(&self) -> Result<TreeHead, StoreError> {
        Ok(self.read(head)?)
    }

    async fn log_nodes(&self, tile: Tile) -> Result<Vec<Bytes32>, StoreError> {
        Ok(self.read(|connection| nodes(connection, tile))?)
    }

    async fn extend_log(&self, entries: &[NewEntry]) -> Result<Option<TreeHead>, StoreError> {
        let outcome = self.write_with(|connection| {
            let transaction = connection.transaction()?;
            let head = extend(&transaction, entries)?;
            transaction.commit()?;
            Ok(head)
        });
        self.health().note(&outcome);
        Ok(Some(outcome?))
    }

    async fn cosignatures(&self) -> Result<Vec<(String, String)>, StoreError> {
        let rows = self.read(|connection| query(connection, &public_log::cosignatures()))?;
        rows.iter().map(|row| row.cosignature()).collect()
    }

    async fn keep_cosignature(&self, witness: &str, size: u64, note: &str) -> Result<(), StoreError> {
        let keep = public_log::keep_cosignature(witness, size, note);
        self.write_with(|connection| Ok(execute(connection, &keep)?))?;
        Ok(())
    }
}

fn head(on: &Connection) -> Result<TreeHead, SqliteFault> {
    let rows = query(on, &public_log::head())?;
    rows.first().map_or(Ok(TreeHead::empty()), |row| row.log_head()).map_err(SqliteFault::Store)
}

fn nodes(on: &Connection, tile: Tile) -> Result<Vec<Bytes32>, SqliteFault> {
    let rows = query(on, &public_log::nodes(tile))?;
    rows.iter().map(|row| row.log_node()).collect::<Result<_, _>>().map_err(SqliteFault::Store)
}

/// The transaction has the lock, so no other connection writes.
fn extend(on: &Connection, entries: &[NewEntry]) -> Result<TreeHead, SqliteFault> {
    let was = head(on)?;
    let mut waiting = Vec::with_capacity(entries.len());
    for new in entries {
        let select = "SELECT 1 FROM log_entries WHERE game_id = $1 AND part = $2 AND position IS NULL";
        if !query(on, &Statement::new(select, [new.game.into(), new.milestone.into()]))?.is_empty() {
            waiting.push(*new);
        }
    }
    if waiting.is_empty() {
        return Ok(was);
    }
    let edge: Result<Vec<_>, SqliteFault> =
        Growth::edge(was.size).map(|tile| Ok((tile, nodes(on, tile)?))).collect();
    let Grown { growth, head, placed } = grow(&was, edge?, waiting).map_err(SqliteFault::Store)?;
    for node in &growth.nodes {
        let insert = "INSERT INTO log_nodes (level, position, bytes) VALUES ($1, $2, $3)";
        let row = [u32::from(node.level).into(), node.position.into(), node.bytes.into()];
        execute(on, &Statement::new(insert, row))?;
    }
    for (new, position) in placed {
        let update = "UPDATE log_entries SET position = $1, entry = NULL WHERE game_id = $2 AND part = $3";
        execute(on, &Statement::new(update, [position.into(), new.game.into(), new.milestone.into()]))?;
    }
    execute(on, &advance(&was, &head))?;
    Ok(head)
}

/// The whole public log of a file.
#[derive(Debug)]
pub struct WholeLog {
    /// The stored head.
    pub head: TreeHead,
    /// The entries and the hashes above them, by level and position.
    pub nodes: BTreeMap<(u8, u64), Bytes32>,
    /// The places of each game. Waiting entries have no position.
    pub places: HashMap<GameId, Vec<(Milestone, Option<u64>)>>,
    /// Games in the log that are no longer in the file.
    pub gone: Vec<GameId>,
}

impl SqliteStore {
    /// Reads the whole log into memory, some 300 bytes a game.
    ///
    /// # Errors
    /// Database errors, and rows that cannot be read.
    pub fn whole_log(&self) -> Result<WholeLog, StoreError> {
        let mut unreadable = 0;
        let mut nodes = BTreeMap::new();
        self.each_row("SELECT level, position, bytes FROM log_nodes", |row| match &row[..] {
            [level, position, bytes] => {
                let level = u32::read(level).and_then(|level| level.try_into().ok());
                match level.zip(u64::read(position)).zip(Bytes32::read(bytes)) {
                    Some((place, bytes)) => drop(nodes.insert(place, bytes)),
                    None => unreadable += 1,
                }
            }
            _ => unreadable += 1,
        })?;
        let mut places: HashMap<GameId, Vec<(Milestone, Option<u64>)>> = HashMap::new();
        self.each_row("SELECT game_id, part, position FROM log_entries", |row| match &row[..] {
            [game, part, position] => match GameId::read(game).zip(Milestone::read(part)) {
                Some((game, moment)) => {
                    places.entry(game).or_default().push((moment, Option::read(position).flatten()));
                }
                None => unreadable += 1,
            },
            _ => unreadable += 1,
        })?;
        let mut gone = Vec::new();
        let of_none = "SELECT DISTINCT game_id FROM log_entries WHERE game_id NOT IN (SELECT id FROM games)";
        self.each_row(of_none, |row| match row.first().and_then(GameId::read) {
            Some(game) => gone.push(game),
            None => unreadable += 1,
        })?;
        if unreadable > 0 {
            return Err(StoreError::Backend(format!("{unreadable} rows of the public log cannot be read")));
        }
        let head = self.read(head)?;
        Ok(WholeLog { head, nodes, places, gone })
    }
}
