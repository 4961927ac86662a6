//! Statements on games: those that read are written once for both databases, those that write are SQLite's
//! (PostgreSQL writes many changes with one statement, see `batch.rs`).
//!
//! Parameters are `$1`, `$2` and so on.

use assam_referee::Ruleset;

use super::row::{COLUMNS, INFO, RULESET, Value, values};
use super::{Extension, ListQuery, Start};
use crate::game::{GameId, Head, Holder, Status, StoredGame};

/// A statement with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) params: Vec<Value>,
}

impl Statement {
    fn new(sql: impl Into<String>, params: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), params: params.into() }
    }

    /// Adds a parameter, and returns its name.
    fn param(&mut self, value: impl Into<Value>) -> String {
        self.params.push(value.into());
        format!("${}", self.params.len())
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
    Statement::new("SELECT id, revision, ply, head FROM games WHERE id = $1", [id.into()])
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

/// Takes a game out of the lists of a player.
pub(super) fn unlist(row: Vec<Value>) -> Statement {
    let place = "(player, ruleset, status, created_at, game_id) = ($1, $2, $3, $4, $5)";
    Statement::new(format!("DELETE FROM player_games WHERE {place}"), row)
}

/// Puts a game into the lists of a player, where it is not in them.
pub(super) fn enlist(row: Vec<Value>) -> Statement {
    let columns = "(player, ruleset, status, created_at, game_id)";
    Statement::new(format!("INSERT OR IGNORE INTO player_games {columns} VALUES ($1, $2, $3, $4, $5)"), row)
}

/// Reads public games, newest first. Each rule set with each status is a range of an index, in the order of the list: of
/// each, the first games are found, and of those the newest are read. So a list costs the same however many games there
/// are. A newer process may have stored games of a rule set that this one does not know: they are in other ranges.
pub(super) fn list(query: &ListQuery) -> Statement {
    let mut statement = Statement::new("", []);
    let limit = statement.param(query.limit);
    let (from, id) = match query.player {
        Some(player) => (format!("player_games WHERE player = {}", statement.param(player)), "game_id"),
        // Part of the text because the index holds public games only.
        None => ("games WHERE visibility = 0".to_owned(), "id"),
    };
    let after = query.after.map_or_else(String::new, |(created_at, place)| {
        let (created_at, place) = (statement.param(created_at), statement.param(place));
        format!(" AND (created_at, {id}) < ({created_at}, {place})")
    });
    let mut bounds = after;
    for (bound, sign) in [(query.since, ">="), (query.until, "<")] {
        if let Some(bound) = bound {
            bounds += &format!(" AND created_at {sign} {}", statement.param(bound));
        }
    }
    let rulesets = query.ruleset.map_or_else(|| Ruleset::ALL.to_vec(), |ruleset| vec![ruleset]);
    let rulesets: Vec<String> = rulesets.iter().map(|ruleset| statement.param(*ruleset)).collect();
    let is_wanted = |status: &Status| query.statuses.is_empty() || query.statuses.contains(status);
    let statuses: Vec<Status> = Status::ALL.into_iter().filter(is_wanted).collect();
    let statuses: Vec<String> = statuses.into_iter().map(|status| statement.param(status)).collect();
    let ranges = rulesets.iter().flat_map(|ruleset| {
        statuses.iter().map(move |status| format!("ruleset = {ruleset} AND status = {status}"))
    });
    let ranges: Vec<String> = (1..)
        .zip(ranges)
        .map(|(n, range)| {
            format!(
                "SELECT * FROM (SELECT created_at AS at, {id} AS found FROM {from} AND {range}{bounds} \
                 ORDER BY created_at DESC, {id} DESC LIMIT {limit}) AS range{n}"
            )
        })
        .collect();
    statement.sql = format!(
        "SELECT {} FROM (SELECT found FROM ({}) AS ranges ORDER BY at DESC, found DESC LIMIT {limit}) AS newest \
         JOIN games ON id = found ORDER BY created_at DESC, id DESC",
        COLUMNS[..INFO].join(", "),
        ranges.join(" UNION ALL "),
    );
    statement
}
