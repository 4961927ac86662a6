//! What every game is: a position that takes moves.

use core::fmt::Debug;

use arrayvec::ArrayVec;

use crate::{Ranking, Seat};

/// Legal actions without allocation. 32 is more than any position of any game here has.
pub type Actions<A> = ArrayVec<A, 32>;

/// The outcomes of one act of chance, in the order in which they are made and written.
pub type Drawn<C> = ArrayVec<C, 2>;

/// The distinct things that can be drawn, each with its weight.
pub type Weighted<C> = ArrayVec<(C, u32), 28>;

/// What follows from the moves of one word, in order. No word of any game here has more.
pub type Events<E> = ArrayVec<E, 9>;

/// A game, implemented by its position.
///
/// Decisions ([`Game::Action`]) and what is drawn ([`Game::Chance`]) are different types, so that a
/// client cannot submit a die: that is not a check but a type.
pub trait Game: Clone + Eq + Debug {
    /// The seats and the options: everything a replay depends on.
    type Setup: Clone + Eq + Debug;
    /// A decision of a seat.
    type Action: Copy + Eq + Debug;
    /// Something drawn.
    type Chance: Copy + Eq + Debug;
    /// What follows from a move and is told with it, such as a payment.
    type Event: Clone + Eq + Debug;
    /// The rules that a move can break.
    type Rule: Rule;
    /// All that a viewer may know of a position.
    type View;

    /// Is something hidden from somebody while a game goes on?
    const HAS_SECRETS: bool;

    /// Do the rules of the game lay down a player that nobody plays, for solitaire?
    const HAS_SOLITAIRE: bool = false;

    /// The position before the first ply.
    fn new(setup: &Self::Setup) -> Self;

    /// The setup of this game.
    fn setup(&self) -> &Self::Setup;

    /// Who or what moves next.
    fn turn(&self) -> Turn;

    /// Every legal decision of the seat to move, in a fixed order; empty where no seat is to move.
    fn legal_actions(&self) -> Actions<Self::Action>;

    /// Is this decision legal here? Checked directly, without the list.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_action(&self, action: Self::Action) -> Result<(), Self::Rule>;

    /// Could this be drawn here?
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_chance(&self, chance: Self::Chance) -> Result<(), Self::Rule>;

    /// May this seat leave, or the game be aborted, now? Seats leave between two words, on turn or not.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_leave(&self, leave: Leave) -> Result<(), Self::Rule>;

    /// The legal decisions, as far as `viewer` may know them: none where they depend on something that is hidden from
    /// him, so that he is told only that the seat must act. Unlike a view, this is asked of a position that knows everything:
    /// who must answer a hidden card knows what he may answer.
    fn legal_actions_for(&self, _viewer: Viewer) -> Option<Actions<Self::Action>> {
        Some(self.legal_actions())
    }

    /// What the player of the solitaire game decides here; none where no seat is to move, and where the game has no such
    /// player ([`Game::HAS_SOLITAIRE`]). It looks at nothing that is hidden from the seat on turn.
    ///
    /// `draw(r)` must return a number below `r`, each equally likely; `r` is never 0.
    fn solitaire_action(&self, _draw: &mut dyn FnMut(u64) -> u64) -> Option<Self::Action> {
        None
    }

    /// Draws one act of chance, such as a roll or a deal, and gives all its outcomes in order; none where a seat
    /// must decide or the game is over.
    ///
    /// `draw(r)` must return a number below `r`, each equally likely; `r` is never 0. The order of the
    /// `r` things is fixed for ever (it is part of the rule set version).
    fn draw_chance(&self, draw: &mut dyn FnMut(u64) -> u64) -> Drawn<Self::Chance>;

    /// The distinct things that can be drawn here, each with its weight (faces of the die, cards in the deck), in the
    /// order in which they are drawn from; empty where nothing is drawn, or where they are too many to list.
    fn outcomes(&self) -> Weighted<Self::Chance>;

    /// Makes a move that is known to be legal, and tells what follows from it, in order. An illegal one leaves a position
    /// without meaning, but never panics and never breaks memory safety; [`Game::play`] is the door for moves from outside.
    ///
    /// Told, not given back: a list that is carried along costs more than most moves.
    fn apply_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Self::Event));

    /// Makes a move that is known to be legal, whatever follows from it.
    fn apply(&mut self, mv: Move<Self>) {
        self.apply_telling(mv, &mut |_| ());
    }

    /// Checks a move, makes it, and tells what follows from it, in order; a refused move changes nothing.
    ///
    /// # Errors
    /// The rule that it breaks.
    #[inline]
    fn play_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Self::Event)) -> Result<(), Self::Rule> {
        match mv {
            Move::Action(action) => self.check_action(action)?,
            Move::Chance(chance) => self.check_chance(chance)?,
            Move::Leave(leave) => self.check_leave(leave)?,
        }
        self.apply_telling(mv, tell);
        Ok(())
    }

    /// Checks a move and makes it: what follows from it, in order. A refused move changes nothing.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn play(&mut self, mv: Move<Self>) -> Result<Events<Self::Event>, Self::Rule> {
        let mut events = Events::new();
        self.play_telling(mv, &mut |event| events.push(event))?;
        Ok(events)
    }

    /// Does every decision that is legal here end a list of decisions sent in one request, judged from
    /// what everyone may know? True where chance follows, or could, where something hidden is opened, and
    /// where the turn passes to another seat.
    fn ends_list(&self) -> bool;

    /// Who may read this move when it is made here, and until when.
    fn audience(&self, mv: &Move<Self>) -> Audience;

    /// What `viewer` is given of this move, made here, for as long as it is not open to him: the move itself where
    /// he may read it, else the same move with unknown in place of what is hidden.
    fn mask(&self, mv: Move<Self>, _: Viewer) -> Move<Self> {
        mv
    }

    /// Is something in this move unknown, that was known where it was made?
    fn is_masked(_: &Move<Self>) -> bool {
        false
    }

    /// This position with unknown in place of all that `viewer` may not know: what the moves that are masked for him
    /// lead to. `is_decided`: has the next decision been made, so that what it opens is open?
    fn masked(&self, _viewer: Viewer, _is_decided: bool) -> Self {
        self.clone()
    }

    /// Is something in this position unknown, that a seat knows?
    fn has_unknown(&self) -> bool {
        false
    }

    /// What `viewer` may know of this position.
    fn view(&self, viewer: Viewer) -> Self::View;

    /// One score a seat, as things stand.
    fn scores(&self) -> ArrayVec<i32, 4>;

    /// The ranking as things stand; none for an aborted game.
    fn ranking(&self) -> Option<Ranking>;
}

/// Who or what moves next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat must decide.
    Player(Seat),
    /// Something must be drawn.
    Chance,
    /// The game was played to its end.
    Over,
    /// The game was aborted: it has no ranking.
    Aborted,
}

/// A move of a game: a decision, something drawn, or somebody leaving the table.
#[derive(PartialEq, Eq, Debug)]
pub enum Move<G: Game> {
    /// A decision of the seat on turn.
    Action(G::Action),
    /// Something drawn.
    Chance(G::Chance),
    /// A seat leaves, or the game is aborted.
    Leave(Leave),
}

// Not derived: a move is copied whether or not its game can be.
impl<G: Game> Copy for Move<G> {}
impl<G: Game> Clone for Move<G> {
    fn clone(&self) -> Self {
        *self
    }
}

/// How a game or a seat's part in it ends before its time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// A seat gives up.
    Resign(Seat),
    /// A seat is claimed out because it did not move; the same effect.
    Timeout(Seat),
    /// The game ends for all, without a ranking.
    Abort,
}

/// Who may read a move when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// It is open.
    Everyone,
    /// Only this seat, until the next decision or the end of the game opens it.
    UntilNextDecision(Seat),
    /// Only this seat, until the end of the game opens it.
    UntilOver(Seat),
}

/// For whom a view is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// The player on a seat.
    Seat(Seat),
    /// Anybody else.
    Spectator,
    /// Who may see everything: anybody, once the game is over.
    Arbiter,
}

/// A rule that a move can break.
pub trait Rule: Copy + Eq + Debug + 'static {
    /// Every rule of the game.
    const ALL: &'static [Self];

    /// Stable identifier, such as `marrakech.rug.covers-whole-rug`.
    fn id(self) -> &'static str;

    /// The rule in a sentence.
    fn text(self) -> &'static str;
}
