//! Cards, and the number of each in a pack.

use crate::letters::written_in_letters;

/// A suit, in writing and drawing order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Suit {
    /// `s`, the highest. Only clubs beat it.
    Spades,
    /// `h`.
    Hearts,
    /// `d`.
    Diamonds,
    /// `c`, the lowest. It beats spades.
    Clubs,
}

impl Suit {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Diamonds, Self::Clubs];

    /// Returns whether a led card of this suit wins against a reply of the other suit.
    ///
    /// The higher suit wins (spades, hearts, diamonds, clubs), except that a club beats a spade. Within a
    /// suit, the reply wins.
    pub fn beats(self, reply: Self) -> bool {
        let is_club_and_spade =
            matches!((self, reply), (Self::Clubs, Self::Spades) | (Self::Spades, Self::Clubs));
        (self < reply) != is_club_and_spade
    }

    /// Returns the letter: `s`, `h`, `d` or `c`.
    pub const fn letter(self) -> char {
        match self {
            Self::Spades => 's',
            Self::Hearts => 'h',
            Self::Diamonds => 'd',
            Self::Clubs => 'c',
        }
    }

    /// Returns the suit with this letter, if any.
    pub const fn from_letter(letter: char) -> Option<Self> {
        // A match, not a search: every word of a record comes through here.
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

/// The number on a card, in writing and drawing order.
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
    /// `Q`, number 0. It moves nothing.
    Queen,
}

impl Rank {
    /// All seven, in order.
    pub const ALL: [Self; 7] =
        [Self::Six, Self::Five, Self::Four, Self::Three, Self::Two, Self::Ace, Self::Queen];

    /// Returns the number that the card is used for, or `None` for a queen, whose number is 0.
    pub const fn number(self) -> Option<Digit> {
        Digit::new(6 - self as u8)
    }

    /// Returns the letter: `6`, `5`, `4`, `3`, `2`, `A` or `Q`.
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

    /// Returns the rank with this letter, if any.
    pub const fn from_letter(letter: char) -> Option<Self> {
        // A match, not a search: every word of a record comes through here.
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

/// A number 1..=6: a card that moves pieces, a die, or a point of a board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Digit(u8);

impl Digit {
    /// Returns the digit with this value if it is 1..=6.
    pub const fn new(value: u8) -> Option<Self> {
        match value {
            1..=6 => Some(Self(value)),
            _ => None,
        }
    }

    /// Returns the value, 1..=6.
    pub const fn get(self) -> u8 {
        self.0
    }

    /// Returns the index into arrays, 0..=5.
    pub const fn index(self) -> usize {
        self.0 as usize - 1
    }

    /// Returns all six, from 1 to 6.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (1..=6).map(Self)
    }

    /// Returns the value as a character.
    pub const fn letter(self) -> char {
        (b'0' + self.0) as char
    }

    /// Returns the number with this character, if any.
    pub const fn from_letter(digit: char) -> Option<Self> {
        match digit {
            '1'..='6' => Some(Self(digit as u8 - b'0')),
            _ => None,
        }
    }
}

written_in_letters!(Digit: letter, "a number, 1 to 6");

/// The face of a card. Cards have their writing and drawing order: s h d c, and 6 5 4 3 2 A Q within a suit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Card(
    /// Eight values per suit, so that suit and rank are bits. The last value is no card.
    u8,
);

impl Card {
    /// Returns the card of this suit and rank.
    pub const fn new(suit: Suit, rank: Rank) -> Self {
        Self((suit as u8) << 3 | rank as u8)
    }

    /// Returns the suit.
    pub const fn suit(self) -> Suit {
        Suit::ALL[(self.0 >> 3 & 3) as usize]
    }

    /// Returns the rank.
    pub const fn rank(self) -> Rank {
        Rank::ALL[(self.0 & 7) as usize % Rank::ALL.len()]
    }

    /// Returns the number that the card is used for, 1..=6, or `None` for a queen.
    pub const fn number(self) -> Option<Digit> {
        Digit::new(6_u8.saturating_sub(self.0 & 7))
    }

    /// Returns the number of copies in a pack: one for queens, two for other faces.
    pub const fn copies(self) -> u8 {
        match self.rank() {
            Rank::Queen => 1,
            Rank::Six | Rank::Five | Rank::Four | Rank::Three | Rank::Two | Rank::Ace => 2,
        }
    }

    /// Returns the letters of the number and the suit, such as `6` and `s`.
    #[inline]
    pub const fn letters(self) -> [char; 2] {
        [self.rank().letter(), self.suit().letter()]
    }

    /// Returns the card with these letters of number and suit, if any.
    #[inline]
    pub fn from_letters([rank, suit]: [char; 2]) -> Option<Self> {
        Some(Self::new(Suit::from_letter(suit)?, Rank::from_letter(rank)?))
    }

    /// Returns all faces, in order.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        Suit::ALL.into_iter().flat_map(|suit| Rank::ALL.map(|rank| Self::new(suit, rank)))
    }

    /// Returns the place among 32, in order: 0..=6 for spades, 8..=14 for hearts, and so on.
    pub(super) const fn index(self) -> u8 {
        self.0
    }

    /// Returns the card at this place.
    pub(super) const fn at(index: u8) -> Self {
        Self(index)
    }
}

written_in_letters!(Card: letters, "a card, number and suit, such as 6s, Ah or Qc");
