//! The columns of a game in tables, and their contents.

use std::borrow::Cow;

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name.
    pub name: &'static str,
    /// The contents.
    pub kind: ColumnKind,
}

/// The kind of contents of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Whole numbers.
    Number,
    /// True or false.
    Flag,
    /// Text.
    Text,
    /// Throws of several dice, as text with one digit per die.
    Dice,
}

/// The value of a column in a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Datum {
    /// No value.
    #[default]
    Nothing,
    /// A number.
    Number(i64),
    /// A flag.
    Flag(bool),
    /// Text.
    Text(Cow<'static, str>),
}

impl Column {
    pub(crate) const fn number(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Number }
    }

    pub(crate) const fn flag(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Flag }
    }

    pub(crate) const fn text(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Text }
    }

    pub(crate) const fn dice(name: &'static str) -> Self {
        Self { name, kind: ColumnKind::Dice }
    }
}

impl From<i64> for Datum {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<i32> for Datum {
    fn from(number: i32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u32> for Datum {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<u16> for Datum {
    fn from(number: u16) -> Self {
        Self::Number(number.into())
    }
}

impl From<u8> for Datum {
    fn from(number: u8) -> Self {
        Self::Number(number.into())
    }
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        Self::Flag(flag)
    }
}

impl From<&'static str> for Datum {
    fn from(text: &'static str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl<T: Into<Self>> From<Option<T>> for Datum {
    fn from(datum: Option<T>) -> Self {
        datum.map_or(Self::Nothing, Into::into)
    }
}
