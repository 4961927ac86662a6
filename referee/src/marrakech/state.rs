//! Positions of Marrakech as clients see them.

use std::collections::BTreeMap;

use assam_rules::marrakech::{Colour, Direction, Phase, Square};
use serde::Serialize;

use super::view::{SeatView, View};

/// A position of Marrakech.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakechState))]
pub struct State {
    /// The game: `marrakech`.
    #[cfg_attr(feature = "utoipa", schema(inline))]
    pub game: GameName,
    /// The position line: the whole position in one line. Send it back to validate it, request outcomes or
    /// begin a game.
    #[cfg_attr(
        feature = "utoipa",
        schema(
            max_length = 4096,
            example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
        )
    )]
    pub position: String,
    /// The phase: the move that the game waits for.
    pub phase: PhaseName,
    /// The seat that must decide. Null when the game is over.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4, example = 1))]
    pub seat: Option<u8>,
    /// The colour of the rug to lay in this turn. Null at the end of a turn and when the game is over.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[rybg]$", example = "r"))]
    pub hand: Option<char>,
    /// Assam's place and direction.
    pub assam: Assam,
    /// Seven rows, rank 7 first, each from file a to g: the colour of the rug on top of each square, or `.`
    /// on a bare one.
    #[cfg_attr(feature = "utoipa", schema(min_items = 7, max_items = 7, pattern = "^[.rybg]{7}$", example = json!([".......", "...rr..", ".......", ".......", ".......", ".......", "......."])))]
    pub board: Vec<String>,
    /// The rugs with both halves visible. Some of them may be protected from being covered whole.
    // 49 squares have room for no more.
    #[cfg_attr(feature = "utoipa", schema(max_items = 24, pattern = "^[a-g][1-7][a-g][1-7]$", example = json!(["d6e6"])))]
    pub whole_rugs: Vec<String>,
    /// The seats in order.
    #[cfg_attr(feature = "utoipa", schema(min_items = 2, max_items = 4))]
    pub seats: Vec<SeatState>,
}

/// The name of the game, which distinguishes the states of different games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakechName))]
#[serde(rename_all = "snake_case")]
pub enum GameName {
    /// Marrakech.
    Marrakech,
}

/// The phase of a game of Marrakech. The game waits for the seat to turn Assam (`orient`) or lay its rug
/// (`lay`), or for chance to turn up a rug (`turn_up`) or roll the die (`roll`). Or it is `over` or
/// `aborted`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "utoipa", schema(as = MarrakechPhase))]
pub enum PhaseName {
    /// Chance turns up the rug to lay.
    TurnUp,
    /// The seat turns Assam.
    Orient,
    /// Chance rolls the die.
    Roll,
    /// The seat lays its rug.
    Lay,
    /// The game was played to its end.
    Over,
    /// The game was aborted.
    Aborted,
}

/// Assam, the figure on the market.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Assam {
    /// Assam's square.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[a-g][1-7]$", example = "d4"))]
    pub square: String,
    /// The direction Assam faces: `N`, `E`, `S` or `W`.
    pub facing: Facing,
}

/// A direction on the market.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub enum Facing {
    /// North, towards rank 7.
    N,
    /// East, towards file g.
    E,
    /// South, towards rank 1.
    S,
    /// West, towards file a.
    W,
}

impl Facing {
    const fn of(direction: Direction) -> Self {
        match direction {
            Direction::North => Self::N,
            Direction::East => Self::E,
            Direction::South => Self::S,
            Direction::West => Self::W,
        }
    }
}

/// A seat of Marrakech.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakechSeatState))]
pub struct SeatState {
    /// The number of the seat.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub seat: u8,
    /// Its colours.
    #[cfg_attr(feature = "utoipa", schema(min_items = 1, max_items = 2, pattern = "^[rybg]$", example = json!(["r"])))]
    pub colours: Vec<char>,
    /// Its dirhams.
    #[cfg_attr(feature = "utoipa", schema(maximum = 65_535))]
    pub dirhams: u16,
    /// Its rugs still to lay by colour, including the one in hand.
    #[cfg_attr(feature = "utoipa", schema(value_type = BTreeMap<char, crate::schema::RugCount>, example = json!({"r": 15})))]
    pub rugs_left: BTreeMap<char, u8>,
    /// The visible rug halves of its colours.
    #[cfg_attr(feature = "utoipa", schema(maximum = 49))]
    pub visible: u8,
    /// Its current score: dirhams plus visible halves, or 0 when it is out.
    #[cfg_attr(feature = "utoipa", schema(minimum = 0, maximum = 65_584))]
    pub score: i32,
    /// 1 for the first seat that went out, 2 for the second, and so on. Null while the seat is in.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub out: Option<u8>,
}

impl State {
    pub(super) fn of(view: &View, position: String) -> Self {
        let (phase, hand) = match view.phase {
            Phase::TurnUp => (PhaseName::TurnUp, None),
            Phase::Orient { hand } => (PhaseName::Orient, hand),
            Phase::Roll { hand } => (PhaseName::Roll, Some(hand)),
            Phase::Lay { hand } => (PhaseName::Lay, Some(hand)),
            Phase::Over => (PhaseName::Over, None),
            Phase::Aborted => (PhaseName::Aborted, None),
        };
        let is_over = matches!(view.phase, Phase::Over | Phase::Aborted);
        let colour_at = |square| view.board.colour(square).map_or('.', Colour::letter);
        let rank =
            |rank| (0..Square::SIDE).filter_map(|file| Square::new(file, rank)).map(colour_at).collect();
        Self {
            game: GameName::Marrakech,
            position,
            phase,
            seat: (!is_over).then_some(view.seat.number()),
            hand: hand.map(Colour::letter),
            assam: Assam { square: view.assam.to_string(), facing: Facing::of(view.facing) },
            board: (0..Square::SIDE).rev().map(rank).collect(),
            whole_rugs: view.board.whole_rugs().map(|rug| rug.to_string()).collect(),
            seats: view.seats.iter().map(SeatState::of).collect(),
        }
    }
}

impl SeatState {
    fn of(seat: &SeatView) -> Self {
        let letters = seat.colours.iter().map(|&colour| (colour.letter(), seat.rugs_left[colour]));
        Self {
            seat: seat.seat.number(),
            colours: letters.clone().map(|(letter, _)| letter).collect(),
            dirhams: seat.dirhams,
            rugs_left: letters.collect(),
            visible: seat.visible,
            score: seat.score,
            out: seat.out,
        }
    }
}
