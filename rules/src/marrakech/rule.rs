//! The rules that a move of Marrakech can break.

/// A rule that a move can break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The game is over.
    Over,
    /// Chance must be drawn first.
    ChanceDue,
    /// No chance is drawn here.
    NoChanceDue,
    /// A die is due, not a colour.
    DieDue,
    /// A colour is due, not a die.
    ColourDue,
    /// The pile holds no rug of that colour.
    ColourNotInPile,
    /// Assam must be turned now.
    OrientDue,
    /// A rug must be laid now.
    RugDue,
    /// Assam may not turn about.
    AboutTurn,
    /// The rug is not next to Assam.
    RugNotBesideAssam,
    /// The rug is on Assam's square.
    RugUnderAssam,
    /// The rug would cover a whole protected rug.
    CoversWholeRug,
    /// The table has no such seat.
    NoSuchSeat,
    /// The seat is already out.
    SeatOut,
}

impl crate::Rule for Rule {
    const ALL: &'static [Self] = &[
        Self::Over,
        Self::ChanceDue,
        Self::NoChanceDue,
        Self::DieDue,
        Self::ColourDue,
        Self::ColourNotInPile,
        Self::OrientDue,
        Self::RugDue,
        Self::AboutTurn,
        Self::RugNotBesideAssam,
        Self::RugUnderAssam,
        Self::CoversWholeRug,
        Self::NoSuchSeat,
        Self::SeatOut,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Over => "marrakech.game.over",
            Self::ChanceDue => "marrakech.turn.chance-due",
            Self::NoChanceDue => "marrakech.turn.no-chance-due",
            Self::DieDue => "marrakech.turn.die-due",
            Self::ColourDue => "marrakech.turn.colour-due",
            Self::ColourNotInPile => "marrakech.pile.colour-not-in-pile",
            Self::OrientDue => "marrakech.turn.orient-due",
            Self::RugDue => "marrakech.turn.rug-due",
            Self::AboutTurn => "marrakech.orient.about-turn",
            Self::RugNotBesideAssam => "marrakech.rug.not-beside-assam",
            Self::RugUnderAssam => "marrakech.rug.under-assam",
            Self::CoversWholeRug => "marrakech.rug.covers-whole-rug",
            Self::NoSuchSeat => "marrakech.seat.no-such-seat",
            Self::SeatOut => "marrakech.seat.out",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Over => "The game is over: no move follows.",
            Self::ChanceDue => "Chance comes first: a die or a colour must be drawn before anyone decides.",
            Self::NoChanceDue => "Nothing is drawn here: a seat must decide.",
            Self::DieDue => "The die is rolled here. No colour is turned up.",
            Self::ColourDue => "The top rug of the pile is turned up first, then the die is rolled.",
            Self::ColourNotInPile => "The player's pile holds no rug of this colour any more.",
            Self::OrientDue => "Assam must be turned now: N, E, S or W.",
            Self::RugDue => "A rug must be laid now, written as its two squares.",
            Self::AboutTurn => "Assam goes straight on or turns a quarter. He never turns about.",
            Self::RugNotBesideAssam => {
                "At least one half of a rug lies on a square that shares a side with Assam's square."
            }
            Self::RugUnderAssam => "A rug is never laid on the square where Assam stands.",
            Self::CoversWholeRug => {
                "A rug may not cover both halves of one protected rug in one go (see the option `cover`)."
            }
            Self::NoSuchSeat => "The table has no such seat.",
            Self::SeatOut => "This seat is already out of the game.",
        }
    }
}

impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(crate::Rule::text(*self))
    }
}

impl core::error::Error for Rule {}
