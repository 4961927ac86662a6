//! The referee: the rules and the notation of any game behind one object-safe pair of traits, text and views in
//! and out.

use std::borrow::Cow;
use std::marker::PhantomData;

use assam_notation::{
    Cursor, Decision, Error, Events, Notation, Opening, OptionSpec, OptionValue, Record, Replay, SetupError,
    SetupLine, TokenError, Word, WordError, mask, read_record, validate_record, write_position_line,
};
use assam_rules::{Audience, Move, Rule, Seat, Turn, Viewer, perft, random_action};

use crate::game::SeatKind;
use crate::picture::{Moment, Scene, svg, terminal};
use crate::view::{self, Event, Score, SeatScore, Show, State};

/// Knows the rules and the notation of one rule set.
pub trait Referee: Send + Sync {
    /// The name of the game for people.
    fn title(&self) -> &'static str;

    /// Is something hidden from somebody while a game goes on?
    fn has_secrets(&self) -> bool;

    /// Which built-in players there are for it.
    fn built_in_players(&self) -> &'static [SeatKind];

    /// How many seats a table may have.
    fn seats(&self) -> std::ops::RangeInclusive<u8>;

    /// Every option of the rule set.
    fn option_specs(&self) -> &'static [OptionSpec];

    /// Every rule that a move can break: identifier and sentence.
    fn rules(&self) -> Vec<(&'static str, &'static str)>;

    /// The setup line for these seats and options, in canonical form.
    ///
    /// # Errors
    /// The setting that the rule set refuses.
    fn setup_line(&self, seats: u8, options: &[(&str, &str)]) -> Result<String, SetupError>;

    /// Every option that means something in a setup, and its value.
    ///
    /// # Errors
    /// Where the line is not a setup of this rule set.
    fn options(&self, setup_line: &str) -> Result<Vec<OptionValue>, Refusal>;

    /// A table at the start of a game.
    ///
    /// # Errors
    /// Where the line is not a setup of this rule set.
    fn table(&self, setup_line: &str) -> Result<Box<dyn Table>, Refusal>;

    /// The words of a record as `viewer` may read them now: as many as before, with unknown in place of what is hidden
    /// from him.
    ///
    /// # Errors
    /// Where the line is not a setup of this rule set, or a word is not legal.
    fn mask<'a>(
        &self,
        setup_line: &str,
        words: &[&'a str],
        viewer: Viewer,
    ) -> Result<Vec<Cow<'a, str>>, Refusal>;

    /// Reads a decision as a client sends it, without a board.
    ///
    /// # Errors
    /// What is wrong with the text.
    fn read_decision(&self, text: &str) -> Result<Submitted, TokenError>;

    /// Reads and replays a whole record.
    fn judge(&self, record: &[u8]) -> Judgement;

    /// Reads and replays a whole record, and keeps the verdict only.
    fn verdict(&self, record: &[u8]) -> Verdict;

    /// Reads a position line.
    fn judge_position(&self, line: &str) -> Judgement;

    /// The file form of a record; tags as they are given.
    ///
    /// # Errors
    /// What is wrong with the record.
    fn file_form(&self, record: &str) -> Result<String, Error>;
}

/// A game at some ply. It shows all that it knows: a game as one viewer may see it is a table on which the words are played that
/// [`Referee::mask`] gives for him.
pub trait Table: Send {
    /// The number of the last ply; 0 at the start.
    fn ply(&self) -> u32;

    /// Who or what moves next.
    fn turn(&self) -> Turn;

    /// Must something be drawn before the first decision?
    fn is_start_due(&self) -> bool;

    /// Does every decision that is legal now end a list of decisions sent in one request?
    fn ends_list(&self) -> bool;

    /// Plays a recorded word.
    ///
    /// # Errors
    /// Why the word is refused; nothing changes then.
    fn replay(&mut self, word: &str) -> Result<Played, Refusal>;

    /// Plays a decision in canonical form and draws what it triggers: the word that it became. No decision
    /// draws what is due at the start.
    ///
    /// # Errors
    /// Why the decision is refused; nothing is drawn and nothing changes then.
    fn decide(&mut self, decision: Option<&str>, draw: &mut dyn FnMut(u64) -> u64)
    -> Result<Played, Refusal>;

    /// Every legal decision of the seat on turn; none where `viewer` may not know them.
    fn legal_moves(&self, viewer: Viewer) -> Option<Vec<String>>;

    /// What a built-in player decides for the seat on turn; none where no seat is on turn, and for a kind that is not
    /// built in or that the game does not have.
    fn choose(&self, player: SeatKind, draw: &mut dyn FnMut(u64) -> u64) -> Option<String>;

    /// The position, with all that is known of it.
    fn state(&self) -> State;

    /// Scores and ranking as things stand.
    fn score(&self) -> Score;

    /// The position as an SVG; `moment` is how it came about.
    fn svg(&self, moment: &Moment) -> String;

    /// The position in lines for a terminal with ANSI styles; `moment` is how it came about.
    fn screen(&self, moment: &Moment) -> String;

    /// The position line.
    fn position_line(&self) -> String;

    /// Is something in the position hidden from somebody?
    fn hides_something(&self) -> bool;

    /// Lines after so many decisions, with all their distinct chance.
    fn perft(&self, decisions: u32) -> u64;

    /// Every legal decision, or what can be drawn first, and how many of the lines after so many decisions begin with it.
    fn divide(&self, decisions: u32) -> Vec<(String, u64)>;

    /// Was something unknown on the way here? Then the game is right as far as can be seen.
    fn is_masked(&self) -> bool;

    /// The end marker that belongs here: `*`, `= 36 43 41` or `= -`.
    fn marker(&self) -> String;
}

/// A decision as a client sent it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submitted {
    /// The decision in canonical form; empty where the text has chance only.
    pub decision: String,
    /// Did the client write chance behind it?
    pub has_chance: bool,
}

/// A word that was played.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// It, in canonical form.
    pub word: String,
    /// What followed from it.
    pub events: Vec<Event>,
    /// For each of its tokens in order: was it hidden from somebody when it was written?
    pub sealed: Vec<bool>,
}

/// Why a decision or a recorded word is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// Stable identifier of the rule that it breaks.
    pub rule: &'static str,
    /// The rule in a sentence.
    pub text: String,
}

/// What became of a record.
pub struct Judgement {
    /// Setup line in canonical form; none where the first line broke.
    pub setup_line: Option<String>,
    /// The tags.
    pub tags: Vec<(String, String)>,
    /// The words that are valid, in canonical form.
    pub words: Vec<String>,
    /// The game after these words; none where the first line broke.
    pub table: Option<Box<dyn Table>>,
    /// The canonical text of the valid part, with the end marker that belongs to it.
    pub canonical: String,
    /// Is the record whole and right?
    pub verdict: Result<(), Error>,
}

/// What became of a record, without its contents.
pub struct Verdict {
    /// The last valid ply.
    pub ply: u32,
    /// The end marker that belongs there; empty where the first line broke.
    pub marker: String,
    /// Is something in it masked? Then it is right as far as can be seen.
    pub masked: bool,
    /// Where and why it broke; none where it is whole and right.
    pub error: Option<Error>,
}

/// The referee of one game.
pub struct RefereeOf<G>(PhantomData<fn() -> G>);

impl<G> RefereeOf<G> {
    /// There is one for each game.
    pub const NEW: Self = Self(PhantomData);
}

impl<G: Show + Send + 'static> Referee for RefereeOf<G> {
    fn title(&self) -> &'static str {
        G::TITLE
    }

    fn has_secrets(&self) -> bool {
        G::HAS_SECRETS
    }

    fn built_in_players(&self) -> &'static [SeatKind] {
        if G::HAS_SOLITAIRE { &[SeatKind::SolitaireAi, SeatKind::Random] } else { &[SeatKind::Random] }
    }

    fn seats(&self) -> std::ops::RangeInclusive<u8> {
        G::SEATS
    }

    fn option_specs(&self) -> &'static [OptionSpec] {
        G::OPTIONS
    }

    fn rules(&self) -> Vec<(&'static str, &'static str)> {
        G::Rule::ALL.iter().map(|rule| (rule.id(), rule.text())).collect()
    }

    fn setup_line(&self, seats: u8, options: &[(&str, &str)]) -> Result<String, SetupError> {
        G::read_setup(seats, options).map(|setup| Opening::<G>::start(setup).line())
    }

    fn options(&self, setup_line: &str) -> Result<Vec<OptionValue>, Refusal> {
        read_opening::<G>(setup_line).map(|opening| G::options(opening.setup()))
    }

    fn table(&self, setup_line: &str) -> Result<Box<dyn Table>, Refusal> {
        Ok(Box::new(read_opening::<G>(setup_line)?.replay()))
    }

    fn mask<'a>(
        &self,
        setup_line: &str,
        words: &[&'a str],
        viewer: Viewer,
    ) -> Result<Vec<Cow<'a, str>>, Refusal> {
        let opening = read_opening::<G>(setup_line)?;
        let read: Result<Vec<Word<G>>, _> = words.iter().map(|word| Word::read(word)).collect();
        let (_, masked) = mask(&opening, &read.map_err(Refusal::syntax)?, viewer);
        let told = |(told, &word): (&Word<G>, &&'a str)| {
            if told.is_masked() { Cow::Owned(told.text()) } else { Cow::Borrowed(word) }
        };
        Ok(masked.iter().zip(words).map(told).collect())
    }

    fn read_decision(&self, text: &str) -> Result<Submitted, TokenError> {
        let word = Word::<G>::read(text)?;
        let mut decision = String::new();
        if let Some(read) = word.decision {
            read.write(&mut decision);
        }
        Ok(Submitted { decision, has_chance: !word.chance.is_empty() })
    }

    fn judge(&self, record: &[u8]) -> Judgement {
        let record: Record<G> = read_record(record);
        let canonical = record.canonical();
        Judgement {
            setup_line: record.opening.as_ref().map(Opening::line),
            words: record.words.iter().map(Word::text).collect(),
            tags: record.tags,
            table: record.replay.map(|replay| Box::new(replay) as Box<dyn Table>),
            canonical,
            verdict: record.verdict,
        }
    }

    fn verdict(&self, record: &[u8]) -> Verdict {
        // Most records are good: those need not keep their words.
        let (replay, error) = match validate_record::<G>(record) {
            Ok(replay) => (Some(replay), None),
            Err(error) => (read_record::<G>(record).replay, Some(error)),
        };
        Verdict {
            ply: replay.as_ref().map(Replay::ply).unwrap_or_default(),
            marker: replay.as_ref().map(Table::marker).unwrap_or_default(),
            masked: replay.as_ref().is_some_and(Replay::is_masked),
            error,
        }
    }

    fn judge_position(&self, line: &str) -> Judgement {
        let opening = SetupLine::read_position_line(line).and_then(|line| Opening::<G>::read(&line));
        let replay = opening.as_ref().ok().map(Opening::replay);
        Judgement {
            setup_line: opening.as_ref().ok().map(Opening::line),
            tags: Vec::new(),
            words: Vec::new(),
            canonical: replay
                .as_ref()
                .map(|replay| write_position_line(replay.position()))
                .unwrap_or_default(),
            table: replay.map(|replay| Box::new(replay) as Box<dyn Table>),
            verdict: opening.map(|_| ()),
        }
    }

    fn file_form(&self, record: &str) -> Result<String, Error> {
        let record = read_record::<G>(record);
        record.verdict.clone().map(|()| record.file_form())
    }
}

impl<G: Show + Send + 'static> Table for Replay<G> {
    fn ply(&self) -> u32 {
        self.ply()
    }

    fn turn(&self) -> Turn {
        self.position().turn()
    }

    fn is_start_due(&self) -> bool {
        self.is_start_due()
    }

    fn ends_list(&self) -> bool {
        self.position().ends_list()
    }

    fn replay(&mut self, word: &str) -> Result<Played, Refusal> {
        play(self, &Word::read(word).map_err(Refusal::syntax)?)
    }

    fn decide(
        &mut self,
        decision: Option<&str>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Played, Refusal> {
        let decision = match decision {
            Some(text) => Some(Decision::read(&mut Cursor::new(text.as_bytes())).map_err(Refusal::syntax)?),
            None => None,
        };
        let word = self.draw_word(decision, draw).map_err(Refusal::of)?;
        play(self, &word)
    }

    fn legal_moves(&self, viewer: Viewer) -> Option<Vec<String>> {
        let actions = self.position().legal_actions_for(viewer)?;
        Some(actions.into_iter().map(decision_text::<G>).collect())
    }

    fn choose(&self, player: SeatKind, draw: &mut dyn FnMut(u64) -> u64) -> Option<String> {
        let action = match player {
            SeatKind::Open | SeatKind::Human => None,
            SeatKind::SolitaireAi => self.position().solitaire_action(draw),
            SeatKind::Random => random_action(self.position(), draw),
        };
        action.map(decision_text::<G>)
    }

    fn state(&self) -> State {
        G::state(&self.position().view(Viewer::Arbiter))
    }

    fn score(&self) -> Score {
        let position = self.position();
        let view = position.view(Viewer::Arbiter);
        let scores = position.scores();
        let seats = Seat::all(scores.len() as u8).zip(&scores);
        Score {
            over: matches!(position.turn(), Turn::Over | Turn::Aborted),
            ranking: position.ranking().as_ref().map(view::ranking),
            seats: seats
                .map(|(seat, &total)| SeatScore {
                    seat: seat.number(),
                    total,
                    parts: G::score_parts(&view, seat),
                    tie_breaks: G::tie_breaks(&view, seat),
                })
                .collect(),
            scores: scores.to_vec(),
        }
    }

    fn svg(&self, moment: &Moment) -> String {
        let (view, score) = (self.position().view(Viewer::Arbiter), self.score());
        svg::render(&G::picture(Scene { view: &view, moment, score: &score }))
    }

    fn screen(&self, moment: &Moment) -> String {
        let (view, score) = (self.position().view(Viewer::Arbiter), self.score());
        terminal::render(&G::picture(Scene { view: &view, moment, score: &score }))
    }

    fn position_line(&self) -> String {
        write_position_line(self.position())
    }

    fn hides_something(&self) -> bool {
        let position = self.position();
        position.has_unknown() || position.masked(Viewer::Spectator, false) != *position
    }

    fn is_masked(&self) -> bool {
        self.is_masked()
    }

    fn perft(&self, decisions: u32) -> u64 {
        perft(self.position(), decisions)
    }

    fn divide(&self, decisions: u32) -> Vec<(String, u64)> {
        let contribution = |action| {
            let mut after = self.position().clone();
            after.apply(Move::Action(action));
            (decision_text::<G>(action), perft(&after, decisions.saturating_sub(1)))
        };
        let drawn = self.position().outcomes().into_iter().map(|(chance, _)| {
            let mut after = self.position().clone();
            after.apply(Move::Chance(chance));
            let mut text = "+".to_owned();
            G::write_chance(chance, &mut text);
            (text, perft(&after, decisions))
        });
        drawn.chain(self.position().legal_actions().into_iter().map(contribution)).collect()
    }

    fn marker(&self) -> String {
        assam_notation::End::of(self.position()).text()
    }
}

/// Plays a word.
fn play<G: Show>(replay: &mut Replay<G>, word: &Word<G>) -> Result<Played, Refusal> {
    let before = replay.position().clone();
    let events: Events<G> = replay.play(word).map_err(Refusal::of)?;
    Ok(Played {
        word: word.text(),
        events: events.iter().map(G::event).collect(),
        sealed: sealed(before, word),
    })
}

/// For each move of a word that is legal in a position: is it hidden from somebody where it is made?
fn sealed<G: Notation>(mut position: G, word: &Word<G>) -> Vec<bool> {
    if !G::HAS_SECRETS {
        return word.moves().map(|_| false).collect();
    }
    let mut sealed: Vec<bool> = Vec::new();
    let mut moves = word.moves().peekable();
    while let Some(mv) = moves.next() {
        sealed.push(position.audience(&mv) != Audience::Everyone);
        if moves.peek().is_some() {
            position.apply(mv);
        }
    }
    sealed
}

impl Refusal {
    fn of<R: Rule>(error: WordError<R>) -> Self {
        let (rule, text) = match error {
            WordError::Illegal(rule) => (rule.id(), rule.text()),
            WordError::LacksChance => {
                ("notation.word.lacks-chance", "Something is drawn after this decision.")
            }
            WordError::LacksDecision => ("notation.word.lacks-decision", "A decision is due here."),
        };
        Self { rule, text: text.to_owned() }
    }

    fn syntax(error: TokenError) -> Self {
        Self { rule: error.rule, text: error.detail.to_owned() }
    }
}

fn decision_text<G: Notation>(action: G::Action) -> String {
    let mut text = String::new();
    G::write_action(action, &mut text);
    text
}

fn read_opening<G: Notation>(line: &str) -> Result<Opening<G>, Refusal> {
    let opening = SetupLine::read(line).and_then(|line| Opening::read(&line));
    opening.map_err(|error| Refusal { rule: error.rule, text: error.detail })
}
