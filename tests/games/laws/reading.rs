//! Laws of reading that hold for any bytes. Random games and the fuzz targets check them.

use std::convert::Infallible;

use assam_notation::{
    Error, Explain, MAX_LINE, MAX_RECORD, Opening, Piece, Record, RecordText, SetupLine, Splitter, Word,
    read_record, write_position_line,
};
use assam_players::View;
use assam_referee::{Ruleset, Shown, Visitor};
use assam_rules::{Seat, Viewer};

/// Reads bytes as a record. The valid prefix is kept and reads again to itself in both forms, and the place
/// of an error is in the text. Returns the record.
pub fn record_is_read<G: Explain>(bytes: &[u8]) -> Record<G> {
    let record = read_record::<G>(bytes);
    if let Err(error) = &record.verdict {
        error_stands_in_the_text(&record, error, bytes);
    }
    words_are_those_of_the_text(&record, bytes);
    let Some(replay) = &record.replay else {
        assert!(record.words.is_empty() && record.canonical().is_empty());
        return record;
    };
    assert_eq!(replay.words() as usize, record.words.len());
    let canonical = record.canonical();
    let again = read_record::<G>(&canonical);
    if replay.is_start_due() {
        assert_eq!(again.verdict.map_err(|error| error.rule), Err("notation.word.lacks-start"));
        return record;
    }
    assert_eq!(again.verdict, Ok(()), "{canonical:?}");
    assert_eq!(again.opening, record.opening, "{canonical:?}");
    assert_eq!(again.words, record.words, "{canonical:?}");
    assert_eq!(again.replay, record.replay, "{canonical:?}");
    assert_eq!(again.canonical(), canonical);
    let file = record.file_form();
    // A record of exactly the limit without its last line end has no room for it.
    if file.len() <= MAX_RECORD {
        let again = read_record::<G>(&file);
        assert_eq!(again.verdict, Ok(()), "{file:?}");
        assert_eq!(again.tags, record.tags, "{file:?}");
        assert_eq!(again.canonical(), canonical);
        assert_eq!(again.file_form(), file);
    }
    record
}

/// Masks a record for every viewer. It keeps its words and plies, reads as before, and masking it again
/// changes nothing.
pub fn record_is_masked<G: Explain>(record: &Record<G>) {
    if record.replay.as_ref().is_none_or(|replay| replay.is_start_due()) {
        return;
    }
    let seats = Seat::all(G::seats(record.replay.as_ref().expect("there is one").position().setup()))
        .map(Viewer::Seat);
    for viewer in seats.chain([Viewer::Spectator, Viewer::Arbiter]) {
        let masked = record.masked(viewer);
        let text = masked.canonical();
        let again = read_record::<G>(&text);
        assert_eq!(again.verdict, Ok(()), "{text:?}");
        assert_eq!(again.words.len(), record.words.len(), "{text:?}");
        assert_eq!(again.canonical(), text);
        assert_eq!(masked.masked(viewer).canonical(), text);
    }
}

/// Checks the laws of records for the game that the first line names.
pub fn any_record_is_read(bytes: &[u8]) {
    named(bytes).visit(RecordLaw(bytes));
}

/// Checks the laws of position lines for the game that the line names. They hold whether it is accepted or
/// not.
pub fn any_position_line_is_read(text: &str) {
    named(text.as_bytes()).visit(PositionLaw(text));
}

/// Checks that every built-in player decides legally in the position of a line, if the line is accepted and says
/// what the player must know.
pub fn any_position_is_played(text: &str) {
    named(text.as_bytes()).visit(PlayersLaw(text));
}

/// Checks the laws of first lines for the game that the line names. They hold whether it is accepted or not.
pub fn any_setup_line_is_read(text: &str) {
    named(text.as_bytes()).visit(SetupLaw(text));
}

struct RecordLaw<'a>(&'a [u8]);

impl Visitor for RecordLaw<'_> {
    type Output = ();

    fn visit<G: Shown>(self, _: Ruleset) {
        record_is_masked(&record_is_read::<G>(self.0));
    }
}

struct PositionLaw<'a>(&'a str);

impl Visitor for PositionLaw<'_> {
    type Output = ();

    fn visit<G: Shown>(self, _: Ruleset) {
        let _ = position_line_is_read::<G>(self.0);
    }
}

struct PlayersLaw<'a>(&'a str);

impl Visitor for PlayersLaw<'_> {
    type Output = ();

    fn visit<G: Shown>(self, _: Ruleset) {
        let line = SetupLine::read_position_line(self.0).and_then(|line| Opening::<G>::read(&line));
        let Ok(opening) = line else { return };
        let Some(view) = View::new(opening.replay().position()) else { return };
        for &player in G::PLAYERS {
            let action = G::choose(&view, player, &mut |range| range - 1).expect("a player of the game");
            assert!(view.actions().contains(&action), "{player:?} decides {action:?}");
        }
    }
}

struct SetupLaw<'a>(&'a str);

impl Visitor for SetupLaw<'_> {
    type Output = ();

    fn visit<G: Shown>(self, _: Ruleset) {
        let _ = setup_line_is_read::<G>(self.0);
    }
}

/// Returns the last listed game whose unversioned name is in the first line, or else the first game.
fn named(text: &[u8]) -> Ruleset {
    let first_line = text.split(|&b| b == b'\n').next().unwrap_or_default();
    let is_named = |ruleset: &&Ruleset| {
        let name = ruleset.name().split('/').next().unwrap_or_default().as_bytes();
        first_line.windows(name.len()).any(|window| window == name)
    };
    *Ruleset::ALL.iter().rev().find(is_named).unwrap_or(&Ruleset::ALL[0])
}

fn error_stands_in_the_text<G: Explain>(record: &Record<G>, error: &Error, bytes: &[u8]) {
    let place = error.place;
    let line = lines(bytes).get(place.line as usize - 1).map_or(0, |line| line.len());
    assert!((1..=line + 1).contains(&(place.column as usize)), "{error}");
    assert!(!error.detail.is_empty() && !error.rule.is_empty());
    if let Some(word) = place.word {
        assert_eq!(word as usize, record.words.len() + 1, "{error}");
    }
    if let Some(ply) = place.ply {
        assert_eq!(Some(ply), record.replay.as_ref().map(|replay| replay.next_ply()), "{error}");
    }
}

fn words_are_those_of_the_text<G: Explain>(record: &Record<G>, bytes: &[u8]) {
    let Ok(text) = RecordText::read(bytes) else {
        assert!(record.words.is_empty());
        return;
    };
    let tags: Vec<(&str, &str)> = record.tags.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(tags, text.tags);
    for (word, (offset, written)) in record.words.iter().zip(text.words()) {
        assert!(bytes[offset..].starts_with(written.as_bytes()));
        assert_eq!(Word::read(written).as_ref(), Ok(word), "{written}");
        assert_eq!(Word::read(&word.text()).as_ref(), Ok(word), "{written}");
        // A word has one spelling, except for the order of a rug's squares.
        assert_eq!(sorted(&word.text()), sorted(written));
    }
}

fn sorted(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    bytes.sort_unstable();
    bytes
}

/// Returns the lines of a text, each with its end: LF, CRLF or CR.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    let (mut lines, mut start) = (Vec::new(), 0);
    for at in 0..text.len() {
        if text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n') {
            lines.push(&text[start..=at]);
            start = at + 1;
        }
    }
    lines.push(&text[start..]);
    lines
}

/// The part of a record that a line belongs to.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Before,
    SetupLine,
    Tags,
    Body,
    Finished,
}

/// Returns where the last end marker on a line begins.
fn marker(line: &[u8]) -> Option<usize> {
    let begins = |at: usize| at == 0 || line[at - 1].is_ascii_whitespace();
    (0..line.len()).rfind(|&at| b"*=".contains(&line[at]) && begins(at))
}

/// Returns where a record begins on a line that ends with the byte that shows it.
fn beginning(line: &[u8], part: Part) -> Option<usize> {
    let is_stray = |b: &u8| b" \t>`\"'|#".contains(b) || *b >= 0x80;
    let small = line.to_ascii_lowercase();
    let looks_like = |at: usize| {
        let strays = line[..at].iter().all(|b| is_stray(b) || b.is_ascii_control());
        let letters = || small[at..small.len() - 1].iter();
        let ascii = || letters().copied().filter(u8::is_ascii).collect::<Vec<u8>>();
        strays
            && letters().filter(|&b| b & 0xC0 != 0x80).count() >= 3
            && [&b""[..], b"m", b"k", b"n", b"mk", b"mn", b"kn", b"mkn"].contains(&&ascii()[..])
    };
    let is_mark = small.ends_with(b"mkn/");
    let shows = match part {
        Part::SetupLine => false,
        _ if small.ends_with(b"/") && (0..small.len()).any(looks_like) => true,
        Part::Body | Part::Finished if is_mark => true,
        Part::Tags if line.contains(&b':') => false,
        Part::Before | Part::Tags | Part::Body | Part::Finished => small.ends_with(b"seats="),
    };
    let before = &line[..line.len() - if is_mark { 4 } else { 1 }];
    let control = before.iter().rposition(|b| b.is_ascii_control() && *b != b'\t').map_or(0, |at| at + 1);
    let start = match marker(before).filter(|_| part == Part::Body) {
        Some(at) => {
            let rest = before[at + 1..].iter().take_while(|b| b" \t-".contains(b) || b.is_ascii_digit());
            control.max(at + 1 + rest.count())
        }
        None if part == Part::Body && is_mark => {
            before.len() - before.iter().rev().take_while(|b| is_stray(b)).count()
        }
        None => control,
    };
    shows.then_some(start)
}

/// Splits bytes as a stream in chunks of many sizes, which must always give the pieces that the lines give.
pub fn stream_is_split(stream: &[u8]) {
    let mut expected: Vec<(u64, Vec<u8>)> = vec![(1, Vec::new())];
    let mut part = Part::Before;
    for (line, number) in lines(stream).into_iter().zip(1..) {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        // At most `MAX_LINE` bytes are searched.
        let begun = (1..=text.len()).find_map(|end| {
            let from = end.saturating_sub(MAX_LINE);
            match text[end - 1] {
                b'/' | b'=' => beginning(&text[from..end], part).map(|start| from + start),
                _ => [&b"\xff\xfe"[..], b"\xfe\xff"].contains(&&text[..end]).then_some(0),
            }
        });
        if let Some(start) = begun {
            expected.last_mut().expect("it begins with one").1.extend(&line[..start]);
            expected.push((number, line[start..].to_vec()));
            part = Part::SetupLine;
        } else {
            expected.last_mut().expect("it begins with one").1.extend(line);
        }
        part = match part {
            _ if text.len() == line.len() => part,
            Part::SetupLine => Part::Tags,
            Part::Tags if text.is_empty() => Part::Body,
            Part::Body if marker(&text[text.len().saturating_sub(MAX_LINE)..]).is_some() => Part::Finished,
            part @ (Part::Before | Part::Tags | Part::Body | Part::Finished) => part,
        };
    }
    expected.retain(|(_, piece)| !piece.iter().all(u8::is_ascii_whitespace));
    for (_, piece) in &mut expected {
        piece.truncate(MAX_RECORD + 1);
    }
    for size in [1, 2, 3, 4, 5, 64, stream.len().max(1)] {
        let mut pieces = Vec::new();
        let mut keep = |piece: Piece<'_>| {
            pieces.push((piece.line, piece.bytes.to_vec()));
            Ok::<(), Infallible>(())
        };
        let mut splitter = Splitter::new();
        for chunk in stream.chunks(size) {
            let Ok(()) = splitter.feed(chunk, &mut keep);
        }
        let Ok(()) = splitter.finish(&mut keep);
        assert!(
            pieces == expected,
            "chunks of {size}: {:?}",
            stream.escape_ascii().to_string().chars().take(600).collect::<String>()
        );
    }
}

/// Reads a text as a position line. An accepted line is written and read again to the same position, and so
/// is every position that one decision leads to.
pub fn position_line_is_read<G: Explain>(text: &str) -> Result<G, Error> {
    let opening = SetupLine::read_position_line(text).and_then(|line| Opening::<G>::read(&line))?;
    let replay = opening.replay();
    position_reads_back(replay.position());
    // Never the same for long, as equal boards are thrown again.
    let mut drawn = 0;
    let mut rising = |range| {
        drawn += 1;
        (drawn + drawn / 7) % range
    };
    let mut fallen = 0;
    let mut falling = |range| {
        fallen += 1;
        range - 1 - (fallen + fallen / 7) % range
    };
    let draws: [&mut dyn FnMut(u64) -> u64; 2] = [&mut rising, &mut falling];
    for draw in draws {
        for action in replay.position().legal_actions() {
            let mut next = replay.clone();
            let decision = Some(assam_notation::Decision::Action(action));
            next.decide(decision, draw).expect("a decision on the list is legal");
            position_reads_back(next.position());
        }
    }
    Ok(replay.position().clone())
}

fn position_reads_back<G: Explain>(position: &G) {
    let line = write_position_line(position);
    let split = SetupLine::read_position_line(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let opening = Opening::<G>::read(&split).unwrap_or_else(|error| panic!("{line}: {error}"));
    assert_eq!(opening.replay().position(), position, "{line}");
    assert_eq!(write_position_line(opening.replay().position()), line);
}

/// Reads a text as the first line of a record. An accepted line is written and read again to the same
/// opening, and a record reports the same about it as the line alone.
pub fn setup_line_is_read<G: Explain>(text: &str) -> Result<Opening<G>, Error> {
    let read = SetupLine::read(text).and_then(|line| Opening::<G>::read(&line));
    if let Ok(opening) = &read {
        let line = opening.line();
        let again = SetupLine::read(&line).and_then(|line| Opening::<G>::read(&line));
        assert_eq!(again.as_ref(), Ok(opening), "{line}");
        assert_eq!(opening.line(), line);
    }
    if text.len() <= assam_notation::MAX_LINE && !text.contains('\n') && !text.ends_with('\r') {
        let record = read_record::<G>(format!("{text}\n\n*\n"));
        match &read {
            Ok(opening) => assert_eq!(record.opening.as_ref(), Some(opening)),
            Err(error) => assert_eq!(record.verdict.as_ref(), Err(error)),
        }
    }
    read
}
