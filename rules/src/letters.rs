//! The fixed-length ASCII texts of small things on a table, such as squares and cards.

use core::fmt;

/// The error of a text that does not name the expected thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LettersError {
    /// The expected thing, such as `a square, a1 to g7`.
    pub expected: &'static str,
}

impl fmt::Display for LettersError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "this is not {}", self.expected)
    }
}

impl core::error::Error for LettersError {}

/// Writes letters as text.
pub(crate) fn write<const N: usize>(letters: [char; N], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.pad(core::str::from_utf8(&letters.map(|letter| letter as u8)).unwrap_or_default())
}

/// Reads a text of exactly `N` letters through `meaning`.
pub(crate) fn read<const N: usize, T>(text: &str, meaning: impl Fn([char; N]) -> Option<T>) -> Option<T> {
    let bytes: [u8; N] = text.as_bytes().try_into().ok()?;
    meaning(bytes.map(char::from))
}

/// Implements `Display` and `FromStr` for a type that has a `letter` or `letters`, and serde's traits with
/// the feature `serde`.
macro_rules! written_in_letters {
    ($type:ty: letter, $expected:literal) => {
        written_in_letters!($type, $expected, |one: &$type| [one.letter()], |[letter]| Self::from_letter(letter));
    };
    ($type:ty: letters, $expected:literal) => {
        written_in_letters!($type, $expected, |one: &$type| one.letters(), Self::from_letters);
    };
    ($type:ty, $expected:literal, $letters:expr, $meaning:expr) => {
        impl core::fmt::Display for $type {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                crate::letters::write($letters(self), f)
            }
        }

        impl core::str::FromStr for $type {
            type Err = crate::LettersError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                crate::letters::read(text, $meaning).ok_or(crate::LettersError { expected: $expected })
            }
        }

        #[cfg(feature = "serde")]
        crate::serde_as_text!(impl[] for $type);
    };
}

pub(crate) use written_in_letters;
