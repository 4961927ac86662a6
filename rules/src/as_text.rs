//! Serialises a value as its text, in any serde format.
//!
//! Put `#[serde(with = "assam_rules::as_text")]` on a field whose type has `Display` and `FromStr`. Assam's
//! types with a text form serialise like this without the attribute.

use core::fmt::{self, Display};
use core::marker::PhantomData;
use core::str::FromStr;

use serde_core::de::{Error, Visitor};
use serde_core::{Deserializer, Serializer};

/// Serialises a value as its text.
///
/// # Errors
/// Errors of the format.
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Deserialises a value from its text.
///
/// # Errors
/// Errors of the format, and parse errors of the text with their message.
pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    deserializer.deserialize_str(TextOf(PhantomData))
}

struct TextOf<T>(PhantomData<T>);

impl<T: FromStr<Err: Display>> Visitor<'_> for TextOf<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// Implements `Serialize` and `Deserialize` for a type through its text. The calling crate must depend on
/// `serde_core`.
#[doc(hidden)]
#[macro_export]
macro_rules! serde_as_text {
    (impl[$($generics:tt)*] for $type:ty) => {
        impl<$($generics)*> serde_core::Serialize for $type {
            fn serialize<S: serde_core::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::as_text::serialize(self, serializer)
            }
        }

        impl<'de, $($generics)*> serde_core::Deserialize<'de> for $type {
            fn deserialize<D: serde_core::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                $crate::as_text::deserialize(deserializer)
            }
        }
    };
}
