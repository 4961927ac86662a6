//! Reads and replays a whole record, up to its end or to where it breaks.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::str::FromStr;

use assam_rules::Move;

use crate::{
    Decision, End, Error, ErrorKind, Explain, History, MAX_WORD, Opening, Place, Record, RecordText, Replay,
    StrayCharacter, Word, WordError, foreign,
};

/// Reads a record and replays it.
///
/// If the record breaks, the valid part before the error is kept. A record of another rule set is refused
/// with [`ErrorKind::UnknownRuleset`].
pub fn read_record<G: Explain>(text: impl AsRef<[u8]>) -> Record<G> {
    let mut record =
        Record { opening: None, tags: Vec::new(), words: Vec::new(), replay: None, verdict: Ok(()) };
    record.verdict = read(&mut record, text.as_ref());
    record
}

/// Validates a record without keeping its words, and returns the game at its end.
///
/// The memory it allocates does not grow with the number of words.
///
/// # Errors
/// The error that [`read_record`] would give as its verdict.
pub fn validate_record<G: Explain>(text: impl AsRef<[u8]>) -> Result<Replay<G>, Error> {
    let text = RecordText::read(text.as_ref())?;
    let opening = Opening::read(&text.setup_line)?;
    let mut replay = opening.replay();
    read_body(&text, &opening, &mut replay, |_| ())?;
    Ok(replay)
}

impl<G: Explain> FromStr for Record<G> {
    type Err = Error;

    /// Reads a complete and valid record. [`read_record`] also gives the valid part of any other.
    fn from_str(text: &str) -> Result<Self, Error> {
        let mut record = read_record(text);
        core::mem::replace(&mut record.verdict, Ok(())).map(|()| record)
    }
}

fn read<G: Explain>(record: &mut Record<G>, bytes: &[u8]) -> Result<(), Error> {
    let text = RecordText::read(bytes)?;
    record.tags = text.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let opening = record.opening.insert(Opening::read(&text.setup_line)?);
    let replay = record.replay.insert(opening.replay());
    read_body(&text, opening, replay, |word| record.words.push(word))
}

/// Reads and plays the words of a record up to its end marker, and passes on the valid ones.
fn read_body<G: Explain>(
    text: &RecordText<'_>,
    opening: &Opening<G>,
    replay: &mut Replay<G>,
    mut each: impl FnMut(Word<G>),
) -> Result<(), Error> {
    let mut words = text.words().zip(1..);
    let mut next = 1;
    while let Some(((offset, word), number)) = words.next() {
        next = number + 1;
        if matches!(word.as_bytes()[0], b'*' | b'=') {
            if replay.is_start_due() {
                let wrong = Wrong::lacks_start(offset, replay.position().due());
                return Err(wrong.located(text, number, Some(0)));
            }
            let rest: Vec<(usize, &str)> = words.map(|(word, _)| word).collect();
            if let Some(second) = text.second {
                return Err(Wrong::second_record(second).located(text, number, None));
            }
            return check_marker((offset, word), &rest, replay.position())
                .map_err(|wrong| wrong.located(text, number, None));
        }
        let ply = replay.next_ply();
        let history = History::new(opening, text, number as usize - 1);
        read_word(replay, word, number, &history, &mut each)
            .map_err(|wrong| wrong.behind(offset).located(text, number, Some(ply)))?;
    }
    if let Some(second) = text.second {
        return Err(Wrong::second_record(second).located(text, next, None));
    }
    let bytes = text.text.as_bytes();
    let wrong = Wrong {
        kind: ErrorKind::MissingMarker,
        rule: "notation.marker.missing",
        detail: "the record ends without its end marker. Was it cut off?".into(),
        why: Some(replay.position().due()),
        expected: Some(format!("a word, or the end marker `{}`", End::of(replay.position()).text()).into()),
        offset: bytes.len(),
    };
    Err(Error { place: Place::at(bytes, bytes.len()), ..wrong.located(text, 0, None) })
}

/// An error without its line.
struct Wrong {
    kind: ErrorKind,
    rule: &'static str,
    detail: Cow<'static, str>,
    why: Option<String>,
    expected: Option<Cow<'static, str>>,
    /// In bytes: from the start of the word at first, later from the start of the record.
    offset: usize,
}

impl Wrong {
    /// Returns the error of a record that ends before its leading word.
    fn lacks_start(offset: usize, due: String) -> Self {
        Self {
            kind: ErrorKind::IllegalMove,
            rule: "notation.word.lacks-start",
            detail: "chance comes before the first decision, but the leading word is missing".into(),
            why: Some(due),
            expected: Some("a leading word: `+` and what was drawn".into()),
            offset,
        }
    }

    /// Returns the error of a text that contains another record.
    fn second_record(offset: usize) -> Self {
        Self {
            kind: ErrorKind::NotationSyntax,
            rule: "notation.record.second",
            detail: "there is more than one record: the next one begins here".into(),
            why: None,
            expected: None,
            offset,
        }
    }

    fn behind(self, offset: usize) -> Self {
        Self { offset: offset + self.offset, ..self }
    }

    fn located(self, text: &RecordText<'_>, word: u32, ply: Option<u32>) -> Error {
        Error {
            kind: self.kind,
            rule: self.rule,
            detail: self.detail.into_owned(),
            why: self.why,
            expected: self.expected,
            place: Place { word: Some(word), ply, ..Place::at(text.text.as_bytes(), self.offset) },
        }
    }
}

/// Reads a word, plays it and passes it on.
fn read_word<G: Explain>(
    replay: &mut Replay<G>,
    text: &str,
    number: u32,
    history: &History<'_, G>,
    each: &mut impl FnMut(Word<G>),
) -> Result<(), Wrong> {
    if text.len() > MAX_WORD {
        return Err(Wrong {
            kind: ErrorKind::NotationSyntax,
            rule: "notation.limit.word",
            detail: format!("a word has at most {MAX_WORD} bytes").into(),
            why: None,
            expected: None,
            offset: MAX_WORD,
        });
    }
    let word = Word::read(text).map_err(|error| {
        let (offset, detail) = error.located(text);
        Wrong {
            kind: ErrorKind::NotationSyntax,
            rule: error.rule,
            detail,
            why: None,
            expected: Some(error.expected.into()),
            offset,
        }
    })?;
    match replay.play_telling(&word, |_| ()) {
        Ok(()) => {
            each(word);
            Ok(())
        }
        Err(error) => Err(refused(error, replay.position(), &word, text, number, history)),
    }
}

fn refused<G: Explain>(
    error: WordError<G::Rule>,
    position: &G,
    word: &Word<G>,
    text: &str,
    number: u32,
    history: &History<'_, G>,
) -> Wrong {
    let (at, refused) = play_as_far_as_legal(position, word);
    match error {
        WordError::Illegal(rule) => Wrong {
            kind: ErrorKind::IllegalMove,
            rule: error.id(),
            detail: error.text().into(),
            why: refused.map(|mv| at.explain(mv, rule, history)),
            expected: legal_decisions(position, word).map(Cow::Owned),
            offset: 0,
        },
        WordError::LacksChance => Wrong {
            kind: ErrorKind::IllegalMove,
            rule: error.id(),
            detail: "this decision triggers chance, but the word ends before it".into(),
            why: Some(at.due()),
            expected: Some("`+` and what was drawn".into()),
            offset: text.len(),
        },
        WordError::LacksDecision => Wrong {
            // Only the first word of a record may lack a decision. Knowing that needs no board.
            kind: if number == 1 { ErrorKind::IllegalMove } else { ErrorKind::NotationSyntax },
            rule: error.id(),
            detail: "this word has no decision, and no chance is due before one".into(),
            why: Some(position.due()),
            expected: legal_decisions(position, word).map(Cow::Owned),
            offset: 0,
        },
    }
}

/// Plays the moves of a word up to the first illegal one. Returns the position before it, and the illegal
/// move.
fn play_as_far_as_legal<G: Explain>(position: &G, word: &Word<G>) -> (G, Option<Move<G>>) {
    let mut at = position.clone();
    let illegal = word.moves().find(|&mv| at.play(mv).is_err());
    (at, illegal)
}

/// Returns the legal decisions as a list for people, if the word's decision is the illegal part.
fn legal_decisions<G: Explain>(position: &G, word: &Word<G>) -> Option<String> {
    let is_wrong = match word.decision {
        Some(Decision::Action(action)) => position.check_action(action).is_err(),
        Some(Decision::Leave(_)) => false,
        None => true,
    };
    let mut list = String::new();
    for action in position.legal_actions() {
        if !list.is_empty() {
            list.push_str(", ");
        }
        G::write_action(action, &mut list);
    }
    (is_wrong && !list.is_empty()).then_some(list)
}

const FINISHED: &str = "the record is finished, but this follows its end marker";
const NOTHING_MORE: &str = "nothing more, or `MKN/1` of the next record";

fn check_marker<G: Explain>(first: (usize, &str), rest: &[(usize, &str)], position: &G) -> Result<(), Wrong> {
    let end = &End::of(position);
    let wrong = |kind, rule, detail: Cow<'static, str>, offset| Wrong {
        kind,
        rule,
        detail,
        why: None,
        expected: Some(format!("`{}`", end.text()).into()),
        offset,
    };
    let syntax = |rule, detail: &'static str, (offset, word): (usize, &str)| {
        let (at, detail) = match StrayCharacter::first_in(word) {
            Some(stray) => (stray.offset, format!("{detail}: found {stray}").into()),
            None => (0, detail.into()),
        };
        wrong(ErrorKind::NotationSyntax, rule, detail, offset + at)
    };
    let text_behind = |word: (usize, &str)| {
        let junk = foreign::junk(word.1.as_bytes());
        let wrong = syntax("notation.marker.text-behind", FINISHED, word);
        let detail = junk.map_or(wrong.detail, |junk| format!("{FINISHED}: {junk}").into());
        Wrong { detail, expected: Some(NOTHING_MORE.into()), ..wrong }
    };
    let seats = usize::from(G::seats(position.setup()));
    let given = match (first.1, rest) {
        ("*", []) => End::Unfinished,
        ("=", [(_, "-")]) => End::Aborted,
        ("*", [word, ..]) | ("=", [(_, "-"), word, ..]) => return Err(text_behind(*word)),
        ("=", [_, ..]) => {
            let mut scores = Vec::new();
            for &(offset, score) in rest {
                match score.parse::<i32>() {
                    Ok(number) if number.to_string() == score => scores.push(number),
                    Ok(_) | Err(_) if scores.len() >= seats => return Err(text_behind((offset, score))),
                    Ok(_) | Err(_) => {
                        let detail = "a score is a whole number without leading zeros";
                        return Err(syntax("notation.marker.score", detail, (offset, score)));
                    }
                }
            }
            End::Scores(scores)
        }
        (word, _) => {
            let is_behind = word.starts_with('*')
                && StrayCharacter::first_in(word).is_some_and(|stray| stray.offset == 1);
            let form = "an end marker is `*`, or `=` and one score per seat, or `= -`";
            let detail = if is_behind { FINISHED } else { form };
            let wrong = syntax("notation.marker.unknown", detail, first);
            let expected = if is_behind { Some(NOTHING_MORE.into()) } else { wrong.expected };
            return Err(Wrong { expected, ..wrong });
        }
    };
    let detail = match (&given, end) {
        (End::Scores(given), End::Scores(right)) if given != right => {
            let detail = "these are not the scores of the replay".into();
            return Err(wrong(ErrorKind::ScoreMismatch, "notation.marker.scores", detail, first.0));
        }
        _ if given == *end => return Ok(()),
        (_, End::Unfinished) => "the game is not over here",
        (_, End::Scores(_)) => "the game is over here, played to its end",
        (_, End::Aborted) => "the game is over here, aborted",
    };
    let wrong = wrong(ErrorKind::WrongMarker, "notation.marker.kind", detail.into(), first.0);
    Err(Wrong { why: Some(position.due()), ..wrong })
}
