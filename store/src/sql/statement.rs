//! Statements on games that are the same in both databases.
//!
//! Parameters are `$1`, `$2` and so on.

use assam_proofs::signed::PublishedKey;
use assam_record::game::GameId;

use super::row::COLUMNS;
use super::value::Value;

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

pub(crate) fn select(id: GameId) -> Statement {
    Statement::new(format!("SELECT {} FROM games WHERE id = $1", COLUMNS.join(", ")), [id.into()])
}

/// Reads every game in the order of ids, in SQLite, optionally after this one.
pub(crate) fn select_all(after: Option<GameId>) -> String {
    let after = after.map(|id| format!(" WHERE id > x'{id}'")).unwrap_or_default();
    format!("SELECT {} FROM games{after} ORDER BY id", COLUMNS.join(", "))
}

pub(crate) fn count_all() -> Statement {
    Statement::new("SELECT count(*) FROM games", [])
}

pub(crate) fn version(id: GameId) -> Statement {
    Statement::new("SELECT id, revision, ply, head FROM games WHERE id = $1", [id.into()])
}

pub(crate) fn exists(id: GameId) -> Statement {
    Statement::new("SELECT 1 FROM games WHERE id = $1", [id.into()])
}

/// Finds the game that has a record.
pub(crate) fn with_record(record: GameId) -> Statement {
    let select = "SELECT game_id FROM records WHERE record = $1 ORDER BY game_id LIMIT 1";
    Statement::new(select, [record.into()])
}

/// Reads the signing keys of the service, the oldest first.
pub(crate) fn signing_keys() -> Statement {
    Statement::new("SELECT key, since FROM signing_keys ORDER BY since", [])
}

/// Adds a key that signs from a moment on, unless it is known. With `is_first`, adds it only if no key is
/// known.
pub(crate) fn add_signing_key(published: &PublishedKey, is_first: bool) -> Statement {
    let only = if is_first { " AND NOT EXISTS (SELECT 1 FROM signing_keys)" } else { "" };
    let known = "SELECT 1 FROM signing_keys WHERE key = $1";
    Statement::new(
        format!("INSERT INTO signing_keys (key, since) SELECT $1, $2 WHERE NOT EXISTS ({known}){only}"),
        [published.key.to_string().as_str().into(), published.since.into()],
    )
}

/// Finds running games after this one, in the order of ids.
pub(crate) fn running_after(id: GameId) -> Statement {
    Statement::new("SELECT id FROM games WHERE status = 1 AND id > $1 ORDER BY id LIMIT 1000", [id.into()])
}
