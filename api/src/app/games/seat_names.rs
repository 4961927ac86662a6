//! The labels of seats.

use std::fmt;
use std::sync::LazyLock;

use assam_notation::{StrayCharacter, check_tag};
use regex::{Regex, RegexBuilder};

/// The longest name, in characters.
const LONGEST: usize = 64;

/// Why a name was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WrongName {
    /// Its length, a control character, or a blank at an end.
    Form,
    /// A character that no script needs in its place.
    Character(StrayCharacter),
    /// It has no visible character.
    Invisible,
}

impl fmt::Display for WrongName {
    /// Writes the requirement.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form => f.write_str(
                "must have 1 to 64 characters, no control characters, and no leading or trailing blanks",
            ),
            Self::Character(stray) => write!(f, "must not have {stray} there: no script needs it"),
            Self::Invisible => f.write_str("must show something: it has no visible character"),
        }
    }
}

/// Checks a label. None erases the existing one.
///
/// # Errors
/// The broken rule for names.
pub fn check_name(name: Option<&str>) -> Result<(), WrongName> {
    let Some(name) = name else { return Ok(()) };
    if !(1..=LONGEST).contains(&name.chars().count()) || !check_tag("seat1", name) {
        return Err(WrongName::Form);
    }
    if !VISIBLE.is_match(name) {
        return Err(WrongName::Invisible);
    }
    let offset = WRITTEN.find(name).map_or(0, |written| written.end());
    let stray = name[offset..].chars().next().map(|character| StrayCharacter { offset, character });
    stray.map_or(Ok(()), |stray| Err(WrongName::Character(stray)))
}

/// A character that is visible by itself, unlike the empty cell of Braille, the empty note and the object
/// placeholder.
static VISIBLE: LazyLock<Regex> =
    LazyLock::new(|| regex(r"[[^\p{M}\p{Z}\p{C}\p{DI}\u{2800}\u{1D159}\u{FFFC}]\p{Extended_Pictographic}]"));

/// A whole name in the spelling of its scripts and emoji. The first matching alternative is taken, so the
/// longer comes first.
static WRITTEN: LazyLock<Regex> = LazyLock::new(|| {
    // Combining marks. Four are enough, except for letters that Hebrew with cantillation, Tibetan, Burmese
    // and Tai Tham write with eight marks of their scripts.
    let mark = r"[\p{M}--\p{DI}]";
    let marks = format!(r"(?:{mark}(?:\u{{34F}}?{mark}){{0,3}})?");
    let tall = r"[\p{Hebrew}\p{Tibetan}\p{Myanmar}\p{Tai_Tham}]";
    let stack = format!(r"[{tall}&&\p{{L}}][{tall}&&{mark}](?:\u{{34F}}?[{tall}&&{mark}]){{4,7}}");
    // Letters that joiners join or part. After the sign that removes a letter's vowel, they do so at the end
    // of a word, too.
    let others = r"\u{0}-\u{5FF}\p{Latin}\p{Greek}\p{Cyrillic}\p{Han}\p{Hangul}\p{Hiragana}\p{Katakana}\p{Emoji}\p{DI}";
    let virama = r"[\u{94D}\u{9CD}\u{A4D}\u{ACD}\u{B4D}\u{BCD}\u{C4D}\u{CCD}\u{D4D}\u{DCA}]";
    let joiner = r"[\u{200C}\u{200D}]";
    let letter = format!(
        r"(?:{stack}|[\p{{L}}--[{others}]](?:{mark}{{0,3}}{virama}{joiner}|{marks}))(?:\u{{200D}}{mark}{{1,2}})?"
    );
    // Lines of scripts without spaces break between words.
    let spaceless = format!(r"(?:{stack}|[\p{{L}}&&[\p{{Khmer}}\p{{Lao}}\p{{Thai}}\p{{Myanmar}}]]{marks})");
    let mongolian = format!(r"[\p{{Mongolian}}&&\p{{L}}][\u{{180B}}-\u{{180D}}\u{{180F}}]?{marks}");
    let hieroglyph = r"[\p{Egyptian_Hieroglyphs}&&\p{L}]";
    let emoji = r"\p{Extended_Pictographic}\p{Emoji_Modifier}?\u{FE0F}?";
    regex(&format!(
        r"\A(?:
            # Flags of countries within a country.
            \u{{1F3F4}}[\u{{E0030}}-\u{{E0039}}\u{{E0061}}-\u{{E007A}}]{{3,6}}\u{{E007F}}
            | {emoji}(?:\u{{200D}}{emoji})+
            | \u{{180E}}?{mongolian}(?:[\u{{180E}}\u{{200C}}\u{{200D}}]{mongolian})*
            | [\u{{13430}}-\u{{1343F}}]*{hieroglyph}[{hieroglyph}\u{{13430}}-\u{{13440}}\u{{13447}}-\u{{13455}}\u{{FE00}}-\u{{FE06}}]*
            | \p{{Duployan}}[\u{{1BCA0}}-\u{{1BCA3}}]*{marks}
            | {spaceless}(?:\u{{200B}}{spaceless})+
            | [\p{{Myanmar}}\p{{Phags_Pa}}\p{{Manichaean}}]\u{{FE00}}{marks}
            | {letter}(?:{joiner}{letter})*
            | {stack}
            # A variant of a character, or the character alone.
            | (?:
                \p{{Emoji}}[\u{{FE0E}}\u{{FE0F}}]
                | \p{{Han}}[\u{{FE00}}-\u{{FE02}}\u{{E0100}}-\u{{E01EF}}]
                # Signs before numbers and words in Arabic, Syriac and Kaithi.
                | \p{{Prepended_Concatenation_Mark}}
                # Some are reserved for emoji to come.
                | [[^\p{{M}}\p{{C}}\p{{Zl}}\p{{Zp}}\p{{DI}}\u{{FFFC}}]\p{{Extended_Pictographic}}]
              ){marks}
        )*"
    ))
});

fn regex(pattern: &str) -> Regex {
    RegexBuilder::new(pattern).ignore_whitespace(true).build().expect("the pattern is written here")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_scripts_and_emoji_are_names() {
        for name in [
            "Aisha",
            "Ömer Naïm 🧶",
            "O'Neil",
            "=HYPERLINK(1)",
            "<b>",
            "~",
            "?",
            "é",
            "e\u{301}",
            // Vietnamese and Greek, decomposed, and a linguist's accents.
            "Nguye\u{302}\u{303}n",
            "\u{3b1}\u{304}\u{313}\u{301}\u{345}",
            "u\u{308}\u{331}\u{301}\u{330}",
            "Ελένη",
            "Зубайда",
            "عائشة",
            "نمونه‌ای",
            "عمر ۲",
            "می\u{200c}خواهم",
            "اللَّـٰٓه",
            "\u{600}١٢",
            "\u{70f}ܐܒ",
            "שרה",
            "יִשְׂרָאֵ֖ל",
            "ב\u{5bc}\u{5b0}\u{5bf}\u{596}\u{5bd}",
            "שׁ\u{5bc}\u{5b8}\u{596}\u{34f}\u{5bd}",
            "नेहा",
            "क्‍ष",
            "क़्यों",
            "শ্রী",
            "র\u{200d}্যাব",
            "ශ්\u{200d}රී",
            "ക്\u{200d}",
            "สมชาย ที่ปิ๊ก",
            "ເພັດ",
            "ཧཱུྃ",
            "ཧྐྵྨླྺྻྃ",
            "ကြွှော့်",
            "ខ្ញុំ",
            "កោះ\u{200b}អាឡង់",
            "ଜର୍ଜିଆନ୍\u{200c} ଭାଷା",
            "അവന്\u{200d}",
            "\u{1faf9}",
            "ᨻᩕᩮ᩠ᨿ᩵ᨠ",
            "김민준",
            "\u{1112}\u{1161}\u{11ab}",
            "山田",
            "葛\u{e0100}城",
            "\u{8fbb}\u{fe00}",
            "\u{1000}\u{fe00}\u{102c}",
            "ᠮᠣᠩᠭᠣᠯ",
            "ᠴᠠᠭᠠ\u{180e}ᠠ",
            "ᠠ\u{180b}ᠨ",
            "ᠮᠣᠩᠭᠣᠯ \u{180e}ᠢᠢᠨ",
            "𓂀\u{13430}𓏤",
            "\u{1343c}𓇳\u{1343d}",
            "𓀀\u{fe00}",
            "\u{1bc00}\u{1bca0}\u{1bc01}",
            "❤️",
            "❤︎",
            "ℹ️",
            "❤️‍🔥",
            "1️⃣",
            "#️⃣ #1",
            "👋🏽",
            "👩‍🌾",
            "👩🏽‍🌾",
            "👩🏿‍❤️‍💋‍👨🏻",
            "👨‍👩‍👧‍👦",
            "👨‍🦰",
            "🏳️‍🌈",
            "🏴‍☠️",
            "🇬🇧",
            "🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
            "A 🏴\u{e0075}\u{e0073}\u{e0074}\u{e0078}\u{e007f} B",
            "👁️‍🗨️",
            "🕵🏻‍♂️",
        ] {
            assert_eq!(check_name(Some(name)), Ok(()), "{name} {name:?}");
        }
        assert_eq!(check_name(None), Ok(()));
    }

    #[test]
    fn a_character_that_no_script_needs_is_refused_by_its_name() {
        for character in "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{61c}\u{2060}\u{2064}\u{206a}\u{206f}\u{feff}\u{ad}\u{34f}\u{17b4}\u{180b}\u{180e}\u{3164}\u{ffa0}\u{115f}\u{1160}\u{fe00}\u{fe0e}\u{fe0f}\u{e0100}\u{13430}\u{1bca0}\u{fff9}\u{fffc}\u{e0001}\u{e0041}\u{e007f}\u{e000}\u{10ffff}\u{378}\u{ffff}\u{2028}\u{2029}\u{1d173}".chars() {
            let name = format!("Ai{character}sha");
            let wrong = check_name(Some(&name)).expect_err("it is refused");
            assert_eq!(wrong, WrongName::Character(StrayCharacter { offset: 2, character }), "{wrong}");
            assert!(wrong.to_string().contains(&format!("U+{:04X}", character as u32)), "{wrong}");
        }
        let told = check_name(Some("a\u{202e}b")).expect_err("it is refused").to_string();
        assert_eq!(told, "must not have U+202E RIGHT-TO-LEFT OVERRIDE there: no script needs it");
    }

    #[test]
    fn what_a_script_needs_elsewhere_is_refused_where_it_changes_nothing() {
        for (name, stray) in [
            ("ع\u{200d}", '\u{200d}'),
            ("\u{200c}ع", '\u{200c}'),
            ("Aisha\u{200d}", '\u{200d}'),
            ("ع\u{200c}\u{200c}ع", '\u{200c}'),
            ("山\u{200d}田", '\u{200d}'),
            ("ក\u{200b}", '\u{200b}'),
            ("ក\u{200b}A", '\u{200b}'),
            ("👩\u{200d}A", '\u{200d}'),
            ("👩\u{200d}", '\u{200d}'),
            ("山\u{fe0f}", '\u{fe0f}'),
            ("❤\u{fe0f}\u{fe0f}", '\u{fe0f}'),
            ("❤\u{e0100}", '\u{e0100}'),
            ("葛\u{e0100}\u{e0101}", '\u{e0101}'),
            ("ᠠ\u{180e}", '\u{180e}'),
            ("ᠠ\u{180b}\u{180b}", '\u{180b}'),
            ("🏴\u{e0067}\u{e0062}", '\u{e0067}'),
            ("🏴\u{e007f}", '\u{e007f}'),
            ("A\u{e0067}\u{e0062}\u{e0065}\u{e007f}", '\u{e0067}'),
            ("e\u{301}\u{34f}", '\u{34f}'),
            ("\u{301}e", '\u{301}'),
            ("A\u{fffc}", '\u{fffc}'),
        ] {
            let Err(WrongName::Character(found)) = check_name(Some(name)) else { panic!("{name:?}") };
            assert_eq!(found.character, stray, "{name:?}");
        }
    }

    #[test]
    fn marks_are_stacked_as_high_as_scripts_need_it_and_no_higher() {
        for (base, mark, most) in [
            ('A', '\u{301}', 4),
            ('я', '\u{488}', 4),
            ('ع', '\u{64b}', 4),
            ('ก', '\u{e47}', 4),
            ('क', '\u{901}', 4),
            ('❤', '\u{20dd}', 4),
            ('山', '\u{489}', 4),
            ('א', '\u{301}', 4),
            ('A', '\u{5b8}', 4),
            ('A', '\u{f90}', 4),
            ('א', '\u{5b8}', 8),
            ('ཀ', '\u{f90}', 8),
            ('က', '\u{103b}', 8),
        ] {
            for count in 0..60 {
                let name = format!("{base}{}", mark.to_string().repeat(count));
                assert_eq!(check_name(Some(&name)).is_ok(), count <= most, "{count} of {mark:?} on {base}");
            }
        }
        // What cannot be seen between them does not help.
        for (base, between) in [("A", "\u{34f}"), ("A", "\u{200d}"), ("ع", "\u{200d}"), ("က", "\u{200b}")]
        {
            let name = format!("{base}{}", format!("{between}\u{301}").repeat(8));
            assert!(check_name(Some(&name)).is_err(), "{name:?}");
        }
        let told = check_name(Some(&format!("A{}", "\u{301}".repeat(5)))).expect_err("too many").to_string();
        assert_eq!(told, "must not have U+0301 COMBINING ACUTE ACCENT there: no script needs it");
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
            "\u{fffc}",
            "\u{180e}",
            "\u{13430}\u{13431}",
        ] {
            assert_eq!(check_name(Some(name)), Err(WrongName::Invisible), "{name:?}");
        }
        for name in ["", " ", "\u{a0}", "\u{3000}", " a", "a ", "a\tb", "a\u{85}b", &"x".repeat(65)] {
            assert_eq!(check_name(Some(name)), Err(WrongName::Form), "{name:?}");
        }
    }
}
