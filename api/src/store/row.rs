//! A stored game as columns: the values that both databases share, and their conversion to and from a [`StoredGame`].

use std::fmt;
use std::vec::IntoIter;

use assam_referee::Setup;
use jiff::Timestamp;

use super::StoreError;
use crate::game::{Bytes32, Head, Holder, Info, Status, StoredGame, Visibility};
use crate::hex::Hex;

/// One column of one row, or one parameter of a statement.
pub(super) enum Value {
    Null,
    Flag(bool),
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
}

/// Shows nothing: it may be a seed.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Value(..)")
    }
}

impl From<bool> for Value {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<i64> for Value {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl<const N: usize> From<Hex<N>> for Value {
    fn from(id: Hex<N>) -> Self {
        Self::Text(id.to_string())
    }
}

impl From<Bytes32> for Value {
    fn from(bytes: Bytes32) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

impl From<Timestamp> for Value {
    fn from(time: Timestamp) -> Self {
        Self::Int(time.as_millisecond())
    }
}

impl From<Status> for Value {
    fn from(status: Status) -> Self {
        Self::from(match status {
            Status::Open => "open",
            Status::Running => "running",
            Status::Finished => "finished",
            Status::Aborted => "aborted",
        })
    }
}

impl From<Visibility> for Value {
    fn from(visibility: Visibility) -> Self {
        Self::from(match visibility {
            Visibility::Public => "public",
            Visibility::Unlisted => "unlisted",
            Visibility::Private => "private",
        })
    }
}

impl From<&[Holder]> for Value {
    fn from(seats: &[Holder]) -> Self {
        Self::Text(
            serde_json::to_string(seats)
                .expect("a seat has only strings and unit variants, and JSON has a form for each"),
        )
    }
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A type that a column can be read as; `None` where the column holds something else.
trait Cell: Sized {
    fn read(value: Value) -> Option<Self>;
}

impl Cell for bool {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Flag(flag) => Some(flag),
            // SQLite has no boolean.
            Value::Int(number) => Some(number != 0),
            Value::Null | Value::Text(_) | Value::Bytes(_) => None,
        }
    }
}

impl Cell for i64 {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Int(number) => Some(number),
            Value::Null | Value::Flag(_) | Value::Text(_) | Value::Bytes(_) => None,
        }
    }
}

impl Cell for u32 {
    fn read(value: Value) -> Option<Self> {
        i64::read(value)?.try_into().ok()
    }
}

impl Cell for Timestamp {
    fn read(value: Value) -> Option<Self> {
        Self::from_millisecond(i64::read(value)?).ok()
    }
}

impl Cell for String {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Text(text) => Some(text),
            Value::Null | Value::Flag(_) | Value::Int(_) | Value::Bytes(_) => None,
        }
    }
}

impl<const N: usize> Cell for Hex<N> {
    fn read(value: Value) -> Option<Self> {
        String::read(value)?.parse().ok()
    }
}

impl Cell for Setup {
    fn read(value: Value) -> Option<Self> {
        Self::read(&String::read(value)?).ok()
    }
}

impl Cell for Status {
    fn read(value: Value) -> Option<Self> {
        match String::read(value)?.as_str() {
            "open" => Some(Self::Open),
            "running" => Some(Self::Running),
            "finished" => Some(Self::Finished),
            "aborted" => Some(Self::Aborted),
            _ => None,
        }
    }
}

impl Cell for Visibility {
    fn read(value: Value) -> Option<Self> {
        match String::read(value)?.as_str() {
            "public" => Some(Self::Public),
            "unlisted" => Some(Self::Unlisted),
            "private" => Some(Self::Private),
            _ => None,
        }
    }
}

impl Cell for Vec<Holder> {
    fn read(value: Value) -> Option<Self> {
        // The error of serde_json is dropped: it would quote the seats.
        serde_json::from_str(&String::read(value)?).ok()
    }
}

impl Cell for Bytes32 {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => bytes.try_into().ok(),
            Value::Null | Value::Flag(_) | Value::Int(_) | Value::Text(_) => None,
        }
    }
}

impl<T: Cell> Cell for Option<T> {
    fn read(value: Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            Value::Flag(_) | Value::Int(_) | Value::Text(_) | Value::Bytes(_) => T::read(value).map(Some),
        }
    }
}

/// The columns of [`Info`], in the order in which [`Cells::info`] reads them.
pub(super) const INFO: &str = "id, created_at, setup, visibility, imported, \
    patience_hours, revision, seats, status, started_at, ply, head";

/// The columns that a whole [`StoredGame`] adds to [`INFO`], in the order in which [`Cells::game`] reads them.
pub(super) const REST: &str = "owner, join_code, request, seed, tags, log";

/// The column of the rule set, which only conditions of lists read: the setup line names the rule set too.
pub(super) const RULESET: &str = "ruleset";

/// Returns the values for [`RULESET`], [`INFO`] and [`REST`], in that order.
pub(super) fn values(game: &StoredGame) -> Vec<Value> {
    let info = &game.info;
    vec![
        info.ruleset().name().into(),
        info.id.into(),
        info.created_at.into(),
        info.setup.line().into(),
        info.visibility.into(),
        info.imported.into(),
        info.patience_hours.into(),
        info.revision.into(),
        info.seats.as_slice().into(),
        info.status.into(),
        info.started_at.into(),
        info.head.map(|head| head.ply).into(),
        info.head.map(|head| head.hash).into(),
        game.owner.into(),
        game.join_code.into(),
        game.request.into(),
        game.seed.into(),
        game.tags.as_str().into(),
        game.log.as_str().into(),
    ]
}

/// The columns of one row that was read, taken from the front.
pub(super) struct Cells(IntoIter<Value>);

impl Cells {
    pub(super) fn new(values: Vec<Value>) -> Self {
        Self(values.into_iter())
    }

    fn take<T: Cell>(&mut self, column: &'static str) -> Result<T, StoreError> {
        self.0.next().and_then(T::read).ok_or_else(|| unreadable(column))
    }

    /// Reads [`INFO`].
    pub(super) fn info(&mut self) -> Result<Info, StoreError> {
        Ok(Info {
            id: self.take("id")?,
            created_at: self.take("created_at")?,
            setup: self.take("setup")?,
            visibility: self.take("visibility")?,
            imported: self.take("imported")?,
            patience_hours: self.take("patience_hours")?,
            revision: self.take("revision")?,
            seats: self.take("seats")?,
            status: self.take("status")?,
            started_at: self.take("started_at")?,
            head: match (self.take("ply")?, self.take("head")?) {
                (None, None) => None,
                (Some(ply), Some(hash)) => Some(Head { ply, hash }),
                (None, Some(_)) | (Some(_), None) => return Err(unreadable("head")),
            },
        })
    }

    /// Reads [`INFO`] and [`REST`].
    pub(super) fn game(mut self) -> Result<StoredGame, StoreError> {
        Ok(StoredGame {
            info: self.info()?,
            owner: self.take("owner")?,
            join_code: self.take("join_code")?,
            request: self.take("request")?,
            seed: self.take("seed")?,
            tags: self.take("tags")?,
            log: self.take("log")?,
        })
    }
}

/// Returns an error that names only the column, as its contents may be secret.
fn unreadable(column: &str) -> StoreError {
    StoreError::Backend(format!("column {column} of a stored game cannot be read"))
}
