//! Replay: words in, positions out.

use arrayvec::ArrayVec;
use assam_rules::{Move, Turn};

use crate::{Decision, Notation, Word};

/// A game on its way through its words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replay<G: Notation> {
    position: G,
    words: u32,
    has_start_word: bool,
    is_masked: bool,
}

/// What followed from the moves of one word, in order.
pub type Events<G> = assam_rules::Events<<G as assam_rules::Game>::Event>;

/// Why a word is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WordError<R> {
    /// It breaks a rule.
    Illegal(R),
    /// Something must still be drawn after it.
    LacksChance,
    /// A word of chance alone stands where a decision is expected.
    LacksDecision,
}

impl<G: Notation> Replay<G> {
    /// At the start, before anything is drawn.
    pub fn new(setup: &G::Setup) -> Self {
        Self { position: G::new(setup), words: 0, has_start_word: false, is_masked: false }
    }

    /// In a position, before the first word of a record that begins there.
    pub fn from_position(position: G) -> Self {
        let is_masked = position.has_unknown();
        Self { position, words: 0, has_start_word: false, is_masked }
    }

    /// Where the game stands.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Words so far, the leading word included.
    pub const fn words(&self) -> u32 {
        self.words
    }

    /// The number of the last ply; 0 at the start.
    pub const fn ply(&self) -> u32 {
        self.words - self.has_start_word as u32
    }

    /// The ply that the next word is, or would be.
    pub fn next_ply(&self) -> u32 {
        if self.is_start_due() { 0 } else { self.ply() + 1 }
    }

    /// Was something unknown so far: a lead, a hand? Then the words are legal as far as can be seen.
    pub const fn is_masked(&self) -> bool {
        self.is_masked
    }

    /// Must something be drawn before the first decision?
    pub fn is_start_due(&self) -> bool {
        self.words == 0 && self.position.turn() == Turn::Chance
    }

    /// Checks a word and plays it; a refused word changes nothing.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn play(&mut self, word: &Word<G>) -> Result<Events<G>, WordError<G::Rule>> {
        let mut events = Events::<G>::new();
        // A word has at most nine moves, so there is room for the event of each.
        self.play_telling(word, |event| events.push(event))?;
        Ok(events)
    }

    /// The same, with what follows told as it happens; what was told of a refused word did not happen.
    pub(crate) fn play_telling(
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

    /// Plays the moves of a word up to the one that is refused, if one is. Is something in them unknown?
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
        for &chance in &word.chance {
            play(Move::Chance(chance))?;
        }
        if self.position.turn() == Turn::Chance { Err(WordError::LacksChance) } else { Ok(is_masked) }
    }

    /// Plays a decision with all the chance that it triggers, as [`Replay::draw_word`] draws it: the word that it became.
    ///
    /// # Errors
    /// The rule that the decision breaks; nothing changes then.
    pub fn decide(
        &mut self,
        decision: Option<Decision<G>>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Word<G>, WordError<G::Rule>> {
        let word = self.draw_word(decision, draw)?;
        self.play(&word)?;
        Ok(word)
    }

    /// The word that a decision becomes here: all the chance that it triggers is drawn. The word is not played.
    ///
    /// With no decision, draws what is due at the start. `draw(r)` must return a number below `r`, each equally
    /// likely. Nothing is drawn where the decision is refused.
    ///
    /// # Errors
    /// The rule that the decision breaks.
    pub fn draw_word(
        &self,
        decision: Option<Decision<G>>,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Word<G>, WordError<G::Rule>> {
        let mut next = self.position.clone();
        match decision {
            Some(decision) => {
                next.play_telling(decision.to_move(), &mut |_| ()).map_err(WordError::Illegal)?;
            }
            None if self.is_start_due() => {}
            None => return Err(WordError::LacksDecision),
        }
        let mut word = Word { decision, chance: ArrayVec::new() };
        while next.turn() == Turn::Chance {
            for chance in next.draw_chance(draw) {
                next.apply(Move::Chance(chance));
                word.chance.push(chance);
            }
        }
        Ok(word)
    }
}
