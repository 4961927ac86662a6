//! Changes of many games at once, for a database across a network: one statement for all changes of a kind, with an
//! array for each column.

use std::borrow::Cow;

use super::row::{COLUMNS, RULESET, Value, values};
use super::{Start, Write};
use crate::game::{GameId, Holder};

/// The types of [`RULESET`] and [`COLUMNS`], in that order.
const TYPES: [&str; 19] = [
    "text", "text", "bigint", "text", "text", "boolean", "bigint", "bigint", "text", "text", "bigint",
    "bigint", "bytea", "bytea", "bytea", "bytea", "bytea", "text", "text",
];

/// A statement on many rows.
pub(super) struct Batch {
    pub(super) sql: Cow<'static, str>,
    /// The values of each column, those of a row at the same place in each.
    pub(super) columns: Vec<Vec<Value>>,
}

impl Batch {
    /// Returns a statement for these rows; none where there are none.
    fn of(sql: impl Into<Cow<'static, str>>, rows: impl Iterator<Item = Vec<Value>>) -> Option<Self> {
        let mut columns = Vec::new();
        for row in rows {
            columns.resize_with(row.len(), Vec::new);
            columns.iter_mut().zip(row).for_each(|(column, value)| column.push(value));
        }
        (!columns.is_empty()).then(|| Self { sql: sql.into(), columns })
    }
}

/// Returns the statements that make these changes. Each returns the ids of the games that it changed.
pub(super) fn changes(changes: &[Write]) -> impl Iterator<Item = Batch> {
    [appends(changes), creations(changes), reseatings(changes)].into_iter().flatten()
}

/// Appends to logs; the WHERE clause is the lock.
fn appends(changes: &[Write]) -> Option<Batch> {
    let rows = changes.iter().filter_map(|change| match change {
        Write::Append { id, at, extension } => Some(vec![
            (*id).into(),
            at.ply.into(),
            at.hash.into(),
            extension.head.ply.into(),
            extension.head.hash.into(),
            extension.status.into(),
            extension.entries.as_str().into(),
        ]),
        Write::Create(_) | Write::Reseat { .. } => None,
    });
    Batch::of(
        "UPDATE games AS g SET ply = n.ply, head = n.head, status = n.status, \
         log = CASE WHEN g.log = '' THEN n.entries ELSE n.entries || ' ' || g.log END \
         FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::bytea[], $6::text[], $7::text[]) \
         AS n (id, at_ply, at_head, ply, head, status, entries) \
         WHERE g.id = n.id AND g.ply = n.at_ply AND g.head = n.at_head RETURNING g.id",
        rows,
    )
}

/// Stores games, except those whose ids exist.
fn creations(changes: &[Write]) -> Option<Batch> {
    let rows = changes.iter().filter_map(|change| match change {
        Write::Create(game) => Some(values(game)),
        Write::Append { .. } | Write::Reseat { .. } => None,
    });
    let columns = COLUMNS.join(", ");
    let arrays: Vec<String> = (1..).zip(TYPES).map(|(n, column)| format!("${n}::{column}[]")).collect();
    Batch::of(
        format!(
            "INSERT INTO games ({RULESET}, {columns}) SELECT * FROM unnest({}) \
             ON CONFLICT (id) DO NOTHING RETURNING id",
            arrays.join(", ")
        ),
        rows,
    )
}

/// Replaces seats; with a start, also writes the first words of games that have none.
fn reseatings(changes: &[Write]) -> Option<Batch> {
    let rows = changes.iter().filter_map(|change| match change {
        Write::Reseat { id, revision, seats, start } => {
            let extension = start.as_ref().map(|Start { extension, .. }| extension);
            Some(vec![
                (*id).into(),
                (*revision).into(),
                seats.as_slice().into(),
                extension.map(|extension| extension.status).into(),
                start.as_ref().map(|start| start.at).into(),
                extension.map(|extension| extension.head.ply).into(),
                extension.map(|extension| extension.head.hash).into(),
                extension.map(|extension| extension.entries.as_str()).into(),
            ])
        }
        Write::Append { .. } | Write::Create(_) => None,
    });
    Batch::of(
        "UPDATE games AS g SET revision = g.revision + 1, seats = n.seats, status = COALESCE(n.status, g.status), \
         started_at = COALESCE(n.started_at, g.started_at), ply = COALESCE(n.ply, g.ply), \
         head = COALESCE(n.head, g.head), log = COALESCE(n.log, g.log) \
         FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::bigint[], $7::bytea[], \
         $8::text[]) AS n (id, revision, seats, status, started_at, ply, head, log) \
         WHERE g.id = n.id AND g.revision = n.revision AND (n.ply IS NULL OR g.ply IS NULL) RETURNING g.id",
        rows,
    )
}

/// Returns the statements that update `seat_players` to the seats of games that were written.
pub(super) fn seat_players(
    changes: &[Write],
    written: impl Fn(GameId) -> bool,
) -> impl Iterator<Item = Batch> {
    let reseated = changes.iter().filter_map(|change| match change {
        Write::Reseat { id, .. } if written(*id) => Some(vec![(*id).into()]),
        Write::Reseat { .. } | Write::Append { .. } | Write::Create(_) => None,
    });
    let unseat = Batch::of("DELETE FROM seat_players WHERE game_id = ANY($1::text[])", reseated);
    let seats = changes.iter().filter(|change| written(change.id())).flat_map(|change| {
        let seats: &[Holder] = match change {
            Write::Create(game) => &game.info.seats,
            Write::Reseat { seats, .. } => seats,
            Write::Append { .. } => &[],
        };
        (0_i64..)
            .zip(seats)
            .filter_map(|(seat, holder)| Some(vec![change.id().into(), seat.into(), holder.player?.into()]))
    });
    let seat = Batch::of(
        "INSERT INTO seat_players (game_id, seat, player, created_at) \
         SELECT n.id, n.seat, n.player, g.created_at FROM unnest($1::text[], $2::bigint[], $3::text[]) \
         AS n (id, seat, player) JOIN games AS g ON g.id = n.id",
        seats,
    );
    [unseat, seat].into_iter().flatten()
}

/// Finds which of these games exist.
pub(super) fn existing(ids: impl Iterator<Item = GameId>) -> Option<Batch> {
    Batch::of("SELECT id FROM games WHERE id = ANY($1::text[])", ids.map(|id| vec![id.into()]))
}
