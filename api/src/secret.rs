//! Who is who: a client's own secret, of which only hashes are kept.

use sha2::{Digest, Sha256};

use crate::game::Bytes32;

/// A client's secret: 64 lower-case hex digits that it made itself. It is never stored, shown or logged.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Reads a secret.
    pub fn read(text: &str) -> Option<Self> {
        is_hex(text, 64).then(|| Self(text.to_owned()))
    }

    /// What the service keeps of it.
    pub fn hash(&self) -> Bytes32 {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// The public, stable id of whoever holds it: the first 20 hex digits of SHA-256 of `assam/player` LF secret.
    pub fn player(&self) -> String {
        let hash = Sha256::digest(format!("assam/player\n{}", self.0).as_bytes());
        hex::encode(&hash[..10])
    }
}

/// What the service keeps of the join code of a private game.
pub fn join_code_hash(game: &str, code: &str) -> Bytes32 {
    Sha256::digest(format!("assam/join\n{game}\n{code}").as_bytes()).into()
}

/// Exactly so many lower-case hex digits?
pub fn is_hex(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_64_lower_case_hex_digits() {
        assert!(Secret::read(&"0a".repeat(32)).is_some());
        for wrong in ["", "0A".repeat(32).as_str(), "0a".repeat(31).as_str(), "0g".repeat(32).as_str()] {
            assert!(Secret::read(wrong).is_none(), "{wrong:?}");
        }
    }
}
