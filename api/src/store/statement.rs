//! Statements on games: those that read are written once for both databases, those that write are SQLite's
//! (PostgreSQL writes many changes with one statement, see `batch_write.rs`).
//!
//! Parameters are `$1`, `$2` and so on.

use assam_referee::Ruleset;
use jiff::Timestamp;

use super::listing::{Lister, PlayerTable};
use super::row::{COLUMNS, INFO, RULESET, clock_values, values};
use super::value::Value;
use super::{Among, Extension, ListQuery, SortBy, Start};
use crate::game::{GameId, Head, Holder, Status, StoredGame};
use crate::signed::PublishedKey;

/// A statement with its parameters.
pub(super) struct Statement {
    pub(super) sql: String,
    pub(super) params: Vec<Value>,
}

impl Statement {
    pub(super) fn new(sql: impl Into<String>, params: impl Into<Vec<Value>>) -> Self {
        Self { sql: sql.into(), params: params.into() }
    }

    /// Adds a parameter, and returns its name.
    pub(super) fn param(&mut self, value: impl Into<Value>) -> String {
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

/// Reads every game in the order of ids, in SQLite; after this one, where there is one.
pub(super) fn select_all(after: Option<GameId>) -> String {
    let after = after.map(|id| format!(" WHERE id > x'{id}'")).unwrap_or_default();
    format!("SELECT {} FROM games{after} ORDER BY id", COLUMNS.join(", "))
}

/// Counts all games.
pub(super) fn count_all() -> Statement {
    Statement::new("SELECT count(*) FROM games", [])
}

/// Reads the version of a game.
pub(super) fn version(id: GameId) -> Statement {
    Statement::new("SELECT id, revision, ply, head FROM games WHERE id = $1", [id.into()])
}

/// Finds a row if the game exists.
pub(super) fn exists(id: GameId) -> Statement {
    Statement::new("SELECT 1 FROM games WHERE id = $1", [id.into()])
}

/// Appends to a log; the WHERE clause is the lock. Where the game goes on, no column changes that an index has.
pub(super) fn append(id: GameId, revision: i64, at: &Head, extension: &Extension) -> Statement {
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
pub(super) fn reseat(
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
pub(super) fn remove(id: GameId, revision: i64) -> Statement {
    let place = "id = $1 AND revision = $2 AND ply IS NULL";
    Statement::new(format!("DELETE FROM games WHERE {place}"), [id.into(), revision.into()])
}

/// What becomes of the visibility of a game that is taken down: what was public is in no list any more.
pub(super) const HIDDEN: &str = "CASE visibility WHEN 0 THEN 1 ELSE visibility END";

/// Hides a game that the operator takes down.
pub(super) fn take_down(id: GameId, revision: i64, reason: &str, seats: &[Holder]) -> Statement {
    Statement::new(
        format!(
            "UPDATE games SET revision = revision + 1, removed = $1, seats = $2, tags = '', visibility = {HIDDEN} \
             WHERE id = $3 AND revision = $4"
        ),
        [reason.into(), seats.into(), id.into(), revision.into()],
    )
}

/// Notes that a game has a record.
pub(super) fn record(record: GameId, game: GameId) -> Statement {
    let insert = "INSERT OR IGNORE INTO records (record, game_id) VALUES ($1, $2)";
    Statement::new(insert, [record.into(), game.into()])
}

/// Finds the game that has a record.
pub(super) fn with_record(record: GameId) -> Statement {
    let select = "SELECT game_id FROM records WHERE record = $1 ORDER BY game_id LIMIT 1";
    Statement::new(select, [record.into()])
}

/// Reads the keys with which the service signs, the oldest first.
pub(super) fn signing_keys() -> Statement {
    Statement::new("SELECT key, since FROM signing_keys ORDER BY since", [])
}

/// Makes a key known with which the service signs from a moment on, unless it is known; where `is_first`, only if none is.
pub(super) fn add_signing_key(published: &PublishedKey, is_first: bool) -> Statement {
    let only = if is_first { " AND NOT EXISTS (SELECT 1 FROM signing_keys)" } else { "" };
    let known = "SELECT 1 FROM signing_keys WHERE key = $1";
    Statement::new(
        format!("INSERT INTO signing_keys (key, since) SELECT $1, $2 WHERE NOT EXISTS ({known}){only}"),
        [published.key.to_string().as_str().into(), published.since.into()],
    )
}

/// Takes a game out of the lists of a player.
pub(super) fn unlist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let place = "(player, ruleset, status, created_at, game_id) = ($1, $2, $3, $4, $5)";
    Statement::new(format!("DELETE FROM {} WHERE {place}", table.name()), row)
}

/// Moves a game in the lists of a player: a row of [`PlayerTable::MOVED`].
pub(super) fn relist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let place = "(player, ruleset, status, created_at, game_id) = ($1, $2, $3, $4, $5)";
    Statement::new(format!("UPDATE {} SET status = $6, finished_at = $7 WHERE {place}", table.name()), row)
}

/// Puts a game into the lists of a player, where it is not in them.
pub(super) fn enlist(table: PlayerTable, row: Vec<Value>) -> Statement {
    let (table, columns) = (table.name(), PlayerTable::COLUMNS);
    Statement::new(format!("INSERT OR IGNORE INTO {table} ({columns}) VALUES ($1, $2, $3, $4, $5, $6)"), row)
}

/// Finds open games that were created after this place and before a moment, the oldest first, at most 100.
pub(super) fn open_before(moment: Timestamp, after: (Timestamp, GameId)) -> Statement {
    let oldest = ListQuery {
        statuses: vec![Status::Open],
        until: Some(moment),
        is_ascending: true,
        after: Some(after),
        limit: 100,
        ..ListQuery::default()
    };
    let mut statement = Statement::new("", []);
    let lists = PlayerTable::ALL.map(|table| (table, Lister::Everybody));
    statement.sql = places(&mut statement, &lists, &oldest).unwrap_or_default();
    statement
}

/// Finds running games after this one, in the order of ids.
pub(super) fn running_after(id: GameId) -> Statement {
    Statement::new("SELECT id FROM games WHERE status = 1 AND id > $1 ORDER BY id LIMIT 1000", [id.into()])
}

/// Reads the games of a list in its order, with the logs of those that are running. There is no statement where no game can be found.
pub(super) fn list(query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    let sorting = sorting(query);
    let places = places(&mut statement, &lists(query.among), query)?;
    statement.sql = format!(
        "SELECT {} FROM ({places}) AS first JOIN games ON id = found ORDER BY at {sorting}, id {sorting}",
        listed_columns(),
    );
    Some(statement)
}

/// Finds the places of the games of a list: their ids, and when they were created or ended.
pub(super) fn listed_places(query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    statement.sql = places(&mut statement, &lists(query.among), query)?;
    Some(statement)
}

/// The columns of a game in a list.
pub(super) fn listed_columns() -> String {
    format!("{}, CASE WHEN status = 1 THEN log END", COLUMNS[..INFO].join(", "))
}

/// Counts the games of a list. There is no statement where no game can be found.
pub(super) fn count(query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    let ranges = ranges(&mut statement, &lists(query.among), query);
    let counts: Vec<String> =
        ranges.into_iter().map(|range| format!("(SELECT count(*) FROM {range})")).collect();
    if counts.is_empty() {
        return None;
    }
    statement.sql = format!("SELECT {}", counts.join(" + "));
    Some(statement)
}

/// Returns in which lists the games stand among which a query looks.
fn lists(among: Among) -> Vec<(PlayerTable, Lister)> {
    match among {
        Among::Public => {
            [Lister::Everybody, Lister::Imports].map(|lister| (PlayerTable::Public, lister)).to_vec()
        }
        Among::PublicOf(player) => vec![(PlayerTable::Public, Lister::Player(player))],
        Among::AllOf { player, .. } => PlayerTable::ALL.map(|table| (table, Lister::Player(player))).to_vec(),
    }
}

const fn sorting(query: &ListQuery) -> &'static str {
    if query.is_ascending { "ASC" } else { "DESC" }
}

/// Returns what finds the places of games, newest or oldest first. Each list has a range of an index for each rule set with each status, in the
/// order of the list: of each, the first games are found, and the first of those. So a list costs the same however many games there are. A newer
/// process may have stored games of a rule set that this one does not know: they are in other ranges. There is nothing where no game can be found.
fn places(statement: &mut Statement, lists: &[(PlayerTable, Lister)], query: &ListQuery) -> Option<String> {
    let limit = statement.param(query.limit);
    let (time, sorting) = (query.order.column(), sorting(query));
    let ranges: Vec<String> = (1..)
        .zip(ranges(statement, lists, query))
        .map(|(n, range)| {
            format!(
                "SELECT * FROM (SELECT {time} AS at, game_id AS found FROM {range} \
                 ORDER BY {time} {sorting}, game_id {sorting} LIMIT {limit}) AS range{n}"
            )
        })
        .collect();
    if ranges.is_empty() {
        return None;
    }
    // A player may find a game in both tables, under two secrets.
    let union = if matches!(query.among, Among::AllOf { .. }) { " UNION " } else { " UNION ALL " };
    Some(format!(
        "SELECT found, at FROM ({}) AS ranges ORDER BY at {sorting}, found {sorting} LIMIT {limit}",
        ranges.join(union)
    ))
}

/// Returns the ranges of indexes in which a query looks.
fn ranges(statement: &mut Statement, lists: &[(PlayerTable, Lister)], query: &ListQuery) -> Vec<String> {
    let time = query.order.column();
    let mut bounds = String::new();
    if query.order == SortBy::Finished {
        // Part of the text because the indexes hold games that are over only.
        bounds += " AND finished_at IS NOT NULL";
    }
    if let Some((at, id)) = query.after {
        let is_after = if query.is_ascending { ">" } else { "<" };
        bounds +=
            &format!(" AND ({time}, game_id) {is_after} ({}, {})", statement.param(at), statement.param(id));
    }
    for (bound, sign) in [(query.since, ">="), (query.until, "<")] {
        if let Some(bound) = bound {
            bounds += &format!(" AND {time} {sign} {}", statement.param(bound));
        }
    }
    let rulesets = query.ruleset.map_or_else(|| Ruleset::ALL.to_vec(), |ruleset| vec![ruleset]);
    let rulesets: Vec<String> = rulesets.iter().map(|ruleset| statement.param(*ruleset)).collect();
    let mut ranges = Vec::new();
    for (table, lister) in lists {
        let is_imported = *lister == Lister::Imports;
        if query.imported.is_some_and(|wanted| wanted != is_imported) {
            continue;
        }
        // Imported games are over.
        let is_wanted = |status: &Status| {
            (query.statuses.is_empty() || query.statuses.contains(status))
                && (query.order == SortBy::Created && !is_imported || status.is_over())
        };
        let statuses: Vec<Status> = Status::ALL.into_iter().filter(is_wanted).collect();
        // The database wants no parameter that stands nowhere.
        if statuses.is_empty() {
            continue;
        }
        let of_lister = format!("{} WHERE player = {}", table.name(), statement.param(*lister));
        for status in statuses {
            let status = statement.param(status);
            let range = |ruleset: &String| {
                format!("{of_lister} AND ruleset = {ruleset} AND status = {status}{bounds}")
            };
            ranges.extend(rulesets.iter().map(range));
        }
    }
    ranges
}
