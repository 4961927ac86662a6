//! The reasons a diagram is refused.

/// The reason a diagram is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// The match has no such round, or it does not follow the scored ones.
    Round,
    /// The position waits for chance.
    ChanceDue,
    /// The match was stopped after its end.
    StopAfterEnd,
    /// A player does not have six pieces.
    Pieces,
    /// The ovals were not filled in order, or not closed when they should be.
    Ovals,
    /// The tricks do not lead to these ovals.
    Tricks,
    /// The wrong player leads.
    Leader,
    /// A hand is too small or too large.
    Hand,
    /// A lead is unknown, but the hand it came from is known.
    UnknownLead,
    /// There are more cards of a face than in a pack.
    Cards,
    /// There are too many or too few discards.
    Discards,
    /// The top card of the discard pile is not in it, or is not the bonus card.
    TopDiscard,
    /// The numbers left to use do not come from these cards, or cannot be used.
    Values,
    /// More pieces are off in this trick than numbers were used.
    Off,
    /// The round is not over, but no oval is empty, or the other way round.
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
            Self::Round => "This match has no such round, or it is not the one that follows the scored ones.",
            Self::ChanceDue => "A position must wait for a decision, not for something to be drawn.",
            Self::StopAfterEnd => "A match that was played to its end cannot be stopped.",
            Self::Pieces => {
                "Each player has six pieces: on their points, in their ovals, and off in this trick."
            }
            Self::Ovals => {
                "Ovals are filled from the first to the third, with null chips or pieces, and closed exactly when all six pieces are off."
            }
            Self::Tricks => {
                "Each trick marks the winner's next oval. If the winner has none left, it marks the opponent's with a null chip."
            }
            Self::Leader => {
                "The winner of a trick leads to the next one. The board decides who leads to the first."
            }
            Self::Hand => "A hand has six cards, less one for each trick.",
            Self::UnknownLead => "A lead can be unknown only if the hand that it came from is unknown.",
            Self::Cards => "A pack has one queen of each suit and two cards of each other face.",
            Self::Discards => {
                "The discards are twelve cards per finished round since the last shuffle, and at most one bonus card per trick."
            }
            Self::TopDiscard => {
                "The top discard is one of the discards. During a trick with a bonus card, it is that card."
            }
            Self::Values => {
                "The numbers left to use come from the cards of the trick or from the bonus card, and can be used."
            }
            Self::Off => {
                "No more pieces are off in a trick than numbers were used, and none while the winner's ovals are all full."
            }
            Self::RoundEnd => "A round is over exactly when no oval is empty.",
            Self::Score => "No round can end with such a score.",
        }
    }
}

impl core::fmt::Display for Impossible {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(crate::Rule::text(*self))
    }
}

impl core::error::Error for Impossible {}
