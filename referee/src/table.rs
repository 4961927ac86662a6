//! A game of any kind at some ply, played through one trait and shown through another.

use assam_players::{Amount, Player};
use assam_rules::{Pool, Turn, Viewer};

use crate::picture::{Moment, PictureForm};
use crate::{
    AnyDecision, AnyLine, AnyWord, Event, Faces, NoOutcomes, Probability, Refusal, Roll, Score, State,
};

/// Plays a game.
pub trait Play {
    /// Returns the number of the last ply, 0 at the start.
    fn ply(&self) -> u32;

    /// Returns the ply that the next word is or would be. It is 0 if chance is due before the first decision.
    fn next_ply(&self) -> u32;

    /// Returns the next mover.
    fn turn(&self) -> Turn;

    /// Returns whether chance must be drawn before the first decision.
    fn is_start_due(&self) -> bool;

    /// Returns whether every list of decisions in one request ends with the decision that is due now.
    ///
    /// This depends only on public information. A list ends at possible chance, at hidden or opened
    /// information, and when the turn passes to another seat.
    fn ends_list(&self) -> bool;

    /// Returns the only decision of the seat on turn, if everyone can see that there is no other.
    fn forced(&self) -> Option<AnyDecision>;

    /// Plays a recorded word.
    ///
    /// # Errors
    /// The reason the word is refused. Nothing changes then.
    fn replay(&mut self, word: &str) -> Result<(), Refusal>;

    /// Describes a recorded word as if played here, in canonical form, without playing it.
    ///
    /// # Errors
    /// The word cannot be read.
    fn describe(&self, word: &str) -> Result<AnyWord<'static>, Refusal>;

    /// Plays a decision, draws the chance it triggers, and returns the resulting word. Without a decision,
    /// draws the chance due at the start. `draw(pool, r)` must return a number below `r`, with equal
    /// probability. `r` is never 0.
    ///
    /// # Errors
    /// The reason the decision is refused. Nothing is drawn and nothing changes then.
    fn decide(
        &mut self,
        decision: Option<&AnyDecision>,
        draw: &mut dyn FnMut(Pool, u64) -> u64,
    ) -> Result<AnyWord<'static>, Refusal>;

    /// Repeats the draws of a recorded word from open pools. The word must be legal here and is not played.
    /// Returns each token, without its `+`, with the number of its part. `draw(r)` must return a number below
    /// `r`, with equal probability. `r` is never 0.
    ///
    /// # Errors
    /// The word cannot be read.
    fn redraw_open(
        &self,
        word: &str,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Vec<(u32, String)>, Refusal>;

    /// Returns every possible outcome of a word, at most `most`, without playing it. The word may lack its
    /// chance. Without a word, returns the outcomes of the chance due at the start, or else the unchanged
    /// game.
    ///
    /// # Errors
    /// The word is refused, or there are too many outcomes to list.
    fn outcomes(&self, word: Option<&str>, most: usize) -> Result<Vec<ChanceOutcome>, NoOutcomes>;

    /// Plays a recorded word and returns it as `viewer` may read it while the game continues. `is_last`
    /// states that no decision of a seat on turn follows yet.
    ///
    /// # Errors
    /// The reason the word is refused. Nothing changes then.
    fn replay_masked(&mut self, word: &str, viewer: Viewer, is_last: bool) -> Result<String, Refusal>;

    /// Lists the legal decisions of the seat on turn in notation, or returns `None` if `viewer` may not know
    /// them.
    fn legal_moves(&self, viewer: Viewer) -> Option<Vec<String>>;

    /// Lists the decisions that the seat on turn may choose from, as far as it can see. Returns `None` if no seat is
    /// on turn, or if its own cards are unknown.
    ///
    /// Unlike [`Play::legal_moves`], it works if something is unknown that is hidden from the seat.
    fn choices(&self) -> Option<Vec<String>>;

    /// Returns a built-in player's decision for the seat on turn, or `None` if no seat is on turn or the game
    /// does not have the player.
    fn choose(&self, player: Player, draw: &mut dyn FnMut(Pool, u64) -> u64) -> Option<AnyDecision>;

    /// Returns the pool that a built-in player draws from here. It is open only if the decision follows from
    /// what everyone can see.
    fn choice_pool(&self, player: Player) -> Pool;

    /// Weighs the decisions of the seat on turn, from what that seat may know, by a search that evaluates about
    /// `nodes` positions. Returns `None` if no seat is on turn, or if its own cards are unknown.
    fn analyse(&self, nodes: u64) -> Option<AnyAnalysis>;

    /// Returns the luck of each seat in a recorded word as if played here, without playing it: what the seat can
    /// expect after each outcome, less the mean over all outcomes.
    ///
    /// # Errors
    /// The reason the word is refused.
    fn luck(&self, word: &str) -> Result<Vec<Amount>, Refusal>;

    /// Returns the dice thrown in a recorded word as if played here, in order, without playing it: how many show each
    /// face. Unlike [`Play::rolls`], it judges nothing.
    ///
    /// # Errors
    /// The reason the word is refused.
    fn thrown(&self, word: &str) -> Result<Vec<Faces>, Refusal>;

    /// Returns the dice thrown in a recorded word as if played here, in order, without playing it.
    ///
    /// # Errors
    /// The reason the word is refused.
    fn rolls(&self, word: &str) -> Result<Vec<Roll>, Refusal>;

    /// Returns whether something was unknown on the way here. The game is then valid in everything visible.
    fn is_masked(&self) -> bool;

    /// Returns the end marker that fits here: `*`, `= 36 43 41` or `= -`.
    fn marker(&self) -> String;
}

/// Decisions of any game with what the seats will probably win, best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyAnalysis {
    /// The decisions, best first.
    pub lines: Vec<AnyLine>,
    /// The number of positions that were evaluated.
    pub nodes: u64,
}

/// Shows everything known about the position of a game.
///
/// To show a game as one viewer may see it, play the words masked for them: see
/// [`Setup::walk`](crate::Setup::walk).
pub trait Show {
    /// Returns the position as clients see it.
    fn state(&self) -> State;

    /// Returns the current scores and ranking.
    fn score(&self) -> Score;

    /// Returns the consequences of the last word, in order.
    fn events(&self) -> Vec<Event>;

    /// Returns the position as an SVG in a form. `moment` describes the ply that led to it.
    fn svg(&self, moment: &Moment, form: &PictureForm) -> String;

    /// Returns the position in lines for a terminal of `width` columns, with ANSI styles. `moment` describes
    /// the ply that led to it. No line has more than [`WIDTH`](crate::picture::terminal::WIDTH) columns.
    fn screen(&self, moment: &Moment, width: usize) -> String;

    /// Returns the position line: one line that describes the position completely.
    fn position_line(&self) -> String;

    /// Returns whether the position hides anything from anyone.
    fn hides_something(&self) -> bool;
}

/// One outcome of a decision.
pub struct ChanceOutcome {
    /// The word: the decision with its chance. `None` if nothing was decided and nothing was due.
    pub word: Option<String>,
    /// Its probability for an observer who knows only the given position.
    pub probability: Probability,
    /// The game after it.
    pub table: Box<dyn Table>,
}

/// A game at some ply.
pub trait Table: Play + Show + Send + Sync {
    /// Returns an independent table at the same ply.
    fn fork(&self) -> Box<dyn Table>;
}
