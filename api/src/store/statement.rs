//! Every statement on games, written once for both databases.
//!
//! Parameters are `$1`, `$2` and so on, each written first in rising order: SQLite counts them by
//! their first appearance.

use super::row::{INFO, REST, Value, values};
use super::{Extension, ListQuery, Start};
use crate::game::{Game, Head, Seat};

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
}

/// Stores a game; changes no row where its id exists.
pub(super) fn insert(game: &Game) -> Statement {
    let params = values(game);
    let marks: Vec<String> = (1..=params.len()).map(|n| format!("${n}")).collect();
    let marks = marks.join(", ");
    Statement::new(
        format!("INSERT INTO games ({INFO}, {REST}) VALUES ({marks}) ON CONFLICT (id) DO NOTHING"),
        params,
    )
}

/// Reads one game.
pub(super) fn select(id: &str) -> Statement {
    Statement::new(format!("SELECT {INFO}, {REST} FROM games WHERE id = $1"), [id.into()])
}

/// Gives a row where the game exists.
pub(super) fn exists(id: &str) -> Statement {
    Statement::new("SELECT 1 FROM games WHERE id = $1", [id.into()])
}

/// The append: the WHERE clause is the lock.
pub(super) fn append(id: &str, at: &Head, extension: &Extension) -> Statement {
    Statement::new(
        "UPDATE games SET ply = $1, head = $2, status = $3, \
         log = CASE WHEN log = '' THEN CAST($4 AS text) ELSE CAST($4 AS text) || ' ' || log END \
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

/// Replaces the seats; with a start also writes ply 0, in a game that has none.
pub(super) fn reseat(id: &str, revision: i64, seats: &[Seat], start: Option<&Start>) -> Statement {
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

/// Brings `seat_players` in line with the seats of a game that is stored.
pub(super) fn seat_players(id: &str, seats: &[Seat]) -> Vec<Statement> {
    let unseat = Statement::new("DELETE FROM seat_players WHERE game_id = $1", [id.into()]);
    let players = (0_i64..).zip(seats).filter_map(|(seat, holder)| {
        let player = holder.player.as_deref()?;
        Some(Statement::new(
            "INSERT INTO seat_players (game_id, seat, player, created_at) \
             SELECT id, CAST($1 AS bigint), CAST($2 AS text), created_at FROM games WHERE id = $3",
            [seat.into(), player.into(), id.into()],
        ))
    });
    std::iter::once(unseat).chain(players).collect()
}

/// Reads public games, newest first. `visibility` stands in the text: the indexes hold public games only.
pub(super) fn list(query: &ListQuery) -> Statement {
    let mut statement = Statement::new(format!("SELECT {INFO} FROM games WHERE visibility = 'public'"), []);
    if let Some(status) = query.status {
        statement.push(" AND status = ?", status);
    }
    if let Some(ruleset) = &query.ruleset {
        statement.push(" AND ruleset = ?", ruleset.as_str());
    }
    if let Some(player) = &query.player {
        statement.push(" AND id IN (SELECT game_id FROM seat_players WHERE player = ?)", player.as_str());
    }
    if let Some((created_at, id)) = &query.after {
        statement.push(" AND (created_at, id) < (?", *created_at);
        statement.push(", ?)", id.as_str());
    }
    statement.push(" ORDER BY created_at DESC, id DESC LIMIT ?", query.limit.clamp(1, 1000));
    statement
}
