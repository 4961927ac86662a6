//! Streams of records, in pieces of any size and in bounded memory.

use std::convert::Infallible;

use assam_notation::{MAX_RECORD, Piece, Splitter};

use super::{read, rule_at};

const FIRST: &str = "MKN/1 marrakech/1 seats=3\nseat1: A\n\nN+3 d6e6\n*\n";
const SECOND: &str = "MKN/1 marrakech/1 seats=4\r\n\r\nN+1\r\n*\r\n";
const THIRD: &str = "MKN/1 marrakech/1 seats=2\n\n+r N+1 *";

/// The pieces of a stream that comes in chunks: line and bytes.
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

/// Cuts a stream in chunks of every size, and expects the same pieces each time.
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
    // What a splitter holds shows in its debug form: at most five characters a byte.
    let mut splitter = Splitter::new();
    let ignore = |_: Piece<'_>| Ok::<(), Infallible>(());
    for chunk in [&b"no line end in sight "[..], b"lines\n", b"MKN/1\n", b"MKN"] {
        for _ in 0..20_000 {
            let Ok(()) = splitter.feed(chunk, ignore);
        }
        assert!(format!("{splitter:?}").len() < 5 * (MAX_RECORD + 1) + 500);
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
