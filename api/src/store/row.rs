//! A stored game as columns: the values that both databases share, and their conversion to and from a [`StoredGame`].

use std::fmt;

use assam_referee::{Ruleset, Setup};
use jiff::Timestamp;

use super::{ListedGame, SortBy, StoreError, Version};
use crate::game::{Access, Bytes32, GameId, Head, Holder, Info, Status, StoredGame, Visibility};
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
        Self::Bytes(id.0.to_vec())
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

/// Its place in [`Ruleset::ALL`], from 1.
impl From<Ruleset> for Value {
    fn from(ruleset: Ruleset) -> Self {
        let place = Ruleset::ALL.iter().position(|known| *known == ruleset);
        Self::Int(place.map_or(0, |place| place as i64 + 1))
    }
}

impl SortBy {
    /// The column of the time by which it orders.
    pub(super) const fn column(self) -> &'static str {
        match self {
            Self::Created => "created_at",
            Self::Finished => "finished_at",
        }
    }
}

impl From<Status> for Value {
    fn from(status: Status) -> Self {
        Self::Int(match status {
            Status::Open => 0,
            Status::Running => 1,
            Status::Finished => 2,
            Status::Aborted => 3,
        })
    }
}

impl From<Visibility> for Value {
    fn from(visibility: Visibility) -> Self {
        Self::Int(match visibility {
            Visibility::Public => 0,
            Visibility::Unlisted => 1,
            Visibility::Private => 2,
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
    fn read(value: &Value) -> Option<Self>;
}

impl Cell for bool {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Flag(flag) => Some(*flag),
            // SQLite has no boolean.
            Value::Int(number) => Some(*number != 0),
            Value::Null | Value::Text(_) | Value::Bytes(_) => None,
        }
    }
}

impl Cell for i64 {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Int(number) => Some(*number),
            Value::Null | Value::Flag(_) | Value::Text(_) | Value::Bytes(_) => None,
        }
    }
}

impl Cell for u32 {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value)?.try_into().ok()
    }
}

impl Cell for Timestamp {
    fn read(value: &Value) -> Option<Self> {
        Self::from_millisecond(i64::read(value)?).ok()
    }
}

impl<const N: usize> Cell for Hex<N> {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Bytes(bytes) => bytes.as_slice().try_into().ok().map(Self),
            Value::Null | Value::Flag(_) | Value::Int(_) | Value::Text(_) => None,
        }
    }
}

impl Cell for Setup {
    fn read(value: &Value) -> Option<Self> {
        Self::read(text(value)?).ok()
    }
}

impl Cell for Status {
    fn read(value: &Value) -> Option<Self> {
        match i64::read(value)? {
            0 => Some(Self::Open),
            1 => Some(Self::Running),
            2 => Some(Self::Finished),
            3 => Some(Self::Aborted),
            _ => None,
        }
    }
}

impl Cell for Visibility {
    fn read(value: &Value) -> Option<Self> {
        match i64::read(value)? {
            0 => Some(Self::Public),
            1 => Some(Self::Unlisted),
            2 => Some(Self::Private),
            _ => None,
        }
    }
}

impl Cell for Vec<Holder> {
    fn read(value: &Value) -> Option<Self> {
        // The error of serde_json is dropped: it would quote the seats.
        serde_json::from_str(text(value)?).ok()
    }
}

impl Cell for Bytes32 {
    fn read(value: &Value) -> Option<Self> {
        Hex::read(value).map(|Hex(bytes)| bytes)
    }
}

impl<T: Cell> Cell for Option<T> {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Null => Some(None),
            Value::Flag(_) | Value::Int(_) | Value::Text(_) | Value::Bytes(_) => T::read(value).map(Some),
        }
    }
}

const fn text(value: &Value) -> Option<&str> {
    match value {
        Value::Text(text) => Some(text.as_str()),
        Value::Null | Value::Flag(_) | Value::Int(_) | Value::Bytes(_) => None,
    }
}

/// The columns of a stored game; the first [`INFO`] of them are those of its [`Info`].
pub(super) const COLUMNS: [&str; 19] = [
    "id",
    "created_at",
    "setup",
    "visibility",
    "imported",
    "patience_hours",
    "revision",
    "seats",
    "status",
    "started_at",
    "ply",
    "head",
    "finished_at",
    "owner",
    "join_code",
    "request",
    "seed",
    "tags",
    "log",
];

/// How many columns an [`Info`] has.
pub(super) const INFO: usize = 13;

/// The column of the rule set, which only conditions of lists read: the setup line names the rule set too.
pub(super) const RULESET: &str = "ruleset";

/// Returns the values for [`RULESET`] and [`COLUMNS`], in that order.
pub(super) fn values(game: &StoredGame) -> Vec<Value> {
    let info = &game.info;
    vec![
        info.ruleset().into(),
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
        info.finished_at.into(),
        game.owner.into(),
        game.join_code.into(),
        game.request.into(),
        game.seed.into(),
        game.tags.as_str().into(),
        game.log.as_str().into(),
    ]
}

/// A column that cannot be read: it is damaged, or another version wrote it. Its contents are not told, as they may be
/// secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {0} of a stored game cannot be read")]
pub struct UnreadableColumn(&'static str);

/// The columns of one row that was read: [`COLUMNS`], or the first [`INFO`] of them.
pub(super) struct Cells(Vec<Value>);

impl Cells {
    pub(super) const fn new(values: Vec<Value>) -> Self {
        Self(values)
    }

    fn read<T: Cell>(&self, column: &'static str) -> Result<T, UnreadableColumn> {
        let value = COLUMNS.iter().position(|name| *name == column).and_then(|index| self.0.get(index));
        value.and_then(T::read).ok_or(UnreadableColumn(column))
    }

    /// Takes the text of the last column that is left: texts may be long.
    fn take_last(&mut self, column: &'static str) -> Result<String, UnreadableColumn> {
        let Some(Value::Text(text)) = self.0.pop() else { return Err(UnreadableColumn(column)) };
        Ok(text)
    }

    /// Reads the first column, an id.
    pub(super) fn id(&self) -> Option<GameId> {
        self.0.first().and_then(GameId::read)
    }

    /// Reads the only column, a count.
    pub(super) fn count(&self) -> Option<u64> {
        self.0.first().and_then(i64::read).and_then(|count| count.try_into().ok())
    }

    /// Reads the columns of a version.
    pub(super) fn version(self) -> Result<Version, StoreError> {
        let version = match &self.0[..] {
            [_, revision, ply, head] => {
                i64::read(revision).zip(Option::<u32>::read(ply)).zip(Option::<Bytes32>::read(head))
            }
            _ => None,
        };
        let unreadable = || StoreError::Backend("the version of a stored game cannot be read".to_owned());
        let ((revision, ply), hash) = version.ok_or_else(unreadable)?;
        Ok(Version { revision, head: ply.zip(hash).map(|(ply, hash)| Head { ply, hash }) })
    }

    /// Reads its place in lists of this order.
    pub(super) fn place(&self, order: SortBy) -> Result<(Timestamp, GameId), UnreadableColumn> {
        Ok((self.read(order.column())?, self.read("id")?))
    }

    /// Reads a game of a list, with its log if it is running.
    pub(super) fn listed(mut self) -> Result<ListedGame, UnreadableColumn> {
        let log = match self.0.pop() {
            Some(Value::Text(log)) => Some(log),
            _ => None,
        };
        Ok(ListedGame { info: self.info()?, log })
    }

    /// Reads an [`Info`].
    pub(super) fn info(&self) -> Result<Info, UnreadableColumn> {
        let (setup, seats): (Setup, Vec<Holder>) = (self.read("setup")?, self.read("seats")?);
        // A seat that the setup has is looked up among the holders.
        if seats.len() != usize::from(setup.seats()) {
            return Err(UnreadableColumn("seats"));
        }
        Ok(Info {
            id: self.read("id")?,
            created_at: self.read("created_at")?,
            setup,
            visibility: self.read("visibility")?,
            imported: self.read("imported")?,
            patience_hours: self.read("patience_hours")?,
            revision: self.read("revision")?,
            seats,
            status: self.read("status")?,
            started_at: self.read("started_at")?,
            finished_at: self.read("finished_at")?,
            head: match (self.read("ply")?, self.read("head")?) {
                (None, None) => None,
                (Some(ply), Some(hash)) => Some(Head { ply, hash }),
                (None, Some(_)) | (Some(_), None) => return Err(UnreadableColumn("head")),
            },
        })
    }

    /// Reads a whole game.
    pub(super) fn game(mut self) -> Result<StoredGame, StoreError> {
        self.take_game().map_err(|column| StoreError::Unreadable { column, access: Box::new(self.access()) })
    }

    fn take_game(&mut self) -> Result<StoredGame, UnreadableColumn> {
        Ok(StoredGame {
            info: self.info()?,
            owner: self.read("owner")?,
            join_code: self.read("join_code")?,
            request: self.read("request")?,
            seed: self.read("seed")?,
            log: self.take_last("log")?,
            tags: self.take_last("tags")?,
        })
    }

    /// Returns who may know of a game that cannot be read, as far as that can be told: where its visibility cannot be
    /// read, it counts as private.
    fn access(&self) -> Access {
        let visibility = self.read("visibility").unwrap_or(Visibility::Private);
        let hash = |column| self.read::<Option<Bytes32>>(column).ok().flatten();
        let seats: Vec<Holder> = self.read("seats").unwrap_or_default();
        Access::new(visibility, hash("owner"), hash("join_code"), &seats)
    }
}
