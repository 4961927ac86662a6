//! Statements on games: those that read are written once for both databases, those that write are SQLite's
//! (PostgreSQL writes many changes with one statement, see `batch.rs`).
//!
//! Parameters are `$1`, `$2` and so on, and first appear in this order: SQLite numbers them by their first appearance.

use assam_referee::Ruleset;

use super::row::{COLUMNS, INFO, RULESET, Value, values};
use super::{Extension, ListQuery, Start};
use crate::game::{GameId, Head, Holder, StoredGame};

/// A statement with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) params: Vec<Value>,
}

impl Statement {
    fn new(sql: impl Into<String>, params: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), params: params.into() }
    }

    /// Writes a condition or clause with one more parameter in place of `?`.
    fn push(&mut self, clause: &str, param: impl Into<Value>) {
        self.params.push(param.into());
        self.sql += &clause.replace('?', &format!("${}", self.params.len()));
    }

    /// Writes a condition that ends in a list of parameters.
    fn push_list(&mut self, clause: &str, params: impl Iterator<Item = impl Into<Value>>) {
        self.sql += clause;
        for (n, param) in params.enumerate() {
            self.push(if n == 0 { "?" } else { ", ?" }, param);
        }
        self.sql.push(')');
    }
}

/// Stores a game; changes no row where its id exists.
pub(super) fn insert(game: &StoredGame) -> Statement {
    let params = values(game);
    let marks: Vec<String> = (1..=params.len()).map(|n| format!("${n}")).collect();
    let (columns, marks) = (COLUMNS.join(", "), marks.join(", "));
    Statement::new(
        format!("INSERT INTO games ({RULESET}, {columns}) VALUES ({marks}) ON CONFLICT (id) DO NOTHING"),
        params,
    )
}

/// Reads one game.
pub(super) fn select(id: GameId) -> Statement {
    Statement::new(format!("SELECT {} FROM games WHERE id = $1", COLUMNS.join(", ")), [id.into()])
}

/// Reads the version of a game.
pub(super) fn version(id: GameId) -> Statement {
    Statement::new("SELECT revision, ply, head FROM games WHERE id = $1", [id.into()])
}

/// Finds a row if the game exists.
pub(super) fn exists(id: GameId) -> Statement {
    Statement::new("SELECT 1 FROM games WHERE id = $1", [id.into()])
}

/// Appends to a log; the WHERE clause is the lock.
pub(super) fn append(id: GameId, at: &Head, extension: &Extension) -> Statement {
    Statement::new(
        "UPDATE games SET ply = $1, head = $2, status = $3, \
         log = CASE WHEN log = '' THEN $4 ELSE $4 || ' ' || log END \
         WHERE id = $5 AND ply = $6 AND head = $7",
        [
            extension.head.ply.into(),
            extension.head.hash.into(),
            extension.status.into(),
            extension.entries.as_str().into(),
            id.into(),
            at.ply.into(),
            at.hash.into(),
        ],
    )
}

/// Replaces the seats; with a start, also writes the first words of a game that has none.
pub(super) fn reseat(id: GameId, revision: i64, seats: &[Holder], start: Option<&Start>) -> Statement {
    let Some(Start { at, extension }) = start else {
        return Statement::new(
            "UPDATE games SET revision = revision + 1, seats = $1 WHERE id = $2 AND revision = $3",
            [seats.into(), id.into(), revision.into()],
        );
    };
    Statement::new(
        "UPDATE games SET revision = revision + 1, seats = $1, status = $2, started_at = $3, \
         ply = $4, head = $5, log = $6 WHERE id = $7 AND revision = $8 AND ply IS NULL",
        [
            seats.into(),
            extension.status.into(),
            (*at).into(),
            extension.head.ply.into(),
            extension.head.hash.into(),
            extension.entries.as_str().into(),
            id.into(),
            revision.into(),
        ],
    )
}

/// Updates `seat_players` to the seats of a stored game.
pub(super) fn seat_players(id: GameId, seats: &[Holder]) -> Vec<Statement> {
    let unseat = Statement::new("DELETE FROM seat_players WHERE game_id = $1", [id.into()]);
    let players = (0_i64..).zip(seats).filter_map(|(seat, holder)| {
        let player = holder.player?;
        Some(Statement::new(
            "INSERT INTO seat_players (game_id, seat, player, created_at) \
             SELECT id, CAST($1 AS bigint), CAST($2 AS text), created_at FROM games WHERE id = $3",
            [seat.into(), player.into(), id.into()],
        ))
    });
    std::iter::once(unseat).chain(players).collect()
}

/// Reads public games, newest first. `visibility` is part of the text because the indexes hold public games only.
pub(super) fn list(query: &ListQuery) -> Statement {
    let columns = COLUMNS[..INFO].join(", ");
    let mut statement =
        Statement::new(format!("SELECT {columns} FROM games WHERE visibility = 'public'"), []);
    if let Some(status) = query.status {
        statement.push(" AND status = ?", status);
    }
    match query.ruleset {
        Some(ruleset) => statement.push(" AND ruleset = ?", ruleset.name()),
        // A newer process may have stored games that this one does not know.
        None => statement.push_list(" AND ruleset IN (", Ruleset::ALL.iter().map(|ruleset| ruleset.name())),
    }
    if let Some(player) = query.player {
        statement.push(" AND id IN (SELECT game_id FROM seat_players WHERE player = ?)", player);
    }
    if let Some((created_at, id)) = &query.after {
        statement.push(" AND (created_at, id) < (?", *created_at);
        statement.push(", ?)", *id);
    }
    statement.push(" ORDER BY created_at DESC, id DESC LIMIT ?", query.limit);
    statement
}
