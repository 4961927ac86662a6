//! Cosignatures: timed statements of witnesses about checkpoints (<https://c2sp.org/tlog-cosignature>,
//! `cosignature/v1`).

use std::fmt;
use std::str::FromStr;

use assam_record::entropy;
use assam_record::game::Bytes32;
use assam_record::hex::digits;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::Signer as _;
use jiff::Timestamp;

use super::note::{self, BadKey, COSIGNATURE, DASH, NoNewKey, NotSigned, Note, PRIVATE};

/// A witness's cosigning key, with its name.
#[derive(Clone)]
pub struct CosigningKey {
    name: String,
    key: ed25519_dalek::SigningKey,
}

/// A key that verifies the cosignatures of the witness with this name.
#[derive(Clone, PartialEq, Eq)]
pub struct WitnessKey {
    name: String,
    key: ed25519_dalek::VerifyingKey,
}

/// Returns the signed text: the time, then the text of the checkpoint.
fn message(seconds: u64, text: &str) -> String {
    format!("cosignature/v1\ntime {seconds}\n{text}")
}

impl CosigningKey {
    /// Returns a new key with this name.
    ///
    /// # Errors
    /// [`NoNewKey`] if no key may have this name, or the operating system gives no random bytes.
    pub fn named(name: &str) -> Result<Self, NoNewKey> {
        if !note::is_name(name) {
            return Err(NoNewKey::Bad(BadKey::Name));
        }
        Ok(Self { name: name.to_owned(), key: ed25519_dalek::SigningKey::from_bytes(&entropy::seed()?) })
    }

    /// Returns the key that verifies this key's cosignatures.
    pub fn witness_key(&self) -> WitnessKey {
        WitnessKey { name: self.name.clone(), key: self.key.verifying_key() }
    }

    /// Returns the line that this key adds to the signatures of a note with this text. Times before 1970
    /// count as its start.
    pub fn cosign(&self, text: &str, time: Timestamp) -> String {
        let seconds = u64::try_from(time.as_second()).unwrap_or_default();
        let signature = self.key.sign(message(seconds, text).as_bytes()).to_bytes();
        let id = self.witness_key().id();
        let bytes = [id.as_slice(), &seconds.to_be_bytes(), &signature].concat();
        format!("{DASH}{} {}\n", self.name, BASE64.encode(bytes))
    }

    /// Returns the key as stored. Anyone who can read it can cosign.
    pub fn secret_text(&self) -> String {
        let id = self.witness_key().id();
        format!("{PRIVATE}{}", note::written(&self.name, id, COSIGNATURE, self.key.as_bytes()))
    }
}

impl FromStr for CosigningKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let (name, id, secret) =
            note::read_key(text.strip_prefix(PRIVATE).ok_or(BadKey::Form)?, COSIGNATURE)?;
        let key = Self { name: name.to_owned(), key: ed25519_dalek::SigningKey::from_bytes(&secret) };
        if key.witness_key().id() == id { Ok(key) } else { Err(BadKey::Id) }
    }
}

/// Shows the verifying key.
impl fmt::Debug for CosigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CosigningKey({})", self.witness_key())
    }
}

impl WitnessKey {
    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn id(&self) -> [u8; 4] {
        note::id_of(&self.name, COSIGNATURE, self.key.as_bytes())
    }

    /// Returns the name and id, joined by `+`, which distinguish it from all others.
    pub fn label(&self) -> String {
        format!("{}+{}", self.name, digits(self.id()))
    }

    pub(super) fn bytes(&self) -> Bytes32 {
        self.key.to_bytes()
    }

    /// Checks that this witness cosigned a note, and returns the time.
    ///
    /// # Errors
    /// The witness did not cosign it.
    pub fn verify(&self, note: &Note<'_>) -> Result<Timestamp, NotSigned> {
        let own = note.signatures.iter().find(|one| one.name == self.name && one.id == self.id());
        let bytes = &own.ok_or(NotSigned::NoSignature)?.bytes;
        let (seconds, signature) = bytes.split_first_chunk().ok_or(NotSigned::Wrong)?;
        let seconds = u64::from_be_bytes(*seconds);
        let signature = ed25519_dalek::Signature::from_slice(signature).map_err(|_| NotSigned::Wrong)?;
        let message = message(seconds, note.text);
        self.key.verify_strict(message.as_bytes(), &signature).map_err(|_| NotSigned::Wrong)?;
        let time = i64::try_from(seconds).ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
        time.ok_or(NotSigned::Wrong)
    }

    /// Returns the line with this witness's cosignature of a note, if there is one, without verifying it.
    pub fn line_of(&self, note: &Note<'_>) -> Option<String> {
        note.line_of(&self.name, self.id())
    }
}

impl FromStr for WitnessKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        if text.starts_with(PRIVATE) {
            return Err(BadKey::Form);
        }
        let (name, id, key) = note::read_key(text, COSIGNATURE)?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(&key).map_err(|_| BadKey::Form)?;
        let key = Self { name: name.to_owned(), key };
        if key.id() == id { Ok(key) } else { Err(BadKey::Id) }
    }
}

impl fmt::Display for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&note::written(&self.name, self.id(), COSIGNATURE, self.key.as_bytes()))
    }
}

impl fmt::Debug for WitnessKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
