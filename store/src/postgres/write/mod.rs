//! Writes to PostgreSQL in one statement.

use std::collections::HashSet;

use assam_record::game::GameId;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use super::connection::session::{cells, rows};
use super::error::PostgresFault;
use crate::contract::feed::waiting_row;
use crate::contract::listing::{ListRow, PlayerTable};
use crate::contract::public_log::waiting_row as logged_row;
use crate::sql::value::Value;
use crate::{Change, Effects, RowChange, StoreError};

use batch::Batch;

pub(super) mod batch;

/// A single move in a game without a clock. It takes PostgreSQL two thirds of the time of a batch with one
/// change. The WHERE clause is the lock.
const MOVE: &str = "UPDATE games SET ply = $5, head = $6, \
    log = CASE WHEN log = '' THEN $7 ELSE $7 || ' ' || log END \
    WHERE id = $1 AND revision = $2 AND ply = $3 AND head = $4 RETURNING id";

/// Only moves of games without clocks, as in most batches. A separate statement takes PostgreSQL less time
/// than a part of a larger one.
const MOVES: &str = "UPDATE games AS g SET ply = n.ply, head = n.head, \
    log = CASE WHEN g.log = '' THEN n.entries ELSE n.entries || ' ' || g.log END \
    FROM unnest($1::uuid[], $2::integer[], $3::integer[], $4::bytea[], $5::integer[], $6::bytea[], $7::text[]) \
    AS n (id, at_revision, at_ply, at_head, ply, head, entries) \
    WHERE g.id = n.id AND g.revision = n.at_revision AND g.ply = n.at_ply AND g.head = n.at_head";

/// The columns of an append that a move has.
const OF_MOVE: usize = 7;

const APPENDED: &str = "UPDATE games AS g SET ply = n.ply, head = n.head, status = n.status, finished_at = n.finished_at, \
    log = CASE WHEN g.log = '' THEN n.entries ELSE n.entries || ' ' || g.log END, \
    clock_left = n.clock_left, clock_since = n.clock_since, clock_until = n.clock_until \
    FROM jsonb_to_recordset($rows) AS n (id uuid, at_revision integer, at_ply integer, at_head bytea, ply integer, \
    head bytea, entries text, clock_left text, clock_since bigint, clock_until bigint, status smallint, finished_at bigint) \
    WHERE g.id = n.id AND g.revision = n.at_revision AND g.ply = n.at_ply AND g.head = n.at_head$only RETURNING g.id";

/// The id of a new game may exist, or have belonged to a removed game.
const CREATED: &str = "INSERT INTO games SELECT n.* FROM jsonb_populate_recordset(NULL::games, $rows) AS n \
    WHERE NOT EXISTS (SELECT FROM spent_ids AS s WHERE s.id = n.id) ON CONFLICT (id) DO NOTHING RETURNING id";

const UPDATED: &str = "UPDATE games AS g SET revision = g.revision + 1, seats = n.seats, status = n.status, \
    started_at = COALESCE(n.started_at, g.started_at), finished_at = COALESCE(n.finished_at, g.finished_at), \
    ply = COALESCE(n.ply, g.ply), head = COALESCE(n.head, g.head), log = COALESCE(n.log, g.log), \
    tags = COALESCE(n.tags, g.tags), heir = COALESCE(n.heir, g.heir), rematch = COALESCE(n.rematch, g.rematch), \
    beacon_round = COALESCE(n.beacon_round, g.beacon_round), beacon_at = COALESCE(n.beacon_at, g.beacon_at), \
    beacon_signature = COALESCE(n.beacon_signature, g.beacon_signature), \
    clock_left = COALESCE(n.clock_left, g.clock_left), clock_since = COALESCE(n.clock_since, g.clock_since), \
    clock_until = COALESCE(n.clock_until, g.clock_until), removed = COALESCE(n.removed, g.removed), \
    visibility = CASE WHEN n.removed IS NOT NULL AND g.visibility = 0 THEN 1 ELSE g.visibility END \
    FROM jsonb_to_recordset($rows) AS n (id uuid, at_revision integer, at_status smallint, at_head bytea, seats text, \
    status smallint, started_at bigint, ply integer, head bytea, log text, finished_at bigint, tags text, heir bytea, \
    rematch uuid, beacon_round bigint, beacon_at bigint, beacon_signature bytea, removed text, clock_left text, \
    clock_since bigint, clock_until bigint) \
    WHERE g.id = n.id AND g.revision = n.at_revision AND g.status = n.at_status AND (n.ply IS NULL OR g.ply IS NULL) \
    AND (n.at_head IS NULL OR g.head = n.at_head)$only RETURNING g.id";

const REMOVED: &str = "DELETE FROM games AS g USING jsonb_to_recordset($rows) AS n (id uuid, at_revision integer) \
    WHERE g.id = n.id AND g.revision = n.at_revision AND g.ply IS NULL$only RETURNING g.id, g.request";

/// An id that a client's key can produce again must never be reused for another game.
const SPENT: &str = ", spent AS (INSERT INTO spent_ids SELECT id FROM removed WHERE request IS NOT NULL ON CONFLICT DO NOTHING)";

/// Effects of a change are written only if its game is. With the condition as a value, PostgreSQL uses a hash
/// lookup instead of comparing each with each.
const RECORDED: &str = "INSERT INTO records (record, game_id) \
    SELECT n.record, n.game_id FROM jsonb_to_recordset($rows) AS n (record uuid, game_id uuid) \
    WHERE (n.game_id IN (SELECT id FROM written)) IS TRUE ON CONFLICT DO NOTHING";
const LOGGED: &str = "INSERT INTO log_entries (game_id, part, entry) \
    SELECT n.game_id, n.part, n.entry FROM jsonb_to_recordset($rows) AS n (game_id uuid, part smallint, entry bytea) \
    WHERE (n.game_id IN (SELECT id FROM written)) IS TRUE";
const FED: &str = "INSERT INTO feed_waiting (game_id, revision, kind, ruleset, at) \
    SELECT n.* FROM jsonb_to_recordset($rows) AS n (game_id uuid, revision integer, kind smallint, ruleset smallint, at bigint) \
    WHERE (n.game_id IN (SELECT id FROM written)) IS TRUE";
const UNLISTED: &str = "DELETE FROM $table AS p USING jsonb_populate_recordset(NULL::$table, $rows) AS n \
    WHERE p.player = n.player AND p.ruleset = n.ruleset AND p.status = n.status AND p.created_at = n.created_at \
    AND p.game_id = n.game_id AND (n.game_id IN (SELECT id FROM written)) IS TRUE";
const RELISTED: &str = "UPDATE $table AS p SET status = n.becomes, finished_at = n.finished_at \
    FROM jsonb_to_recordset($rows) AS n (player bytea, ruleset smallint, status smallint, created_at bigint, game_id uuid, \
    becomes smallint, finished_at bigint) \
    WHERE p.player = n.player AND p.ruleset = n.ruleset AND p.status = n.status AND p.created_at = n.created_at \
    AND p.game_id = n.game_id AND (n.game_id IN (SELECT id FROM written)) IS TRUE";
const LISTED: &str = "INSERT INTO $table SELECT n.* FROM jsonb_populate_recordset(NULL::$table, $rows) AS n \
    WHERE (n.game_id IN (SELECT id FROM written)) IS TRUE";

/// For a single change, an existing row is left unchanged. No row exists if the game is in the state that it
/// leaves, which its own row proves, and checking each key first would walk the index twice. In a batch such
/// a row causes an error, and its changes are made one by one.
const IF_NEW: &str = " ON CONFLICT DO NOTHING";

/// The statement that makes changes, and returns the ids of the changed games.
pub(super) enum WriteStatement {
    /// A single move, with its values.
    Move([Value; OF_MOVE]),
    /// The text for several moves, and an array for each column.
    Moves(String, [Vec<Value>; OF_MOVE]),
    /// Changes of all kinds.
    Batch(Batch),
}

impl WriteStatement {
    /// Returns the statement for changes of games that may be distributed or not.
    pub(super) fn by(changes: &[Change], is_distributed: bool) -> Self {
        let moves: Option<Vec<_>> = changes.iter().map(columns_of_move).collect();
        match moves {
            Some(moves) if moves.len() == 1 => Self::Move(moves.into_iter().next().expect("there is one")),
            Some(moves) => {
                let mut arrays = [(); OF_MOVE].map(|()| Vec::with_capacity(moves.len()));
                for columns in moves {
                    arrays.iter_mut().zip(columns).for_each(|(array, value)| array.push(value));
                }
                let only = if is_distributed { " AND g.id = ANY($1::uuid[])" } else { "" };
                Self::Moves(format!("{MOVES}{only} RETURNING g.id"), arrays)
            }
            None => Self::Batch(batch(changes, is_distributed)),
        }
    }

    /// Makes the changes, and returns the ids of the changed games.
    pub(super) async fn ids(&self, on: &impl GenericClient) -> Result<HashSet<GameId>, PostgresFault> {
        match self {
            Self::Move(values) => ids_by(on, MOVE, values).await,
            Self::Moves(sql, arrays) => ids_by(on, sql, arrays).await,
            Self::Batch(batch) => ids(on, batch).await,
        }
    }
}

fn columns_of_move(change: &Change) -> Option<[Value; OF_MOVE]> {
    let columns = change.is_move_without_clock().then(|| change.row.columns(change.id))?;
    let values: Vec<_> = columns.into_iter().take(OF_MOVE).map(|(_, value)| value).collect();
    values.try_into().ok()
}

/// Returns the statement for changes of all kinds.
fn batch(changes: &[Change], is_distributed: bool) -> Batch {
    let mut batch = Batch { is_distributed, ..Batch::default() };
    let mut written = Vec::new();
    let mut part = |name: &'static str, sql, is_of: fn(&RowChange) -> bool| {
        let changes = changes.iter().filter(|change| is_of(&change.row));
        if batch.with(name, sql, changes.map(|change| change.row.columns(change.id))) {
            written.push(format!("SELECT id FROM {name}"));
        }
    };
    part("appended", APPENDED, |row| matches!(row, RowChange::Append { .. }));
    part("created", CREATED, |row| matches!(row, RowChange::Insert(_)));
    part("updated", UPDATED, |row| matches!(row, RowChange::Update(_)));
    part("removed", REMOVED, |row| matches!(row, RowChange::Delete { .. }));
    if written.last().is_some_and(|last| last.ends_with("removed")) {
        batch.sql += SPENT;
    }
    batch.sql += &format!(", written AS ({})", written.join(" UNION ALL "));
    follow(&mut batch, changes);
    batch.sql += " SELECT id FROM written";
    batch
}

/// Adds the effects of the changes.
fn follow(batch: &mut Batch, changes: &[Change]) {
    let effects = || changes.iter().map(|change| (change.id, &change.effects));
    let record = |(id, effects): (GameId, &Effects)| {
        Some(vec![("record", effects.record?.into()), ("game_id", id.into())])
    };
    let if_new = if changes.len() == 1 { IF_NEW } else { "" };
    batch.with("recorded", RECORDED, effects().filter_map(record));
    let logged = effects().flat_map(|(_, effects)| effects.log.iter().map(logged_row));
    batch.with("logged", &format!("{LOGGED}{if_new}"), logged);
    batch.with("fed", FED, effects().flat_map(|(_, effects)| effects.feed.iter().map(waiting_row)));
    for table in PlayerTable::ALL {
        let name = table.name();
        let mut list = |part: &str, sql: &str, of: fn(&Effects) -> &Vec<ListRow>| {
            let rows = effects().flat_map(|(_, effects)| Effects::of_table(of(effects), table));
            batch.with(&format!("{name}_{part}"), &sql.replace("$table", name), rows.map(ListRow::columns));
        };
        list("left", UNLISTED, |effects| &effects.left);
        list("moved", RELISTED, |effects| &effects.moved);
        list("entered", &format!("{LISTED}{if_new}"), |effects| &effects.entered);
    }
}

/// Runs a statement on many rows, and returns the ids in its result.
pub(super) async fn ids(on: &impl GenericClient, batch: &Batch) -> Result<HashSet<GameId>, PostgresFault> {
    ids_by(on, &batch.sql, &batch.params).await
}

async fn ids_by(
    on: &impl GenericClient,
    sql: &str,
    params: &[impl ToSql + Sync],
) -> Result<HashSet<GameId>, PostgresFault> {
    let ids = |rows: Vec<Row>| rows.iter().filter_map(|row| cells(row).ok()?.id()).collect();
    rows(on, sql, params).await.map(ids)
}

/// Finds which of these games another transaction holds, without waiting. Locks the free ones until the
/// statement ends.
pub(super) fn held(ids: impl Iterator<Item = GameId>) -> Batch {
    let held = "WITH free AS (SELECT g.id FROM games AS g JOIN unnest($1::uuid[]) AS n (id) ON g.id = n.id FOR UPDATE OF g SKIP LOCKED) \
                SELECT g.id FROM games AS g JOIN unnest($1::uuid[]) AS n (id) ON g.id = n.id WHERE g.id NOT IN (SELECT id FROM free)";
    Batch::on_ids(held, ids)
}

/// Finds which of these games exist.
pub(super) fn existing(ids: impl Iterator<Item = GameId>) -> Batch {
    Batch::on_ids("SELECT id FROM games WHERE id = ANY($1::uuid[])", ids)
}

/// Returns the same outcome for all changes, if they had none each.
pub(super) fn each(
    changes: &[Change],
    outcomes: Result<Vec<Result<(), StoreError>>, PostgresFault>,
) -> Vec<Result<(), StoreError>> {
    outcomes.unwrap_or_else(|fault| {
        let error = StoreError::from(fault);
        changes.iter().map(|_| Err(error.clone())).collect()
    })
}
