//! Lengths up to the limit are accepted, and one byte more is not.

use assam_notation::{MAX_LINE, MAX_RECORD, MAX_WORD};

use super::{read, rule_at};

const HEAD: &str = "MKN/1 marrakech/1 seats=3\n";

#[test]
fn the_limits_are_those_of_the_specification() {
    assert_eq!((MAX_WORD, MAX_LINE, MAX_RECORD), (64, 4096, 65_536));
}

#[test]
fn a_word_of_64_bytes_is_read_and_one_of_65_is_not() {
    // No word of this game is so long, so the shorter one is wrong for another reason.
    let body = |bytes: usize| format!("{HEAD}\nN+3 {} *\n", "d6e6+1".repeat(11)[..bytes].to_owned());
    assert_eq!(rule_at(body(64)), ("notation.word.trailing", 3, 11));
    assert_eq!(rule_at(body(65)), ("notation.limit.word", 3, 5 + 64));
}

#[test]
fn a_line_of_4096_bytes_is_read_and_one_of_4097_is_not() {
    let tagged = |bytes: usize| format!("{HEAD}note: {}\n\n*\n", "x".repeat(bytes - "note: ".len()));
    assert_eq!(read(tagged(4096)).verdict, Ok(()));
    assert_eq!(rule_at(tagged(4097)), ("notation.limit.line", 2, 4097));
    let with_crlf = tagged(4096).replace('\n', "\r\n");
    assert_eq!(read(with_crlf).verdict, Ok(()), "the line end does not count");

    let body = |bytes: usize| format!("{HEAD}\nN+3\n{}*\n", " ".repeat(bytes - 1));
    assert_eq!(read(body(4096)).verdict, Ok(()));
    assert_eq!(rule_at(body(4097)), ("notation.limit.line", 4, 4097));

    let first = |bytes: usize| {
        format!("{HEAD}\n*\n").replacen("seats=3", &format!("seats=3 {}", "x".repeat(bytes - 26)), 1)
    };
    assert_eq!(rule_at(first(4096)), ("notation.setup.setting", 1, 27));
    assert_eq!(rule_at(first(4097)), ("notation.limit.line", 1, 4097));
}

#[test]
fn a_record_of_65536_bytes_is_read_and_one_of_65537_is_not() {
    let record = |bytes: usize| {
        let text = format!("{HEAD}\nN+3 d6e6\n*");
        let blank_lines = "\n".repeat(bytes - text.len());
        text + &blank_lines
    };
    assert_eq!(read(record(65_536)).verdict, Ok(()));
    let lines = 4 + (65_536 - record(60).trim_end().len()) as u32;
    assert_eq!(rule_at(record(65_537)), ("notation.limit.record", lines, 1));
}

#[test]
fn a_record_that_is_too_long_is_refused_as_such_also_where_the_cut_leaves_half_a_character() {
    let long = format!("{HEAD}note: {}", "\u{e9}".repeat(70_000));
    for bytes in [MAX_RECORD + 1, MAX_RECORD + 2] {
        assert_eq!(rule_at(&long.as_bytes()[..bytes]).0, "notation.limit.record");
    }
}
