//! Writes to SQLite in one transaction.

use assam_record::feed::{FeedNews, FeedPlace};
use rusqlite::Connection;

use super::error::SqliteFault;
use super::session::{execute, execute_named, query};
use crate::contract::{feed, public_log};
use crate::sql::statement;
use crate::sql::value::Value;
use crate::{Change, Effects, RowChange, StoreError};

/// Writes changes in one transaction, and returns the outcome of each.
pub(super) fn write(
    connection: &mut Connection,
    changes: &mut [Change],
) -> Result<Vec<Result<(), StoreError>>, SqliteFault> {
    let transaction = connection.transaction()?;
    // Not earlier: another process may have held the database.
    Change::restart_clocks(changes);
    let outcomes: Vec<_> =
        changes.iter().map(|change| write_one(&transaction, change)).collect::<Result<_, SqliteFault>>()?;
    let written = changes.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok());
    // Commits here are in order, so no item has to wait.
    let fed: Vec<FeedNews> = written.flat_map(|(change, _)| change.effects.feed.clone()).collect();
    if !fed.is_empty() {
        place_feed(&transaction, fed, u32::MAX)?;
    }
    transaction.commit()?;
    Ok(outcomes)
}

/// The WHERE clause is the lock. The clock columns of games without clocks are null, and stay so.
const APPEND: &str = "UPDATE games SET ply = :ply, head = :head, status = :status, finished_at = :finished_at, \
    clock_left = :clock_left, clock_since = :clock_since, clock_until = :clock_until, \
    log = CASE WHEN log = '' THEN :entries ELSE :entries || ' ' || log END \
    WHERE id = :id AND ply = :at_ply AND head = :at_head AND revision = :at_revision";
/// As [`APPEND`], for a running game without a clock: no indexed column changes.
const MOVE: &str = "UPDATE games SET ply = :ply, head = :head, \
    log = CASE WHEN log = '' THEN :entries ELSE :entries || ' ' || log END \
    WHERE id = :id AND ply = :at_ply AND head = :at_head AND revision = :at_revision";
const UPDATE: &str = "UPDATE games SET revision = revision + 1, seats = :seats, status = :status, \
    started_at = COALESCE(:started_at, started_at), finished_at = COALESCE(:finished_at, finished_at), \
    ply = COALESCE(:ply, ply), head = COALESCE(:head, head), log = COALESCE(:log, log), \
    tags = COALESCE(:tags, tags), heir = COALESCE(:heir, heir), rematch = COALESCE(:rematch, rematch), \
    beacon_round = COALESCE(:beacon_round, beacon_round), beacon_at = COALESCE(:beacon_at, beacon_at), \
    beacon_signature = COALESCE(:beacon_signature, beacon_signature), \
    clock_left = COALESCE(:clock_left, clock_left), clock_since = COALESCE(:clock_since, clock_since), \
    clock_until = COALESCE(:clock_until, clock_until), removed = COALESCE(:removed, removed), \
    visibility = CASE WHEN :removed IS NOT NULL AND visibility = 0 THEN 1 ELSE visibility END \
    WHERE id = :id AND revision = :at_revision AND status = :at_status AND (:ply IS NULL OR ply IS NULL) \
    AND (:at_head IS NULL OR head = :at_head)";
const DELETE: &str = "DELETE FROM games WHERE id = :id AND revision = :at_revision AND ply IS NULL";

/// Writes a change. A refused one leaves nothing behind.
fn write_one(on: &Connection, change: &Change) -> Result<Result<(), StoreError>, SqliteFault> {
    let id = change.id;
    let columns = change.row.columns(id);
    let changed = match &change.row {
        RowChange::Insert(_) => insert(on, "games", "ON CONFLICT (id) DO NOTHING", &columns)?,
        RowChange::Append { .. } if change.is_move_without_clock() => execute_named(on, MOVE, &columns)?,
        RowChange::Append { .. } => execute_named(on, APPEND, &columns)?,
        RowChange::Update(_) => execute_named(on, UPDATE, &columns)?,
        RowChange::Delete { .. } => execute_named(on, DELETE, &columns)?,
    };
    if changed == 0 {
        let is_there = !query(on, &statement::exists(id))?.is_empty();
        return Ok(Err(change.why_unchanged(is_there)));
    }
    let Effects { left, moved, entered, record, log, feed: _ } = &change.effects;
    if let Some(record) = record {
        insert(on, "records", IF_NEW, &[("record", (*record).into()), ("game_id", id.into())])?;
    }
    for entry in log {
        insert(on, "log_entries", IF_NEW, &public_log::waiting_row(entry))?;
    }
    let place = "player = :player AND ruleset = :ruleset AND status = :status AND created_at = :created_at AND game_id = :game_id";
    for row in left {
        execute_named(on, &format!("DELETE FROM {} WHERE {place}", row.table.name()), &row.columns())?;
    }
    for row in moved {
        let table = row.table.name();
        let moved = format!("UPDATE {table} SET status = :becomes, finished_at = :finished_at WHERE {place}");
        execute_named(on, &moved, &row.columns())?;
    }
    for row in entered {
        let mut columns = row.columns();
        columns.retain(|(name, _)| *name != "becomes");
        insert(on, row.table.name(), IF_NEW, &columns)?;
    }
    Ok(Ok(()))
}

/// Leaves an existing row unchanged.
const IF_NEW: &str = "ON CONFLICT DO NOTHING";

/// Inserts a row, and returns the number of new rows.
pub(super) fn insert(
    on: &Connection,
    table: &str,
    conflict: &str,
    row: &[(&str, Value)],
) -> Result<usize, SqliteFault> {
    let names: Vec<_> = row.iter().map(|(name, _)| *name).collect();
    let (columns, values) = (names.join(", "), names.join(", :"));
    Ok(execute_named(on, &format!("INSERT INTO {table} ({columns}) VALUES (:{values}) {conflict}"), row)?)
}

/// Gives positions to new entries, and to items that came with a copy of a PostgreSQL database. The
/// transaction has the lock, so no other connection writes.
pub(super) fn place_feed(on: &Connection, mut fed: Vec<FeedNews>, limit: u32) -> Result<usize, SqliteFault> {
    let was = feed_head(on)?;
    for row in query(on, &feed::take_waiting("rowid", limit))? {
        fed.push(row.feed_news().map_err(SqliteFault::Store)?);
    }
    let placed = feed::placed(was, fed);
    for one in &placed {
        insert(on, "feed_entries", "", &feed::placed_row(one))?;
    }
    if let Some(last) = placed.last() {
        execute(on, &feed::advance(&was, &last.place))?;
    }
    Ok(placed.len())
}

/// Returns the place of the last entry of the feed.
pub(super) fn feed_head(on: &Connection) -> Result<FeedPlace, SqliteFault> {
    let rows = query(on, &feed::head())?;
    rows.first().map_or(Ok(FeedPlace::BEGINNING), |row| row.feed_head()).map_err(SqliteFault::Store)
}
