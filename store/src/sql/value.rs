//! Column values that both databases share.

use std::fmt;

use assam_record::beacon::BeaconName;
use assam_record::clock::last;
use assam_record::game::{Bytes32, GameId, Holder, PlayerId, Status, Visibility};
use assam_record::hex::Hex;
use assam_referee::{Ruleset, Setup};
use jiff::Timestamp;

/// A column of a row, or a parameter of a statement.
pub(crate) enum Value {
    Null,
    Flag(bool),
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
    /// The id of a game: a `uuid` in PostgreSQL, read as bytes.
    Id([u8; 16]),
}

/// The columns of a row, each with its name.
pub(crate) type NamedRow = Vec<(&'static str, Value)>;

/// Shows nothing, since it may be a seed.
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

impl From<BeaconName> for Value {
    fn from(name: BeaconName) -> Self {
        Self::Text(name.to_string())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<GameId> for Value {
    fn from(id: GameId) -> Self {
        Self::Id(id.0)
    }
}

/// The signature of a round of a beacon.
impl From<Hex<48>> for Value {
    fn from(signature: Hex<48>) -> Self {
        Self::Bytes(signature.0.to_vec())
    }
}

impl From<PlayerId> for Value {
    fn from(id: PlayerId) -> Self {
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
        Self::Int(time.min(last()).as_millisecond())
    }
}

/// Its place in [`Ruleset::ALL`], from 1.
impl From<Ruleset> for Value {
    fn from(ruleset: Ruleset) -> Self {
        let place = Ruleset::ALL.iter().position(|known| *known == ruleset);
        Self::Int(place.map_or(0, |place| place as i64 + 1))
    }
}

impl FromColumn for Ruleset {
    fn read(value: &Value) -> Option<Self> {
        let place = usize::try_from(i64::read(value)?).ok()?.checked_sub(1)?;
        Self::ALL.get(place).copied()
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

/// A type that a column can be read as, or `None` if the column has another type.
pub(crate) trait FromColumn: Sized {
    fn read(value: &Value) -> Option<Self>;
}

impl FromColumn for bool {
    fn read(value: &Value) -> Option<Self> {
        match value {
            Value::Flag(flag) => Some(*flag),
            // SQLite has no boolean.
            Value::Int(number) => Some(*number != 0),
            Value::Null | Value::Text(_) | Value::Bytes(_) | Value::Id(_) => None,
        }
    }
}

impl FromColumn for i64 {
    fn read(value: &Value) -> Option<Self> {
        let Value::Int(number) = value else { return None };
        Some(*number)
    }
}

impl FromColumn for u32 {
    fn read(value: &Value) -> Option<Self> {
        i64::read(value)?.try_into().ok()
    }
}

impl FromColumn for Timestamp {
    fn read(value: &Value) -> Option<Self> {
        Self::from_millisecond(i64::read(value)?).ok()
    }
}

impl<const N: usize> FromColumn for Hex<N> {
    fn read(value: &Value) -> Option<Self> {
        let Value::Bytes(bytes) = value else { return None };
        bytes.as_slice().try_into().ok().map(Self)
    }
}

impl FromColumn for Setup {
    fn read(value: &Value) -> Option<Self> {
        Self::read(text(value)?).ok()
    }
}

impl FromColumn for BeaconName {
    fn read(value: &Value) -> Option<Self> {
        text(value)?.parse().ok()
    }
}

impl FromColumn for Status {
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

impl FromColumn for Visibility {
    fn read(value: &Value) -> Option<Self> {
        match i64::read(value)? {
            0 => Some(Self::Public),
            1 => Some(Self::Unlisted),
            2 => Some(Self::Private),
            _ => None,
        }
    }
}

impl FromColumn for Vec<Holder> {
    fn read(value: &Value) -> Option<Self> {
        // Drops the error of serde_json, which would quote the seats.
        serde_json::from_str(text(value)?).ok()
    }
}

impl FromColumn for Bytes32 {
    fn read(value: &Value) -> Option<Self> {
        Hex::read(value).map(|Hex(bytes)| bytes)
    }
}

impl FromColumn for String {
    fn read(value: &Value) -> Option<Self> {
        text(value).map(str::to_owned)
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn read(value: &Value) -> Option<Self> {
        if matches!(value, Value::Null) { Some(None) } else { T::read(value).map(Some) }
    }
}

const fn text(value: &Value) -> Option<&str> {
    let Value::Text(text) = value else { return None };
    Some(text.as_str())
}
