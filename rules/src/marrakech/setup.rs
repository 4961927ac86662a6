//! The seats and options of a game of Marrakech.

use super::{ByColour, Colour, Direction};
use crate::Seat;

/// The moment when Assam is turned.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Orientation {
    /// Before the roll, as in the rulebooks.
    #[default]
    Start,
    /// At the end of a turn. The first turn begins with a roll.
    End,
}

/// The wiring of the turn-arounds at the border, named after the corners that loop back to themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Track {
    /// Loops at g7 and a1 (the Gigamic board).
    #[default]
    NeSw,
    /// Loops at a7 and g1.
    NwSe,
}

/// The squares that form the field a payment counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Region {
    /// Connected squares of one colour.
    #[default]
    Colour,
    /// Connected squares of both colours of the rug's owner.
    Owner,
}

/// The fate of a player who cannot pay.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Insolvency {
    /// A player who owes more than they have is out.
    #[default]
    Eliminate,
    /// A player left with 0 after a payment is out, too.
    EliminateAtZero,
    /// No player is out. They pay what they have and lay their rug.
    PayWhatYouCan,
}

/// The protection of the rugs of a player who is out. No payment is due on them in either case.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BankruptRugs {
    /// They stay protected.
    #[default]
    Inert,
    /// Anyone may cover a whole one at once, regardless of [`Cover`].
    Open,
}

/// The whole rugs that may not be covered at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Cover {
    /// Opponents' rugs.
    #[default]
    Opponents,
    /// All rugs, including the player's.
    Any,
}

/// The tie-break between equal scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TieBreak {
    /// More dirhams.
    #[default]
    Dirhams,
    /// More visible halves.
    Rugs,
    /// None: the place is shared.
    None,
}

/// The rugs of two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TwoPlayer {
    /// Two colours each, shuffled into one pile.
    #[default]
    TwoColours,
    /// One colour each.
    OneColour,
}

/// The requested options. Defaults are those of the rule set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// See [`BankruptRugs`].
    pub bankrupt_rugs: BankruptRugs,
    /// See [`Cover`].
    pub cover: Cover,
    /// See [`Insolvency`].
    pub insolvency: Insolvency,
    /// Whether the game ends when only one player is left.
    pub last_standing: bool,
    /// See [`Orientation`].
    pub orientation: Orientation,
    /// See [`Region`].
    pub region: Region,
    /// Rugs per player, 1..=60. `None` means [`Setup::default_rugs_per_player`].
    pub rugs_per_player: Option<u8>,
    /// Dirhams per player at the start, 0..=999.
    pub start_dirhams: u16,
    /// The direction Assam faces at the start.
    pub start_facing: Direction,
    /// See [`TieBreak`].
    pub tie_break: TieBreak,
    /// See [`Track`].
    pub track: Track,
    /// See [`TwoPlayer`]. `None` means two colours with 2 seats, and is required with 3 or 4.
    pub two_player: Option<TwoPlayer>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            bankrupt_rugs: BankruptRugs::default(),
            cover: Cover::default(),
            insolvency: Insolvency::default(),
            last_standing: true,
            orientation: Orientation::default(),
            region: Region::default(),
            rugs_per_player: None,
            start_dirhams: 30,
            start_facing: Direction::North,
            tie_break: TieBreak::default(),
            track: Track::default(),
            two_player: None,
        }
    }
}

/// Seats and options that fit together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    seats: u8,
    /// `rugs_per_player` is always set, `two_player` only with two seats.
    options: Options,
}

/// The reason a setup is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// Not 2, 3 or 4 seats.
    Seats,
    /// `rugs_per_player` is not 1..=60.
    RugsPerPlayer,
    /// `rugs_per_player` is odd, but each player has two colours.
    OddRugs,
    /// `start_dirhams` is above 999.
    StartDirhams,
    /// `two_player` is given with 3 or 4 seats.
    TwoPlayer,
}

impl core::fmt::Display for SetupError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Seats => "a game has 2, 3 or 4 seats",
            Self::RugsPerPlayer => "rugs_per_player is 1 to 60",
            Self::OddRugs => "rugs_per_player must be even with two colours, half of each",
            Self::StartDirhams => "start_dirhams is 0 to 999",
            Self::TwoPlayer => "two_player is for 2 seats only",
        })
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// The most rugs that a player can be given.
    pub const MAX_RUGS: u8 = 60;
    /// The most dirhams that a player can start with.
    pub const MAX_DIRHAMS: u16 = 999;

    /// Returns a table of `seats` with these options.
    ///
    /// # Errors
    /// The reason the seats and options are refused.
    pub fn new(seats: u8, options: &Options) -> Result<Self, SetupError> {
        let mut options = *options;
        match (seats, options.two_player) {
            (2, form) => options.two_player = Some(form.unwrap_or_default()),
            (3 | 4, None) => {}
            (3 | 4, Some(_)) => return Err(SetupError::TwoPlayer),
            (_, _) => return Err(SetupError::Seats),
        }
        let setup = Self { seats, options };
        let rugs = options.rugs_per_player.unwrap_or(setup.default_rugs_per_player());
        if !(1..=Self::MAX_RUGS).contains(&rugs) {
            return Err(SetupError::RugsPerPlayer);
        }
        if setup.has_two_colours() && !rugs.is_multiple_of(2) {
            return Err(SetupError::OddRugs);
        }
        if options.start_dirhams > Self::MAX_DIRHAMS {
            return Err(SetupError::StartDirhams);
        }
        options.rugs_per_player = Some(rugs);
        Ok(Self { seats, options })
    }

    /// Returns the number of seats: 2, 3 or 4.
    pub const fn seats(&self) -> u8 {
        self.seats
    }

    /// Returns the options. `rugs_per_player` is always set, `two_player` only with two seats.
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns whether each player has two colours in one shuffled pile.
    pub fn has_two_colours(&self) -> bool {
        self.options.two_player == Some(TwoPlayer::TwoColours)
    }

    /// Returns the rugs per player, both colours together.
    pub fn rugs_per_player(&self) -> u8 {
        self.options.rugs_per_player.unwrap_or(self.default_rugs_per_player())
    }

    /// Returns the default of `rugs_per_player`: 12 with 4 seats, 24 with two colours each, otherwise 15.
    ///
    /// > A 2 ou 3 joueurs, chacun recoit 15 tapis d'une meme couleur. A 4 joueurs chacun recoit 12 tapis.
    ///
    /// > A deux joueurs: 24 tapis de 2 couleurs differentes.
    pub fn default_rugs_per_player(&self) -> u8 {
        match self.seats {
            4 => 12,
            _ if self.has_two_colours() => 24,
            _ => 15,
        }
    }

    /// Returns the colours that a seat lays.
    pub fn colours(&self, seat: Seat) -> &'static [Colour] {
        const ONE: [[Colour; 1]; 4] = [[Colour::Red], [Colour::Blue], [Colour::Yellow], [Colour::Green]];
        const TWO: [[Colour; 2]; 2] = [[Colour::Red, Colour::Yellow], [Colour::Blue, Colour::Green]];
        if self.has_two_colours() { &TWO[seat.index() % 2] } else { &ONE[seat.index()] }
    }

    /// Returns the seat that lays a colour, or `None` if no seat does.
    pub fn owner(&self, colour: Colour) -> Option<Seat> {
        const ONE: ByColour<u8> = ByColour([1, 3, 2, 4]);
        const TWO: ByColour<u8> = ByColour([1, 1, 2, 2]);
        let number = if self.has_two_colours() { TWO[colour] } else { ONE[colour] };
        Seat::new(number).filter(|seat| seat.number() <= self.seats)
    }
}
