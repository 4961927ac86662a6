//! The columns that a game has in tables, and what stands in them.

use std::borrow::Cow;

/// A column of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// What stands in it.
    pub kind: ColumnKind,
}

/// What stands in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColumnKind {
    /// Whole numbers.
    Number,
    /// True or false.
    Flag,
    /// Texts.
    Text,
    /// Throws of several dice: texts of one digit for each.
    Dice,
}

/// What stands in a column of a row.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Datum {
    /// Nothing.
    #[default]
    Nothing,
    /// A number.
    Number(i64),
    /// Whether something is so.
    Flag(bool),
    /// A text.
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
