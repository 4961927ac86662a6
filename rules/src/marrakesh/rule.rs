//! The rules that a move of Marrakesh can break.

/// A rule that a move can break.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// The match is over.
    Over,
    /// Chance must be drawn first.
    ChanceDue,
    /// No chance is drawn here.
    NoChanceDue,
    /// The dice are due.
    DiceDue,
    /// The two boards are identical.
    EqualDice,
    /// Blue's hand is due.
    BlueHandDue,
    /// Red's hand is due.
    RedHandDue,
    /// A bonus card is due.
    BonusDue,
    /// The deck no longer holds these cards.
    CardNotInDeck,
    /// A card must be played.
    CardDue,
    /// A number must be used.
    UseDue,
    /// The hand does not hold this card.
    CardNotInHand,
    /// An unknown card is led from a known hand.
    UnknownCard,
    /// An unknown card is played as a reply.
    UnknownReply,
    /// A card is played in reply to an unknown lead.
    UnknownLead,
    /// This number has no uses left.
    NumberNotLeft,
    /// There is no piece on this point.
    NoPiece,
    /// A piece on a higher point must be moved.
    HigherPiece,
    /// All three ovals are full, so nothing can be borne off.
    OvalsFull,
    /// This use leaves another number unusable that could have been used.
    BothNumbers,
    /// The larger number must be used first.
    HighFirst,
    /// A match has no such seat.
    NoSuchSeat,
}

impl crate::Rule for Rule {
    const ALL: &'static [Self] = &[
        Self::Over,
        Self::ChanceDue,
        Self::NoChanceDue,
        Self::DiceDue,
        Self::EqualDice,
        Self::BlueHandDue,
        Self::RedHandDue,
        Self::BonusDue,
        Self::CardNotInDeck,
        Self::CardDue,
        Self::UseDue,
        Self::CardNotInHand,
        Self::UnknownCard,
        Self::UnknownReply,
        Self::UnknownLead,
        Self::NumberNotLeft,
        Self::NoPiece,
        Self::HigherPiece,
        Self::OvalsFull,
        Self::BothNumbers,
        Self::HighFirst,
        Self::NoSuchSeat,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Over => "marrakesh.game.over",
            Self::ChanceDue => "marrakesh.turn.chance-due",
            Self::NoChanceDue => "marrakesh.turn.no-chance-due",
            Self::DiceDue => "marrakesh.turn.dice-due",
            Self::EqualDice => "marrakesh.dice.equal",
            Self::BlueHandDue => "marrakesh.turn.blue-hand-due",
            Self::RedHandDue => "marrakesh.turn.red-hand-due",
            Self::BonusDue => "marrakesh.turn.bonus-due",
            Self::CardNotInDeck => "marrakesh.deck.card-not-in-deck",
            Self::CardDue => "marrakesh.turn.card-due",
            Self::UseDue => "marrakesh.turn.use-due",
            Self::CardNotInHand => "marrakesh.card.not-in-hand",
            Self::UnknownCard => "marrakesh.card.unknown",
            Self::UnknownReply => "marrakesh.card.unknown-reply",
            Self::UnknownLead => "marrakesh.card.unknown-lead",
            Self::NumberNotLeft => "marrakesh.use.number-not-left",
            Self::NoPiece => "marrakesh.use.no-piece",
            Self::HigherPiece => "marrakesh.use.higher-piece",
            Self::OvalsFull => "marrakesh.use.ovals-full",
            Self::BothNumbers => "marrakesh.use.both-numbers",
            Self::HighFirst => "marrakesh.use.high-first",
            Self::NoSuchSeat => "marrakesh.seat.no-such-seat",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Over => "The match is over: no move follows.",
            Self::ChanceDue => "Chance comes first: dice, hands or a bonus card.",
            Self::NoChanceDue => "Nothing is drawn here: a seat must decide.",
            Self::DiceDue => "A round begins with the dice of both players.",
            Self::EqualDice => {
                "If the two boards are identical, both players throw all dice again. Only the last throw is written."
            }
            Self::BlueHandDue => "Blue's hand is dealt here.",
            Self::RedHandDue => "Red's hand is dealt here.",
            Self::BonusDue => "A bonus card is drawn here.",
            Self::CardNotInDeck => {
                "Between two shuffles, each queen is dealt or drawn at most once, and each other face at most twice."
            }
            Self::CardDue => "A card must be played now.",
            Self::UseDue => "A number must be used now, written as number and point.",
            Self::CardNotInHand => "The player does not hold this card.",
            Self::UnknownCard => "An unknown card can be led only from a hand that is unknown.",
            Self::UnknownReply => "The receiver's card is played face up: it is always known.",
            Self::UnknownLead => {
                "The lead is turned up once the receiver has played: no reply can follow an unknown lead."
            }
            Self::NumberNotLeft => "The winner has no use of this number left.",
            Self::NoPiece => "The winner has no piece on this point.",
            Self::HigherPiece => {
                "A piece on a point below the number is borne off only from the highest occupied point."
            }
            Self::OvalsFull => "The winner's three ovals are full: pieces can be moved, but not borne off.",
            Self::BothNumbers => {
                "As many numbers as possible must be used: after this use, the other number could not be."
            }
            Self::HighFirst => "The larger number is used first (option `value_order`).",
            Self::NoSuchSeat => "A match has two seats: 1 Blue, 2 Red.",
        }
    }
}

impl core::fmt::Display for Rule {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(crate::Rule::text(*self))
    }
}

impl core::error::Error for Rule {}
