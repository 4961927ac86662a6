//! What can be seen of a position: all of it, for everyone.

use arrayvec::ArrayVec;

use super::{Board, ByColour, Colour, Direction, Phase, Position, Square, TieBreak};
use crate::{Game, Seat};

/// A position of Marrakech as everyone sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The rugs on the market.
    pub board: Board,
    /// Where Assam stands.
    pub assam: Square,
    /// Where he faces.
    pub facing: Direction,
    /// Whose turn it is; the first seat when the game is over.
    pub seat: Seat,
    /// What the game waits for.
    pub phase: Phase,
    /// What decides between equal scores.
    pub tie_break: TieBreak,
    /// The seats in order.
    pub seats: ArrayVec<SeatView, 4>,
}

/// A seat as everyone sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatView {
    /// Which seat.
    pub seat: Seat,
    /// Its colours.
    pub colours: &'static [Colour],
    /// Its dirhams.
    pub dirhams: u16,
    /// Its rugs that are not yet laid, by colour; the one in hand included.
    pub rugs_left: ByColour<u8>,
    /// Visible halves of its colours.
    pub visible: u8,
    /// Its score as things stand.
    pub score: i32,
    /// 1 for the first seat that went out, and so on; none while it is in.
    pub out: Option<u8>,
}

impl View {
    pub(super) fn of(position: &Position) -> Self {
        let (assam, facing) = position.assam();
        let setup = position.setup();
        let seat_view = |seat| {
            let mut rugs_left = ByColour::default();
            for &colour in setup.colours(seat) {
                rugs_left[colour] = position.rugs_left(colour);
            }
            SeatView {
                seat,
                colours: setup.colours(seat),
                dirhams: position.dirhams(seat),
                rugs_left,
                visible: position.visible(seat),
                score: position.score(seat),
                out: Some(position.out[seat]).filter(|&order| order > 0),
            }
        };
        Self {
            board: *position.board(),
            assam,
            facing,
            seat: position.seat(),
            phase: position.phase(),
            tie_break: setup.options().tie_break,
            seats: Seat::all(setup.seats()).map(seat_view).collect(),
        }
    }
}
