//! The kinds of tricks by what they are worth, and what they make of a half board.

use assam_rules::marrakesh::{Card, Match, Side, Trick, ValueOrder};

use super::half::{Boards, pair, repeated};

/// The number of faces, in the order of [`face`].
pub const FACES: usize = 28;

/// The number of cards of each face.
pub type Faces = [u8; FACES];
/// The number of values of a [`Kind`].
pub const KINDS: usize = 49 + 49 + 7 + 7;

/// Returns the place of a face: by suit, then by number.
pub const fn face(card: Card) -> usize {
    let number = match card.number() {
        Some(number) => number.get() as usize,
        None => 0,
    };
    card.suit() as usize * 7 + number
}

/// The numbers and the match of a trick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind(u8);

impl Kind {
    /// Returns the kind at this place, below [`KINDS`].
    pub const fn at(place: usize) -> Self {
        Self(place as u8)
    }

    /// Returns the place, below [`KINDS`].
    #[inline]
    pub const fn place(self) -> usize {
        self.0 as usize % KINDS
    }

    /// Returns whether a bonus card follows.
    #[inline]
    pub const fn has_bonus(self) -> bool {
        self.0 >= 49
    }

    /// Lists what the winner can make of a board with an empty oval, before any bonus card.
    #[inline]
    pub fn boards(self, pieces: u32, order: ValueOrder, boards: &mut Boards) {
        let place = u32::from(self.0);
        match place {
            0..98 => pair(pieces, place % 49 / 7, place % 7, order, boards),
            98..105 => repeated(pieces, place - 98, 4, boards),
            _ => repeated(pieces, place - 105, 6, boards),
        }
    }
}

/// A trick as seen from the leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Whether the leader wins.
    pub leader_wins: bool,
    /// The kind of the trick.
    pub kind: Kind,
}

/// Returns the outcome of a trick by the places of its faces.
#[inline]
pub fn outcome(lead: usize, reply: usize) -> Outcome {
    // Suits are in order: spades, hearts, diamonds, clubs.
    let (lead_suit, reply_suit) = (lead / 7, reply / 7);
    let (one, other) = (lead % 7, reply % 7);
    let (low, high) = if one < other { (one, other) } else { (other, one) };
    let is_club_and_spade = lead_suit + reply_suit == 3 && lead_suit % 3 == 0;
    let leader_wins = (lead_suit < reply_suit) != is_club_and_spade;
    let place = match (lead_suit == reply_suit, one == other) {
        (false, false) => low * 7 + high,
        (true, false) => 49 + low * 7 + high,
        (false, true) => 98 + one,
        (true, true) => 105 + one,
    };
    Outcome { leader_wins, kind: Kind::at(place) }
}

/// Returns the kind of a trick and whether its bonus card is still to come.
pub fn kind(trick: &Trick) -> Kind {
    outcome(face(trick.lead), face(trick.reply)).kind
}

/// Returns the total uses of a bonus card that matches the winner's card like this.
pub const fn bonus_times(trick: Match, bonus: Match, both_and_nothing: u8) -> u8 {
    match (trick, bonus) {
        (Match::Both, Match::Nothing) => both_and_nothing,
        (_, Match::Nothing) => 1,
        (_, Match::Suit | Match::Number) => 4,
        (_, Match::Both) => 6,
    }
}

/// Returns the side that wins.
pub const fn winner(leader: Side, leader_wins: bool) -> Side {
    if leader_wins { leader } else { leader.opponent() }
}
