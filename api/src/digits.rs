//! Bytes that are written as lower-case hex digits.

use std::fmt;
use std::str::FromStr;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::secret::is_hex;

/// So many bytes, two digits a byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hex<const N: usize>(pub [u8; N]);

/// A text is not so many lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0} lower-case hex digits")]
pub struct NotHex(usize);

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        let mut bytes = [0; N];
        let is_read = is_hex(text, 2 * N) && hex::decode_to_slice(text, &mut bytes).is_ok();
        if is_read { Ok(Self(bytes)) } else { Err(NotHex(2 * N)) }
    }
}

impl<const N: usize> Serialize for Hex<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de, const N: usize> Deserialize<'de> for Hex<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}
