//! Marrakech as clients see it.

use std::collections::BTreeMap;
use std::fmt;

use assam_notation::marrakech::{colour_letter, direction_name, rug_name, square_name};
use assam_rules::Seat;
use assam_rules::marrakech::{self as rules, Phase, Position, Square, View};
use serde::Serialize;
use utoipa::ToSchema;

use super::{Event, ScorePart, Show, TieBreak};
use crate::picture::{Picture, Scene};

/// A position of Marrakech.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = MarrakechState)]
pub struct State {
    /// `orient`: the seat turns Assam; `lay`: it lays its rug; `over`; `aborted`.
    pub phase: PhaseName,
    /// The seat that must decide; null when the game is over.
    #[schema(example = 1)]
    pub seat: Option<u8>,
    /// The colour of the rug to lay in this turn; null where there is none (at the end of a turn, and when the game is over).
    #[schema(example = "r")]
    pub hand: Option<char>,
    /// Assam.
    pub assam: Assam,
    /// Seven rows, rank 7 first, files a to g: the colour of each square's top rug, `.` where it is bare.
    #[schema(example = json!([".......", "...rr..", ".......", ".......", ".......", ".......", "......."]))]
    pub board: Vec<String>,
    /// Rugs of which both halves are visible, so that they may be protected from being covered whole.
    #[schema(example = json!(["d6e6"]))]
    pub whole_rugs: Vec<String>,
    /// The seats in order.
    pub seats: Vec<SeatState>,
}

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = MarrakechPhase)]
pub enum PhaseName {
    /// The rug to lay is turned up.
    TurnUp,
    /// The seat turns Assam.
    Orient,
    /// The die is rolled.
    Roll,
    /// The seat lays its rug.
    Lay,
    /// The game was played to its end.
    Over,
    /// The game was aborted.
    Aborted,
}

/// Assam.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Assam {
    /// Where he stands.
    #[schema(example = "d4")]
    pub square: String,
    /// Where he faces: `N`, `E`, `S` or `W`.
    #[schema(example = "N")]
    pub facing: &'static str,
}

/// A seat of Marrakech.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[schema(as = MarrakechSeatState)]
pub struct SeatState {
    /// Its number.
    pub seat: u8,
    /// Its colours.
    #[schema(example = json!(["r"]))]
    pub colours: Vec<char>,
    /// Its dirhams.
    pub dirhams: u16,
    /// Its rugs that are not yet laid, the one in hand included, by colour.
    #[schema(example = json!({"r": 15}))]
    pub rugs_left: BTreeMap<char, u8>,
    /// Visible halves of its colours.
    pub visible: u8,
    /// Its score as things stand: dirhams and visible halves, 0 when out.
    pub score: i32,
    /// 1 for the first seat that went out, 2 for the second ..; null while it is in.
    pub out: Option<u8>,
}

/// A payment that a roll brought about.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Payment {
    /// The seat that stopped on a rug.
    pub payer: u8,
    /// The seat whose rug it is.
    pub payee: u8,
    /// Dirhams owed: the squares of the field.
    pub due: u16,
    /// Dirhams paid: less than owed where the payer had less.
    pub paid: u16,
    /// Did it put the payer out?
    pub eliminated: bool,
}

impl Show for Position {
    fn state(view: &View) -> super::State {
        super::State::Marrakech(State::of(view))
    }

    fn score_parts(view: &View, seat: Seat) -> Vec<ScorePart> {
        match view.seats.get(seat.index()) {
            Some(seat) if seat.out.is_none() => vec![
                ScorePart { round: None, name: "dirhams", points: i32::from(seat.dirhams) },
                ScorePart { round: None, name: "visible_rugs", points: i32::from(seat.visible) },
            ],
            Some(_) | None => Vec::new(),
        }
    }

    fn tie_breaks(view: &View, seat: Seat) -> Vec<TieBreak> {
        let Some(seat) = view.seats.get(seat.index()).filter(|seat| seat.out.is_none()) else {
            return Vec::new();
        };
        match view.tie_break {
            rules::TieBreak::Dirhams => vec![TieBreak { name: "dirhams", value: seat.dirhams.into() }],
            rules::TieBreak::Rugs => vec![TieBreak { name: "visible_rugs", value: seat.visible.into() }],
            rules::TieBreak::None => Vec::new(),
        }
    }

    fn event(payment: &rules::Payment) -> Event {
        Event::Payment(Payment {
            payer: payment.payer.number(),
            payee: payment.payee.number(),
            due: payment.due,
            paid: payment.paid,
            eliminated: payment.eliminated,
        })
    }

    fn picture(scene: Scene<'_, View>) -> impl Picture {
        scene
    }
}

impl fmt::Display for Payment {
    /// `Seat 3 pays 2 of 5 dirhams to seat 1 and is out`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { payer, payee, due, paid, eliminated } = self;
        write!(f, "Seat {payer} pays {paid}")?;
        if paid < due {
            write!(f, " of {due}")?;
        }
        write!(f, " dirham{} to seat {payee}", if *due == 1 { "" } else { "s" })?;
        if *eliminated { f.write_str(" and is out") } else { Ok(()) }
    }
}

impl State {
    fn of(view: &View) -> Self {
        let (phase, hand) = match view.phase {
            Phase::TurnUp => (PhaseName::TurnUp, None),
            Phase::Orient { hand } => (PhaseName::Orient, hand),
            Phase::Roll { hand } => (PhaseName::Roll, Some(hand)),
            Phase::Lay { hand } => (PhaseName::Lay, Some(hand)),
            Phase::Over => (PhaseName::Over, None),
            Phase::Aborted => (PhaseName::Aborted, None),
        };
        let is_over = matches!(view.phase, Phase::Over | Phase::Aborted);
        let colour_at = |square| view.board.colour(square).map_or('.', colour_letter);
        let rank =
            |rank| (0..Square::SIDE).filter_map(|file| Square::new(file, rank)).map(colour_at).collect();
        Self {
            phase,
            seat: (!is_over).then_some(view.seat.number()),
            hand: hand.map(colour_letter),
            assam: Assam { square: square_name(view.assam), facing: direction_name(view.facing) },
            board: (0..Square::SIDE).rev().map(rank).collect(),
            whole_rugs: view.board.whole_rugs().map(rug_name).collect(),
            seats: view.seats.iter().map(SeatState::of).collect(),
        }
    }
}

impl SeatState {
    fn of(seat: &rules::SeatView) -> Self {
        let letters = seat.colours.iter().map(|&colour| (colour_letter(colour), seat.rugs_left[colour]));
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
