//! Statements on games: those that read are written once for both databases, those that write are SQLite's
//! (PostgreSQL writes many changes with one statement, see `batch_write.rs`).
//!
//! Parameters are `$1`, `$2` and so on.

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, Head, Holder, Status, StoredGame};
use assam_record::log::{Extension, Start};

use super::row::{COLUMNS, RULESET, clock_values, values};
use super::value::Value;
use crate::contract::listing::PlayerTable;

/// A statement with its parameters.
pub(crate) struct Statement {
    pub(crate) sql: String,
    pub(crate) params: Vec<Value>,
}

impl Statement {
    pub(crate) fn new(sql: impl Into<String>, params: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), params: params.into() }
    }

    /// Adds a parameter, and returns its name.
    pub(crate) fn param(&mut self, value: impl Into<Value>) -> String {
        self.params.push(value.into());
        format!("${}", self.params.len())
    }
}

/// Stores a game; changes no row where its id exists.
pub(crate) fn insert(game: &StoredGame) -> Statement {
    let params = values(game);
    let marks: Vec<String> = (1..=params.len()).map(|n| format!("${n}")).collect();
    let (columns, marks) = (COLUMNS.join(", "), marks.join(", "));
    Statement::new(
        format!("INSERT INTO games ({RULESET}, {columns}) VALUES ({marks}) ON CONFLICT (id) DO NOTHING"),
        params,
    )
}

/// Reads one game.
pub(crate) fn select(id: GameId) -> Statement {
    Statement::new(format!("SELECT {} FROM games WHERE id = $1", COLUMNS.join(", ")), [id.into()])
}

/// Reads every game in the order of ids, in SQLite; after this one, where there is one.
pub(crate) fn select_all(after: Option<GameId>) -> String {
    let after = after.map(|id| format!(" WHERE id > x'{id}'")).unwrap_or_default();
    format!("SELECT {} FROM games{after} ORDER BY id", COLUMNS.join(", "))
}

/// Counts all games.
pub(crate) fn count_all() -> Statement {
    Statement::new("SELECT count(*) FROM games", [])
}

/// Reads the version of a game.
pub(crate) fn version(id: GameId) -> Statement {
    Statement::new("SELECT id, revision, ply, head FROM games WHERE id = $1", [id.into()])
}

/// Finds a row if the game exists.
pub(crate) fn exists(id: GameId) -> Statement {
    Statement::new("SELECT 1 FROM games WHERE id = $1", [id.into()])
}

/// Appends to a log; the WHERE clause is the lock. Where the game goes on, no column changes that an index has.
pub(crate) fn append(id: GameId, revision: i64, at: &Head, extension: &Extension) -> Statement {
    let mut statement = Statement::new(
        "UPDATE games SET ply = $1, head = $2, log = CASE WHEN log = '' THEN $3 ELSE $3 || ' ' || log END",
        [
            extension.head.ply.into(),
            extension.head.hash.into(),
            extension.entries.as_str().into(),
            id.into(),
            at.ply.into(),
            at.hash.into(),
            revision.into(),
        ],
    );
    if extension.status != Status::Running {
        let (status, at) = (statement.param(extension.status), statement.param(extension.finished_at));
        statement.sql += &format!(", status = {status}, finished_at = {at}");
    }
    for (column, value) in clock_columns(extension) {
        let value = statement.param(value);
        statement.sql += &format!(", {column} = {value}");
    }
    statement.sql += " WHERE id = $4 AND ply = $5 AND head = $6 AND revision = $7";
    statement
}

/// Replaces the seats, and what else there is a value for; with a start, also writes the first words of a game that has none.
pub(crate) fn reseat(
    id: GameId,
    revision: i64,
    at: Option<&Head>,
    seats: &[Holder],
    others: impl IntoIterator<Item = (&'static str, Option<Value>)>,
    start: Option<&Start>,
) -> Statement {
    let mut statement = Statement::new(
        "UPDATE games SET revision = revision + 1, seats = $1",
        [seats.into(), id.into(), revision.into()],
    );
    let started = start.into_iter().flat_map(|Start { at, extension }| {
        [
            ("status", extension.status.into()),
            ("started_at", (*at).into()),
            ("ply", extension.head.ply.into()),
            ("head", extension.head.hash.into()),
            ("log", extension.entries.as_str().into()),
            ("finished_at", extension.finished_at.into()),
        ]
    });
    let others = others.into_iter().filter_map(|(column, value)| Some((column, value?)));
    let clock = start.into_iter().flat_map(|Start { extension, .. }| clock_columns(extension));
    for (column, value) in others.chain(started).chain(clock) {
        let value = statement.param(value);
        statement.sql += &format!(", {column} = {value}");
    }
    statement.sql += " WHERE id = $2 AND revision = $3";
    if start.is_some() {
        statement.sql += " AND ply IS NULL";
    }
    if let Some(at) = at {
        let hash = statement.param(at.hash);
        statement.sql += &format!(" AND head = {hash}");
    }
    statement
}

/// Returns the columns of the clock of a game that has one, as an extension leaves it.
fn clock_columns(extension: &Extension) -> impl Iterator<Item = (&'static str, Value)> {
    let values = extension.clock.as_deref().map(|clock| clock_values(Some(clock)));
    values.into_iter().flat_map(|values| ["clock_left", "clock_since", "clock_until"].into_iter().zip(values))
}

/// Removes a game that never started.
pub(crate) fn remove(id: GameId, revision: i64) -> Statement {
    let place = "id = $1 AND revision = $2 AND ply IS NULL";
    Statement::new(format!("DELETE FROM games WHERE {place}"), [id.into(), revision.into()])
}

/// What becomes of the visibility of a game that is taken down: what was public is in no list any more.
pub(crate) const HIDDEN: &str = "CASE visibility WHEN 0 THEN 1 ELSE visibility END";

/// Hides a game that the operator takes down.
pub(crate) fn take_down(id: GameId, revision: i64, reason: &str, seats: &[Holder]) -> Statement {
    Statement::new(
        format!(
            "UPDATE games SET revision = revision + 1, removed = $1, seats = $2, tags = '', visibility = {HIDDEN} \
             WHERE id = $3 AND revision = $4"
        ),
        [reason.into(), seats.into(), id.into(), revision.into()],
    )
}

/// Notes that a game has a record.
pub(crate) fn record(record: GameId, game: GameId) -> Statement {
    let insert = "INSERT OR IGNORE INTO records (record, game_id) VALUES ($1, $2)";
    Statement::new(insert, [record.into(), game.into()])
}

/// Finds the game that has a record.
pub(crate) fn with_record(record: GameId) -> Statement {
    let select = "SELECT game_id FROM records WHERE record = $1 ORDER BY game_id LIMIT 1";
    Statement::new(select, [record.into()])
}

/// Reads the keys with which the service signs, the oldest first.
pub(crate) fn signing_keys() -> Statement {
    Statement::new("SELECT key, since FROM signing_keys ORDER BY since", [])
}

/// Makes a key known with which the service signs from a moment on, unless it is known; where `is_first`, only if none is.
pub(crate) fn add_signing_key(published: &PublishedKey, is_first: bool) -> Statement {
    let only = if is_first { " AND NOT EXISTS (SELECT 1 FROM signing_keys)" } else { "" };
    let known = "SELECT 1 FROM signing_keys WHERE key = $1";
    Statement::new(
        format!("INSERT INTO signing_keys (key, since) SELECT $1, $2 WHERE NOT EXISTS ({known}){only}"),
        [published.key.to_string().as_str().into(), published.since.into()],
    )
}

/// Takes a game out of the lists of a player.
pub(crate) fn unlist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let place = "(player, ruleset, status, created_at, game_id) = ($1, $2, $3, $4, $5)";
    Statement::new(format!("DELETE FROM {} WHERE {place}", table.name()), row)
}

/// Moves a game in the lists of a player: a row of [`PlayerTable::MOVED`].
pub(crate) fn relist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let place = "(player, ruleset, status, created_at, game_id) = ($1, $2, $3, $4, $5)";
    Statement::new(format!("UPDATE {} SET status = $6, finished_at = $7 WHERE {place}", table.name()), row)
}

/// Puts a game into the lists of a player, where it is not in them.
pub(crate) fn enlist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let (table, columns) = (table.name(), PlayerTable::COLUMNS);
    Statement::new(format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ($1, $2, $3, $4, $5, $6)"), row)
}

/// Finds running games after this one, in the order of ids.
pub(crate) fn running_after(id: GameId) -> Statement {
    Statement::new("SELECT id FROM games WHERE status = 1 AND id > $1 ORDER BY id LIMIT 1000", [id.into()])
}
