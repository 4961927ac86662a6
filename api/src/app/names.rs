//! The labels of seats.

use std::fmt;

use assam_notation::{StrayCharacter, check_tag};
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeEmoji, UnicodeGeneralCategory};

/// How many characters a name has at most.
const LONGEST: usize = 64;

/// Why a name is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongName {
    /// Its length, a control character, or a blank at an end.
    Form,
    /// A character that no script needs.
    Character(StrayCharacter),
    /// Nothing of it can be seen.
    Invisible,
}

impl fmt::Display for WrongName {
    /// Writes what is required of the name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str(
                "must have 1 to 64 characters, no control characters, and no leading or trailing blanks",
            ),
            Self::Character(stray) => write!(f, "must not have {stray}: no script needs it there"),
            Self::Invisible => f.write_str("must show something: it has no visible character"),
        }
    }
}

/// Checks a label; none erases the one that is there.
///
/// # Errors
/// The rule for names that it breaks.
pub fn check_name(name: Option<&str>) -> Result<(), WrongName> {
    let Some(name) = name else { return Ok(()) };
    if !(1..=LONGEST).contains(&name.chars().count()) || !check_tag("seat1", name) {
        return Err(WrongName::Form);
    }
    let mut before = None;
    let mut characters = name.char_indices().peekable();
    while let Some((offset, character)) = characters.next() {
        let next = characters.peek().map(|(_, next)| *next);
        if !is_allowed(before, character, next) {
            return Err(WrongName::Character(StrayCharacter { offset, character }));
        }
        before = Some(character);
    }
    if name.chars().any(is_visible) { Ok(()) } else { Err(WrongName::Invisible) }
}

/// Returns whether a character may stand in a name, between these.
fn is_allowed(before: Option<char>, character: char, next: Option<char>) -> bool {
    let category = character.general_category();
    if category == GeneralCategory::Format {
        return match character {
            // They join or part letters of Arabic and of scripts of India, and join emoji.
            '\u{200c}' | '\u{200d}' => {
                before.zip(next).is_some_and(|(before, next)| is_joined(before) && is_joined(next))
            }
            // Signs before numbers and words in Arabic, Syriac and Kaithi.
            _ => matches!(
                character,
                '\u{600}'
                    ..='\u{605}'
                        | '\u{6dd}'
                        | '\u{70f}'
                        | '\u{890}'
                        | '\u{891}'
                        | '\u{8e2}'
                        | '\u{110bd}'
                        | '\u{110cd}'
            ),
        };
    }
    !matches!(
        category,
        GeneralCategory::Control
            | GeneralCategory::Surrogate
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    )
}

/// Returns whether a character is of a script whose letters are joined, or an emoji.
fn is_joined(character: char) -> bool {
    let group = character.general_category_group();
    let is_letter = matches!(group, GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark);
    character >= '\u{600}' && (is_letter || character.is_emoji_char_or_emoji_component())
}

/// Returns whether a character shows something by itself.
fn is_visible(character: char) -> bool {
    // Fillers of Hangul, the empty cell of Braille and the empty note are letters and symbols by their category.
    let is_empty =
        matches!(character, '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}' | '\u{2800}' | '\u{1d159}');
    let group = character.general_category_group();
    let shows = !matches!(
        group,
        GeneralCategoryGroup::Mark | GeneralCategoryGroup::Separator | GeneralCategoryGroup::Other
    );
    shows && !is_empty
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_scripts_are_names() {
        for name in [
            "Aisha",
            "Ömer Naïm 🧶",
            "عائشة",
            "نمونه‌ای",
            "عمر ۲",
            "שרה",
            "山田",
            "नेहा",
            "क्‍ष",
            "Ελένη",
            "Зубайда",
            "👩‍🌾",
            "👨‍👩‍👧‍👦",
            "🏳️‍🌈",
            "김민준",
            "สมชาย",
            "O'Neil",
            "=HYPERLINK(1)",
            "1️⃣",
            "<b>",
            "~",
            "?",
            "é",
            "e\u{301}",
        ] {
            assert_eq!(check_name(Some(name)), Ok(()), "{name}");
        }
        assert_eq!(check_name(None), Ok(()));
    }

    #[test]
    fn a_character_that_no_script_needs_is_refused_by_its_name() {
        for character in "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200b}\u{200e}\u{200f}\u{61c}\u{2060}\u{2064}\u{206a}\u{206f}\u{feff}\u{ad}\u{180e}\u{fff9}\u{e0001}\u{e0041}\u{e000}\u{10ffff}\u{378}\u{ffff}\u{2028}\u{2029}\u{1d173}".chars() {
            let name = format!("Ai{character}sha");
            let wrong = check_name(Some(&name)).expect_err("it is refused");
            assert_eq!(wrong, WrongName::Character(StrayCharacter { offset: 2, character }), "{wrong}");
            assert!(wrong.to_string().contains(&format!("U+{:04X}", character as u32)), "{wrong}");
        }
        // Between letters that nothing joins, and at an end, they change nothing that can be seen.
        for name in ["Ai\u{200d}sha", "Ai\u{200c}sha", "ع\u{200d}", "\u{200c}ع", "Aisha\u{200d}"] {
            assert!(matches!(check_name(Some(name)), Err(WrongName::Character(_))), "{name:?}");
        }
        let told = check_name(Some("a\u{202e}b")).expect_err("it is refused").to_string();
        assert_eq!(told, "must not have U+202E RIGHT-TO-LEFT OVERRIDE: no script needs it there");
    }

    #[test]
    fn a_name_that_shows_nothing_is_refused() {
        for name in [
            "\u{301}",
            "\u{3164}",
            "\u{2800}\u{2800}",
            "\u{115f}\u{1160}",
            "\u{ffa0}",
            "\u{fe0f}",
            "\u{34f}",
            "\u{17b4}",
            "\u{1d159}",
        ] {
            assert_eq!(check_name(Some(name)), Err(WrongName::Invisible), "{name:?}");
        }
        for name in ["", " ", "\u{a0}", "\u{3000}", " a", "a ", "a\tb", "a\u{85}b", &"x".repeat(65)] {
            assert_eq!(check_name(Some(name)), Err(WrongName::Form), "{name:?}");
        }
    }
}
