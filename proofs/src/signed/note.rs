//! Signed notes: a text, a blank line, and lines with signatures (<https://c2sp.org/signed-note>).
//!
//! Keys have names. A verifying key is written `name+id+key`, a signing key `PRIVATE+KEY+name+id+key`, as in
//! Go's checksum database and other logs. The id is 8 hex digits, the key base64.

use std::fmt;
use std::str::FromStr;

use assam_record::entropy::{self, NoEntropy};
use assam_record::game::Bytes32;
use assam_record::hex::{Hex, digits};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use ed25519_dalek::Signer as _;
use sha2::{Digest, Sha256};

/// The byte for Ed25519 in keys and key ids.
const ED25519: u8 = 0x01;

/// The byte for timed cosignatures by Ed25519.
pub(super) const COSIGNATURE: u8 = 0x04;

/// The beginning of a signature line: an em dash and a space.
pub(super) const DASH: &str = "\u{2014} ";

pub(super) const PRIVATE: &str = "PRIVATE+KEY+";

/// A signing key with its name.
#[derive(Clone)]
pub struct SigningKey {
    key: ed25519_dalek::SigningKey,
    public: VerifyingKey,
}

/// A key that verifies signatures by the key of this name.
#[derive(Clone, PartialEq, Eq)]
pub struct VerifyingKey {
    name: String,
    id: [u8; 4],
    key: ed25519_dalek::VerifyingKey,
}

/// The error of a text that is not a key.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadKey {
    /// The text has another form.
    #[error("a key that verifies is `name+id+base64`, one that signs `PRIVATE+KEY+name+id+base64`")]
    Form,
    /// The key is for another algorithm.
    #[error("it is a key for another algorithm")]
    Algorithm,
    /// The name is empty or has a character that names must not have.
    #[error("the name of a key has no spaces and no +, and is not empty")]
    Name,
    /// The id does not match the name and key.
    #[error("the id of the key does not match its name and bytes")]
    Id,
}

/// The reason there is no new key.
#[derive(Debug, thiserror::Error)]
pub enum NoNewKey {
    /// The operating system gave no random bytes.
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
    /// No key may have this name.
    #[error(transparent)]
    Bad(#[from] BadKey),
}

/// The reason a text is not a signed note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotANote {
    /// There is no blank line before signatures.
    #[error("a signed note is a text, a blank line, and lines with signatures")]
    NoSignatures,
    /// A line after the blank one is not a signature.
    #[error("a signature is a line such as `\u{2014} name base64`")]
    Line,
    /// The text has control characters.
    #[error("a signed note has no control characters")]
    Controls,
}

/// The reason a key does not vouch for a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotSigned {
    /// The key did not sign it.
    #[error("the key has not signed it")]
    NoSignature,
    /// The signature is wrong.
    #[error("the signature is wrong")]
    Wrong,
}

/// A note that was read but not yet verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note<'a> {
    /// The signed text, including its last line end.
    pub text: &'a str,
    pub(super) signatures: Vec<Signature<'a>>,
}

/// A signature of a note that is not yet verified.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Signature<'a> {
    pub(super) name: &'a str,
    pub(super) id: [u8; 4],
    pub(super) bytes: Vec<u8>,
}

/// Returns whether a key may have this name.
pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_whitespace() || c.is_control() || c == '+')
}

/// Returns the id of a key: the first 4 bytes of SHA-256 of its name, LF, the algorithm and the key.
pub(super) fn id_of(name: &str, algorithm: u8, key: &[u8]) -> [u8; 4] {
    let hash = Sha256::new_with_prefix(name).chain_update([b'\n', algorithm]).chain_update(key).finalize();
    std::array::from_fn(|n| hash[n])
}

/// Splits `name+id+base64` for an algorithm into the name and the rest.
pub(super) fn read_key(text: &str, algorithm: u8) -> Result<(&str, [u8; 4], Bytes32), BadKey> {
    let (name, rest) = text.split_once('+').ok_or(BadKey::Form)?;
    let (id, key) = rest.split_once('+').ok_or(BadKey::Form)?;
    if !is_name(name) {
        return Err(BadKey::Name);
    }
    let Hex(bytes) = id.to_ascii_lowercase().parse().map_err(|_| BadKey::Form)?;
    let key = BASE64.decode(key).map_err(|_| BadKey::Form)?;
    match key.split_first() {
        Some((found, key)) if *found == algorithm => {
            Ok((name, bytes, key.try_into().map_err(|_| BadKey::Form)?))
        }
        Some(_) => Err(BadKey::Algorithm),
        None => Err(BadKey::Form),
    }
}

pub(super) fn written(name: &str, id: [u8; 4], algorithm: u8, key: &Bytes32) -> String {
    format!("{name}+{}+{}", digits(id), BASE64.encode([&[algorithm], key.as_slice()].concat()))
}

impl SigningKey {
    /// Returns the key with this name and these secret bytes.
    ///
    /// # Errors
    /// [`BadKey::Name`] if no key may have this name.
    pub fn new(name: &str, secret: &Bytes32) -> Result<Self, BadKey> {
        if !is_name(name) {
            return Err(BadKey::Name);
        }
        let key = ed25519_dalek::SigningKey::from_bytes(secret);
        let public = VerifyingKey::new(name, key.verifying_key());
        Ok(Self { key, public })
    }

    /// Returns a new key with this name.
    ///
    /// # Errors
    /// [`NoNewKey`] if no key may have this name, or the operating system gives no random bytes.
    pub fn named(name: &str) -> Result<Self, NoNewKey> {
        Ok(Self::new(name, &entropy::seed()?)?)
    }

    /// Returns a new key with a random name, which no other service has.
    ///
    /// # Errors
    /// [`NoNewKey`] if the operating system gives no random bytes.
    pub fn made() -> Result<Self, NoNewKey> {
        let [a, b, c, d, e, f, ..] = entropy::seed()?;
        Self::named(&format!("assam-{}", Hex([a, b, c, d, e, f])))
    }

    /// Returns the key that verifies this key's signatures.
    pub const fn verifying_key(&self) -> &VerifyingKey {
        &self.public
    }

    /// Returns the signed note with this text, which must end with a line end. The same text always gives the
    /// same note.
    pub fn sign(&self, text: &str) -> String {
        let VerifyingKey { name, id, .. } = &self.public;
        let signature = self.key.sign(text.as_bytes()).to_bytes();
        let signature = BASE64.encode([id.as_slice(), &signature].concat());
        format!("{text}\n{DASH}{name} {signature}\n")
    }

    /// Returns the key as stored. Anyone who can read it can sign.
    pub fn secret_text(&self) -> String {
        format!("{PRIVATE}{}", written(&self.public.name, self.public.id, ED25519, self.key.as_bytes()))
    }
}

impl FromStr for SigningKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        let (name, id, secret) = read_key(text.strip_prefix(PRIVATE).ok_or(BadKey::Form)?, ED25519)?;
        let key = Self::new(name, &secret)?;
        if key.public.id == id { Ok(key) } else { Err(BadKey::Id) }
    }
}

/// Shows the verifying key.
impl fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SigningKey({})", self.public)
    }
}

impl VerifyingKey {
    fn new(name: &str, key: ed25519_dalek::VerifyingKey) -> Self {
        Self { name: name.to_owned(), id: id_of(name, ED25519, key.as_bytes()), key }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the id.
    pub const fn id(&self) -> [u8; 4] {
        self.id
    }

    pub(super) fn bytes(&self) -> Bytes32 {
        self.key.to_bytes()
    }

    /// Returns the line with this key's signature of a note, if there is one, without verifying it.
    pub fn line_of(&self, note: &Note<'_>) -> Option<String> {
        note.line_of(&self.name, self.id)
    }

    /// Checks that this key signed a note.
    ///
    /// # Errors
    /// The key did not sign it.
    pub fn verify(&self, note: &Note<'_>) -> Result<(), NotSigned> {
        let is_own = |signature: &&Signature<'_>| signature.name == self.name && signature.id == self.id;
        let signature = note.signatures.iter().find(is_own).ok_or(NotSigned::NoSignature)?;
        let signature =
            ed25519_dalek::Signature::from_slice(&signature.bytes).map_err(|_| NotSigned::Wrong)?;
        self.key.verify_strict(note.text.as_bytes(), &signature).map_err(|_| NotSigned::Wrong)
    }
}

impl FromStr for VerifyingKey {
    type Err = BadKey;

    fn from_str(text: &str) -> Result<Self, BadKey> {
        if text.starts_with(PRIVATE) {
            return Err(BadKey::Form);
        }
        let (name, id, key) = read_key(text, ED25519)?;
        let key = ed25519_dalek::VerifyingKey::from_bytes(&key).map_err(|_| BadKey::Form)?;
        let key = Self::new(name, key);
        if key.id == id { Ok(key) } else { Err(BadKey::Id) }
    }
}

impl fmt::Display for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&written(&self.name, self.id, ED25519, self.key.as_bytes()))
    }
}

impl fmt::Debug for VerifyingKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl<'a> Note<'a> {
    /// Reads a note.
    ///
    /// # Errors
    /// The text is not a signed note.
    pub fn read(note: &'a str) -> Result<Self, NotANote> {
        if note.contains(|c: char| c.is_control() && c != '\n') {
            return Err(NotANote::Controls);
        }
        let blank = note.rfind("\n\n").ok_or(NotANote::NoSignatures)?;
        let (text, signatures) = (&note[..=blank], &note[blank + 2..]);
        let signatures = signatures.strip_suffix('\n').ok_or(NotANote::NoSignatures)?;
        let signatures: Vec<Signature<'_>> =
            signatures.split('\n').map(Signature::read).collect::<Option<_>>().ok_or(NotANote::Line)?;
        Ok(Self { text, signatures })
    }

    /// Returns the line with the signature of the key with this name and id, if there is one, without
    /// verifying it.
    pub(super) fn line_of(&self, name: &str, id: [u8; 4]) -> Option<String> {
        let own = self.signatures.iter().find(|one| one.name == name && one.id == id)?;
        Some(format!("{DASH}{name} {}\n", BASE64.encode([own.id.as_slice(), &own.bytes].concat())))
    }
}

impl<'a> Signature<'a> {
    fn read(line: &'a str) -> Option<Self> {
        let (name, bytes) = line.strip_prefix(DASH)?.split_once(' ')?;
        let bytes = BASE64.decode(bytes).ok()?;
        let (id, bytes) = bytes.split_first_chunk()?;
        (is_name(name) && !bytes.is_empty()).then(|| Self { name, id: *id, bytes: bytes.to_vec() })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    // From the documentation of Go's golang.org/x/mod/sumdb/note.
    const SIGNS: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
    const VERIFIES: &str = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW";
    const TEXT: &str = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n";
    const SIGNATURE: &str = "\u{2014} PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

    #[test]
    fn a_note_that_go_signed_is_verified_and_signed_alike() {
        let key: SigningKey = SIGNS.parse().unwrap();
        assert_eq!(key.secret_text(), SIGNS);
        assert_eq!(key.verifying_key().to_string(), VERIFIES);
        let note = format!("{TEXT}\n{SIGNATURE}");
        assert_eq!(key.sign(TEXT), note);
        let verifies: VerifyingKey = VERIFIES.parse().unwrap();
        assert_eq!(verifies.verify(&Note::read(&note).unwrap()), Ok(()));
    }

    #[test]
    fn a_note_with_another_text_key_or_signature_is_not_verified() {
        let key: VerifyingKey = VERIFIES.parse().unwrap();
        let verify = |note: &str| key.verify(&Note::read(note).unwrap());
        let changed = TEXT.replace("think", "know");
        assert_eq!(verify(&format!("{changed}\n{SIGNATURE}")), Err(NotSigned::Wrong));
        let other = SigningKey::new("PeterNeumann", &[7; 32]).unwrap();
        assert_eq!(verify(&other.sign(TEXT)), Err(NotSigned::NoSignature));
        // Unknown signatures around it do not matter.
        let both = other.sign(TEXT) + SIGNATURE;
        assert_eq!(verify(&both), Ok(()));
        assert_eq!(other.verifying_key().verify(&Note::read(&both).unwrap()), Ok(()));
        let cut = SIGNATURE.replace("BwJnAM=", "BwJnAA=");
        assert_eq!(verify(&format!("{TEXT}\n{cut}")), Err(NotSigned::Wrong));
        let shorter = format!("{TEXT}\n\u{2014} PeterNeumann x08go/ZJkuA=\n");
        assert_eq!(verify(&shorter), Err(NotSigned::Wrong));
    }

    #[test]
    fn what_is_no_note_or_key_is_refused() {
        for (note, why) in [
            ("", NotANote::NoSignatures),
            (TEXT, NotANote::NoSignatures),
            ("a\n\n", NotANote::NoSignatures),
            ("a\n\nb\n", NotANote::Line),
            ("a\n\n\u{2014} b c!\n", NotANote::Line),
            ("a\n\n\u{2014} b+c AAAAAAAA\n", NotANote::Line),
            ("a\n\n\u{2014} b AAAAAA==\n", NotANote::Line),
            ("a\r\n\n\u{2014} b AAAAAAAA\n", NotANote::Controls),
        ] {
            assert_eq!(Note::read(note), Err(why), "{note:?}");
        }
        for (key, why) in [
            ("", BadKey::Form),
            (SIGNS, BadKey::Form),
            ("PeterNeumann+c74f20a3", BadKey::Form),
            ("PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", BadKey::Id),
            ("PeterNeuman+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", BadKey::Id),
            ("Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", BadKey::Name),
            ("PeterNeumann+c74f20a3+Ahpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW", BadKey::Algorithm),
        ] {
            assert_eq!(key.parse::<VerifyingKey>(), Err(why), "{key:?}");
        }
        assert_eq!(VERIFIES.parse::<SigningKey>().unwrap_err(), BadKey::Form);
        assert!(!format!("{:?}", SIGNS.parse::<SigningKey>().unwrap()).contains("AYEKFALV"));
    }
}
