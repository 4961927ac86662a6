//! Cards, and the number of each in a pack.

use crate::letters::written_in_letters;

/// A suit, in the order in which cards are written and drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// `s`, the highest; beaten by clubs alone.
    Spades,
    /// `h`.
    Hearts,
    /// `d`.
    Diamonds,
    /// `c`, the lowest; beats spades.
    Clubs,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// Returns whether a card of this suit, led, wins against a reply of the other suit.
    ///
    /// The higher suit wins, spades over hearts over diamonds over clubs, but a club beats a spade; in one suit the
    /// reply wins.
    pub fn beats(self, reply: Self) -> bool {
        let is_club_and_spade =
            matches!((self, reply), (Self::Clubs, Self::Spades) | (Self::Spades, Self::Clubs));
        (self < reply) != is_club_and_spade
    }

    /// Returns its letter: `s`, `h`, `d` or `c`.
    pub const fn letter(self) -> char {
        match self {
            Self::Spades => 's',
            Self::Hearts => 'h',
            Self::Diamonds => 'd',
            Self::Clubs => 'c',
        }
    }

    /// Returns the suit with this letter; none for any other letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        // Matched, not searched for: every word of a record comes through here.
        match letter {
            's' => Some(Self::Spades),
            'h' => Some(Self::Hearts),
            'd' => Some(Self::Diamonds),
            'c' => Some(Self::Clubs),
            _ => None,
        }
    }
}

written_in_letters!(Suit: letter, "a suit, s, h, d or c");

/// The number on a card, in the order in which cards are written and drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rank {
    /// `6`.
    Six,
    /// `5`.
    Five,
    /// `4`.
    Four,
    /// `3`.
    Three,
    /// `2`.
    Two,
    /// `A`, number 1.
    Ace,
    /// `Q`, number 0: moves nothing.
    Queen,
}

impl Rank {
    /// All seven, in order.
    pub const ALL: [Self; 7] =
        [Self::Six, Self::Five, Self::Four, Self::Three, Self::Two, Self::Ace, Self::Queen];

    /// Returns the number that it is used for; none for a queen, whose number is 0.
    pub const fn number(self) -> Option<Digit> {
        Digit::new(6 - self as u8)
    }

    /// Returns its letter: `6`, `5`, `4`, `3`, `2`, `A` or `Q`.
    pub const fn letter(self) -> char {
        match self {
            Self::Six => '6',
            Self::Five => '5',
            Self::Four => '4',
            Self::Three => '3',
            Self::Two => '2',
            Self::Ace => 'A',
            Self::Queen => 'Q',
        }
    }

    /// Returns the rank with this letter; none for any other letter.
    pub const fn from_letter(letter: char) -> Option<Self> {
        // Matched, not searched for: every word of a record comes through here.
        match letter {
            '6' => Some(Self::Six),
            '5' => Some(Self::Five),
            '4' => Some(Self::Four),
            '3' => Some(Self::Three),
            '2' => Some(Self::Two),
            'A' => Some(Self::Ace),
            'Q' => Some(Self::Queen),
            _ => None,
        }
    }
}

written_in_letters!(Rank: letter, "the number of a card, 6 to 2, A or Q");

/// A number 1..=6: of a card that moves pieces, of a die, or of a point of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digit(u8);

impl Digit {
    /// Returns the digit of this value, 1..=6; none for any other value.
    pub const fn new(value: u8) -> Option<Self> {
        match value {
            1..=6 => Some(Self(value)),
            _ => None,
        }
    }

    /// Returns its value, 1..=6.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns its index, 0..=5, as arrays count.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Returns all six, from 1 to 6.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (1..=6).map(Self)
    }

    /// Returns its value as a digit.
    pub const fn letter(self) -> char {
        (b'0' + self.0) as char
    }

    /// Returns the number with this digit; none for any other letter.
    pub const fn from_letter(digit: char) -> Option<Self> {
        match digit {
            '1'..='6' => Some(Self(digit as u8 - b'0')),
            _ => None,
        }
    }
}

written_in_letters!(Digit: letter, "a number, 1 to 6");

/// The face of a card. Cards are ordered as they are written and drawn: s h d c, and in a suit 6 5 4 3 2 A Q.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(
    /// Eight values per suit, the last of which is no card, so that suit and rank are bits.
    u8,
);

impl Card {
    /// Returns the card of this suit and rank.
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self((suit as u8) << 3 | rank as u8)
    }

    /// Returns its suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 3 & 3) as usize]
    }

    /// Returns its rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 & 7) as usize % Rank::ALL.len()]
    }

    /// Returns the number that it is used for, 1..=6; none for a queen.
    pub const fn number(self) -> Option<Digit> {
        Digit::new(6_u8.saturating_sub(self.0 & 7))
    }

    /// Returns the number of cards of this face in a pack: one queen of each suit, two of each other face.
    pub const fn copies(self) -> u8 {
        match self.rank() {
            Rank::Queen => 1,
            Rank::Six | Rank::Five | Rank::Four | Rank::Three | Rank::Two | Rank::Ace => 2,
        }
    }

    /// Returns the letters of its number and its suit: `6` and `s`.
    #[inline]
    pub const fn letters(self) -> [char; 2] {
        [self.rank().letter(), self.suit().letter()]
    }

    /// Returns the card with the letters of this number and this suit; none for any others.
    #[inline]
    pub fn from_letters([rank, suit]: [char; 2]) -> Option<Self> {
        Some(Self::new(Suit::from_letter(suit)?, Rank::from_letter(rank)?))
    }

    /// Returns all faces, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.map(|rank| Self::new(suit, rank)))
    }

    /// Returns its place among 32, in order: 0..=6 for spades, 8..=14 for hearts, and so on.
    pub(super) const fn index(self) -> u8 {
        self.0
    }

    /// Returns the card at this place.
    pub(super) const fn at(index: u8) -> Self {
        Self(index)
    }
}

written_in_letters!(Card: letters, "a card, number and suit, such as 6s, Ah or Qc");
