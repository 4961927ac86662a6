//! The interface that every game implements: a position that takes moves.

use core::fmt::Debug;
use core::ops::Deref;

use arrayvec::ArrayVec;

use crate::{Ranking, Seat};

/// A game, implemented by its position.
///
/// Decisions ([`Game::Action`]) and chance outcomes ([`Game::Chance`]) are different types. A player's
/// decision can therefore never contain a die roll: it would not compile.
///
/// The methods come in three groups:
///
/// * *Hooks*: every game implements them.
/// * *Hooks for hidden information*: the defaults fit a game in which everything is open.
/// * *Final methods*: they build on the hooks, and no game overrides them.
pub trait Game: Clone + Eq + Debug {
    /// The seats and options of a game. A replay depends on nothing else.
    type Setup: Clone + Eq + Debug;
    /// A decision of a seat.
    type Action: Copy + Eq + Debug;
    /// A chance outcome, such as a die roll or a dealt hand.
    type Chance: Copy + Eq + Debug;
    /// A consequence that is reported with a move, such as a payment.
    type Event: Clone + Eq + Debug;
    /// The rules that a move can break.
    type Rule: Rule;
    /// A list with room for the legal decisions of any position.
    type Actions: Bounded<Self::Action>;
    /// A list with room for everything that one decision can draw, at most 8 outcomes.
    type Drawn: Bounded<Self::Chance>;
    /// A list with room for the distinct outcomes of one draw, each with its weight.
    type Outcomes: Bounded<(Self::Chance, u32)>;

    /// Whether the game hides anything from anyone while it is played.
    const HAS_SECRETS: bool;

    // ---- Hooks ---------------------------------------------------------------------------------

    /// Returns the position before the first ply.
    fn new(setup: &Self::Setup) -> Self;

    /// Returns the setup of this game.
    fn setup(&self) -> &Self::Setup;

    /// Returns the next mover.
    fn turn(&self) -> Turn;

    /// Lists every legal decision of the seat to move, in a fixed order. The list is empty if no seat is to
    /// move.
    fn legal_actions(&self) -> Self::Actions;

    /// Checks a decision without listing the legal ones.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_action(&self, action: Self::Action) -> Result<(), Self::Rule>;

    /// Checks whether an outcome can be drawn here.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_chance(&self, chance: Self::Chance) -> Result<(), Self::Rule>;

    /// Checks whether a seat may leave now, or the game be aborted. Seats leave between two words, on turn or
    /// not.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_leave(&self, leave: Leave) -> Result<(), Self::Rule>;

    /// Draws once, such as a roll or a deal, and returns the outcomes in order. The list is empty if a seat
    /// must decide or the game is over.
    ///
    /// `draw(r)` must return a number below `r`, with equal probability. `r` is never 0. The order of the `r`
    /// alternatives is part of the rule set version and never changes.
    fn draw_chance(&self, draw: &mut dyn FnMut(u64) -> u64) -> Self::Drawn;

    /// Returns the pool that [`Game::draw_chance`] draws from here. By default, every pool is open.
    fn pool(&self) -> Pool {
        Pool::Open
    }

    /// Returns an upper bound on the words of a game with this setup, including words for leaving. No ply has
    /// a greater number.
    ///
    /// The bound is part of the rule set version and never changes, because the keys of a game's chance
    /// depend on it.
    fn most_plies(setup: &Self::Setup) -> u32;

    /// Lists the distinct outcomes that can be drawn here, in drawing order, each with its weight: faces of
    /// the die, or cards in the deck. The list is empty if nothing is drawn or there are too many outcomes to
    /// list.
    fn outcomes(&self) -> Self::Outcomes;

    /// Makes a legal move and passes its consequences to `tell`, in order. An illegal move leaves a
    /// meaningless position, but never panics. Use [`Game::play`] for moves from outside.
    ///
    /// Consequences go to a callback because carrying a list costs more than most moves.
    fn apply_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Self::Event));

    /// Returns the current score of each seat.
    fn scores(&self) -> ArrayVec<i32, { Seat::MAX as usize }>;

    /// Returns the current ranking, or `None` if the game was aborted.
    fn ranking(&self) -> Option<Ranking>;

    // ---- Hooks for hidden information ----------------------------------------------------------

    /// Returns the viewers who may read this move when it is made here.
    fn audience(&self, _mv: &Move<Self>) -> Audience {
        Audience::Everyone
    }

    /// Returns this decision, made here, as other viewers see it: hidden parts become unknown.
    fn hidden_action(&self, action: Self::Action) -> Self::Action {
        action
    }

    /// Returns this outcome, drawn here, as other viewers see it: hidden parts become unknown.
    fn hidden_chance(&self, chance: Self::Chance) -> Self::Chance {
        chance
    }

    /// Returns whether something in this move is unknown that was known when it was made.
    fn is_masked(_mv: &Move<Self>) -> bool {
        false
    }

    /// Returns this position as the opening of a record for `viewer`: hidden parts become unknown.
    /// `is_decided` states that the next decision has been made, so everything that it opens is open.
    fn masked(&self, _viewer: Viewer, _is_decided: bool) -> Self {
        self.clone()
    }

    /// Returns what a seat may know of this position and use for a decision: hidden parts become unknown.
    fn seen_by(&self, seat: Seat) -> Self {
        self.masked(Viewer::Seat(seat), false)
    }

    /// Lists the decisions that a seat on turn may choose from, as far as it can see. Returns `None` if it is not
    /// on turn, or if something is unknown that it knows, such as its hand.
    ///
    /// Unlike [`Game::legal_actions_for`], it needs nothing that is hidden from the seat.
    fn choices_of(&self, seat: Seat) -> Option<Self::Actions> {
        if self.turn() == Turn::Player(seat) { self.legal_actions_for(Viewer::Seat(seat)) } else { None }
    }

    /// Returns whether something in this position is unknown that some seat knows.
    fn has_unknown(&self) -> bool {
        false
    }

    /// Returns the pool for a player who decides at random here. It is open if everyone may know what is
    /// legal, as in [`Game::legal_actions_for`].
    fn choice_pool(&self) -> Pool {
        if Self::HAS_SECRETS { Pool::Hidden } else { Pool::Open }
    }

    /// Lists the legal decisions if `viewer` may know them, or returns `None` if they depend on hidden
    /// information.
    ///
    /// During a game, call it on a position in which everything is known. A seat that must reply to a hidden
    /// card may know its replies. By default, only the seat on turn knows what is legal in a game with
    /// secrets.
    fn legal_actions_for(&self, viewer: Viewer) -> Option<Self::Actions> {
        let is_told = match viewer {
            Viewer::Arbiter => true,
            Viewer::Seat(seat) => !Self::HAS_SECRETS || self.turn() == Turn::Player(seat),
            Viewer::Spectator => !Self::HAS_SECRETS,
        };
        is_told.then(|| self.legal_actions())
    }

    /// Returns the only legal decision of the seat to move if everyone can see that there is no other.
    /// Returns `None` if the seat has a choice, or if only some viewers know that it has none.
    ///
    /// Call it on a position in which everything is known. The answer must depend only on public information.
    /// By default, there is one if everyone knows what is legal.
    fn forced_action(&self) -> Option<Self::Action> {
        let mut actions = self.legal_actions_for(Viewer::Spectator)?.into_iter();
        let only = actions.next()?;
        actions.next().is_none().then_some(only)
    }

    // ---- Final methods -------------------------------------------------------------------------

    /// Returns this move, made here, as `viewer` may read it until it is opened to everyone.
    fn mask(&self, mv: Move<Self>, viewer: Viewer) -> Move<Self> {
        match (self.audience(&mv), viewer) {
            (Audience::Everyone, _) | (_, Viewer::Arbiter) => mv,
            (Audience::UntilNextDecision(seat) | Audience::UntilOver(seat), Viewer::Seat(own))
                if seat == own =>
            {
                mv
            }
            (
                Audience::UntilNextDecision(_) | Audience::UntilOver(_),
                Viewer::Seat(_) | Viewer::Spectator,
            ) => match mv {
                Move::Action(action) => Move::Action(self.hidden_action(action)),
                Move::Chance(chance) => Move::Chance(self.hidden_chance(chance)),
                Move::Leave(_) => mv,
            },
        }
    }

    /// Makes a legal move.
    fn apply(&mut self, mv: Move<Self>) {
        self.apply_telling(mv, &mut |_| ());
    }

    /// Checks a move, makes it and passes its consequences to `tell`, in order. A refused move changes
    /// nothing.
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

    /// Checks a move and makes it. A refused move changes nothing.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn play(&mut self, mv: Move<Self>) -> Result<(), Self::Rule> {
        self.play_telling(mv, &mut |_| ())
    }
}

/// A list with a capacity that each game chooses. It never allocates, and no game is bound by another's
/// limit.
pub trait Bounded<T>: Deref<Target = [T]> + IntoIterator<Item = T> + Default + Clone + Eq + Debug {
    /// Appends an item. Returns false and adds nothing if the list is full.
    fn add(&mut self, thing: T) -> bool;
}

impl<T: Clone + Eq + Debug, const N: usize> Bounded<T> for ArrayVec<T, N> {
    #[inline]
    fn add(&mut self, thing: T) -> bool {
        self.try_push(thing).is_ok()
    }
}

/// The next mover: a seat, chance, or none because the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This seat must decide.
    Player(Seat),
    /// Chance must be drawn.
    Chance,
    /// The game was played to its end.
    Over,
    /// The game was aborted. It has no ranking.
    Aborted,
}

impl Turn {
    /// Returns the seat that must decide.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Player(seat) => Some(seat),
            Self::Chance | Self::Over | Self::Aborted => None,
        }
    }

    /// Returns whether the game has ended, either played out or aborted.
    pub const fn is_end(self) -> bool {
        match self {
            Self::Over | Self::Aborted => true,
            Self::Player(_) | Self::Chance => false,
        }
    }
}

/// A move of a game: a decision, a chance outcome, or a seat that leaves.
#[derive(PartialEq, Eq, Debug)]
pub enum Move<G: Game> {
    /// A decision of the seat on turn.
    Action(G::Action),
    /// A chance outcome.
    Chance(G::Chance),
    /// A seat leaves, or the game is aborted.
    Leave(Leave),
}

// Not derived: a move is `Copy` even if its game is not.
impl<G: Game> Copy for Move<G> {}
impl<G: Game> Clone for Move<G> {
    fn clone(&self) -> Self {
        *self
    }
}

/// An early end of a game, or of a seat's part in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// A seat resigns.
    Resign(Seat),
    /// A seat is claimed out because it did not move. The effect is that of a resignation.
    Timeout(Seat),
    /// The game ends for everyone without a ranking.
    Abort,
}

impl Leave {
    /// Returns the seat that leaves, or `None` if the game is aborted.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Resign(seat) | Self::Timeout(seat) => Some(seat),
            Self::Abort => None,
        }
    }
}

/// The viewers who may read a move when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// Every viewer.
    Everyone,
    /// Only this seat, until the next decision of a seat on turn or the end of the game. A seat that leaves
    /// opens nothing while the game continues.
    UntilNextDecision(Seat),
    /// Only this seat, until the end of the game.
    UntilOver(Seat),
}

/// The pool that chance is drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pool {
    /// Public knowledge. Anyone who knows the method can repeat the draw, and learns nothing else.
    Open,
    /// Something that is hidden from someone. A card's place in the deck would reveal who holds which cards.
    Hidden,
}

/// A viewer of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// The player on a seat.
    Seat(Seat),
    /// A viewer without a seat.
    Spectator,
    /// A viewer who may see everything, as anyone may once the game is over.
    Arbiter,
}

/// A rule that a move can break.
pub trait Rule: Copy + Eq + Debug + 'static {
    /// Every rule of the game.
    const ALL: &'static [Self];

    /// Returns the stable identifier, such as `marrakech.rug.covers-whole-rug`.
    fn id(self) -> &'static str;

    /// Returns the rule as a sentence.
    fn text(self) -> &'static str;
}
