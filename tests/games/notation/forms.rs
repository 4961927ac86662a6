//! The two forms of a record, and what readers tolerate.

use assam_notation::{End, read_record};
use assam_rules::marrakech::Position;

use super::{error, read, rule_at};

const CANONICAL: &str = "MKN/1 marrakech/1 seats=3 cover=any\n\nN+3 d6e6 E+2 f5f6 S+4 e3e4 *\n";
const FILE: &str = "MKN/1 marrakech/1 seats=3 cover=any
seat1: First Player
date: 2026-11-20T20:15:00Z

N+3 d6e6
E+2 f5f6
S+4 e3e4
*
";

#[test]
fn the_file_form_has_a_line_a_turn_and_its_tags_and_the_canonical_form_has_neither() {
    let record = read(FILE);
    assert_eq!(record.verdict, Ok(()));
    assert_eq!(record.file_form(), FILE);
    assert_eq!(record.canonical(), CANONICAL);
}

#[test]
fn a_new_line_stands_before_each_rug_where_assam_is_turned_at_the_end() {
    let record =
        read("MKN/1 marrakech/1 seats=2 orientation=end\n\n+y+2 d5e5 E+b+3 g4g5 N+r+1 !resign2 = 32 0\n");
    let file =
        "MKN/1 marrakech/1 seats=2 orientation=end\n\n+y+2\nd5e5 E+b+3\ng4g5 N+r+1\n!resign2\n= 32 0\n";
    assert_eq!(record.verdict, Ok(()));
    assert_eq!(record.file_form(), file);
}

#[test]
fn a_new_line_stands_before_the_leading_word_and_every_word_about_leaving() {
    let text = "MKN/1 marrakech/1 seats=2 last_standing=no\n\n+r N+3 !timeout1+b E+1 e6f6+g !abort = -\n";
    let file =
        "MKN/1 marrakech/1 seats=2 last_standing=no\n\n+r\nN+3\n!timeout1+b\nE+1 e6f6+g\n!abort\n= -\n";
    let record = read(text);
    assert_eq!(record.verdict, Ok(()));
    assert_eq!(record.file_form(), file);
}

#[test]
fn the_examples_of_the_notation_are_valid() {
    for (settings, body) in [
        ("seats=3 cover=any", "N+3 d6e6 E+2 f5f6 S+4 e3e4"),
        ("seats=2", "+r N+3 d6e6+b E+1 e5e6+y"),
        ("seats=3 orientation=end", "+3 d6e6 E+2 f5f6 S+4"),
        ("seats=2 orientation=end", "+y+2 d5e5 E+b+3"),
    ] {
        let text = format!("MKN/1 marrakech/1 {settings}\n\n{body} *\n");
        let record = read(&text);
        assert_eq!(record.verdict, Ok(()), "{text}");
        assert_eq!(record.canonical(), text);
    }
}

#[test]
fn a_record_without_words_has_just_begun_and_is_refused_where_something_was_drawn_at_the_start() {
    let text = "MKN/1 marrakech/1 seats=3\n\n*\n";
    assert_eq!(read(text).verdict, Ok(()));
    assert_eq!(read(text).canonical(), text);
    assert_eq!(read(text).file_form(), text);
    for settings in ["seats=2", "seats=3 orientation=end"] {
        let refused = rule_at(format!("MKN/1 marrakech/1 {settings}\n\n*\n"));
        assert_eq!(refused, ("notation.word.lacks-start", 3, 1), "{settings}");
    }
}

#[test]
fn crlf_is_accepted_everywhere_and_written_nowhere() {
    let record = read(FILE.replace('\n', "\r\n"));
    assert_eq!(record, read(FILE));
    assert_eq!(record.file_form(), FILE);
}

#[test]
fn the_last_line_end_may_be_missing() {
    assert_eq!(read(FILE.trim_end()), read(FILE));
}

#[test]
fn a_lone_cr_is_refused_wherever_it_stands() {
    let head = "MKN/1 marrakech/1 seats=3";
    for (text, rule, line, column) in [
        (format!("{head}\r\rN+3 d6e6 *\r"), "notation.setup.setting", 1, 26),
        (format!("{head}\r\r\n\nN+3 d6e6 *\n"), "notation.setup.setting", 1, 26),
        (format!("{head}\nseat1: A\rB\n\nN+3 d6e6 *\n"), "notation.tag.value", 2, 9),
        (format!("{head}\r"), "notation.setup.setting", 1, 26),
        (format!("{head}\nseat1: A\r"), "notation.tag.value", 2, 9),
        (format!("{head}\n\r"), "notation.tag.name", 2, 1),
        (format!("{head}\n\rN+3 d6e6 *\n"), "notation.tag.name", 2, 1),
        (format!("{head}\n\nN+3\rd6e6 *\n"), "notation.word.trailing", 3, 4),
        (format!("{head}\n\nN+3 \rd6e6 *\n"), "notation.decision.unknown", 3, 5),
        (format!("{head}\n\nN+3 d6e6\r *\n"), "notation.word.trailing", 3, 9),
        (format!("{head}\n\nN+3 d6e6\r\r\n*\n"), "notation.word.trailing", 3, 9),
        (format!("{head}\n\nN+3 d6e6 *\r"), "notation.marker.unknown", 3, 11),
        (format!("{head}\n\nN+3 d6e6 *\n\r"), "notation.marker.text-behind", 4, 1),
    ] {
        assert_eq!(rule_at(&text), (rule, line, column), "{text:?}");
    }
}

#[test]
fn a_byte_order_mark_is_refused() {
    assert_eq!(rule_at(format!("\u{feff}{FILE}")), ("notation.setup.no-format", 1, 1));
}

/// Invisible and lookalike characters: the record, where it is refused, and the message.
#[test]
fn a_character_that_stands_in_no_token_is_named_where_it_stands() {
    let head = "MKN/1 marrakech/1 seats=3";
    for (text, line, column, told) in [
        (format!("{head}\n\nN+3\u{a0}d6e6 *\n"), 3, 4, "U+00A0 NO-BREAK SPACE"),
        (format!("{head}\n\nN+3 d6\u{202f}e6 *\n"), 3, 7, "U+202F NARROW NO-BREAK SPACE"),
        (format!("{head}\n\nN+3 d6e6\u{3000}*\n"), 3, 9, "U+3000 IDEOGRAPHIC SPACE"),
        (format!("{head}\n\n\u{200b}N+3 *\n"), 3, 1, "U+200B ZERO WIDTH SPACE"),
        (format!("{head}\n\nN+3 d6\u{ad}e6 *\n"), 3, 7, "U+00AD SOFT HYPHEN"),
        (
            format!("{head}\n\nN+3 d6e6\u{feff} *\n"),
            3,
            9,
            "U+FEFF ZERO WIDTH NO-BREAK SPACE (a byte order mark)",
        ),
        (
            format!("{head}\n\nN+3 d6\u{435}6 *\n"),
            3,
            7,
            "U+0435 CYRILLIC SMALL LETTER IE (it looks like `e`)",
        ),
        (format!("{head}\n\n\u{39d}+3 *\n"), 3, 1, "U+039D GREEK CAPITAL LETTER NU (it looks like `N`)"),
        (format!("{head}\n\nN+3 d\u{ff16}e6 *\n"), 3, 6, "U+FF16 FULLWIDTH DIGIT SIX (it looks like `6`)"),
        (format!("{head}\n\nN+3 \u{1d4a9}+1 *\n"), 3, 5, "found U+1D4A9"),
        (format!("{head}\n\n\u{201c}N+3\u{201d} *\n"), 3, 1, "U+201C LEFT DOUBLE QUOTATION MARK"),
        (format!("{head}\n\nN+3 !abort = \u{2013}\n"), 3, 14, "U+2013 EN DASH (it looks like `-`)"),
        (format!("{head}\n\nN+3 d6e6 *\u{1a}"), 3, 11, "follows its end marker: found U+001A SUBSTITUTE"),
        (format!("{head}\n\nN+3 d6e6 *\n\u{1a}"), 4, 1, "follows its end marker: found U+001A SUBSTITUTE"),
        (format!("{head}\r\rN+3 d6e6 *\r"), 1, 26, "U+000D CARRIAGE RETURN"),
        (format!("{head}\u{a0}cover=any\n\n*\n"), 1, 26, "U+00A0 NO-BREAK SPACE"),
        ("MKN/1 m\u{430}rrakech/1 seats=3\n\n*\n".to_owned(), 1, 8, "U+0430 CYRILLIC SMALL LETTER A"),
        (format!("{head}\nseat1:\u{a0}A\n\n*\n"), 2, 7, "U+00A0 NO-BREAK SPACE"),
        (format!("{head}\nseat1: A\u{a0}\n\n*\n"), 2, 9, "U+00A0 NO-BREAK SPACE"),
        (format!("{head}\nseat1: A\u{0}B\n\n*\n"), 2, 9, "U+0000 NULL"),
        (format!("{head}\n\u{a0}\n*\n"), 2, 1, "U+00A0 NO-BREAK SPACE"),
        (format!("{head}\n \n*\n"), 2, 1, "U+0020 SPACE"),
        (format!("\u{a0}{head}\n\n*\n"), 1, 1, "U+00A0 NO-BREAK SPACE precedes the setup line"),
        (
            format!("{head} position=7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;\u{2212}\n\n*\n"),
            1,
            86,
            "U+2212 MINUS SIGN",
        ),
    ] {
        let error = error(&text);
        assert_eq!((error.place.line, error.place.column), (line, column), "{text:?}: {error}");
        assert!(error.detail.contains(told) && error.expected.is_some(), "{text:?}: {error}");
    }
}

#[test]
fn what_people_leave_behind_and_before_a_record_is_called_what_it_is() {
    let over =
        "MKN/1 marrakech/1 seats=2 rugs_per_player=1 two_player=one-colour\n\nN+1 d6d7 E+1 f5g5\n= 32 32\n";
    let behind = "the record is finished, but this follows its end marker";
    for (text, told) in [
        (format!("{FILE}```\n"), format!("{behind}: the fence of a block of code")),
        (format!("{FILE}> quoted\n"), format!("{behind}: text quoted as in mail")),
        (format!("{FILE}-- \nA\n"), format!("{behind}: the signature of a mail")),
        (format!("{FILE}Sent from my telephone\n"), behind.to_owned()),
        (format!("{over}Sent from my telephone\n"), behind.to_owned()),
        (format!("{over}\u{1a}"), format!("{behind}: found U+001A SUBSTITUTE")),
        (format!("{}\u{1a}", FILE.trim_end()), format!("{behind}: found U+001A SUBSTITUTE")),
        (format!("{FILE}*\n"), behind.to_owned()),
        (over.replace("= 32 32", "= -") + "Bye\n", behind.to_owned()),
        (format!("{over}MKN"), behind.to_owned()),
        (format!("```\n{FILE}```\n"), "the fence of a block of code".to_owned()),
        (format!("> {FILE}"), "text quoted as in mail".to_owned()),
    ] {
        let error = error(&text);
        assert!(error.detail.contains(&told), "{text:?}: {error}");
        let expected = match told.starts_with(behind) {
            true => "nothing more, or `MKN/1` of the next record",
            false => "MKN/1, a rule set such as marrakech/1, and seats=",
        };
        assert_eq!(error.expected.as_deref(), Some(expected), "{text:?}");
    }
}

#[test]
fn text_that_is_not_utf_8_is_refused_at_its_first_wrong_byte() {
    let latin_1 = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let record = latin_1("MKN/1 marrakech/1 seats=3\nseat1: Zo\u{eb}\n\n*\n");
    assert_eq!(rule_at(&record), ("notation.text.utf8", 2, 10));
    let mut record = b"MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 ".to_vec();
    record.extend(b"\xff *\n");
    assert_eq!(rule_at(&record), ("notation.text.utf8", 3, 10));
    assert_eq!(error(&record).expected.as_deref(), Some("UTF-8 text"));
}

#[test]
fn columns_are_counted_in_characters() {
    // Seven characters of two or three bytes each before the wrong one.
    let mut record = "MKN/1 marrakech/1 seats=3\nseat1: Zo\u{eb} \u{20ac}\u{20ac}".as_bytes().to_vec();
    record.extend(b"\xff\n\n*\n");
    assert_eq!(rule_at(&record), ("notation.text.utf8", 2, 14));
    assert_eq!(rule_at("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6+\u{e9} *"), ("notation.chance.unknown", 3, 10));
    let long = format!("MKN/1 marrakech/1 seats=3\nseat1: {}\n\n*\n", "\u{e9}".repeat(2100));
    assert_eq!(rule_at(&long), ("notation.limit.line", 2, 7 + (4096 - 7) / 2 + 2));
}

#[test]
fn a_tag_with_characters_of_many_bytes_moves_no_later_place() {
    let record = "MKN/1 marrakech/1 seats=3\nseat1: \u{5c71}\u{7530}\n\nN+3 d7d6 *\n";
    assert_eq!(rule_at(record), ("marrakech.rug.under-assam", 4, 5));
}

#[test]
fn only_blanks_tabs_and_line_ends_are_white_space() {
    for blank in ["\u{a0}", "\u{b}", "\u{c}", "\u{85}", "\u{2028}", "\0"] {
        let text = format!("MKN/1 marrakech/1 seats=3\n\nN+3{blank}d6e6 *\n");
        assert_eq!(rule_at(&text), ("notation.word.trailing", 3, 4), "{blank:?}");
    }
    for blank in [" ", "\t", "\n", "\r\n", " \t \r\n\n "] {
        let text = format!("MKN/1 marrakech/1 seats=3\n\n{blank}N+3{blank}d6e6{blank}*{blank}");
        assert_eq!(read(&text).verdict, Ok(()), "{blank:?}");
    }
}

#[test]
fn the_squares_of_a_rug_are_written_lower_first_and_read_in_any_order() {
    let record = read("MKN/1 marrakech/1 seats=3\n\nN+3 e6d6 E+2 f6f5 *\n");
    assert_eq!(record.canonical(), "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 E+2 f5f6 *\n");
}

#[test]
fn the_end_marker_follows_from_the_game() {
    let end = |text: &str| End::of(read_record::<Position>(text).replay.unwrap().position()).text();
    assert_eq!(end("MKN/1 marrakech/1 seats=3\n\nN+3"), "*");
    assert_eq!(end("MKN/1 marrakech/1 seats=3\n\nN+3 !abort"), "= -");
    assert_eq!(end("MKN/1 marrakech/1 seats=3\n\nN+3 !resign1 !resign3"), "= 0 30 0");
}
