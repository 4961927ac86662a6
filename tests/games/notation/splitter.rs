//! Splits streams of records in pieces of any size and in bounded memory.

use std::convert::Infallible;

use assam_notation::{MAX_LINE, MAX_RECORD, Piece, Splitter};

use super::{error, read, rule_at};

const FIRST: &str = "MKN/1 marrakech/1 seats=3\nseat1: A\n\nN+3 d6e6\n*\n";
const SECOND: &str = "MKN/1 marrakech/1 seats=4\r\n\r\nN+1\r\n*\r\n";
const THIRD: &str = "MKN/1 marrakech/1 seats=2\n\n+r N+1 *";

/// Returns the pieces of a chunked stream: line and bytes.
fn pieces<'a>(chunks: impl Iterator<Item = &'a [u8]>) -> Vec<(u64, Vec<u8>)> {
    let mut pieces = Vec::new();
    let mut keep = |piece: Piece<'_>| {
        pieces.push((piece.line, piece.bytes.to_vec()));
        Ok::<(), Infallible>(())
    };
    let mut splitter = Splitter::new();
    for chunk in chunks {
        let Ok(()) = splitter.feed(chunk, &mut keep);
    }
    let Ok(()) = splitter.finish(&mut keep);
    pieces
}

/// Splits a stream in chunks of every size, and expects the same pieces each time.
fn check(stream: &[u8], expected: &[(u64, &[u8])]) {
    for size in (1..=50).chain([1000, stream.len().max(1)]) {
        let pieces = pieces(stream.chunks(size));
        let seen: Vec<(u64, &[u8])> = pieces.iter().map(|(line, bytes)| (*line, &**bytes)).collect();
        assert!(
            seen == expected,
            "chunks of {size}: {:?}",
            seen.iter().map(|(line, bytes)| (line, bytes.len()))
        );
    }
}

#[test]
fn records_are_given_one_by_one_with_the_line_they_begin_on() {
    let stream = format!("{FIRST}\n{SECOND}\r\n{THIRD}");
    let first = format!("{FIRST}\n");
    let second = format!("{SECOND}\r\n");
    check(stream.as_bytes(), &[(1, first.as_bytes()), (7, second.as_bytes()), (12, THIRD.as_bytes())]);
    for piece in [&*first, &*second, THIRD] {
        assert_eq!(read(piece).verdict, Ok(()));
    }
}

#[test]
fn a_record_needs_no_blank_line_before_it() {
    check(format!("{FIRST}{FIRST}").as_bytes(), &[(1, FIRST.as_bytes()), (6, FIRST.as_bytes())]);
}

#[test]
fn text_before_the_first_record_is_a_piece_that_is_refused() {
    let stream = format!("\n\nwhat is this?\nMK\nMKN\n{FIRST}");
    check(stream.as_bytes(), &[(1, b"\n\nwhat is this?\nMK\nMKN\n"), (6, FIRST.as_bytes())]);
    assert_eq!(rule_at("\n\nwhat is this?\n").0, "notation.setup.no-format");
}

#[test]
fn a_byte_order_mark_makes_the_first_record_a_piece_that_is_refused() {
    let marked = format!("\u{feff}{FIRST}");
    check(format!("{marked}{FIRST}").as_bytes(), &[(1, marked.as_bytes()), (6, FIRST.as_bytes())]);
}

#[test]
fn what_strays_before_a_record_never_swallows_it_nor_spoils_the_one_before() {
    let last = FIRST.trim_end();
    for (between, of_the_next) in [
        ("\n\u{feff}", "\u{feff}"),
        ("\n\u{a0}", "\u{a0}"),
        ("\n\u{200b}\u{2060}", "\u{200b}\u{2060}"),
        ("\n> ", "> "),
        ("\n    ", "    "),
        ("\n\u{201c}", "\u{201c}"),
        ("", ""),
        ("\u{feff}", "\u{feff}"),
        ("\u{2028}", "\u{2028}"),
        ("\n\u{1a}", ""),
        ("\u{c}", ""),
        ("\r", ""),
    ] {
        let stream = format!("{last}{between}{SECOND}");
        let kept = between.strip_suffix(of_the_next).unwrap();
        let (first, second) = (format!("{last}{kept}"), format!("{of_the_next}{SECOND}"));
        let line = 5 + u64::from(kept.starts_with(['\n', '\r']));
        check(stream.as_bytes(), &[(1, first.as_bytes()), (line, second.as_bytes())]);
    }
}

#[test]
fn blank_lines_before_between_and_behind_records_are_no_pieces() {
    check(b"", &[]);
    check(b"\n\r\n \n", &[]);
    let padded = format!("{FIRST}\n\n\n");
    check(format!("\n\n{padded}{padded}").as_bytes(), &[(3, padded.as_bytes()), (11, padded.as_bytes())]);
}

#[test]
fn before_a_body_the_mark_of_a_record_counts_at_the_beginning_of_a_line_only() {
    let record = "MKN/1 marrakech/1 seats=3\nnote: MKN/1\nMKN\n\n*\n";
    check(record.as_bytes(), &[(1, record.as_bytes())]);
    check(b"MKN/1 a\n > MKN/1 b\n", &[(1, b"MKN/1 a\n"), (2, b" > MKN/1 b\n")]);
    check(b"MKN", &[(1, b"MKN")]);
    check(b"MKN/", &[(1, b"MKN/")]);
    check(b"MMKN/1\nMKN/1\n", &[(1, b"MMKN/1\n"), (2, b"MKN/1\n")]);
    let record = "MKN/1 marrakech/1 seats=3\nnote: \u{41c}KN/1 seats=3\n\n*\n";
    check(record.as_bytes(), &[(1, record.as_bytes())]);
}

/// A wrong first line, and the reported place and cause.
#[test]
fn a_setup_line_that_looks_like_one_begins_a_record_and_spoils_no_other() {
    for (start, column, told) in [
        ("\u{41c}KN/1 marrakech/1 seats=3", 1, "U+041C CYRILLIC CAPITAL LETTER EM (it looks like `M`)"),
        ("M\u{39a}N/1 marrakech/1 seats=3", 2, "U+039A GREEK CAPITAL LETTER KAPPA (it looks like `K`)"),
        ("\u{41c}\u{41a}\u{39d}/1 m\u{430}rrakech/1 s\u{435}ats=3", 1, "U+041C CYRILLIC"),
        ("\u{ff2d}\u{ff2b}\u{ff2e}/1 marrakech/1 seats=3", 1, "U+FF2D FULLWIDTH LATIN CAPITAL LETTER M"),
        ("\u{1d40c}\u{1d40a}\u{1d40d}/1 marrakech/1", 1, "U+1D40C"),
        ("MKN\u{2215}1 marrakech/1 seats=3", 4, "U+2215 DIVISION SLASH (it looks like `/`)"),
        ("MKN\u{ff0f}1 marrakech/1 cover=any seats=3", 4, "U+FF0F FULLWIDTH SOLIDUS"),
        ("M\u{200b}KN/1 marrakech/1 seats=3", 2, "U+200B ZERO WIDTH SPACE"),
        ("MK\u{ad}N/1", 3, "U+00AD SOFT HYPHEN"),
        ("MKN\u{2060}/1 marrakech/1 seats=3", 4, "U+2060 WORD JOINER"),
        ("MKN/\u{661} marrakech/1 seats=3", 5, "U+0661 ARABIC-INDIC DIGIT ONE"),
        ("mkn/1 marrakech/1 seats=3", 1, "the notation is written in capitals: found `m`"),
        ("MKn/1 marrakech/1 seats=3", 3, "the notation is written in capitals: found `n`"),
        (
            "\u{feff}\u{41c}KN/1 marrakech/1 seats=3",
            1,
            "U+FEFF ZERO WIDTH NO-BREAK SPACE (a byte order mark)",
        ),
        ("MKN-1 marrakech/1 seats=3", 1, "a record begins with its setup line"),
        ("M KN/1 marrakech/1 SEATS=3", 1, "a record begins with its setup line"),
        ("marrakech/1 seats=3", 1, "the first line lacks its `MKN/1 `"),
        ("> MKN/1 marrakech/1 seats=3", 1, "text quoted as in mail"),
        ("> \u{41c}KN/1 marrakech/1 seats=3", 1, "text quoted as in mail"),
        ("* MKN/1 marrakech/1 seats=3", 1, "`*` precedes the setup line"),
        ("= MKN/1 marrakech/1 seats=3", 1, "`=` precedes the setup line"),
        ("1. MKN/1 marrakech/1 seats=3", 1, "`1.` precedes the setup line"),
        ("Game 2: MKN/1 marrakech/1 seats=3", 1, "`Game 2:` precedes the setup line"),
        ("</pre>MKN/1 marrakech/1 seats=3", 1, "`</pre>` precedes the setup line"),
        ("\u{2022} MKN/1 marrakech/1 seats=3", 1, "U+2022 BULLET precedes the setup line"),
        ("  MKN/1 marrakech/1 seats=3", 1, "U+0020 SPACE precedes the setup line"),
    ] {
        let record = format!("{start}\n\nN+3 d6e6\n*\n");
        let stream = format!("{FIRST}{record}{FIRST}");
        let (lines, last) = (6, 10);
        check(
            stream.as_bytes(),
            &[(1, FIRST.as_bytes()), (lines, record.as_bytes()), (last, FIRST.as_bytes())],
        );
        let error = error(&record);
        assert_eq!((error.place.line, error.place.column), (1, column), "{start}: {error}");
        assert_eq!(error.rule, "notation.setup.no-format", "{start}");
        assert!(error.detail.contains(told), "{start}: {error}");
        assert!(error.expected.is_some_and(|expected| expected.contains("MKN/1")), "{start}");
        // This happens if the record before lacks its end, and a reader of one record reports that another
        // one begins.
        let (cut, whole) = (&FIRST[..FIRST.len() - 2], format!("{FIRST}{record}"));
        if !start.starts_with(['*', '=']) {
            let pieces = pieces([cut.as_bytes(), record.as_bytes()].into_iter());
            assert_eq!(pieces.len(), 2, "{start}");
        }
        assert_eq!(rule_at(&whole).0, "notation.record.second", "{start}");
    }
}

#[test]
fn a_record_that_begins_within_a_line_has_its_errors_at_their_columns_there() {
    let first = "MKN/1 marrakech/1 seats=3\nseat1: \u{e9}\n\n\u{b7}N+3 d6e6 *";
    let mut found = Vec::new();
    let mut keep = |piece: Piece<'_>| {
        let verdict = read(piece.bytes).verdict;
        found.extend(
            verdict.err().map(|error| piece.place(error.place)).map(|place| (place.line, place.column)),
        );
        Ok::<(), Infallible>(())
    };
    let mut splitter = Splitter::new();
    let Ok(()) =
        splitter.feed(format!("{first}\u{41c}KN/1 marrakech/1 seats=3\n\nN+9\n").as_bytes(), &mut keep);
    let Ok(()) =
        splitter.feed(b"*> MKN/1 marrakech/1 seats=3\n\n*MKN/1 marrakech/1 seats=3\n\nN+9\n", &mut keep);
    let Ok(()) = splitter.finish(&mut keep);
    assert_eq!(found, [(4, 1), (4, 12), (7, 2), (11, 3)]);
}

#[test]
fn an_end_marker_belongs_to_its_record_whatever_stands_behind_it_on_its_line() {
    let body = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6";
    for (end, next) in [
        (" * ", SECOND.to_owned()),
        ("\n*\t", SECOND.to_owned()),
        ("\n*", SECOND.replace("MKN", "mkn")),
        ("\n*", SECOND.replace("MKN", "\u{41c}KN")),
        ("\n* ", format!("> {SECOND}")),
        ("\n*", format!("</pre>{SECOND}")),
        ("\n= 30 30 30", SECOND.to_owned()),
        ("\n= - ", format!("</pre>{SECOND}")),
    ] {
        let first = format!("{body}{end}");
        let line = 3 + first[body.len()..].matches('\n').count() as u64;
        check(format!("{first}{next}").as_bytes(), &[(1, first.as_bytes()), (line, next.as_bytes())]);
    }
}

#[test]
fn a_record_that_is_too_long_is_cut_off_and_the_next_one_goes_on() {
    let line = format!("{}\n", "x".repeat(99));
    let long = format!("MKN/1 marrakech/1 seats=3\n{}", line.repeat(700));
    let cut = &long.as_bytes()[..MAX_RECORD + 1];
    let stream = format!("{FIRST}{long}{SECOND}");
    check(stream.as_bytes(), &[(1, FIRST.as_bytes()), (6, cut), (707, SECOND.as_bytes())]);
    assert_eq!(rule_at(cut).0, "notation.limit.line".replace("line", "record"));

    let endless_line = format!("MKN/1 {}\n", "y".repeat(80_000));
    let stream = format!("{endless_line}{SECOND}");
    check(stream.as_bytes(), &[(1, &endless_line.as_bytes()[..MAX_RECORD + 1]), (2, SECOND.as_bytes())]);
}

#[test]
fn a_record_of_just_the_limit_is_whole() {
    let padded = format!("{FIRST}{}", "\n".repeat(MAX_RECORD - FIRST.len()));
    let lines = padded.lines().count() as u64;
    check(format!("{padded}{SECOND}").as_bytes(), &[(1, padded.as_bytes()), (lines + 1, SECOND.as_bytes())]);
    assert_eq!(read(&padded).verdict, Ok(()));
}

#[test]
fn memory_does_not_grow_with_the_stream() {
    // A splitter's buffer shows in its debug form, with at most five characters a byte.
    let mut splitter = Splitter::new();
    let ignore = |_: Piece<'_>| Ok::<(), Infallible>(());
    for chunk in [&b"no line end in sight "[..], b"lines\n", b"MKN/1\n", b"MKN"] {
        for _ in 0..20_000 {
            let Ok(()) = splitter.feed(chunk, ignore);
        }
        assert!(format!("{splitter:?}").len() < 5 * (MAX_RECORD + 1 + 3 * MAX_LINE) + 500);
    }
}

#[test]
fn an_error_of_the_receiver_stops_the_stream_and_is_passed_on() {
    let mut given = 0;
    let mut splitter = Splitter::new();
    let stream = format!("{FIRST}{FIRST}{FIRST}");
    let stopped = splitter.feed(stream.as_bytes(), |_| {
        given += 1;
        Err("enough")
    });
    assert_eq!((stopped, given), (Err("enough"), 1));
}
