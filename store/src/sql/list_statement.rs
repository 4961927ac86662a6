//! Statements that read lists.

use std::convert::identity;

use assam_record::game::{GameId, Status};
use assam_referee::Ruleset;
use jiff::Timestamp;

use super::row::{COLUMNS, INFO};
use super::statement::Statement;
use crate::contract::listing::{ListOwner, PlayerTable};
use crate::{ListQuery, ListScope, SortBy};

/// The form in which a database can merge index ranges without reading more of each than it takes.
#[derive(Clone, Copy)]
pub(crate) enum Merging {
    /// The parts of a compound `SELECT` with an order, as in SQLite. It would copy the whole result of a part
    /// with its own order and limit.
    OfParts,
    /// Parts with their own order and limit, as in PostgreSQL. It would sort the whole result of other parts.
    OfSorted,
}

/// Finds open games after this place and created before a moment, the oldest first, at most 100.
pub(crate) fn open_before(merging: Merging, moment: Timestamp, after: (Timestamp, GameId)) -> Statement {
    let oldest = ListQuery {
        statuses: vec![Status::Open],
        until: Some(moment),
        is_ascending: true,
        after: Some(after),
        limit: 100,
        ..ListQuery::default()
    };
    let mut statement = Statement::new("", []);
    let lists = PlayerTable::ALL.map(|table| (table, ListOwner::Everybody));
    statement.sql = places(merging, &mut statement, &lists, &oldest).unwrap_or_default();
    statement
}

/// Reads the games of a list in order, with the logs of running ones. The last row only has a place if [that
/// is enough](ends_with_a_place). Returns none if no game can be found.
pub(crate) fn list(merging: Merging, query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    let sorting = sorting(query);
    let places = places(merging, &mut statement, &lists(query.scope), query)?;
    statement.sql = if ends_with_a_place(merging, query) {
        let column = |column| match column {
            "id" => "found",
            column if column == query.order.column() => "at",
            column => column,
        };
        let columns = listed_columns(column);
        let last = statement.param(i64::from(query.limit));
        format!(
            "SELECT {columns} FROM (SELECT found, at, row_number() OVER (ORDER BY at {sorting}, found {sorting}) AS n \
             FROM ({places}) AS places) AS first LEFT JOIN games ON id = found AND n < {last} \
             ORDER BY at {sorting}, found {sorting}"
        )
    } else {
        format!(
            "SELECT {} FROM ({places}) AS first JOIN games ON id = found ORDER BY at {sorting}, id {sorting}",
            listed_columns(identity),
        )
    };
    Some(statement)
}

/// Returns whether the last row of [`list`] only has a place. PostgreSQL sends each row, and a full last row
/// may need one more packet. SQLite reads it in a few microseconds.
pub(crate) fn ends_with_a_place(merging: Merging, query: &ListQuery) -> bool {
    matches!(merging, Merging::OfSorted) && query.ends_with_a_place()
}

/// Finds the places of the games of a list: their ids, and when they were created or ended.
pub(crate) fn listed_places(merging: Merging, query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    statement.sql = places(merging, &mut statement, &lists(query.scope), query)?;
    Some(statement)
}

/// The columns of a game in a list, each with its name there.
pub(crate) fn listed_columns(name: impl Fn(&'static str) -> &'static str) -> String {
    let names: Vec<&str> = COLUMNS[..INFO].iter().map(|column| name(column)).collect();
    format!("{}, CASE WHEN status = 1 THEN log END", names.join(", "))
}

/// Counts the games of a list. Returns none if no game can be found.
pub(crate) fn count(query: &ListQuery) -> Option<Statement> {
    let mut statement = Statement::new("", []);
    let ranges = ranges(&mut statement, &lists(query.scope), query);
    let counts: Vec<String> =
        ranges.into_iter().map(|range| format!("(SELECT count(*) FROM {range})")).collect();
    if counts.is_empty() {
        return None;
    }
    statement.sql = format!("SELECT {}", counts.join(" + "));
    Some(statement)
}

/// Returns the lists that have the games of a scope.
fn lists(scope: ListScope) -> Vec<(PlayerTable, ListOwner)> {
    match scope {
        ListScope::Public => {
            [ListOwner::Everybody, ListOwner::Imports].map(|lister| (PlayerTable::Public, lister)).to_vec()
        }
        ListScope::PublicOf(player) => vec![(PlayerTable::Public, ListOwner::Player(player))],
        ListScope::Tagged(tags) => vec![(PlayerTable::Public, ListOwner::Tagged(tags))],
        ListScope::AllOf { player, .. } => {
            PlayerTable::ALL.map(|table| (table, ListOwner::Player(player))).to_vec()
        }
    }
}

/// Returns a query for the places of games, newest or oldest first. Each list has an index range for each
/// rule set and status, in the order of the list, and the first games are merged from all of them. So the
/// cost of a list does not depend on the number of games. Games of rule sets that this process does not know,
/// stored by a newer process, are in other ranges. Returns none if no game can be found.
fn places(
    merging: Merging,
    statement: &mut Statement,
    lists: &[(PlayerTable, ListOwner)],
    query: &ListQuery,
) -> Option<String> {
    let limit = statement.param(query.limit);
    let (time, sorting) = (query.order.column(), sorting(query));
    let first = format!("ORDER BY at {sorting}, found {sorting} LIMIT {limit}");
    let ranges: Vec<String> = (1..)
        .zip(ranges(statement, lists, query))
        .map(|(n, range)| {
            let places = format!("SELECT game_id AS found, {time} AS at FROM {range}");
            match merging {
                Merging::OfParts => places,
                Merging::OfSorted => format!("SELECT found, at FROM ({places} {first}) AS range{n}"),
            }
        })
        .collect();
    if ranges.is_empty() {
        return None;
    }
    // A player may find a game in both tables, under two secrets.
    let union = if matches!(query.scope, ListScope::AllOf { .. }) { " UNION " } else { " UNION ALL " };
    let places = ranges.join(union);
    Some(match merging {
        Merging::OfParts => format!("{places} {first}"),
        Merging::OfSorted => format!("SELECT found, at FROM ({places}) AS ranges {first}"),
    })
}

const fn sorting(query: &ListQuery) -> &'static str {
    if query.is_ascending { "ASC" } else { "DESC" }
}

/// Returns the index ranges of a query.
fn ranges(statement: &mut Statement, lists: &[(PlayerTable, ListOwner)], query: &ListQuery) -> Vec<String> {
    let time = query.order.column();
    let mut bounds = String::new();
    if query.order == SortBy::Finished {
        // A part of the text, because the indexes only hold finished games.
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
        let is_imported = matches!(lister, ListOwner::Imports | ListOwner::Tagged(_));
        if query.imported.is_some_and(|wanted| wanted != is_imported) {
            continue;
        }
        // Imported games are over.
        let is_wanted = |status: &Status| {
            (query.statuses.is_empty() || query.statuses.contains(status))
                && (query.order == SortBy::Created && !is_imported || status.is_over())
        };
        let statuses: Vec<Status> = Status::ALL.into_iter().filter(is_wanted).collect();
        // The database rejects unused parameters.
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
