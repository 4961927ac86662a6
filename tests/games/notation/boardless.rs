//! A reader without a board: it knows the grammar and the options of a game, but none of its rules.
//!
//! It represents programs that split records without playing them. The vectors define what it must accept.

use assam_notation::{
    Error, ErrorKind, MAX_WORD, Notation, Opening, Place, PositionError, RecordText, SetupLine, Word,
};

/// An error in a record that shows without a board: code, rule, line, column, word.
pub(super) type Fault = (ErrorKind, &'static str, u32, u32, Option<u32>);

/// Checks whether this text is a record of `G`, as far as shows without a board.
pub(super) fn read<G: Notation>(bytes: &[u8]) -> Result<(), Fault> {
    let text = RecordText::read(bytes).map_err(fault)?;
    check_line::<G>(&text.setup_line).map_err(fault)?;
    let wrong = |rule, offset: usize, word| {
        let Place { line, column, .. } = place(bytes, offset);
        Err((ErrorKind::NotationSyntax, rule, line, column, Some(word)))
    };
    let mut words = text.words().zip(1..);
    let mut next = 1;
    while let Some(((offset, word), number)) = words.next() {
        next = number + 1;
        if word.starts_with(['*', '=']) {
            let rest: Vec<(usize, &str)> = words.map(|(word, _)| word).collect();
            if let Some(second) = text.second {
                return wrong("notation.record.second", second, number);
            }
            return match marker((offset, word), &rest, text.setup_line.seats.into()) {
                Ok(()) => Ok(()),
                Err((rule, at)) => wrong(rule, at, number),
            };
        }
        if word.len() > MAX_WORD {
            return wrong("notation.limit.word", offset + MAX_WORD, number);
        }
        match Word::<G>::read(word) {
            Err(error) => return wrong(error.rule, offset + error.located(word).0, number),
            Ok(word) if word.decision.is_none() && number > 1 => {
                return wrong("notation.word.lacks-decision", offset, number);
            }
            Ok(_) => {}
        }
    }
    if let Some(second) = text.second {
        return wrong("notation.record.second", second, next);
    }
    let end = place(bytes, bytes.len());
    Err((ErrorKind::MissingMarker, "notation.marker.missing", end.line, end.column, None))
}

/// Checks the first line: rule set, options, and the form of the position.
pub(super) fn check_line<G: Notation>(line: &SetupLine<'_>) -> Result<(), Error> {
    match Opening::<G>::read(line) {
        Err(error) if error.kind == ErrorKind::ImpossiblePosition => {
            let setup = line.setup::<G>().unwrap();
            let position = G::read_position(&setup, line.position.unwrap());
            assert!(matches!(position, Err(PositionError::Impossible { .. })));
            Ok(())
        }
        read => read.map(drop),
    }
}

/// Returns the rule that an end marker breaks, and where unless at its beginning.
fn marker(
    (start, first): (usize, &str),
    rest: &[(usize, &str)],
    seats: usize,
) -> Result<(), (&'static str, usize)> {
    let at = |(offset, word): &(usize, &str)| offset + stray(word);
    match (first, rest) {
        ("*", []) | ("=", [(_, "-")]) => Ok(()),
        ("*", [word, ..]) | ("=", [(_, "-"), word, ..]) => Err(("notation.marker.text-behind", at(word))),
        ("=", [_, ..]) => match rest.iter().position(|(_, score)| !is_score(score)) {
            None => Ok(()),
            Some(place) if place >= seats => Err(("notation.marker.text-behind", at(&rest[place]))),
            Some(place) => Err(("notation.marker.score", at(&rest[place]))),
        },
        _ => Err(("notation.marker.unknown", start + stray(first))),
    }
}

fn is_stray(c: char) -> bool {
    !c.is_ascii_graphic()
}

/// Returns where a word is wrong: at the first character outside visible ASCII, or else at its beginning.
fn stray(word: &str) -> usize {
    word.find(is_stray).unwrap_or_default()
}

fn is_score(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_canonical = text == "0" || !digits.is_empty() && !digits.starts_with('0');
    is_canonical && digits.bytes().all(|b| b.is_ascii_digit()) && text.parse::<i32>().is_ok()
}

fn fault(error: Error) -> Fault {
    (error.kind, error.rule, error.place.line, error.place.column, error.place.word)
}

fn place(bytes: &[u8], offset: usize) -> Place {
    // If a limit falls into a character, that character counts as begun.
    let before = String::from_utf8_lossy(&bytes[..offset]);
    let before = before.replace("\r\n", "\n");
    let before = match before.strip_suffix('\r') {
        Some(line) if bytes.get(offset) == Some(&b'\n') => line,
        Some(_) | None => &before,
    };
    let on_line = before.rsplit(['\n', '\r']).next().unwrap();
    Place {
        line: before.matches(['\n', '\r']).count() as u32 + 1,
        column: on_line.chars().count() as u32 + 1,
        word: None,
        ply: None,
    }
}
