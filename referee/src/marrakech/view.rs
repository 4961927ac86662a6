//! A position of Marrakech, prepared for showing.

use assam_rules::marrakech::{Board, ByColour, Colour, Direction, Phase, Position, Square};
use assam_rules::{Game as _, Seat};

/// A position of Marrakech with everything derived from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// The rugs on the market.
    pub board: Board,
    /// Assam's square.
    pub assam: Square,
    /// The direction Assam faces.
    pub facing: Direction,
    /// The seat on turn, or the first seat when the game is over.
    pub seat: Seat,
    /// The phase: the move that the game waits for.
    pub phase: Phase,
    /// The seats in order.
    pub seats: Vec<SeatView>,
}

/// A seat with everything derived about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// Its colours.
    pub colours: &'static [Colour],
    /// Its dirhams.
    pub dirhams: u16,
    /// Its rugs still to lay by colour, including the one in hand.
    pub rugs_left: ByColour<u8>,
    /// The visible rug halves of its colours.
    pub visible: u8,
    /// Its current score.
    pub score: i32,
    /// 1 for the first seat that went out, 2 for the second, and so on. `None` while the seat is in.
    pub out: Option<u8>,
}

impl View {
    /// Returns whether the seat that laid rugs of a colour is out.
    pub(super) fn is_out(&self, colour: Colour) -> bool {
        self.seats.iter().any(|seat| seat.out.is_some() && seat.colours.contains(&colour))
    }

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
                out: (1..).zip(position.out()).find(|(_, out)| *out == seat).map(|(order, _)| order),
            }
        };
        Self {
            board: *position.board(),
            assam,
            facing,
            seat: position.seat(),
            phase: position.phase(),
            seats: Seat::all(setup.seats()).map(seat_view).collect(),
        }
    }
}
