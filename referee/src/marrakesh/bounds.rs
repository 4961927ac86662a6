//! What the texts, numbers and lists of the states and events of Marrakesh are held to.

use crate::shown::Bound;

const SEAT: &str = r#"{"minimum": 1, "maximum": 2}"#;
const ROUND: &str = r#"{"minimum": 1, "maximum": 12}"#;
const CARD: &str = r#"{"pattern": "^[A2-6Q][shdc]$"}"#;
/// A card that may be hidden.
const LEAD: &str = r#"{"pattern": "^(?:[A2-6Q][shdc]|\\?\\?)$"}"#;
const CARDS: &str = r#"{"minimum": 0, "maximum": 52}"#;

pub(super) const BOUNDS: &[Bound] = &[
    ("MarrakeshState.seat", SEAT),
    ("MarrakeshState.round", ROUND),
    ("MarrakeshState.tricks", r#"{"maxItems": 26}"#),
    ("MarrakeshState.deck", CARDS),
    ("MarrakeshState.discards", CARDS),
    ("MarrakeshState.top_discard", CARD),
    ("MarrakeshState.seats", r#"{"minItems": 2, "maxItems": 2}"#),
    ("OpenTrick.leader", SEAT),
    ("OpenTrick.lead", LEAD),
    ("OpenTrick.reply", CARD),
    ("OpenTrick.winner", SEAT),
    ("OpenTrick.bonus", CARD),
    ("OpenTrick.values", r#"{"maxItems": 24}"#),
    ("OpenTrick.values[]", r#"{"minimum": 1, "maximum": 6}"#),
    ("OpenTrick.off", r#"{"minimum": 0, "maximum": 24}"#),
    ("Trick.leader", SEAT),
    ("Trick.lead", CARD),
    ("Trick.reply", CARD),
    ("Trick.winner", SEAT),
    ("MarrakeshSeatState.seat", SEAT),
    ("MarrakeshSeatState.points", r#"{"minItems": 6, "maxItems": 6}"#),
    ("MarrakeshSeatState.points[]", r#"{"minimum": 0, "maximum": 24}"#),
    ("MarrakeshSeatState.ovals", r#"{"minItems": 3, "maxItems": 3}"#),
    ("MarrakeshSeatState.ovals[]", r#"{"pattern": "^(?:[0-9]|1[0-9]|-|X)$"}"#),
    ("MarrakeshSeatState.cards", CARDS),
    ("MarrakeshSeatState.hand", r#"{"maxItems": 6}"#),
    ("MarrakeshSeatState.hand[]", CARD),
    ("MarrakeshSeatState.score", r#"{"minimum": 0, "maximum": 65535}"#),
    ("BonusDrawn.card", CARD),
    ("BonusDrawn.times", r#"{"minimum": 1, "maximum": 6}"#),
    ("OvalMarked.seat", SEAT),
    ("OvalMarked.oval", r#"{"minimum": 1, "maximum": 3}"#),
    ("OvalMarked.mark", r#"{"pattern": "^(?:[0-9]|1[0-9])$"}"#),
    ("RoundScored.round", ROUND),
    ("RoundScored.scores", r#"{"minItems": 2, "maxItems": 2}"#),
    ("RoundScored.scores[]", r#"{"minimum": 0, "maximum": 255}"#),
    ("RoundScored.categories", r#"{"minItems": 2, "maxItems": 2}"#),
    ("RoundScored.categories[]", r#"{"maxItems": 2}"#),
];
