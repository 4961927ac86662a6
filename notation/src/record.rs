//! A whole record: read and replayed, and written again.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Write as _;

use assam_rules::{Move, Rule as _, Turn, Viewer};

use crate::{
    Code, Decision, Error, History, MAX_WORD, Notation, Opening, Place, RecordText, Replay, Word, WordError,
    mask,
};

/// An annotation: name and value.
pub type Tag = (String, String);

/// The end marker of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `*`: the game goes on.
    Unfinished,
    /// `= 36 43 41`: the scores of a game that is over.
    Scores(Vec<i32>),
    /// `= -`: the game was aborted.
    Aborted,
}

/// A record that was read: everything up to its end, or up to where it broke.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<G: Notation> {
    /// Where it begins; none where the first line broke.
    pub opening: Option<Opening<G>>,
    /// The tags, in the order in which they stand.
    pub tags: Vec<Tag>,
    /// The words that are valid.
    pub words: Vec<Word<G>>,
    /// The game after these words; none where the first line broke.
    pub replay: Option<Replay<G>>,
    /// Is the record whole and right?
    pub verdict: Result<(), Error>,
}

/// Reads a record and replays it.
///
/// A record of another rule set is refused with [`Code::UnknownRuleset`]. What is valid is kept where the
/// record breaks.
pub fn read_record<G: Notation>(text: impl AsRef<[u8]>) -> Record<G> {
    let mut record =
        Record { opening: None, tags: Vec::new(), words: Vec::new(), replay: None, verdict: Ok(()) };
    record.verdict = record.read(text.as_ref());
    record
}

/// Validates a record without keeping its words: the game at its end.
///
/// What it allocates does not grow with the words.
///
/// # Errors
/// What [`read_record`] would say.
pub fn validate_record<G: Notation>(text: impl AsRef<[u8]>) -> Result<Replay<G>, Error> {
    let text = RecordText::read(text.as_ref())?;
    let opening = Opening::read(&text.setup_line)?;
    let mut replay = opening.replay();
    read_body(&text, &opening, &mut replay, |_| ())?;
    Ok(replay)
}

impl End {
    /// The end marker that belongs to a position.
    pub fn of<G: Notation>(position: &G) -> Self {
        match position.turn() {
            Turn::Player(_) | Turn::Chance => Self::Unfinished,
            Turn::Over => Self::Scores(position.scores().to_vec()),
            Turn::Aborted => Self::Aborted,
        }
    }

    /// The marker as it is written.
    pub fn text(&self) -> String {
        match self {
            Self::Unfinished => "*".to_string(),
            Self::Aborted => "= -".to_string(),
            Self::Scores(scores) => scores.iter().fold("=".to_string(), |mut text, score| {
                let _ = write!(text, " {score}");
                text
            }),
        }
    }
}

impl<G: Notation> Record<G> {
    /// The record in canonical form, its identity: setup line, blank line, words and end marker on one line,
    /// no tags. The end marker is the one that belongs to the last valid word.
    pub fn canonical(&self) -> String {
        self.written(&[], false)
    }

    /// The record in file form, with its tags and a new line for every turn.
    pub fn file_form(&self) -> String {
        self.written(&self.tags, true)
    }

    /// The record as `viewer` may read it: see [`mask`]. Of what is wrong with it he is told the rule and the place,
    /// without what a position known in full would explain.
    #[must_use]
    pub fn masked(&self, viewer: Viewer) -> Self {
        let Some(opening) = &self.opening else { return self.clone() };
        let (opening, words) = mask(opening, &self.words, viewer);
        let mut replay = opening.replay();
        for word in &words {
            replay.play(word).expect("what a viewer is given of legal words is legal");
        }
        let verdict = self.verdict.clone().map_err(|error| Error { why: None, expected: None, ..error });
        Self { opening: Some(opening), tags: self.tags.clone(), words, replay: Some(replay), verdict }
    }

    /// Is something in it unknown? Then it is valid as far as can be seen.
    pub fn is_masked(&self) -> bool {
        self.replay.as_ref().is_some_and(Replay::is_masked)
    }

    fn written(&self, tags: &[Tag], in_lines: bool) -> String {
        let (Some(opening), Some(replay)) = (&self.opening, &self.replay) else { return String::new() };
        let mut text = opening.line();
        text.push('\n');
        for (name, value) in tags {
            text.push_str(name);
            text.push(':');
            if !value.is_empty() {
                text.push(' ');
                text.push_str(value);
            }
            text.push('\n');
        }
        text.push('\n');
        let start = opening.replay();
        let mut begins_line = start.position().line_starts();
        for (n, word) in self.words.iter().enumerate() {
            let begins_line = in_lines
                && match word.decision {
                    None | Some(Decision::Leave(_)) => true,
                    Some(Decision::Action(action)) => begins_line(action),
                };
            if n > 0 {
                text.push(if begins_line { '\n' } else { ' ' });
            }
            word.write(&mut text);
        }
        if !self.words.is_empty() {
            text.push(if in_lines { '\n' } else { ' ' });
        }
        text.push_str(&End::of(replay.position()).text());
        text.push('\n');
        text
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let text = RecordText::read(bytes)?;
        self.tags = text.tags.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        let opening = self.opening.insert(Opening::read(&text.setup_line)?);
        let replay = self.replay.insert(opening.replay());
        read_body(&text, opening, replay, |word| self.words.push(word))
    }
}

/// Reads and plays the words of a record up to its end marker, and hands on those that are valid.
fn read_body<G: Notation>(
    text: &RecordText<'_>,
    opening: &Opening<G>,
    replay: &mut Replay<G>,
    mut each: impl FnMut(Word<G>),
) -> Result<(), Error> {
    let mut words = text.words().zip(1..);
    while let Some(((offset, word), number)) = words.next() {
        if matches!(word.as_bytes()[0], b'*' | b'=') {
            if replay.is_start_due() {
                let wrong = Wrong::lacks_start(offset, replay.position().due());
                return Err(wrong.located(text, number, Some(0)));
            }
            let rest: Vec<(usize, &str)> = words.map(|(word, _)| word).collect();
            return check_marker((offset, word), &rest, replay.position())
                .map_err(|wrong| wrong.located(text, number, None));
        }
        let ply = replay.next_ply();
        let history = History::new(opening, text, number as usize - 1);
        read_word(replay, word, number, &history, &mut each)
            .map_err(|wrong| wrong.behind(offset).located(text, number, Some(ply)))?;
    }
    let bytes = text.text.as_bytes();
    let wrong = Wrong {
        code: Code::MissingMarker,
        rule: "notation.marker.missing",
        detail: "the record ends without its end marker; was it cut off?".into(),
        why: Some(replay.position().due()),
        expected: Some(format!("a word, or the end marker `{}`", End::of(replay.position()).text()).into()),
        offset: bytes.len(),
    };
    Err(Error { place: Place::at(bytes, bytes.len()), ..wrong.located(text, 0, None) })
}

/// An error that does not know its line yet.
struct Wrong {
    code: Code,
    rule: &'static str,
    detail: Cow<'static, str>,
    why: Option<String>,
    expected: Option<Cow<'static, str>>,
    /// In bytes: from the start of the word, later of the record.
    offset: usize,
}

impl Wrong {
    /// The record ends where its leading word should stand.
    fn lacks_start(offset: usize, due: String) -> Self {
        Self {
            code: Code::IllegalMove,
            rule: "notation.word.lacks-start",
            detail: "something is drawn before the first decision, but the leading word is missing".into(),
            why: Some(due),
            expected: Some("a leading word: `+` and what was drawn".into()),
            offset,
        }
    }

    fn behind(self, offset: usize) -> Self {
        Self { offset: offset + self.offset, ..self }
    }

    fn located(self, text: &RecordText<'_>, word: u32, ply: Option<u32>) -> Error {
        Error {
            code: self.code,
            rule: self.rule,
            detail: self.detail.into_owned(),
            why: self.why,
            expected: self.expected,
            place: Place { word: Some(word), ply, ..Place::at(text.text.as_bytes(), self.offset) },
        }
    }
}

/// Reads a word, plays it and hands it on, or says what is wrong with it.
fn read_word<G: Notation>(
    replay: &mut Replay<G>,
    text: &str,
    number: u32,
    history: &History<'_, G>,
    each: &mut impl FnMut(Word<G>),
) -> Result<(), Wrong> {
    if text.len() > MAX_WORD {
        return Err(Wrong {
            code: Code::NotationSyntax,
            rule: "notation.limit.word",
            detail: format!("a word has at most {MAX_WORD} bytes").into(),
            why: None,
            expected: None,
            offset: MAX_WORD,
        });
    }
    let word = Word::read(text).map_err(|error| Wrong {
        code: Code::NotationSyntax,
        rule: error.rule,
        detail: error.detail.into(),
        why: None,
        expected: Some(error.expected.into()),
        offset: error.offset,
    })?;
    match replay.play_telling(&word, |_| ()) {
        Ok(()) => {
            each(word);
            Ok(())
        }
        Err(error) => Err(refused(error, replay.position(), &word, text, number, history)),
    }
}

fn refused<G: Notation>(
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
            code: Code::IllegalMove,
            rule: rule.id(),
            detail: rule.text().into(),
            why: refused.map(|mv| at.explain(mv, rule, history)),
            expected: legal_decisions(position, word).map(Cow::Owned),
            offset: 0,
        },
        WordError::LacksChance => Wrong {
            code: Code::IllegalMove,
            rule: "notation.word.lacks-chance",
            detail: "something is drawn after this decision, but the word ends before it".into(),
            why: Some(at.due()),
            expected: Some("`+` and what was drawn".into()),
            offset: text.len(),
        },
        WordError::LacksDecision => Wrong {
            // Only the first word of a record may have no decision: that much needs no board.
            code: if number == 1 { Code::IllegalMove } else { Code::NotationSyntax },
            rule: "notation.word.lacks-decision",
            detail: "this word has no decision, and nothing is drawn before one here".into(),
            why: Some(position.due()),
            expected: legal_decisions(position, word).map(Cow::Owned),
            offset: 0,
        },
    }
}

/// The position before the first move of a word that is illegal, and that move.
fn play_as_far_as_legal<G: Notation>(position: &G, word: &Word<G>) -> (G, Option<Move<G>>) {
    let mut at = position.clone();
    let illegal = word.moves().find(|&mv| at.play(mv).is_err());
    (at, illegal)
}

/// The legal decisions as a list for people, where it is the word's decision that is wrong.
fn legal_decisions<G: Notation>(position: &G, word: &Word<G>) -> Option<String> {
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

fn check_marker<G: Notation>(
    first: (usize, &str),
    rest: &[(usize, &str)],
    position: &G,
) -> Result<(), Wrong> {
    let end = &End::of(position);
    let wrong = |code, rule, detail: &'static str, offset| Wrong {
        code,
        rule,
        detail: detail.into(),
        why: None,
        expected: Some(format!("`{}`", end.text()).into()),
        offset,
    };
    let text_behind = |offset| {
        let detail = "the record goes on behind its end marker";
        wrong(Code::NotationSyntax, "notation.marker.text-behind", detail, offset)
    };
    let given = match (first.1, rest) {
        ("*", []) => End::Unfinished,
        ("=", [(_, "-")]) => End::Aborted,
        ("*", [(offset, _), ..]) | ("=", [(_, "-"), (offset, _), ..]) => return Err(text_behind(*offset)),
        ("=", [_, ..]) => {
            let mut scores = Vec::new();
            for &(offset, score) in rest {
                match score.parse::<i32>() {
                    Ok(number) if number.to_string() == score => scores.push(number),
                    Ok(_) | Err(_) => {
                        let detail = "a score is a whole number without leading zeros";
                        return Err(wrong(Code::NotationSyntax, "notation.marker.score", detail, offset));
                    }
                }
            }
            End::Scores(scores)
        }
        _ => {
            let detail = "an end marker is `*`, or `=` and a score a seat, or `= -`";
            return Err(wrong(Code::NotationSyntax, "notation.marker.unknown", detail, first.0));
        }
    };
    let detail = match (&given, end) {
        (End::Scores(given), End::Scores(right)) if given != right => {
            let detail = "these are not the scores of the replay";
            return Err(wrong(Code::ScoreMismatch, "notation.marker.scores", detail, first.0));
        }
        _ if given == *end => return Ok(()),
        (_, End::Unfinished) => "the game is not over here",
        (_, End::Scores(_)) => "the game is over here, played to its end",
        (_, End::Aborted) => "the game is over here, aborted",
    };
    let wrong = wrong(Code::WrongMarker, "notation.marker.kind", detail, first.0);
    Err(Wrong { why: Some(position.due()), ..wrong })
}
