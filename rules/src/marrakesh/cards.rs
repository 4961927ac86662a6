//! Cards of one pack, counted by face, and hands.

use super::Card;

/// Cards of one pack, without an order. It never has more of a face than a pack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards(
    /// Two bits per face, the first face lowest. The eighth place of each suit stays empty.
    u64,
);

impl Cards {
    /// The number of cards in a pack.
    pub const PACK: u8 = 52;
    /// The number of cards in a dealt hand.
    pub const HAND: u8 = 6;

    /// Two cards of each face, one queen of each suit.
    const FULL: Self = Self(0x1AAA_1AAA_1AAA_1AAA);
    /// One card of each face.
    const FACES: u64 = 0x1555_1555_1555_1555;
    /// The second card of each face, queens included.
    const HIGH: u64 = Self::FACES << 1;
    const QUEENS: u64 = 0x1000_1000_1000_1000;

    /// Returns no cards.
    pub const fn new() -> Self {
        Self(0)
    }

    /// Returns the number of cards of this face, 0..=2.
    pub const fn count(self, card: Card) -> u8 {
        (self.0 >> (2 * card.index()) & 3) as u8
    }

    /// Returns the number of cards, 0..=52.
    pub const fn len(self) -> u8 {
        ((self.0 & Self::FACES).count_ones() + 2 * (self.0 & Self::HIGH).count_ones()) as u8
    }

    /// Returns whether there are no cards.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a card.
    ///
    /// # Errors
    /// All copies of this face are already there. Nothing is added then.
    pub const fn insert(&mut self, card: Card) -> Result<(), NoSuchCard> {
        if self.count(card) >= card.copies() {
            return Err(NoSuchCard(card));
        }
        self.0 += 1 << (2 * card.index());
        Ok(())
    }

    /// Removes a card. Returns false if there is none of this face.
    pub const fn remove(&mut self, card: Card) -> bool {
        let is_there = self.count(card) > 0;
        if is_there {
            self.0 -= 1 << (2 * card.index());
        }
        is_there
    }

    /// Returns both together, or `None` if a pack has fewer of some face.
    pub fn union(self, other: Self) -> Option<Self> {
        // A face has 0, 1 or 2 in each, so a sum carries into the next face only if it is 4.
        let carries = self.0 & other.0 & Self::HIGH;
        let sum = Self(self.0.wrapping_add(other.0));
        (carries == 0 && sum.fits()).then_some(sum)
    }

    /// Returns both together, which must fit into one pack.
    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// Returns these cards plus this one, which must fit into one pack.
    pub(super) const fn and_card(self, card: Card) -> Self {
        self.and(Self(1 << (2 * card.index())))
    }

    /// Returns the rest of the pack.
    pub const fn rest(self) -> Self {
        Self(Self::FULL.0.wrapping_sub(self.0))
    }

    /// Returns each face that has a card, once, in order.
    pub fn faces(self) -> impl Iterator<Item = Card> + Clone {
        let mut left = (self.0 | self.0 >> 1) & Self::FACES;
        core::iter::from_fn(move || {
            let bit = left.trailing_zeros();
            left &= left.wrapping_sub(1);
            (bit < u64::BITS).then(|| Card::at((bit / 2) as u8))
        })
    }

    /// Returns every card in order, duplicates adjacent.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        self.faces().flat_map(move |card| core::iter::repeat_n(card, self.count(card).into()))
    }

    /// Returns the card at this place of the sorted cards, from 0, duplicates adjacent.
    pub fn nth(self, mut place: u64) -> Option<Card> {
        self.faces().find(|&card| {
            let here = u64::from(self.count(card));
            let is_it = place < here;
            place = place.saturating_sub(here);
            is_it
        })
    }

    /// Returns whether a pack has these cards: no face three times, no queen twice.
    const fn fits(self) -> bool {
        let thrice = self.0 & self.0 << 1 & Self::HIGH;
        thrice | self.0 & (Self::QUEENS << 1) == 0
    }
}

impl core::fmt::Debug for Cards {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A pack has no further card of this face.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NoSuchCard(pub Card);

impl core::fmt::Display for NoSuchCard {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("a pack has one queen of each suit and two cards of each other face")
    }
}

impl core::error::Error for NoSuchCard {}

/// A player's cards, or only their number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hand {
    /// These cards.
    Known(Cards),
    /// This many unknown cards, 0..=6.
    Unknown(u8),
}

impl Hand {
    /// No cards. An empty hand hides nothing, so it always counts as known.
    pub const EMPTY: Self = Self::Known(Cards::new());

    /// Returns the number of cards, 0..=6.
    pub const fn len(self) -> u8 {
        match self {
            Self::Known(cards) => cards.len(),
            Self::Unknown(number) => number,
        }
    }

    /// Returns whether there are no cards.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Returns the known cards.
    pub const fn known(self) -> Cards {
        match self {
            Self::Known(cards) => cards,
            Self::Unknown(_) => Cards::new(),
        }
    }

    /// Returns the number of unknown cards.
    pub const fn unknown(self) -> u8 {
        match self {
            Self::Known(_) => 0,
            Self::Unknown(number) => number,
        }
    }

    /// Removes a card: this one from a known hand, any card from an unknown hand.
    pub(super) const fn play(&mut self, card: Card) {
        match self {
            Self::Known(cards) => {
                cards.remove(card);
            }
            Self::Unknown(_) => self.play_unknown(),
        }
    }

    /// Hides the cards. Only their number stays known.
    pub(super) const fn hide(&mut self) {
        if let Self::Known(cards) = *self
            && !cards.is_empty()
        {
            *self = Self::Unknown(cards.len());
        }
    }

    /// Removes an unknown card.
    pub(super) const fn play_unknown(&mut self) {
        *self = match *self {
            Self::Unknown(number @ 2..) => Self::Unknown(number - 1),
            Self::Unknown(_) => Self::EMPTY,
            Self::Known(cards) => Self::Known(cards),
        };
    }
}

/// A dealt hand: six cards, known or unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal(
    /// Empty if the cards are unknown.
    Cards,
);

impl Deal {
    /// Six unknown cards.
    pub const UNKNOWN: Self = Self(Cards::new());

    /// Returns the deal of these cards, or `None` if they are not six.
    pub fn new(cards: Cards) -> Option<Self> {
        (cards.len() == Cards::HAND).then_some(Self(cards))
    }

    /// Returns the hand.
    pub const fn hand(self) -> Hand {
        if self.0.is_empty() { Hand::Unknown(Cards::HAND) } else { Hand::Known(self.0) }
    }
}
