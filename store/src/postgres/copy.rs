//! Copies a whole PostgreSQL database into an SQLite file, and out of one.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;

use deadpool_postgres::{GenericClient as _, Object, Pool};
use futures_util::TryStreamExt as _;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_postgres::binary_copy::BinaryCopyInWriter;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{IsolationLevel, Transaction};

use super::connection::session::{cells, session};
use super::error::PostgresFault;
use crate::sql::tables::{CopiedTable, WITHOUT_KEYS, tables};
use crate::sql::value::Value;
use crate::sqlite::SqliteStore;
use crate::{Admin as _, StoreError};

/// Rows that are written to the file in one transaction, or wait to be sent.
const ROWS: usize = 1000;

/// Whether games are on several servers.
const IS_DISTRIBUTED: &str = "SELECT FROM pg_dist_partition WHERE logicalrelid = 'games'::regclass";
/// Several servers share no snapshot, so no game may change until the copy is made. Servers that have yet to
/// commit are awaited.
const HOLD: &str = "SET LOCAL lock_timeout = '10s'; LOCK TABLE games IN SHARE MODE";

/// Copies everything, as of one moment, into an SQLite file that is missing or empty.
///
/// # Errors
/// Errors of either database, and [`StoreError::Backend`] if the tables belong to another version, whose
/// newest migration is not `newest`.
pub(super) async fn copy(pool: &Pool, newest: Option<i32>, file: &Path) -> Result<(), PostgresFault> {
    let into = SqliteStore::open(file).map_err(PostgresFault::Store)?;
    into.migrate().await.map_err(PostgresFault::Store)?;
    // Taken out of the pool, as its settings change.
    let mut session = Object::take(session(pool).await?);
    session.batch_execute("SET enable_seqscan = on").await?;
    // Without this table, there is one server.
    let is_distributed = matches!(session.query_opt(IS_DISTRIBUTED, &[]).await, Ok(Some(_)));
    let snapshot =
        session.build_transaction().isolation_level(IsolationLevel::RepeatableRead).read_only(true);
    let snapshot = snapshot.start().await?;
    if is_distributed {
        // Before the first query, which fixes the snapshot.
        snapshot.batch_execute(HOLD).await?;
    }
    let row = snapshot.query_opt("SELECT max(version) FROM refinery_schema_history", &[]).await;
    let stored: Option<i32> = row.ok().flatten().and_then(|row| row.get(0));
    if stored != newest {
        let other =
            "the tables of the database belong to another version: `assam migrate` updates older ones";
        return Err(PostgresFault::Store(StoreError::Backend(other.to_owned())));
    }
    for table in tables() {
        copy_table(&snapshot, &table, &into).await?;
    }
    into.close().map_err(PostgresFault::Store)
}

async fn copy_table(
    from: &Transaction<'_>,
    table: &CopiedTable,
    into: &SqliteStore,
) -> Result<(), PostgresFault> {
    let mut rows = pin!(from.query_raw(&table.select(), Vec::<Value>::new()).await?);
    let mut gathered = Vec::with_capacity(ROWS);
    loop {
        let row = rows.try_next().await?;
        let is_last = row.is_none();
        if let Some(row) = row {
            gathered.push(cells(&row)?.into_values());
        }
        if is_last || gathered.len() == ROWS {
            into.write_rows(table, &gathered).map_err(PostgresFault::Store)?;
            gathered.clear();
        }
        if is_last {
            return Ok(());
        }
    }
}

/// Takes over all rows of a copy in one transaction, and returns whether it did, which it does not if there
/// are games.
///
/// # Errors
/// Errors of either database.
pub(super) async fn take_all(pool: &Pool, copy: &Path) -> Result<bool, PostgresFault> {
    let copy = Arc::new(SqliteStore::open_to_read(copy).map_err(PostgresFault::Store)?);
    let mut session = session(pool).await?;
    let transaction = session.transaction().await?;
    // Two copies that begin at once take turns, and the second finds games.
    transaction.batch_execute("LOCK TABLE games IN SHARE ROW EXCLUSIVE MODE").await?;
    if transaction.query_opt("SELECT 1 FROM games LIMIT 1", &[]).await?.is_some() {
        return Ok(false);
    }
    transaction.batch_execute(WITHOUT_KEYS).await?;
    for table in tables() {
        take_table(&transaction, table, Arc::clone(&copy)).await?;
    }
    transaction.commit().await?;
    Ok(true)
}

async fn take_table(
    into: &deadpool_postgres::Transaction<'_>,
    table: CopiedTable,
    copy: Arc<SqliteStore>,
) -> Result<(), PostgresFault> {
    let types: Vec<Type> =
        into.prepare(&table.select()).await?.columns().iter().map(|column| column.type_().clone()).collect();
    let writer = BinaryCopyInWriter::new(into.copy_in(&table.copy_in()).await?, &types);
    let mut writer = pin!(writer);
    let (send, mut rows) = mpsc::channel::<Vec<Value>>(ROWS);
    let reader = spawn_blocking(move || {
        // If the receiver is gone, the remaining rows are dropped.
        copy.each_row(&table.select(), |row| drop(send.blocking_send(row)))
    });
    while let Some(row) = rows.recv().await {
        let row: Vec<&(dyn ToSql + Sync)> = row.iter().map(|value| value as _).collect();
        writer.as_mut().write(&row).await?;
    }
    reader
        .await
        .unwrap_or_else(|_| Err(StoreError::Backend("the copy was not read to its end".to_owned())))
        .map_err(PostgresFault::Store)?;
    writer.finish().await?;
    Ok(())
}
