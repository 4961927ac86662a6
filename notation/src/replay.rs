//! Replays: words in, positions out.

use core::fmt;

use assam_rules::{Bounded as _, Move, Pool, Rule, Turn};

use crate::{Decision, Notation, Word};

/// A game replayed word by word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay<G: Notation> {
    position: G,
    words: u32,
    has_start_word: bool,
    is_masked: bool,
}

/// The reason a word is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordError<R> {
    /// The word breaks a rule.
    Illegal(R),
    /// Chance must still be drawn after the word.
    LacksChance,
    /// The word has only chance, but a decision is due.
    LacksDecision,
}

impl<R: Rule> WordError<R> {
    /// Returns the stable identifier of the broken rule: of the game, or of the notation.
    pub fn id(self) -> &'static str {
        match self {
            Self::Illegal(rule) => rule.id(),
            Self::LacksChance => "notation.word.lacks-chance",
            Self::LacksDecision => "notation.word.lacks-decision",
        }
    }

    /// Returns the broken rule as a sentence.
    pub fn text(self) -> &'static str {
        match self {
            Self::Illegal(rule) => rule.text(),
            Self::LacksChance => "This decision triggers chance.",
            Self::LacksDecision => "A decision is due here.",
        }
    }
}

impl<R: Rule> fmt::Display for WordError<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.text(), self.id())
    }
}

impl<R: Rule> core::error::Error for WordError<R> {}

impl<G: Notation> Replay<G> {
    /// Returns a replay at the start of a game, before anything is drawn.
    pub fn new(setup: &G::Setup) -> Self {
        Self { position: G::new(setup), words: 0, has_start_word: false, is_masked: false }
    }

    /// Returns a replay at a position, before the first word of a record that begins there.
    pub fn from_position(position: G) -> Self {
        let is_masked = position.has_unknown();
        Self { position, words: 0, has_start_word: false, is_masked }
    }

    /// Returns the current position.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Returns the number of words so far, including the leading word.
    pub const fn words(&self) -> u32 {
        self.words
    }

    /// Returns the number of the last ply, 0 at the start.
    pub const fn ply(&self) -> u32 {
        self.words - self.has_start_word as u32
    }

    /// Returns the ply that the next word is or would be.
    pub fn next_ply(&self) -> u32 {
        if self.is_start_due() { 0 } else { self.ply() + 1 }
    }

    /// Returns whether something so far was unknown, such as a lead or a hand. The words are then legal in
    /// everything visible.
    pub const fn is_masked(&self) -> bool {
        self.is_masked
    }

    /// Returns whether chance must be drawn before the first decision.
    pub fn is_start_due(&self) -> bool {
        self.words == 0 && self.position.turn() == Turn::Chance
    }

    /// Checks a word and plays it. A refused word changes nothing.
    ///
    /// # Errors
    /// The reason the word is refused.
    pub fn play(&mut self, word: &Word<G>) -> Result<(), WordError<G::Rule>> {
        self.play_telling(word, |_| ())
    }

    /// Plays a word like [`Replay::play`] and passes its events to `tell`. Disregard the events of a refused
    /// word.
    pub fn play_telling(
        &mut self,
        word: &Word<G>,
        tell: impl FnMut(G::Event),
    ) -> Result<(), WordError<G::Rule>> {
        if word.decision.is_none() && !self.is_start_due() {
            return Err(WordError::LacksDecision);
        }
        let before = self.position.clone();
        let played = self.play_moves(word, tell);
        match played {
            Ok(is_masked) => {
                self.words += 1;
                self.has_start_word |= word.decision.is_none();
                self.is_masked |= is_masked;
            }
            Err(_) => self.position = before,
        }
        played.map(|_| ())
    }

    /// Plays the moves of a word up to the first refused one. Returns whether something in them is unknown.
    fn play_moves(
        &mut self,
        word: &Word<G>,
        mut tell: impl FnMut(G::Event),
    ) -> Result<bool, WordError<G::Rule>> {
        let mut is_masked = false;
        let mut play = |mv| {
            is_masked |= G::is_masked(&mv);
            self.position.play_telling(mv, &mut tell).map_err(WordError::Illegal)
        };
        if let Some(decision) = word.decision {
            play(decision.to_move())?;
        }
        for &chance in word.chance.iter() {
            play(Move::Chance(chance))?;
        }
        if self.position.turn() == Turn::Chance { Err(WordError::LacksChance) } else { Ok(is_masked) }
    }

    /// Plays a decision with all the chance that it triggers, drawn as in [`Replay::draw_word`], and returns
    /// the word.
    ///
    /// # Errors
    /// The rule that the decision breaks. Nothing changes then.
    pub fn decide(
        &mut self,
        decision: Option<Decision<G>>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Word<G>, WordError<G::Rule>> {
        let word = self.draw_word(decision, draw)?;
        self.play(&word)?;
        Ok(word)
    }

    /// Draws all the chance that a decision triggers here and returns the word without playing it.
    ///
    /// Without a decision, draws the chance due at the start. `draw(r)` must return a number below `r`, with
    /// equal probability. Nothing is drawn if the decision is refused.
    ///
    /// # Errors
    /// The rule that the decision breaks.
    pub fn draw_word(
        &self,
        decision: Option<Decision<G>>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Word<G>, WordError<G::Rule>> {
        self.draw_word_from(decision, &mut |_, range| draw(range))
    }

    /// Draws like [`Replay::draw_word`], but passes the pool to `draw(pool, r)` too.
    ///
    /// # Errors
    /// The rule that the decision breaks.
    pub fn draw_word_from(
        &self,
        decision: Option<Decision<G>>,
        draw: &mut dyn FnMut(Pool, u64) -> u64,
    ) -> Result<Word<G>, WordError<G::Rule>> {
        let mut next = self.position.clone();
        match decision {
            Some(decision) => {
                next.play_telling(decision.to_move(), &mut |_| ()).map_err(WordError::Illegal)?;
            }
            None if self.is_start_due() => {}
            None => return Err(WordError::LacksDecision),
        }
        let mut word = Word { decision, chance: G::Drawn::default() };
        while next.turn() == Turn::Chance {
            let pool = next.pool();
            for chance in next.draw_chance(&mut |range| draw(pool, range)) {
                next.apply(Move::Chance(chance));
                if !word.chance.add(chance) {
                    // The game's list is too short for everything that the game draws.
                    return Err(WordError::LacksChance);
                }
            }
        }
        Ok(word)
    }

    /// Repeats the draws of a legal word from open pools. Passes each outcome to `each`, with its place among
    /// the word's outcomes, from 0. Outcomes from hidden pools are taken from the word.
    pub fn redraw_open(
        &self,
        word: &Word<G>,
        draw: &mut dyn FnMut(u64) -> u64,
        mut each: impl FnMut(usize, G::Chance),
    ) {
        let mut position = self.position.clone();
        if let Some(decision) = word.decision {
            position.apply(decision.to_move());
        }
        let mut place = 0;
        while place < word.chance.len() {
            let again = match position.pool() {
                Pool::Open => position.draw_chance(draw),
                Pool::Hidden => G::Drawn::default(),
            };
            let next = place + again.len().max(1);
            (place..).zip(again).for_each(|(place, chance)| each(place, chance));
            word.chance.iter().take(next).skip(place).for_each(|&found| position.apply(Move::Chance(found)));
            place = next;
        }
    }
}
