//! Recognises texts that are not records, so that errors can name what they are.

use alloc::format;
use alloc::string::{String, ToString};

use crate::StrayCharacter;
use crate::splitter::RECORD_START;

/// Signatures of other kinds of files, each with its message.
const SIGNATURES: [(&[u8], &str); 10] = [
    (b"\x1f\x8b", "this is compressed with gzip: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "this is compressed with zstd: unpack it first"),
    (b"\xfd7zXZ\0", "this is compressed with xz: unpack it first"),
    (b"BZh", "this is compressed with bzip2: unpack it first"),
    (b"PK\x03\x04", "this is a ZIP archive: unpack it first"),
    (b"\xff\xfe", "this is UTF-16 text with a byte order mark: save it as UTF-8"),
    (b"\xfe\xff", "this is UTF-16 text with a byte order mark: save it as UTF-8"),
    (b"M\0K\0", "this is UTF-16 text without a byte order mark: save it as UTF-8"),
    (b"\0M\0K", "this is UTF-16 text without a byte order mark: save it as UTF-8"),
    (b"SQLite format 3\0", "this is an SQLite database: export its games first"),
];

/// Returns a better message for a text that does not begin like a record, if there is one. The text may be a
/// first line alone.
pub(crate) fn told(text: &[u8]) -> Option<String> {
    if text.starts_with(RECORD_START) {
        return None;
    }
    if let Some((_, told)) = SIGNATURES.iter().find(|(signature, _)| text.starts_with(signature)) {
        return Some(told.to_string());
    }
    let told = match text.trim_ascii_start() {
        text if junk(text).is_some() => {
            return junk(text).map(|junk| format!("this is {junk}, which no record has: leave it out"));
        }
        [b'{', ..] | [b'['] | [b'[', b'{' | b'[' | b'"' | b'\n' | b'\r' | b' ', ..] => {
            "this looks like JSON, not like a record"
        }
        [b'[', b'A'..=b'Z', ..] => "this looks like PGN, which records other games",
        [b'(', b';', ..] => "this looks like SGF, which records other games",
        [b'<', ..] => "this looks like HTML or XML, not like a record",
        _ => return not_text(text),
    };
    Some(told.to_string())
}

/// Returns a name for junk that people leave before or after records.
pub(crate) fn junk(text: &[u8]) -> Option<&'static str> {
    match text {
        [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => Some("the fence of a block of code"),
        [b'>', ..] => Some("text quoted as in mail"),
        [b'-', b'-'] | [b'-', b'-', b' ' | b'\r' | b'\n', ..] => Some("the signature of a mail"),
        _ => None,
    }
}

/// Describes the first byte that no text contains.
fn not_text(text: &[u8]) -> Option<String> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\t' | b'\n' | b'\x0c' | b'\r');
    let control = text.iter().position(is_control);
    // A character that is cut off at the end may still be text.
    let wrong = core::str::from_utf8(text).err().filter(|error| error.error_len().is_some());
    let wrong = wrong.map(|error| error.valid_up_to());
    let at = [control, wrong].into_iter().flatten().min()?;
    let named = match text[at] {
        byte @ ..0x80 => format!(", {}", StrayCharacter { offset: at, character: byte.into() }),
        _ => String::new(),
    };
    Some(format!("this is not text: byte 0x{:02x} at offset {at}{named}", text[at]))
}
