//! Positions of Marrakesh as clients see them.

use assam_rules::marrakesh::{self as rules, Card, Hand, Lead, Phase, Side, Stop, Values};
use serde::Serialize;

use super::names::{Matching, number, ovals, uses};
use super::trick::Trick;
use super::view::View;

/// A position of Marrakesh, as you may see it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakeshState))]
pub struct State {
    /// The game: `marrakesh`.
    #[cfg_attr(feature = "utoipa", schema(inline))]
    pub game: GameName,
    /// The position line: the whole position in one line, with `??` for each card that is hidden from you.
    /// Send it back to validate it, request outcomes or begin a game.
    #[cfg_attr(feature = "utoipa", schema(max_length = 4096))]
    pub position: String,
    /// The phase: the move that the match waits for.
    pub phase: PhaseName,
    /// The seat that must decide, 1 for Blue or 2 for Red. Null when chance is due and when the match is
    /// over.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2, example = 1))]
    pub seat: Option<u8>,
    /// The current round, from 1. The last round when the match is over.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 12, example = 1))]
    pub round: u8,
    /// The trick on the table. Null if there is none.
    pub trick: Option<OpenTrick>,
    /// The finished tricks of this round, in order.
    #[cfg_attr(feature = "utoipa", schema(max_items = 26))]
    pub tricks: Vec<Trick>,
    /// The number of cards in the deck.
    #[cfg_attr(feature = "utoipa", schema(maximum = 52, example = 40))]
    pub deck: u8,
    /// The number of cards on the discard pile.
    #[cfg_attr(feature = "utoipa", schema(maximum = 52, example = 0))]
    pub discards: u8,
    /// The card on top of the discard pile. Null if the pile is empty.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$", example = "5c"))]
    pub top_discard: Option<String>,
    /// The two seats: Blue, then Red.
    #[cfg_attr(feature = "utoipa", schema(min_items = 2, max_items = 2))]
    pub seats: Vec<SeatState>,
}

/// The name of the game, which distinguishes the states of different games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakeshName))]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// Marrakesh.
    Marrakesh,
}

/// The phase of a match of Marrakesh. The match waits for the leader to play a card (`lead`), for the other
/// seat to reply (`reply`), or for the winner of the trick to use a number (`use`). Or it waits for chance
/// (`dice`, `deal` or `bonus`), or is `over` or `aborted`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakeshPhase))]
#[serde(rename_all = "snake_case")]
pub enum PhaseName {
    /// Chance throws the dice of a round.
    Dice,
    /// Chance deals a hand.
    Deal,
    /// The leader plays a card, face down.
    Lead,
    /// The other seat plays a card, and the lead is turned up.
    Reply,
    /// The winner of the trick uses a number.
    Use,
    /// Chance draws the bonus card.
    Bonus,
    /// The match was played to its end, or a player left.
    Over,
    /// The match was aborted.
    Aborted,
}

/// The trick on the table.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct OpenTrick {
    /// The seat that led.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2, example = 1))]
    pub leader: u8,
    /// The card led, or `??` while it is face down and hidden from you.
    #[cfg_attr(feature = "utoipa", schema(pattern = r"^(?:[A2-6Q][shdc]|\?\?)$", example = "??"))]
    pub lead: String,
    /// The card that the other seat replied with. Null before the reply.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$"))]
    pub reply: Option<String>,
    /// The seat that won the trick. Null before the reply.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2))]
    pub winner: Option<u8>,
    /// The property that the two cards share. Null before the reply.
    pub matching: Option<Matching>,
    /// The bonus card. Null if none was drawn.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$"))]
    pub bonus: Option<String>,
    /// The numbers still to use, largest first, each repeated once per remaining use.
    #[cfg_attr(feature = "utoipa", schema(max_items = 24, minimum = 1, maximum = 6, example = json!([6, 2])))]
    pub values: Vec<u8>,
    /// The pieces borne off in this trick so far.
    #[cfg_attr(feature = "utoipa", schema(maximum = 24))]
    pub off: u8,
}

/// A seat of Marrakesh.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakeshSeatState))]
pub struct SeatState {
    /// The number of the seat: 1 for Blue, 2 for Red.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2))]
    pub seat: u8,
    /// The number of pieces on each of the points 1 to 6.
    #[cfg_attr(feature = "utoipa", schema(min_items = 6, max_items = 6, maximum = 24, example = json!([2, 1, 0, 2, 0, 1])))]
    pub points: Vec<u8>,
    /// The three ovals of the seat: the number of pieces in each, `0` for a null chip, `-` for nothing yet,
    /// or `X` for closed.
    #[cfg_attr(feature = "utoipa", schema(min_items = 3, max_items = 3, pattern = "^(?:[0-9]|1[0-9]|-|X)$", example = json!(["4", "0", "-"])))]
    pub ovals: Vec<String>,
    /// The number of cards in its hand.
    #[cfg_attr(feature = "utoipa", schema(maximum = 52, example = 6))]
    pub cards: u8,
    /// The cards in its hand. Null if they are hidden from you.
    #[cfg_attr(feature = "utoipa", schema(max_items = 6, pattern = "^[A2-6Q][shdc]$", example = json!(["6s", "As", "Qh", "3d", "5c", "4c"])))]
    pub hand: Option<Vec<String>>,
    /// Its total score in the finished rounds.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_535))]
    pub score: u16,
}

impl State {
    pub(super) fn of(view: &View, position: String) -> Self {
        let (phase, seat) = match (view.stop, view.phase) {
            (Some(Stop::Left(_)), _) => (PhaseName::Over, None),
            (Some(Stop::Aborted), _) => (PhaseName::Aborted, None),
            (None, Phase::Dice) => (PhaseName::Dice, None),
            (None, Phase::Deal(_)) => (PhaseName::Deal, None),
            (None, Phase::Lead { leader }) => (PhaseName::Lead, Some(leader)),
            (None, Phase::Reply { leader, .. }) => (PhaseName::Reply, Some(leader.opponent())),
            (None, Phase::Use { trick, .. }) => (PhaseName::Use, Some(trick.winner())),
            (None, Phase::Bonus { .. }) => (PhaseName::Bonus, None),
            (None, Phase::Over) => (PhaseName::Over, None),
        };
        Self {
            game: GameName::Marrakesh,
            position,
            phase,
            seat: seat.map(number),
            round: view.round,
            trick: OpenTrick::of(view.phase),
            tricks: view.tricks.iter().map(Trick::of).collect(),
            deck: view.deck,
            discards: view.discards.len(),
            top_discard: view.discards.top.map(|card| card.to_string()),
            seats: Side::BOTH.map(|side| SeatState::of(view, side)).to_vec(),
        }
    }
}

impl OpenTrick {
    /// Returns the trick on the table in a phase, or `None` if no card is on it.
    fn of(phase: Phase) -> Option<Self> {
        let open = |trick: rules::Trick, values, bonus: Option<Card>, off| Self {
            leader: number(trick.leader),
            lead: trick.lead.to_string(),
            reply: Some(trick.reply.to_string()),
            winner: Some(number(trick.winner())),
            matching: Some(Matching::of(trick.matching())),
            bonus: bonus.map(|card| card.to_string()),
            values: uses(values),
            off,
        };
        match phase {
            Phase::Reply { leader, lead } => Some(Self {
                leader: number(leader),
                lead: match lead {
                    Lead::Known(card) => card.to_string(),
                    Lead::Unknown => "??".to_owned(),
                },
                reply: None,
                winner: None,
                matching: None,
                bonus: None,
                values: Vec::new(),
                off: 0,
            }),
            Phase::Use { trick, values, bonus, off } => Some(open(trick, values, bonus, off)),
            Phase::Bonus { trick, off } => Some(open(trick, Values::default(), None, off)),
            Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Over => None,
        }
    }
}

impl SeatState {
    fn of(view: &View, side: Side) -> Self {
        let hand = view.hands[side];
        Self {
            seat: number(side),
            points: view.points[side].counts().to_vec(),
            ovals: ovals(view.ovals[side]),
            cards: hand.len(),
            hand: match hand {
                Hand::Known(cards) => Some(cards.iter().map(|card| card.to_string()).collect()),
                Hand::Unknown(_) => None,
            },
            score: view.totals[side],
        }
    }
}
