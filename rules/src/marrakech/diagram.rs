//! A full layout of a position, and the checks that turn a diagram into a position.

use arrayvec::ArrayVec;

use super::{Board, ByColour, Colour, Direction, Orientation, Phase, Position, Rug, Setup, Square};
use crate::{BySeat, Seat, Seats};

/// All parts of a position, not yet checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The colour of each covered square, each square once.
    pub halves: ArrayVec<(Square, Colour), 49>,
    /// The rugs with both halves visible.
    pub whole_rugs: ArrayVec<Rug, 24>,
    /// The square Assam is on.
    pub assam: Square,
    /// The direction Assam faces.
    pub facing: Direction,
    /// The current phase. [`Position::from_diagram`] refuses phases that wait for chance.
    pub phase: Phase,
    /// The seat on turn. Meaningless when the game is over.
    pub seat: Seat,
    /// The dirhams of each seat.
    pub dirhams: BySeat<u16>,
    /// The rugs of each colour that are not yet laid, including the one in hand.
    pub rugs_left: ByColour<u8>,
    /// The seats that are out, in the order they went out.
    pub out: Seats,
}

/// The reason a diagram is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Impossible {
    /// The board shows a colour that no seat lays.
    StrangeColour,
    /// The halves of a whole rug do not show one colour.
    TornRug,
    /// Two whole rugs share a square.
    SharedSquare,
    /// A seat is listed as out twice, or is not at the table.
    OutTwice,
    /// A seat that is out has dirhams.
    OutWithDirhams,
    /// A seat that is out has rugs left.
    OutWithRugs,
    /// A colour has more rugs left than it began with, or no seat lays it and it still has rugs.
    TooManyLeft,
    /// More rugs are visible than were laid.
    TooManyVisible,
    /// Rugs were laid, but none is whole. The rug laid last always is.
    NoWholeRug,
    /// The rugs left do not match the seat on turn.
    RugsOutOfTurn,
    /// Dirhams appeared or vanished.
    Dirhams,
    /// The phase does not fit the option `orientation` of this game, or waits for chance.
    Phase,
    /// The seat on turn has no such rug left as the one in hand.
    Hand,
    /// The seat on turn is out, or not at the table.
    SeatNotIn,
    /// The game should be over.
    ShouldBeOver,
    /// The game should not be over.
    ShouldGoOn,
}

impl crate::Rule for Impossible {
    const ALL: &'static [Self] = &[
        Self::StrangeColour,
        Self::TornRug,
        Self::SharedSquare,
        Self::OutTwice,
        Self::OutWithDirhams,
        Self::OutWithRugs,
        Self::TooManyLeft,
        Self::TooManyVisible,
        Self::NoWholeRug,
        Self::RugsOutOfTurn,
        Self::Dirhams,
        Self::Phase,
        Self::Hand,
        Self::SeatNotIn,
        Self::ShouldBeOver,
        Self::ShouldGoOn,
    ];

    fn id(self) -> &'static str {
        match self {
            Self::StrangeColour => "marrakech.position.strange-colour",
            Self::TornRug => "marrakech.position.torn-rug",
            Self::SharedSquare => "marrakech.position.shared-square",
            Self::OutTwice => "marrakech.position.out-twice",
            Self::OutWithDirhams => "marrakech.position.out-with-dirhams",
            Self::OutWithRugs => "marrakech.position.out-with-rugs",
            Self::TooManyLeft => "marrakech.position.too-many-left",
            Self::TooManyVisible => "marrakech.position.too-many-visible",
            Self::NoWholeRug => "marrakech.position.no-whole-rug",
            Self::RugsOutOfTurn => "marrakech.position.rugs-out-of-turn",
            Self::Dirhams => "marrakech.position.dirhams",
            Self::Phase => "marrakech.position.phase",
            Self::Hand => "marrakech.position.hand",
            Self::SeatNotIn => "marrakech.position.seat-not-in",
            Self::ShouldBeOver => "marrakech.position.should-be-over",
            Self::ShouldGoOn => "marrakech.position.should-go-on",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::StrangeColour => "A colour that no seat of this table lays is on the board.",
            Self::TornRug => "A rug that is listed as whole does not show one colour on both its squares.",
            Self::SharedSquare => "Two rugs that are listed as whole share a square.",
            Self::OutTwice => "A seat is listed as out twice, or is not at the table.",
            Self::OutWithDirhams => "A seat that is out has dirhams.",
            Self::OutWithRugs => "A seat that is out has rugs left.",
            Self::TooManyLeft => "A colour has more rugs left than it began with.",
            Self::TooManyVisible => "More rugs of a colour are visible than were laid.",
            Self::NoWholeRug => "Rugs were laid, but none is whole. The one laid last always is.",
            Self::RugsOutOfTurn => {
                "The rugs left do not match the seat on turn: each seat lays one per turn, in order."
            }
            Self::Dirhams => {
                "The dirhams do not add up to those at the start. Only a seat that is out makes them fewer."
            }
            Self::Phase => "This phase does not belong to the option `orientation` of this game.",
            Self::Hand => "The rug in hand is not among those that the seat on turn has left.",
            Self::SeatNotIn => "The seat on turn is out, or not at the table.",
            Self::ShouldBeOver => {
                "The game is not over, but no seat has a rug left, or only one seat is left."
            }
            Self::ShouldGoOn => "The game is over, but a seat still has a rug to lay.",
        }
    }
}

impl core::fmt::Display for Impossible {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(crate::Rule::text(*self))
    }
}

impl core::error::Error for Impossible {}

impl Position {
    /// Checks a diagram and returns its position.
    ///
    /// The checks find contradictions. They do not prove that play can reach the position.
    ///
    /// # Errors
    /// The first check that the diagram fails.
    pub fn from_diagram(setup: &Setup, diagram: &Diagram) -> Result<Self, Impossible> {
        let is_over = matches!(diagram.phase, Phase::Over | Phase::Aborted);
        let position = Self {
            setup: *setup,
            board: lay_out(setup, diagram)?,
            assam: diagram.assam,
            facing: diagram.facing,
            dirhams: diagram.dirhams,
            rugs_left: diagram.rugs_left,
            seat: if is_over { Seat::FIRST } else { diagram.seat },
            phase: diagram.phase,
            out: order_out(setup, &diagram.out)?,
        };
        position.check_seats()?;
        position.check_rugs()?;
        position.check_phase()?;
        Ok(position)
    }

    /// Returns the full layout of the position.
    pub fn diagram(&self) -> Diagram {
        let half = |square| Some((square, self.board.colour(square)?));
        Diagram {
            halves: Square::all().filter_map(half).collect(),
            whole_rugs: self.board.whole_rugs().collect(),
            assam: self.assam,
            facing: self.facing,
            phase: self.phase,
            seat: self.seat,
            dirhams: self.dirhams,
            rugs_left: self.rugs_left,
            out: self.out(),
        }
    }

    fn check_seats(&self) -> Result<(), Impossible> {
        let seats = self.setup.seats();
        for seat in self.out() {
            if self.dirhams[seat] > 0 {
                return Err(Impossible::OutWithDirhams);
            }
            if self.has_rugs(seat) {
                return Err(Impossible::OutWithRugs);
            }
        }
        // A seat that goes out takes its dirhams out of the game. Payments only move dirhams.
        let at_start = u32::from(seats) * u32::from(self.setup.options().start_dirhams);
        let now = self.dirhams.0.iter().map(|&dirhams| u32::from(dirhams)).sum::<u32>();
        let beyond = Seat::all(Seat::MAX).skip(seats.into()).any(|seat| self.dirhams[seat] > 0);
        if beyond || now > at_start || (now < at_start && self.out().is_empty()) {
            return Err(Impossible::Dirhams);
        }
        Ok(())
    }

    fn check_rugs(&self) -> Result<(), Impossible> {
        let mut laid_by_those_in = 0;
        for colour in Colour::ALL {
            let left = self.rugs_left[colour];
            let owner = self.setup.owner(colour);
            let at_start =
                owner.map_or(0, |seat| self.setup.rugs_per_player() / self.setup.colours(seat).len() as u8);
            let laid = at_start.checked_sub(left).ok_or(Impossible::TooManyLeft)?;
            let is_colour = |rug: &Rug| self.board.colour(rug.squares()[0]) == Some(colour);
            let whole = self.board.whole_rugs().filter(is_colour).count();
            // Each half without its other half belongs to a separate rug.
            let visible = usize::from(self.board.visible(colour)) - whole;
            if visible > usize::from(laid) {
                return Err(Impossible::TooManyVisible);
            }
            if owner.is_some_and(|seat| !self.is_out(seat)) {
                laid_by_those_in += u32::from(laid);
            }
        }
        if laid_by_those_in > 0 && self.board.whole_rugs().next().is_none() {
            return Err(Impossible::NoWholeRug);
        }
        Ok(())
    }

    fn check_phase(&self) -> Result<(), Impossible> {
        let orientation = self.setup.options().orientation;
        let (hand, has_laid) = match self.phase {
            Phase::Aborted => return Ok(()),
            Phase::Over if self.is_over() => return Ok(()),
            Phase::Over => return Err(Impossible::ShouldGoOn),
            Phase::Orient { hand: Some(hand) } if orientation == Orientation::Start => (Some(hand), false),
            Phase::Orient { hand: None } if orientation == Orientation::End => (None, true),
            Phase::Lay { hand } => (Some(hand), false),
            Phase::Orient { .. } | Phase::TurnUp | Phase::Roll { .. } => return Err(Impossible::Phase),
        };
        if self.seat.number() > self.setup.seats() || self.is_out(self.seat) {
            return Err(Impossible::SeatNotIn);
        }
        if self.is_over() {
            return Err(Impossible::ShouldBeOver);
        }
        let is_own = |hand: Colour| self.setup.colours(self.seat).contains(&hand) && self.rugs_left[hand] > 0;
        if hand.is_some_and(|hand| !is_own(hand)) {
            return Err(Impossible::Hand);
        }
        let left = |seat| self.setup.colours(seat).iter().map(|&colour| self.rugs_left[colour]).sum::<u8>();
        let before_the_round = left(self.seat) + u8::from(has_laid);
        let fits = |seat: Seat| {
            let has_laid = seat < self.seat || (seat == self.seat && has_laid);
            left(seat) + u8::from(has_laid) == before_the_round
        };
        if self.seats().filter(|&seat| !self.is_out(seat)).all(fits) {
            Ok(())
        } else {
            Err(Impossible::RugsOutOfTurn)
        }
    }
}

/// Returns the order in which each seat went out, from 1, and 0 for a seat that is in.
fn order_out(setup: &Setup, out: &[Seat]) -> Result<BySeat<u8>, Impossible> {
    let mut orders = BySeat::default();
    for (order, &seat) in (1..).zip(out) {
        if seat.number() > setup.seats() || orders[seat] > 0 {
            return Err(Impossible::OutTwice);
        }
        orders[seat] = order;
    }
    Ok(orders)
}

/// Builds the board of a diagram.
fn lay_out(setup: &Setup, diagram: &Diagram) -> Result<Board, Impossible> {
    let mut board = Board::default();
    for &(square, colour) in &diagram.halves {
        if setup.owner(colour).is_none() {
            return Err(Impossible::StrangeColour);
        }
        board.show(square, colour);
    }
    let mut taken = ArrayVec::<Square, 48>::new();
    for &rug in &diagram.whole_rugs {
        let [low, high] = rug.squares();
        if board.colour(low).is_none() || board.colour(low) != board.colour(high) {
            return Err(Impossible::TornRug);
        }
        if taken.contains(&low) || taken.contains(&high) {
            return Err(Impossible::SharedSquare);
        }
        taken.extend([low, high]);
        board.join(rug);
    }
    Ok(board)
}
