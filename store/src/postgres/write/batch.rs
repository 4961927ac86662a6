//! A statement on many rows at once, for a database across a network. The rows of each table are one
//! parameter: a JSON array of objects, keyed by column.

use std::error::Error;
use std::fmt;

use assam_record::game::GameId;
use assam_record::hex;
use bytes::BytesMut;
use serde_json::Map;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};

use crate::sql::value::{NamedRow, Value};

/// A statement on many rows.
#[derive(Default)]
pub(in crate::postgres) struct Batch {
    pub(in crate::postgres) sql: String,
    pub(in crate::postgres) params: Vec<BatchParam>,
    /// Whether games may be distributed over several servers.
    pub(in crate::postgres) is_distributed: bool,
}

/// A parameter of a batch.
pub(in crate::postgres) enum BatchParam {
    /// Rows, as JSON.
    Rows(String),
    /// The ids of games.
    Ids(Vec<Value>),
}

impl Batch {
    /// Returns a statement on rows, or none if there are no rows. `$rows` in its text means the rows.
    pub(in crate::postgres) fn on(sql: &str, rows: impl IntoIterator<Item = NamedRow>) -> Option<Self> {
        let mut batch = Self::default();
        batch.sql = batch.filled(sql, rows)?;
        Some(batch)
    }

    /// Returns a statement on the games with these ids, which are its parameter `$1`.
    pub(in crate::postgres) fn on_ids(sql: &str, ids: impl IntoIterator<Item = GameId>) -> Self {
        let ids = ids.into_iter().map(Value::from).collect();
        Self { sql: sql.to_owned(), params: vec![BatchParam::Ids(ids)], is_distributed: false }
    }

    /// Adds a part to a statement that begins with `WITH`, and returns whether there are rows for it. In its
    /// text, `$rows` means the rows, and `$only` a further condition on the games of these rows, which
    /// restricts Citus to their shards. Without Citus, the condition would only cost time.
    pub(in crate::postgres) fn with(
        &mut self,
        name: &str,
        sql: &str,
        rows: impl IntoIterator<Item = NamedRow>,
    ) -> bool {
        let Some(part) = self.filled(sql, rows) else { return false };
        self.sql += if self.sql.is_empty() { "WITH " } else { ", " };
        self.sql += &format!("{name} AS ({part})");
        true
    }

    fn filled(&mut self, sql: &str, rows: impl IntoIterator<Item = NamedRow>) -> Option<String> {
        let mut ids = Vec::new();
        let mut objects = Vec::new();
        for row in rows {
            let mut object = Map::new();
            for (name, value) in row {
                if let ("id", Value::Id(id)) = (name, &value) {
                    ids.push(Value::Id(*id));
                }
                object.extend(json(value).map(|value| (name.to_owned(), value)));
            }
            objects.push(serde_json::Value::Object(object));
        }
        if objects.is_empty() {
            return None;
        }
        self.params.push(BatchParam::Rows(serde_json::Value::Array(objects).to_string()));
        let filled = sql.replace("$rows", &format!("${}::text::jsonb", self.params.len()));
        let mut only = String::new();
        if self.is_distributed && filled.contains("$only") {
            self.params.push(BatchParam::Ids(ids));
            only = format!(" AND g.id = ANY(${}::uuid[])", self.params.len());
        }
        Some(filled.replace("$only", &only))
    }
}

/// Returns a value as PostgreSQL reads it from JSON, or none for null, like a member that an object lacks.
fn json(value: Value) -> Option<serde_json::Value> {
    Some(match value {
        Value::Null => return None,
        Value::Flag(flag) => flag.into(),
        Value::Int(number) => number.into(),
        Value::Text(text) => text.into(),
        Value::Bytes(bytes) => format!("\\x{}", hex::digits(bytes)).into(),
        Value::Id(id) => hex::digits(id).into(),
    })
}

/// Shows nothing, since the driver logs parameters, which may have seeds, secrets and names.
impl fmt::Debug for BatchParam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BatchParam(..)")
    }
}

impl ToSql for BatchParam {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match self {
            Self::Rows(rows) => rows.to_sql_checked(ty, out),
            Self::Ids(ids) => ids.to_sql_checked(ty, out),
        }
    }

    /// Each variant checks for itself.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}
