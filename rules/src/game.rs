//! The interface of every game: a position that takes moves.

use core::fmt::Debug;
use core::ops::Deref;

use arrayvec::ArrayVec;

use crate::{Ranking, Seat};

/// A game, implemented by its position.
///
/// Decisions ([`Game::Action`]) and what is drawn ([`Game::Chance`]) are different types, so a client cannot submit a
/// die: the compiler refuses it.
///
/// The methods come in three groups. *Hooks* are what a game must implement. *Hooks for hidden information* have
/// defaults that fit a game in which everything is open. *Final methods* are written once, in terms of the hooks; no
/// game overrides them.
pub trait Game: Clone + Eq + Debug {
    /// The seats and the options: everything a replay depends on.
    type Setup: Clone + Eq + Debug;
    /// A decision of a seat.
    type Action: Copy + Eq + Debug;
    /// Something drawn.
    type Chance: Copy + Eq + Debug;
    /// A consequence of a move that is reported with it, such as a payment.
    type Event: Clone + Eq + Debug;
    /// The rules that a move can break.
    type Rule: Rule;
    /// A list with room for the legal decisions of any position.
    type Actions: Bounded<Self::Action>;
    /// A list with room for everything that one decision can draw, which is 8 things at most.
    type Drawn: Bounded<Self::Chance>;
    /// A list with room for the distinct outcomes of one act of chance, each with its weight.
    type Outcomes: Bounded<(Self::Chance, u32)>;

    /// Whether anything is hidden from anyone while a game goes on.
    const HAS_SECRETS: bool;

    // ---- Hooks ---------------------------------------------------------------------------------

    /// Returns the position before the first ply.
    fn new(setup: &Self::Setup) -> Self;

    /// Returns the setup of this game.
    fn setup(&self) -> &Self::Setup;

    /// Returns who or what moves next.
    fn turn(&self) -> Turn;

    /// Lists every legal decision of the seat to move, in a fixed order; empty where no seat is to move.
    fn legal_actions(&self) -> Self::Actions;

    /// Checks a decision, without listing the legal ones.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_action(&self, action: Self::Action) -> Result<(), Self::Rule>;

    /// Checks whether something could be drawn here.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_chance(&self, chance: Self::Chance) -> Result<(), Self::Rule>;

    /// Checks whether a seat may leave, or the game be aborted, now. Seats leave between two words, on turn or not.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn check_leave(&self, leave: Leave) -> Result<(), Self::Rule>;

    /// Draws one act of chance, such as a roll or a deal, and returns its outcomes in order; none where a seat must
    /// decide or the game is over.
    ///
    /// `draw(r)` must return a number below `r`, each equally likely; `r` is never 0. The order of the `r` things is
    /// part of the rule set version and never changes.
    fn draw_chance(&self, draw: &mut dyn FnMut(u64) -> u64) -> Self::Drawn;

    /// Returns from what [`Game::draw_chance`] draws here: open where everyone knows all that it depends on. Unless a game
    /// says otherwise, everything that is drawn is.
    fn pool(&self) -> Pool {
        Pool::Open
    }

    /// Returns an upper bound of the words that a game with this setup can have, those of leaving included: no ply has a
    /// greater number. It is part of the rule set version and never changes: the keys of a game's chance hang on it.
    fn most_plies(setup: &Self::Setup) -> u32;

    /// Lists the distinct things that can be drawn here, each with its weight (faces of the die, cards in the deck), in
    /// the order in which they are drawn from; empty where nothing is drawn, or where they are too many to list.
    fn outcomes(&self) -> Self::Outcomes;

    /// Makes a move that is known to be legal, and passes its consequences to `tell`, in order. An illegal move leaves
    /// a position without meaning, but never panics; moves from outside go through [`Game::play`].
    ///
    /// Consequences go to a callback because carrying a list along costs more than most moves.
    fn apply_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Self::Event));

    /// Returns one score per seat, as things stand.
    fn scores(&self) -> ArrayVec<i32, { Seat::MAX as usize }>;

    /// Returns the ranking as things stand; none for an aborted game.
    fn ranking(&self) -> Option<Ranking>;

    // ---- Hooks for hidden information ----------------------------------------------------------

    /// Returns who may read this move when it is made here, and until when.
    fn audience(&self, _mv: &Move<Self>) -> Audience {
        Audience::Everyone
    }

    /// Returns this decision, made here, as those read it who may not: with unknown in place of what is hidden.
    fn hidden_action(&self, action: Self::Action) -> Self::Action {
        action
    }

    /// Returns what is drawn here as those read it who may not: with unknown in place of what is hidden.
    fn hidden_chance(&self, chance: Self::Chance) -> Self::Chance {
        chance
    }

    /// Returns whether anything in this move is unknown that was known where it was made.
    fn is_masked(_mv: &Move<Self>) -> bool {
        false
    }

    /// Returns this position, as the opening of a record, with unknown in place of what is hidden from `viewer`.
    /// `is_decided` says that the next decision has been made, so that what it opens is open.
    fn masked(&self, _viewer: Viewer, _is_decided: bool) -> Self {
        self.clone()
    }

    /// Returns whether anything in this position is unknown that some seat knows.
    fn has_unknown(&self) -> bool {
        false
    }

    /// Returns from what a player draws who decides by chance here: open where everyone may know what is legal, as
    /// [`Game::legal_actions_for`] says.
    fn choice_pool(&self) -> Pool {
        if Self::HAS_SECRETS { Pool::Hidden } else { Pool::Open }
    }

    /// Lists the legal decisions that `viewer` may know: none where they depend on something hidden from them.
    ///
    /// In a game that is played, call it on a position in which everything is known: a seat that must reply to a hidden card may know
    /// its replies. Unless a game says otherwise, what is legal where anything is hidden is known to the seat on turn only.
    fn legal_actions_for(&self, viewer: Viewer) -> Option<Self::Actions> {
        let is_told = match viewer {
            Viewer::Arbiter => true,
            Viewer::Seat(seat) => !Self::HAS_SECRETS || self.turn() == Turn::Player(seat),
            Viewer::Spectator => !Self::HAS_SECRETS,
        };
        is_told.then(|| self.legal_actions())
    }

    /// Returns the decision of the seat to move where it has no other, and everyone can tell that; none where it has a
    /// choice, and where only some know that it has none.
    ///
    /// Call it on a position in which everything is known. Whether there is one must follow from what everyone knows.
    /// Unless a game says otherwise, it does where everyone knows what is legal.
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

    /// Makes a move that is known to be legal.
    fn apply(&mut self, mv: Move<Self>) {
        self.apply_telling(mv, &mut |_| ());
    }

    /// Checks a move, makes it, and passes its consequences to `tell`, in order; a refused move changes nothing.
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

    /// Checks a move and makes it; a refused move changes nothing.
    ///
    /// # Errors
    /// The rule that it breaks.
    fn play(&mut self, mv: Move<Self>) -> Result<(), Self::Rule> {
        self.play_telling(mv, &mut |_| ())
    }
}

/// A list whose capacity each game chooses for itself, so that nothing is allocated and no other game's limit applies.
pub trait Bounded<T>: Deref<Target = [T]> + IntoIterator<Item = T> + Default + Clone + Eq + Debug {
    /// Appends a thing; returns false, and adds nothing, where the list is full.
    fn add(&mut self, thing: T) -> bool;
}

impl<T: Clone + Eq + Debug, const N: usize> Bounded<T> for ArrayVec<T, N> {
    #[inline]
    fn add(&mut self, thing: T) -> bool {
        self.try_push(thing).is_ok()
    }
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

impl Turn {
    /// Returns the seat that must decide.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Player(seat) => Some(seat),
            Self::Chance | Self::Over | Self::Aborted => None,
        }
    }

    /// Returns whether the game has ended, played out or aborted.
    pub const fn is_end(self) -> bool {
        match self {
            Self::Over | Self::Aborted => true,
            Self::Player(_) | Self::Chance => false,
        }
    }
}

/// A move of a game: a decision, something drawn, or someone leaving the table.
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

/// How a game, or a seat's part in it, ends early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leave {
    /// A seat gives up.
    Resign(Seat),
    /// A seat is claimed out because it did not move; the effect is the same.
    Timeout(Seat),
    /// The game ends for everyone, without a ranking.
    Abort,
}

impl Leave {
    /// Returns the seat that leaves; none where the game is aborted.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Self::Resign(seat) | Self::Timeout(seat) => Some(seat),
            Self::Abort => None,
        }
    }
}

/// Who may read a move when it is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Audience {
    /// It is open.
    Everyone,
    /// Only this seat, until the next decision of a seat on turn or the end of the game opens it. A seat that leaves opens
    /// nothing while the game goes on.
    UntilNextDecision(Seat),
    /// Only this seat, until the end of the game opens it.
    UntilOver(Seat),
}

/// What something is drawn from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pool {
    /// From what everyone knows: anyone who knows how it is drawn can draw it again, and learns nothing else.
    Open,
    /// From something that is hidden from someone. The place of a card in the deck would tell who has which.
    Hidden,
}

/// A viewer of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Viewer {
    /// The player on a seat.
    Seat(Seat),
    /// Anyone else.
    Spectator,
    /// Someone who may see everything: anyone, once the game is over.
    Arbiter,
}

/// A rule that a move can break.
pub trait Rule: Copy + Eq + Debug + 'static {
    /// Every rule of the game.
    const ALL: &'static [Self];

    /// Returns its stable identifier, such as `marrakech.rug.covers-whole-rug`.
    fn id(self) -> &'static str;

    /// Returns the rule in a sentence.
    fn text(self) -> &'static str;
}
