//! What is written to SQLite in one transaction.

use assam_record::feed::{FeedNews, FeedPlace};
use rusqlite::Connection;

use super::error::SqliteFault;
use super::session::{execute, query};
use crate::contract::listing::PlayerTable;
use crate::contract::{feed, public_log};
use crate::sql::statement;
use crate::sql::value::Value;
use crate::{Reseat, StoreError, Write};

/// Writes changes in one transaction, and returns the outcome of each.
pub(super) fn write(
    connection: &mut Connection,
    changes: &mut [Write],
) -> Result<Vec<Result<(), StoreError>>, SqliteFault> {
    let transaction = connection.transaction()?;
    // Not before: another process may have held the database.
    Write::restart_clocks(changes);
    let outcomes: Vec<_> =
        changes.iter().map(|change| write_one(&transaction, change)).collect::<Result<_, SqliteFault>>()?;
    let written = changes.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok());
    // Whoever commits first is first here, too: nothing has to wait.
    let fed: Vec<FeedNews> = written.flat_map(|(change, _)| change.fed()).collect();
    if !fed.is_empty() {
        place_feed(&transaction, fed, u32::MAX)?;
    }
    transaction.commit()?;
    Ok(outcomes)
}

/// Writes a change; an outcome that is refused leaves nothing behind.
fn write_one(on: &Connection, change: &Write) -> Result<Result<(), StoreError>, SqliteFault> {
    let id = change.id();
    let mut statement = match change {
        Write::Create { game, .. } => statement::insert(game),
        Write::Reseat(reseat) => {
            let Reseat { revision, at, seats, tags, heir, beacon, rematch, start, .. } = &**reseat;
            let beacon = beacon.as_ref();
            let due = beacon.and_then(|beacon| beacon.due);
            let others = [
                ("tags", tags.as_deref().map(Value::from)),
                ("heir", heir.map(Value::from)),
                ("rematch", rematch.map(Value::from)),
                ("beacon_round", due.map(|due| due.number.into())),
                ("beacon_at", due.map(|due| due.at.into())),
                ("beacon_signature", beacon.and_then(|beacon| beacon.signature).map(Value::from)),
            ];
            statement::reseat(id, *revision, at.as_ref(), seats, others, start.as_ref())
        }
        Write::Append { revision, at, extension, .. } => statement::append(id, *revision, at, extension),
        Write::Remove { revision, .. } => statement::remove(id, *revision),
        Write::TakeDown { revision, reason, seats, .. } => statement::take_down(id, *revision, reason, seats),
    };
    if let Some(status) = change.at_status() {
        let status = statement.param(status);
        statement.sql += &format!(" AND status = {status}");
    }
    if execute(on, &statement)? == 0 {
        let is_there = !query(on, &statement::exists(id))?.is_empty();
        return Ok(Err(change.why_unchanged(is_there)));
    }
    if let Some(record) = change.record() {
        execute(on, &statement::record(record, id))?;
    }
    for entry in change.logged() {
        execute(on, &public_log::wait(entry))?;
    }
    for table in PlayerTable::ALL {
        for row in change.rows_left(table) {
            execute(on, &statement::unlist(table, row))?;
        }
        for row in change.rows_moved(table) {
            execute(on, &statement::relist(table, row))?;
        }
        for row in change.rows_entered(table) {
            execute(on, &statement::enlist(table, row))?;
        }
    }
    Ok(Ok(()))
}

/// Gives positions to what is new, and to what came waiting with a copy of a PostgreSQL database. Nobody else writes: the transaction has the lock.
pub(super) fn place_feed(on: &Connection, mut fed: Vec<FeedNews>, limit: u32) -> Result<usize, SqliteFault> {
    let was = feed_head(on)?;
    for row in query(on, &feed::take_waiting("rowid", limit))? {
        fed.push(row.feed_news().map_err(SqliteFault::Store)?);
    }
    let placed = feed::placed(was, fed);
    for one in &placed {
        execute(on, &feed::place(one))?;
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
