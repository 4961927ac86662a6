//! A statement on many rows at once, for a database across a network: with an array for each column.

use assam_record::game::GameId;

use crate::sql::value::Value;

/// A statement on many rows; it gives the ids of games.
#[derive(Default)]
pub(in crate::postgres) struct Batch {
    pub(in crate::postgres) sql: String,
    /// The values of each parameter, an array.
    pub(in crate::postgres) arrays: Vec<Vec<Value>>,
    /// Whether games may be distributed over several servers.
    pub(in crate::postgres) is_distributed: bool,
}

impl Batch {
    /// Adds rows with columns of these types, and returns the text that stands for them as a table; none where there
    /// are none.
    pub(in crate::postgres) fn table(
        &mut self,
        types: &[&str],
        rows: impl Iterator<Item = Vec<Value>>,
    ) -> Option<String> {
        let first = self.arrays.len();
        self.arrays.resize_with(first + types.len(), Vec::new);
        for row in rows {
            self.arrays[first..].iter_mut().zip(row).for_each(|(array, value)| array.push(value));
        }
        if self.arrays.last().is_none_or(Vec::is_empty) {
            self.arrays.truncate(first);
            return None;
        }
        let arrays = (first + 1..).zip(types).map(|(n, column)| format!("${n}::{column}[]"));
        Some(format!("unnest({})", arrays.collect::<Vec<_>>().join(", ")))
    }

    /// Returns one more condition for games that are those of the next table, whose first column has their ids: with it, Citus asks no other
    /// shards than theirs. Anywhere else it would only cost time.
    pub(in crate::postgres) fn of_next_table(&self) -> String {
        let ids = self.arrays.len() + 1;
        if self.is_distributed { format!(" AND g.id = ANY(${ids}::uuid[])") } else { String::new() }
    }

    /// Adds a part to the statement, and returns its name.
    pub(in crate::postgres) fn with(&mut self, name: &'static str, part: &str) -> &'static str {
        self.sql += if self.sql.is_empty() { "WITH " } else { ", " };
        self.sql += &format!("{name} AS ({part})");
        name
    }
}

/// Finds which of these games somebody else holds, and waits for none of them. Those that nobody holds are held until the
/// statement ends.
pub(in crate::postgres) fn held(ids: impl Iterator<Item = GameId>) -> Batch {
    let mut batch = Batch::default();
    if let Some(rows) = batch.table(&["uuid"], ids.map(|id| vec![id.into()])) {
        let free = format!(
            "SELECT g.id FROM games AS g JOIN {rows} AS n (id) ON g.id = n.id FOR UPDATE OF g SKIP LOCKED"
        );
        batch.with("free", &free);
        batch.sql += &format!(
            " SELECT g.id FROM games AS g JOIN {rows} AS n (id) ON g.id = n.id WHERE g.id NOT IN (SELECT id FROM free)"
        );
    }
    batch
}

/// Finds which of these games exist.
pub(in crate::postgres) fn existing(ids: impl Iterator<Item = GameId>) -> Option<Batch> {
    let mut batch = Batch::default();
    batch.table(&["uuid"], ids.map(|id| vec![id.into()]))?;
    batch.sql = "SELECT id FROM games WHERE id = ANY($1::uuid[])".to_owned();
    Some(batch)
}
