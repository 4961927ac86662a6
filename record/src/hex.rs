//! Bytes written as lower-case hex digits: ids, hashes, seeds, secrets.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use base16ct::lower;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// `N` bytes, two digits each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Hex<const N: usize>(pub [u8; N]);

/// 32 bytes: a hash, a seed, a salt.
pub type Hex32 = Hex<32>;

/// 48 bytes: the signature of a round of a beacon.
pub type Hex48 = Hex<48>;

/// The error of a text that is not the expected number of lower-case hex digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("expected {0} lower-case hex digits")]
pub struct NotHex(usize);

/// Returns the digits of bytes, two per byte.
pub fn digits(bytes: impl AsRef<[u8]>) -> String {
    lower::encode_string(bytes.as_ref())
}

/// Returns the text with these digits as bytes, or `None` if they are not text.
pub fn text_of(digits: &str) -> Option<String> {
    String::from_utf8(lower::decode_vec(digits).ok()?).ok()
}

impl<const N: usize> Hex<N> {
    /// Returns the first bytes of the 32 of the text's SHA-256.
    pub fn digest(text: &str) -> Self {
        let hash: [u8; 32] = Sha256::digest(text).into();
        Self(std::array::from_fn(|n| hash[n]))
    }
}

impl<const N: usize> fmt::Display for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut digits = [[0; 2]; N];
        // Exactly as many as needed, all of them ASCII.
        let _ = lower::encode(&self.0, digits.as_flattened_mut());
        f.write_str(str::from_utf8(digits.as_flattened()).unwrap_or_default())
    }
}

impl<const N: usize> fmt::Debug for Hex<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<const N: usize> FromStr for Hex<N> {
    type Err = NotHex;

    fn from_str(text: &str) -> Result<Self, NotHex> {
        let mut bytes = [0; N];
        // Shorter texts have too few digits.
        let is_read = lower::decode(text, &mut bytes).is_ok_and(|read| read.len() == N);
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

impl<const N: usize> PartialSchema for Hex<N> {
    fn schema() -> RefOr<Schema> {
        let pattern = format!("^[0-9a-f]{{{}}}$", 2 * N);
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(pattern)).into()
    }
}

impl<const N: usize> ToSchema for Hex<N> {
    fn name() -> Cow<'static, str> {
        format!("Hex{N}").into()
    }
}

/// The form in a store's rows: base64, which is shorter. Digits, written by earlier versions, are read too.
pub mod stored {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD_NO_PAD as BASE64;

    use super::{Deserialize, Deserializer, Error, Hex, Serializer};

    /// Writes bytes, if there are any.
    ///
    /// # Errors
    /// Errors of the serializer.
    pub fn serialize<S: Serializer, const N: usize>(
        bytes: &Option<Hex<N>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match bytes {
            Some(bytes) => serializer.serialize_str(&BASE64.encode(bytes.0)),
            None => serializer.serialize_none(),
        }
    }

    /// Reads bytes, if there are any.
    ///
    /// # Errors
    /// A text has neither form.
    pub fn deserialize<'de, D: Deserializer<'de>, const N: usize>(
        deserializer: D,
    ) -> Result<Option<Hex<N>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
        if let Ok(bytes) = text.parse() {
            return Ok(Some(bytes));
        }
        let bytes = BASE64.decode(text).map_err(|_| D::Error::custom("expected bytes"))?;
        bytes.try_into().map(|bytes| Some(Hex(bytes))).map_err(|_| D::Error::custom("expected other bytes"))
    }
}
