//! A client's own secret, of which only hashes are kept.

use sha2::{Digest, Sha256};

use crate::game::{Bytes32, GameId, PlayerId};
use crate::hex::Hex;

/// A client's secret: 64 lower-case hex digits that the client generated. It is never stored, shown or logged.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Reads a secret; none where the text is not one.
    pub fn read(text: &str) -> Option<Self> {
        text.parse::<Hex<32>>().ok().map(|_| Self(text.to_owned()))
    }

    /// Returns the hash that the service keeps of it.
    pub fn hash(&self) -> Bytes32 {
        Sha256::digest(self.0.as_bytes()).into()
    }

    /// Returns the public, stable id of its holder: the first 20 hex digits of SHA-256 of `assam/player` LF secret.
    pub fn player(&self) -> PlayerId {
        Hex::digest(&format!("assam/player\n{}", self.0))
    }
}

/// Returns the hash that the service keeps of the join code of a private game.
pub fn join_code_hash(game: GameId, code: &str) -> Bytes32 {
    Sha256::digest(format!("assam/join\n{game}\n{code}").as_bytes()).into()
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
