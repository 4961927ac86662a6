//! A game at some ply, whichever game it is: played through one trait, shown through another.

use assam_players::Player;
use assam_rules::{Pool, Turn, Viewer};

use crate::picture::{Moment, PictureForm};
use crate::{AnyDecision, AnyWord, Event, NoOutcomes, Probability, Refusal, Score, State};

/// Plays a game.
pub trait Play {
    /// Returns the number of the last ply; 0 at the start.
    fn ply(&self) -> u32;

    /// Returns the ply that the next word is, or would be; 0 where something is drawn before the first decision.
    fn next_ply(&self) -> u32;

    /// Returns whose turn it is: a seat's, or that of chance.
    fn turn(&self) -> Turn;

    /// Returns whether something must be drawn before the first decision.
    fn is_start_due(&self) -> bool;

    /// Returns whether every list of decisions that one request may carry ends with the decision that is due now. This
    /// is judged from what everyone may know: it ends where chance follows or could follow, where something hidden is
    /// written or opened, and where the turn passes to another seat.
    fn ends_list(&self) -> bool;

    /// Returns the decision of the seat on turn where it has no other, and everyone can tell that.
    fn forced(&self) -> Option<AnyDecision>;

    /// Plays a recorded word.
    ///
    /// # Errors
    /// Why the word is refused; nothing changes then.
    fn replay(&mut self, word: &str) -> Result<(), Refusal>;

    /// Describes a recorded word as one that is played here, in canonical form. It is not played.
    ///
    /// # Errors
    /// Where the word cannot be read.
    fn describe(&self, word: &str) -> Result<AnyWord<'static>, Refusal>;

    /// Plays a decision, draws what it triggers, and returns the word that it became. No decision draws what is due at
    /// the start. `draw(pool, r)` must return a number below `r`, each equally likely; `r` is never 0.
    ///
    /// # Errors
    /// Why the decision is refused; nothing is drawn and nothing changes then.
    fn decide(
        &mut self,
        decision: Option<&AnyDecision>,
        draw: &mut dyn FnMut(Pool, u64) -> u64,
    ) -> Result<AnyWord<'static>, Refusal>;

    /// Draws again what a recorded word that is legal here drew from what everyone knows: returns each token, without its `+`,
    /// with the number of its part. `draw(r)` must return a number below `r`, each equally likely; `r` is never 0. The word is
    /// not played.
    ///
    /// # Errors
    /// Where the word cannot be read.
    fn redraw_open(
        &self,
        word: &str,
        draw: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Vec<(u32, String)>, Refusal>;

    /// Returns what can come of a word, which may lack what is drawn after it: every outcome, at most `most`. Without a word, returns
    /// what can come of what is due at the start, or else the game as it is. Nothing is played here.
    ///
    /// # Errors
    /// Where the word is refused, and where there are too many outcomes to list.
    fn outcomes(&self, word: Option<&str>, most: usize) -> Result<Vec<ChanceOutcome>, NoOutcomes>;

    /// Plays a recorded word and returns it as `viewer` may read it where the game goes on after it. `is_last` says
    /// that no decision of a seat on turn follows it yet.
    ///
    /// # Errors
    /// Why the word is refused; nothing changes then.
    fn replay_masked(&mut self, word: &str, viewer: Viewer, is_last: bool) -> Result<String, Refusal>;

    /// Lists the legal decisions of the seat on turn in notation; none where `viewer` may not know them.
    fn legal_moves(&self, viewer: Viewer) -> Option<Vec<String>>;

    /// Returns what a built-in player decides for the seat on turn; none where no seat is on turn, and for a player
    /// that the game does not have.
    fn choose(&self, player: Player, draw: &mut dyn FnMut(Pool, u64) -> u64) -> Option<AnyDecision>;

    /// Returns from what a player draws who decides by chance here: open where everyone may know what is legal.
    fn choice_pool(&self) -> Pool;

    /// Returns whether anything was unknown on the way here. Then the game is valid in everything that is visible.
    fn is_masked(&self) -> bool;

    /// Returns the end marker that belongs here: `*`, `= 36 43 41` or `= -`.
    fn marker(&self) -> String;
}

/// Shows the position of a game: all that is known of it.
///
/// A game as one viewer may see it is a table on which the words masked for them were played: see
/// [`Setup::walk`](crate::Setup::walk).
pub trait Show {
    /// Returns the position as clients see it.
    fn state(&self) -> State;

    /// Returns scores and ranking as things stand.
    fn score(&self) -> Score;

    /// Returns the consequences of the last word, in order.
    fn events(&self) -> Vec<Event>;

    /// Returns the position as an SVG in a form; `moment` says how it came about.
    fn svg(&self, moment: &Moment, form: &PictureForm) -> String;

    /// Returns the position in lines for a terminal of `width` columns, with ANSI styles; `moment` says how it came about.
    /// No line has more than [`WIDTH`](crate::picture::terminal::WIDTH) columns.
    fn screen(&self, moment: &Moment, width: usize) -> String;

    /// Returns the position line: one line that names the position completely.
    fn position_line(&self) -> String;

    /// Returns whether anything in the position is hidden from anyone.
    fn hides_something(&self) -> bool;
}

/// One outcome of a decision.
pub struct ChanceOutcome {
    /// The word: the decision with what was drawn; none where nothing was decided and nothing was due.
    pub word: Option<String>,
    /// How probable it is, for an observer who knows the position as it is given and nothing else.
    pub probability: Probability,
    /// The game after it.
    pub table: Box<dyn Table>,
}

/// A game at some ply.
pub trait Table: Play + Show + Send + Sync {
    /// Returns a table at the same ply, which goes its own way.
    fn fork(&self) -> Box<dyn Table>;
}
