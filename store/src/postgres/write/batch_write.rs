//! The changes of many games as one statement.

use std::iter;

use assam_record::game::Status;
use assam_record::log::Start;

use super::batch::Batch;
use crate::contract::feed::{WAITING_COLUMNS, WAITING_TYPES, waiting_row};
use crate::contract::listing::PlayerTable;
use crate::sql::row::{COLUMNS, RULESET, clock_values, values};
use crate::sql::statement::HIDDEN;
use crate::sql::value::Value;
use crate::{Reseat, Write};

/// The types of [`RULESET`] and [`COLUMNS`], in that order.
const TYPES: [&str; 34] = [
    "smallint", "uuid", "bigint", "text", "smallint", "boolean", "boolean", "integer", "text", "text",
    "bigint", "bigint", "uuid", "uuid", "integer", "text", "smallint", "bigint", "integer", "bytea",
    "bigint", "text", "bytea", "bytea", "bytea", "bytea", "bytea", "bytea", "text", "bigint", "bigint",
    "bytea", "text", "text",
];

/// The columns that a game has no value for as long as nobody has taken a seat, in most games. Each costs PostgreSQL some memory and time.
const RARE: [&str; 16] = [
    "clock",
    "clock_left",
    "clock_since",
    "clock_until",
    "rematch_of",
    "rematch",
    "started_at",
    "ply",
    "head",
    "finished_at",
    "removed",
    "heir",
    "join_code",
    "beacon_round",
    "beacon_at",
    "beacon_signature",
];

/// What is sent of each append, with the types; then what is set besides, where games end or have clocks.
const APPENDED: [(&str, &str); 7] = [
    ("id", "uuid"),
    ("revision", "integer"),
    ("at_ply", "integer"),
    ("at_head", "bytea"),
    ("ply", "integer"),
    ("head", "bytea"),
    ("entries", "text"),
];
const ENDED: [(&str, &str); 2] = [("status", "smallint"), ("finished_at", "bigint")];
const CLOCKED: [(&str, &str); 3] =
    [("clock_left", "text"), ("clock_since", "bigint"), ("clock_until", "bigint")];

/// The head that a change of seats was made for, which is compared and not set.
const AT_HEAD: &str = "at_head";
/// The status that the game must have if it moves in lists, which is compared and not set.
const AT_STATUS: &str = "at_status";
/// Whether the game of a row has the status that it must have.
const HAS_STATUS: &str = "(n.at_status IS NULL OR g.status = n.at_status)";
/// What is sent of each change of seats, with the types; then what is set besides, where games start, and where more changes.
const RESEATED: [(&str, &str); 4] =
    [("id", "uuid"), ("revision", "integer"), (AT_STATUS, "smallint"), ("seats", "text")];
const STARTED: [(&str, &str); 6] = [
    ("status", "smallint"),
    ("started_at", "bigint"),
    ("ply", "integer"),
    ("head", "bytea"),
    ("log", "text"),
    ("finished_at", "bigint"),
];
const CHANGED: [(&str, &str); 10] = [
    (AT_HEAD, "bytea"),
    ("tags", "text"),
    ("heir", "bytea"),
    ("rematch", "uuid"),
    ("beacon_round", "bigint"),
    ("beacon_at", "bigint"),
    ("beacon_signature", "bytea"),
    ("clock_left", "text"),
    ("clock_since", "bigint"),
    ("clock_until", "bigint"),
];

/// The types of [`PlayerTable::COLUMNS`] and [`PlayerTable::MOVED`].
const LISTED: [&str; 6] = ["bytea", "smallint", "smallint", "bigint", "uuid", "bigint"];
const MOVED: [&str; 7] = ["bytea", "smallint", "smallint", "bigint", "uuid", "smallint", "bigint"];

/// Whether the game of a row is among those that are written. As a value and not as a condition of its own, PostgreSQL looks
/// it up in a table of hashes, and does not compare each with each.
const IS_WRITTEN: &str = "(n.game_id IN (SELECT id FROM written)) IS TRUE";

/// What follows where rows come into lists and into the public log: they are not there yet, as the game was in the state that it left, of which
/// its own row is the proof. For each row whose key is looked for first, PostgreSQL goes through the index twice. So a row that is there all the same
/// fails a batch, and the changes of a batch that fails are made one by one: only then such a row is left as it is.
const fn unless_there(changes: &[Write]) -> &'static str {
    if changes.len() == 1 { " ON CONFLICT DO NOTHING" } else { "" }
}

/// Returns the statement that makes these changes, where games may be distributed or not. It gives the ids of the games that it changed.
pub(in crate::postgres) fn write(changes: &[Write], is_distributed: bool) -> Batch {
    let mut batch = Batch { is_distributed, ..Batch::default() };
    let appended = append(&mut batch, changes);
    if changes.iter().all(Write::is_move) {
        // Most batches. What is no part of a larger statement takes PostgreSQL less time.
        batch.sql = appended.unwrap_or_default();
        return batch;
    }
    let made = [
        appended.map(|update| batch.with("appended", &update)),
        create(&mut batch, changes),
        reseat(&mut batch, changes),
        remove(&mut batch, changes),
        take_down(&mut batch, changes),
    ];
    let made: Vec<String> = made.into_iter().flatten().map(|part| format!("SELECT id FROM {part}")).collect();
    batch.with("written", &made.join(" UNION ALL "));
    list(&mut batch, changes);
    record(&mut batch, changes);
    log(&mut batch, changes);
    feed(&mut batch, changes);
    batch.sql += " SELECT id FROM written";
    batch
}

/// Returns what appends to logs; the WHERE clause is the lock. Each column costs PostgreSQL some memory and time, so those are left out that stay
/// as they are in all of the games: most batches end no game, and have none with a clock.
fn append(batch: &mut Batch, changes: &[Write]) -> Option<String> {
    let appends = || {
        changes.iter().filter_map(|change| {
            let Write::Append { id, revision, at, extension, .. } = change else { return None };
            Some((*id, *revision, at, extension))
        })
    };
    let ends = appends().any(|(.., extension)| extension.status != Status::Running);
    let clocks = appends().any(|(.., extension)| extension.clock.is_some());
    let mut columns = APPENDED.to_vec();
    columns.extend(if ends { ENDED.as_slice() } else { &[] });
    columns.extend(if clocks { CLOCKED.as_slice() } else { &[] });
    let rows = appends().map(|(id, revision, at, extension)| {
        let mut row: Vec<Value> = vec![
            id.into(),
            revision.into(),
            at.ply.into(),
            at.hash.into(),
            extension.head.ply.into(),
            extension.head.hash.into(),
            extension.entries.as_str().into(),
        ];
        if ends {
            row.extend([extension.status.into(), extension.finished_at.into()]);
        }
        if clocks {
            row.extend(clock_values(extension.clock.as_deref()));
        }
        row
    });
    let types: Vec<&str> = columns.iter().map(|(_, column)| *column).collect();
    let only = batch.of_next_table();
    let rows = batch.table(&types, rows)?;
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let as_they_are: String =
        names[APPENDED.len()..].iter().map(|name| format!(", {name} = n.{name}")).collect();
    Some(format!(
        "UPDATE games AS g SET ply = n.ply, head = n.head, \
         log = CASE WHEN g.log = '' THEN n.entries ELSE n.entries || ' ' || g.log END{as_they_are} \
         FROM {rows} AS n ({}) \
         WHERE g.id = n.id AND g.ply = n.at_ply AND g.head = n.at_head AND g.revision = n.revision{only} RETURNING g.id",
        names.join(", ")
    ))
}

/// Stores games, except those whose ids exist or are those of games that were removed.
fn create(batch: &mut Batch, changes: &[Write]) -> Option<&'static str> {
    let games = changes.iter().filter_map(|change| {
        let Write::Create { game, .. } = change else { return None };
        Some(values(game))
    });
    let mut rows: Vec<_> = games.collect();
    let mut columns: Vec<_> = iter::once(RULESET).chain(COLUMNS).zip(TYPES).collect();
    let is_sent: Vec<bool> = columns.iter().map(|(name, _)| !RARE.contains(name)).collect();
    let is_null = |(value, is_sent): (&Value, &bool)| *is_sent || matches!(value, Value::Null);
    if rows.iter().all(|row| row.iter().zip(&is_sent).all(is_null)) {
        rows.iter_mut().for_each(|row| keep(row, &is_sent));
        keep(&mut columns, &is_sent);
    }
    let (names, types): (Vec<&str>, Vec<&str>) = columns.into_iter().unzip();
    let (rows, names) = (batch.table(&types, rows.into_iter())?, names.join(", "));
    let insert = format!(
        "INSERT INTO games ({names}) SELECT * FROM {rows} AS n ({names}) \
         WHERE NOT EXISTS (SELECT FROM spent_ids AS s WHERE s.id = n.id) ON CONFLICT (id) DO NOTHING RETURNING id"
    );
    Some(batch.with("created", &insert))
}

/// Keeps those that are to be kept.
fn keep<T>(list: &mut Vec<T>, is_kept: &[bool]) {
    let mut is_kept = is_kept.iter();
    list.retain(|_| is_kept.next() == Some(&true));
}

/// Replaces seats; with a start, also writes the first words of games that have none. Most batches only seat players, or start games
/// besides: what nothing sets there is left out, and with it the triggers that watch it.
fn reseat(batch: &mut Batch, changes: &[Write]) -> Option<&'static str> {
    let mut rows: Vec<_> = changes.iter().filter_map(reseated).collect();
    let all = [RESEATED.as_slice(), &STARTED, &CHANGED].concat();
    let is_set = |column: usize| rows.iter().any(|row| !matches!(row[column], Value::Null));
    let (started, changed) = (RESEATED.len(), RESEATED.len() + STARTED.len());
    let sent = match (started..all.len()).rfind(|column| is_set(*column)) {
        None => started,
        Some(last) if last < changed => changed,
        Some(_) => all.len(),
    };
    rows.iter_mut().for_each(|row| row.truncate(sent));
    let (names, types): (Vec<&str>, Vec<&str>) = all[..sent].iter().copied().unzip();
    let only = batch.of_next_table();
    let rows = batch.table(&types, rows.into_iter())?;
    let set = names[started..].iter().filter(|name| **name != AT_HEAD);
    let set: String = set.map(|name| format!(", {name} = COALESCE(n.{name}, g.{name})")).collect();
    let unstarted = if sent > started { " AND (n.ply IS NULL OR g.ply IS NULL)" } else { "" };
    let at_head = if sent > changed { " AND (n.at_head IS NULL OR g.head = n.at_head)" } else { "" };
    let update = format!(
        "UPDATE games AS g SET revision = g.revision + 1, seats = n.seats{set} FROM {rows} AS n ({}) \
         WHERE g.id = n.id AND g.revision = n.revision AND {HAS_STATUS}{unstarted}{at_head}{only} RETURNING g.id",
        names.join(", ")
    );
    Some(batch.with("reseated", &update))
}

/// Returns what is sent of a change of seats: [`RESEATED`], [`STARTED`] and [`CHANGED`].
fn reseated(change: &Write) -> Option<Vec<Value>> {
    let Write::Reseat(reseat) = change else { return None };
    let Reseat { id, revision, at, seats, tags, heir, beacon, rematch, start, .. } = &**reseat;
    let due = beacon.as_ref().and_then(|beacon| beacon.due);
    let extension = start.as_ref().map(|Start { extension, .. }| extension);
    let mut row: Vec<Value> = vec![
        (*id).into(),
        (*revision).into(),
        change.at_status().into(),
        seats.as_slice().into(),
        extension.map(|extension| extension.status).into(),
        start.as_ref().map(|start| start.at).into(),
        extension.map(|extension| extension.head.ply).into(),
        extension.map(|extension| extension.head.hash).into(),
        extension.map(|extension| extension.entries.as_str()).into(),
        extension.and_then(|extension| extension.finished_at).into(),
        at.map(|at| at.hash).into(),
        tags.as_deref().into(),
        (*heir).into(),
        (*rematch).into(),
        due.map(|due| due.number).into(),
        due.map(|due| due.at).into(),
        beacon.as_ref().and_then(|beacon| beacon.signature).into(),
    ];
    row.extend(clock_values(extension.and_then(|extension| extension.clock.as_deref())));
    Some(row)
}

/// Removes games that never started. An id to which a client's key can lead again is spent: it is never that of another game.
fn remove(batch: &mut Batch, changes: &[Write]) -> Option<&'static str> {
    let rows = changes.iter().filter_map(|change| {
        let Write::Remove { id, revision, .. } = change else { return None };
        Some(vec![(*id).into(), (*revision).into()])
    });
    let only = batch.of_next_table();
    let rows = batch.table(&["uuid", "integer"], rows)?;
    let delete = format!(
        "DELETE FROM games AS g USING {rows} AS n (id, revision) \
         WHERE g.id = n.id AND g.revision = n.revision AND g.ply IS NULL{only} RETURNING g.id, g.request"
    );
    let removed = batch.with("removed", &delete);
    let spend = format!(
        "INSERT INTO spent_ids SELECT id FROM {removed} WHERE request IS NOT NULL ON CONFLICT DO NOTHING"
    );
    batch.with("spent", &spend);
    Some(removed)
}

/// Hides games that the operator takes down.
fn take_down(batch: &mut Batch, changes: &[Write]) -> Option<&'static str> {
    let rows = changes.iter().filter_map(|change| {
        let Write::TakeDown { id, revision, reason, seats, .. } = change else { return None };
        let at_status = change.at_status().into();
        Some(vec![
            (*id).into(),
            (*revision).into(),
            at_status,
            reason.as_str().into(),
            seats.as_slice().into(),
        ])
    });
    let only = batch.of_next_table();
    let rows = batch.table(&["uuid", "integer", "smallint", "text", "text"], rows)?;
    let update = format!(
        "UPDATE games AS g SET revision = g.revision + 1, removed = n.reason, seats = n.seats, tags = '', \
         visibility = {HIDDEN} FROM {rows} AS n (id, revision, at_status, reason, seats) \
         WHERE g.id = n.id AND g.revision = n.revision AND {HAS_STATUS}{only} RETURNING g.id"
    );
    Some(batch.with("taken_down", &update))
}

/// Lets starts and ends wait for the public log.
fn log(batch: &mut Batch, changes: &[Write]) {
    let rows = changes.iter().flat_map(Write::logged);
    let rows = rows.map(|new| vec![new.game.into(), new.milestone.into(), new.entry.into()]);
    if let Some(rows) = batch.table(&["uuid", "smallint", "bytea"], rows) {
        let insert = format!(
            "INSERT INTO log_entries (game_id, part, entry) SELECT n.* FROM {rows} AS n (game_id, part, entry) \
             WHERE {IS_WRITTEN}{}",
            unless_there(changes)
        );
        batch.with("logged", &insert);
    }
}

/// Lets what happens to public games wait for the feed.
fn feed(batch: &mut Batch, changes: &[Write]) {
    let rows = changes.iter().flat_map(Write::fed).map(|news| waiting_row(&news));
    if let Some(rows) = batch.table(&WAITING_TYPES, rows) {
        let insert = format!(
            "INSERT INTO feed_waiting ({WAITING_COLUMNS}) SELECT n.* FROM {rows} AS n ({WAITING_COLUMNS}) \
             WHERE {IS_WRITTEN}"
        );
        batch.with("fed", &insert);
    }
}

/// Notes which games have which records.
fn record(batch: &mut Batch, changes: &[Write]) {
    let rows = changes.iter().filter_map(|change| Some(vec![change.record()?.into(), change.id().into()]));
    if let Some(rows) = batch.table(&["uuid", "uuid"], rows) {
        let insert = format!(
            "INSERT INTO records (record, game_id) SELECT n.* FROM {rows} AS n (record, game_id) \
             WHERE {IS_WRITTEN} ON CONFLICT DO NOTHING"
        );
        batch.with("recorded", &insert);
    }
}

/// Moves the games that are written in the lists of their players.
fn list(batch: &mut Batch, changes: &[Write]) {
    let columns = PlayerTable::COLUMNS;
    let same_place = "p.player = n.player AND p.ruleset = n.ruleset AND p.status = n.status \
                      AND p.created_at = n.created_at AND p.game_id = n.game_id";
    for (table, [unlisted, relisted, listed]) in [
        (PlayerTable::Public, ["unlisted", "relisted", "listed"]),
        (PlayerTable::Own, ["disowned", "reowned", "owned"]),
    ] {
        let name = table.name();
        let rows = batch.table(&LISTED, changes.iter().flat_map(|change| change.rows_left(table)));
        if let Some(rows) = rows {
            let delete = format!(
                "DELETE FROM {name} AS p USING {rows} AS n ({columns}) WHERE {same_place} AND {IS_WRITTEN}"
            );
            batch.with(unlisted, &delete);
        }
        let rows = batch.table(&MOVED, changes.iter().flat_map(|change| change.rows_moved(table)));
        if let Some(rows) = rows {
            let update = format!(
                "UPDATE {name} AS p SET status = n.becomes, finished_at = n.finished_at FROM {rows} AS n ({}) \
                 WHERE {same_place} AND {IS_WRITTEN}",
                PlayerTable::MOVED
            );
            batch.with(relisted, &update);
        }
        let rows = batch.table(&LISTED, changes.iter().flat_map(|change| change.rows_entered(table)));
        if let Some(rows) = rows {
            let insert = format!(
                "INSERT INTO {name} ({columns}) SELECT n.* FROM {rows} AS n ({columns}) \
                 WHERE {IS_WRITTEN}{}",
                unless_there(changes)
            );
            batch.with(listed, &insert);
        }
    }
}
