//! The names of values in options and fields.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::{OptionValue, SetupError};

/// Every value with its name.
pub(crate) type Names<T> = &'static [(&'static str, T)];

/// Returns the name of a value.
pub(crate) fn name_of<T: PartialEq>(value: T, names: Names<T>) -> &'static str {
    names.iter().find(|(_, named)| *named == value).map_or("", |(name, _)| name)
}

/// Returns the value of an option by its name.
pub(crate) fn choose<T: Copy>(name: &str, value: &str, names: Names<T>) -> Result<T, SetupError> {
    names.iter().find(|(named, _)| *named == value).map(|(_, value)| *value).ok_or_else(|| {
        let values: Vec<&str> = names.iter().map(|(value, _)| *value).collect();
        SetupError::value(name, format!("{name} is one of {}", values.join(", ")))
    })
}

/// Returns an option that has named values.
pub(crate) fn option<T: PartialEq>(name: &'static str, value: T, default: T, names: Names<T>) -> OptionValue {
    let is_default = value == default;
    OptionValue { name, value: name_of(value, names).to_string(), is_default }
}
