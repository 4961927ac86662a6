//! A position of Marrakech and its moves.

use arrayvec::ArrayVec;

use super::{
    Action, BankruptRugs, Board, ByColour, Chance, Colour, Cover, Die, Direction, Payment, Phase, Rug, Rule,
    Setup, Square, TieBreak,
};
use crate::{BySeat, Game, Leave, Move, Ranking, Seat, Seats, Turn};

/// A position of Marrakech.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) setup: Setup,
    pub(super) board: Board,
    pub(super) assam: Square,
    pub(super) facing: Direction,
    pub(super) dirhams: BySeat<u16>,
    /// Rugs not yet laid, including the one in hand.
    pub(super) rugs_left: ByColour<u8>,
    /// The seat on turn, or the first seat when the game is over.
    pub(super) seat: Seat,
    pub(super) phase: Phase,
    /// 1 for the first seat that went out, 2 for the next and so on. 0 while a seat is in.
    pub(super) out: BySeat<u8>,
}

impl Game for Position {
    type Setup = Setup;
    type Action = Action;
    type Chance = Chance;
    type Event = Payment;
    type Rule = Rule;
    type Actions = ArrayVec<Action, 12>;
    type Drawn = ArrayVec<Chance, 8>;
    type Outcomes = ArrayVec<(Chance, u32), 4>;

    const HAS_SECRETS: bool = false;

    fn new(setup: &Setup) -> Self {
        let mut position = Self {
            setup: *setup,
            board: Board::default(),
            assam: Square::CENTRE,
            facing: setup.options().start_facing,
            dirhams: BySeat::default(),
            rugs_left: ByColour::default(),
            seat: Seat::FIRST,
            phase: Phase::TurnUp,
            out: BySeat::default(),
        };
        for seat in Seat::all(setup.seats()) {
            position.dirhams[seat] = setup.options().start_dirhams;
            let colours = setup.colours(seat);
            for &colour in colours {
                position.rugs_left[colour] = setup.rugs_per_player() / colours.len() as u8;
            }
        }
        position.begin_turn(Seat::FIRST);
        position
    }

    fn setup(&self) -> &Setup {
        &self.setup
    }

    #[inline]
    fn turn(&self) -> Turn {
        match self.phase {
            Phase::TurnUp | Phase::Roll { .. } => Turn::Chance,
            Phase::Orient { .. } | Phase::Lay { .. } => Turn::Player(self.seat),
            Phase::Over => Turn::Over,
            Phase::Aborted => Turn::Aborted,
        }
    }

    fn legal_actions(&self) -> ArrayVec<Action, 12> {
        let mut actions = ArrayVec::new();
        match self.phase {
            Phase::Orient { .. } => {
                let about = self.facing.opposite();
                actions.extend(Direction::ALL.into_iter().filter(|&to| to != about).map(Action::Orient));
            }
            Phase::Lay { .. } => {
                // Two neighbours of Assam's square never touch each other, so each rug is listed once.
                for near in Direction::ALL.into_iter().filter_map(|to| self.assam.step(to)) {
                    for far in Direction::ALL.into_iter().filter_map(|to| near.step(to)) {
                        if let Some(rug) = Rug::new(near, far)
                            && far != self.assam
                            && !self.is_protected(rug)
                        {
                            actions.push(Action::Lay(rug));
                        }
                    }
                }
            }
            Phase::TurnUp | Phase::Roll { .. } | Phase::Over | Phase::Aborted => {}
        }
        actions
    }

    #[inline]
    fn check_action(&self, action: Action) -> Result<(), Rule> {
        match (self.phase, action) {
            (Phase::Orient { .. }, Action::Orient(to)) if to == self.facing.opposite() => {
                Err(Rule::AboutTurn)
            }
            (Phase::Orient { .. }, Action::Orient(_)) => Ok(()),
            (Phase::Lay { .. }, Action::Lay(rug)) => self.check_rug(rug),
            (Phase::Orient { .. }, Action::Lay(_)) => Err(Rule::OrientDue),
            (Phase::Lay { .. }, Action::Orient(_)) => Err(Rule::RugDue),
            (Phase::TurnUp | Phase::Roll { .. }, _) => Err(Rule::ChanceDue),
            (Phase::Over | Phase::Aborted, _) => Err(Rule::Over),
        }
    }

    #[inline]
    fn check_chance(&self, chance: Chance) -> Result<(), Rule> {
        match (self.phase, chance) {
            (Phase::TurnUp, Chance::Colour(colour)) => {
                let own = self.setup.colours(self.seat).contains(&colour);
                if own && self.rugs_left[colour] > 0 { Ok(()) } else { Err(Rule::ColourNotInPile) }
            }
            (Phase::Roll { .. }, Chance::Die(_)) => Ok(()),
            (Phase::TurnUp, Chance::Die(_)) => Err(Rule::ColourDue),
            (Phase::Roll { .. }, Chance::Colour(_)) => Err(Rule::DieDue),
            (Phase::Orient { .. } | Phase::Lay { .. }, _) => Err(Rule::NoChanceDue),
            (Phase::Over | Phase::Aborted, _) => Err(Rule::Over),
        }
    }

    fn check_leave(&self, leave: Leave) -> Result<(), Rule> {
        match self.turn() {
            Turn::Over | Turn::Aborted => return Err(Rule::Over),
            Turn::Chance => return Err(Rule::ChanceDue),
            Turn::Player(_) => {}
        }
        match leave {
            Leave::Abort => Ok(()),
            Leave::Resign(seat) | Leave::Timeout(seat) => {
                if seat.number() > self.setup.seats() {
                    Err(Rule::NoSuchSeat)
                } else if self.is_out(seat) {
                    Err(Rule::SeatOut)
                } else {
                    Ok(())
                }
            }
        }
    }

    /// A turn lays a rug and has two words, or one if the player goes out. Each seat can leave once, and the
    /// game can be aborted once.
    fn most_plies(setup: &Setup) -> u32 {
        let seats = u32::from(setup.seats());
        seats * (2 * u32::from(setup.rugs_per_player()) + 1) + 1
    }

    fn draw_chance(&self, draw: &mut dyn FnMut(u64) -> u64) -> ArrayVec<Chance, 8> {
        let drawn = match self.phase {
            Phase::TurnUp => {
                let colours = self.setup.colours(self.seat);
                let pile = |colour: &Colour| u64::from(self.rugs_left[*colour]);
                let mut k = draw(colours.iter().map(pile).sum());
                colours
                    .iter()
                    .find(|colour| {
                        let here = k < pile(colour);
                        k = k.saturating_sub(pile(colour));
                        here
                    })
                    .map(|&colour| Chance::Colour(colour))
            }
            Phase::Roll { .. } => {
                let face = draw(Die::FACES.len() as u64) as usize;
                Die::FACES.get(face).map(|&die| Chance::Die(die))
            }
            Phase::Orient { .. } | Phase::Lay { .. } | Phase::Over | Phase::Aborted => None,
        };
        drawn.into_iter().collect()
    }

    fn outcomes(&self) -> ArrayVec<(Chance, u32), 4> {
        match self.phase {
            Phase::TurnUp => self
                .setup
                .colours(self.seat)
                .iter()
                .map(|&colour| (Chance::Colour(colour), u32::from(self.rugs_left[colour])))
                .filter(|&(_, weight)| weight > 0)
                .collect(),
            Phase::Roll { .. } => [(Die::One, 1), (Die::Two, 2), (Die::Three, 2), (Die::Four, 1)]
                .map(|(die, weight)| (Chance::Die(die), weight))
                .into_iter()
                .collect(),
            Phase::Orient { .. } | Phase::Lay { .. } | Phase::Over | Phase::Aborted => ArrayVec::new(),
        }
    }

    #[inline]
    fn apply_telling(&mut self, mv: Move<Self>, tell: &mut impl FnMut(Payment)) {
        match mv {
            Move::Action(Action::Orient(to)) => {
                self.facing = to;
                if let Phase::Orient { hand: Some(hand) } = self.phase {
                    self.phase = Phase::Roll { hand };
                } else {
                    self.next_turn();
                }
            }
            Move::Action(Action::Lay(rug)) => {
                if let Phase::Lay { hand } = self.phase {
                    self.lay(rug, hand);
                }
            }
            Move::Chance(Chance::Colour(colour)) => self.take_in_hand(colour),
            Move::Chance(Chance::Die(die)) => {
                if let Phase::Roll { hand } = self.phase
                    && let Some(payment) = self.roll(die, hand)
                {
                    tell(payment);
                }
            }
            Move::Leave(Leave::Resign(seat) | Leave::Timeout(seat)) => self.leave(seat),
            Move::Leave(Leave::Abort) => self.end(Phase::Aborted),
        }
    }

    fn scores(&self) -> ArrayVec<i32, 4> {
        self.seats().map(|seat| self.score(seat)).collect()
    }

    fn ranking(&self) -> Option<Ranking> {
        if self.phase == Phase::Aborted {
            return None;
        }
        // Seats in the game rank before seats that are out. Among those, the last to go out ranks first.
        Some(Ranking::by_key(self.seats(), |seat| {
            let out = self.out[seat];
            let tie_break = match self.setup.options().tie_break {
                TieBreak::Dirhams => i32::from(self.dirhams[seat]),
                TieBreak::Rugs => i32::from(self.visible(seat)),
                TieBreak::None => 0,
            };
            match out {
                0 => (u8::MAX, self.score(seat), tie_break),
                order => (order, 0, 0),
            }
        }))
    }
}

impl Position {
    /// Returns the rugs on the market.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// Returns Assam's square and the direction he faces.
    pub const fn assam(&self) -> (Square, Direction) {
        (self.assam, self.facing)
    }

    /// Returns the phase: the move that the game waits for.
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the seat on turn, or the first seat when the game is over.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the dirhams of a seat, 0..=3996.
    pub fn dirhams(&self, seat: Seat) -> u16 {
        self.dirhams[seat]
    }

    /// Returns the number of rugs of a colour that are not yet laid, including the one in hand.
    pub fn rugs_left(&self, colour: Colour) -> u8 {
        self.rugs_left[colour]
    }

    /// Returns the seats that are out, in the order they went out.
    pub fn out(&self) -> Seats {
        (1..=self.seats_out())
            .filter_map(|order| self.seats().find(|&seat| self.out[seat] == order))
            .collect()
    }

    /// Counts the visible halves of a seat's colours, 0..=49.
    pub fn visible(&self, seat: Seat) -> u8 {
        self.setup.colours(seat).iter().map(|&colour| self.board.visible(colour)).sum()
    }

    /// Returns a seat's dirhams plus its visible halves, or 0 if it is out.
    ///
    /// > Chaque moitie de tapis expose (visible) et chaque dirham compte pour un point.
    pub fn score(&self, seat: Seat) -> i32 {
        if self.is_out(seat) { 0 } else { i32::from(self.dirhams[seat]) + i32::from(self.visible(seat)) }
    }

    pub(super) fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone {
        Seat::all(self.setup.seats())
    }

    /// Returns whether a seat is out.
    pub fn is_out(&self, seat: Seat) -> bool {
        self.out[seat] > 0
    }

    pub(super) fn seats_out(&self) -> u8 {
        self.out.0.iter().map(|&order| u8::from(order > 0)).sum()
    }

    pub(super) fn has_rugs(&self, seat: Seat) -> bool {
        self.setup.colours(seat).iter().any(|&colour| self.rugs_left[colour] > 0)
    }

    /// Checks the place of a rug.
    ///
    /// > Son tapis doit longer un des 4 cotes de cette case.
    ///
    /// > Un tapis adverse ne peut etre entierement recouvert en une seule et meme pose.
    fn check_rug(&self, rug: Rug) -> Result<(), Rule> {
        if rug.bits() & self.assam.bit() != 0 {
            Err(Rule::RugUnderAssam)
        } else if rug.bits() & self.assam.beside() == 0 {
            Err(Rule::RugNotBesideAssam)
        } else if self.is_protected(rug) {
            Err(Rule::CoversWholeRug)
        } else {
            Ok(())
        }
    }

    /// Returns whether this rug would cover both halves of a protected rug at once.
    fn is_protected(&self, rug: Rug) -> bool {
        if !self.board.is_whole(rug) {
            return false;
        }
        let [low, _] = rug.squares();
        let owner = self.board.colour(low).and_then(|colour| self.setup.owner(colour));
        let options = self.setup.options();
        match owner {
            Some(owner) if self.is_out(owner) && options.bankrupt_rugs == BankruptRugs::Open => false,
            Some(owner) => options.cover == Cover::Any || owner != self.seat,
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_takes_at_most_three_bytes_and_a_position_two_cache_lines() {
        assert!(size_of::<Action>() <= 3);
        assert!(size_of::<Position>() <= 128, "{}", size_of::<Position>());
    }
}
