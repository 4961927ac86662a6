//! Characters that no token contains, described so that people can look them up.

use core::fmt;

/// Lines such as `00A0 NO-BREAK SPACE`, one for each character that occurs in practice. An ASCII lookalike
/// follows a tab.
const NAMES: &str = include_str!("characters.txt");

/// A character that no token contains, and its byte offset in the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StrayCharacter {
    /// The byte offset.
    pub offset: usize,
    /// The character.
    pub character: char,
}

impl StrayCharacter {
    /// Returns the first stray character in a text without blanks: anything but visible ASCII.
    pub fn first_in(token: &str) -> Option<Self> {
        Self::first(token, |c| !c.is_ascii_graphic())
    }

    /// Returns the first character that satisfies `is_stray`.
    pub(crate) fn first(text: &str, is_stray: impl Fn(char) -> bool) -> Option<Self> {
        let found = text.char_indices().find(|(_, character)| is_stray(*character));
        found.map(|(offset, character)| Self { offset, character })
    }
}

impl fmt::Display for StrayCharacter {
    /// Writes the code point, the name if it is known, and the character it is mistaken for.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let code = self.character as u32;
        write!(f, "U+{code:04X}")?;
        let is_it = |line: &&str| {
            line.split(' ').next().and_then(|hex| u32::from_str_radix(hex, 16).ok()) == Some(code)
        };
        let known = NAMES.lines().find(is_it).and_then(|line| line.split_once(' '));
        let (name, like) = known.map_or(("", None), |(_, rest)| match rest.split_once('\t') {
            Some((name, like)) => (name, Some(like)),
            None => (rest, None),
        });
        if self.character == ' ' {
            f.write_str(" SPACE")?;
        } else if !name.is_empty() {
            write!(f, " {name}")?;
        }
        match (self.character, like) {
            ('\u{feff}', _) => f.write_str(" (a byte order mark)"),
            ('\x1a', _) => f.write_str(" (Ctrl-Z, an old mark for the end of a file)"),
            ('\r', _) => f.write_str(" (CR without LF)"),
            (_, Some(like)) => write!(f, " (it looks like `{like}`)"),
            _ => Ok(()),
        }
    }
}
