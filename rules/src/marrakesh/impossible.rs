//! Why a diagram is no position.

/// Why no play leads to a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// The round is none of the match, or not the one after the scored ones.
    Round,
    /// Something is to be drawn.
    ChanceDue,
    /// The match was stopped after its end.
    StopAfterEnd,
    /// A player has not six pieces.
    Pieces,
    /// The ovals were not filled in order, or not closed when they should be.
    Ovals,
    /// The tricks do not mark the ovals as they are.
    Tricks,
    /// The wrong player leads.
    Leader,
    /// A hand is too small or too large.
    Hand,
    /// A lead is unknown, but the hand that it came from is known.
    UnknownLead,
    /// More cards of a face than a pack has.
    Cards,
    /// Too many or too few discards.
    Discards,
    /// The top card of the discard pile is none of it, or not the bonus card.
    TopDiscard,
    /// What is left to use does not come from these cards, or cannot be used.
    Values,
    /// More pieces off in this trick than numbers were used.
    Off,
    /// The round goes on, but no oval is empty; or it is over, and one is.
    RoundEnd,
    /// A round cannot have such a score.
    Score,
}

impl crate::Rule for Impossible {
    const ALL: &'static [Self] = &[
        Self::Round,
        Self::ChanceDue,
        Self::StopAfterEnd,
        Self::Pieces,
        Self::Ovals,
        Self::Tricks,
        Self::Leader,
        Self::Hand,
        Self::UnknownLead,
        Self::Cards,
        Self::Discards,
        Self::TopDiscard,
        Self::Values,
        Self::Off,
        Self::RoundEnd,
        Self::Score,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::Round => "marrakesh.position.round",
            Self::ChanceDue => "marrakesh.position.chance-due",
            Self::StopAfterEnd => "marrakesh.position.stop-after-end",
            Self::Pieces => "marrakesh.position.pieces",
            Self::Ovals => "marrakesh.position.ovals",
            Self::Tricks => "marrakesh.position.tricks",
            Self::Leader => "marrakesh.position.leader",
            Self::Hand => "marrakesh.position.hand",
            Self::UnknownLead => "marrakesh.position.unknown-lead",
            Self::Cards => "marrakesh.position.cards",
            Self::Discards => "marrakesh.position.discards",
            Self::TopDiscard => "marrakesh.position.top-discard",
            Self::Values => "marrakesh.position.values",
            Self::Off => "marrakesh.position.off",
            Self::RoundEnd => "marrakesh.position.round-end",
            Self::Score => "marrakesh.position.score",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Round => "The round is none of this match, or not the one that follows the scored ones.",
            Self::ChanceDue => "A position waits for a decision: what is to be drawn is drawn before.",
            Self::StopAfterEnd => "A match that was played to its end cannot be stopped.",
            Self::Pieces => "Each player has six pieces, on her points, in her ovals and off in this trick.",
            Self::Ovals => {
                "Ovals are filled from the first to the third, with null chips or pieces, and closed exactly when all six pieces are off."
            }
            Self::Tricks => {
                "Each trick marks one oval: the winner's next one, or with a null chip the opponent's where she has none left."
            }
            Self::Leader => {
                "The winner of a trick leads to the next one; the board decides who leads to the first."
            }
            Self::Hand => "A hand of six cards has one card fewer for each trick.",
            Self::UnknownLead => "A lead is unknown only where the hand that it came from is.",
            Self::Cards => "A pack has one queen of each suit and two cards of each other face.",
            Self::Discards => {
                "The discards are twelve cards of each round since the last shuffle, and one bonus card of a trick at most."
            }
            Self::TopDiscard => {
                "On top of the discards lies one of them, in a trick with a bonus card that card."
            }
            Self::Values => {
                "What is left to use comes from the cards of the trick or the bonus card, and can be used."
            }
            Self::Off => {
                "In a trick no more pieces are off than numbers were used, and none while all ovals are full."
            }
            Self::RoundEnd => "A round is over exactly when no oval is empty.",
            Self::Score => "No round ends with such a score.",
        }
    }
}

impl core::fmt::Display for Impossible {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(crate::Rule::text(*self))
    }
}

impl core::error::Error for Impossible {}
