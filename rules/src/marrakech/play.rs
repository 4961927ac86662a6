//! The effect of each move on a position: turn, walk, payment, rug, and seats that leave.

use super::{Colour, Die, Insolvency, Orientation, Payment, Phase, Position, Region, Rug, Square};
use crate::{Game, Seat, Turn};

impl Position {
    pub(super) fn begin_turn(&mut self, seat: Seat) {
        self.seat = seat;
        match self.setup.colours(seat) {
            [colour] => self.take_in_hand(*colour),
            _ => self.phase = Phase::TurnUp,
        }
    }

    pub(super) fn take_in_hand(&mut self, hand: Colour) {
        self.phase = match self.setup.options().orientation {
            Orientation::Start => Phase::Orient { hand: Some(hand) },
            Orientation::End => Phase::Roll { hand },
        };
    }

    /// Passes the turn clockwise to the next seat with a rug to lay, or ends the game if no seat has one.
    pub(super) fn next_turn(&mut self) {
        let seats = self.setup.seats();
        let mut seat = self.seat;
        for _ in 0..seats {
            seat = seat.next(seats);
            if self.has_rugs(seat) {
                return self.begin_turn(seat);
            }
        }
        self.end(Phase::Over);
    }

    /// Returns whether the game is over: "Le jeu prend fin des que le dernier tapis est pose". With
    /// `last_standing`, it also ends when one player is left.
    pub(super) fn is_over(&self) -> bool {
        let still_in = self.setup.seats().saturating_sub(self.seats_out());
        // A seat that is out has no rugs, and colours that no seat lays have none either.
        (still_in == 1 && self.setup.options().last_standing) || self.rugs_left.0 == [0; 4]
    }

    /// Ends the game. No seat is on turn any more, so ended positions differ only in what is visible.
    pub(super) fn end(&mut self, phase: Phase) {
        self.seat = Seat::FIRST;
        self.phase = phase;
    }

    pub(super) fn lay(&mut self, rug: Rug, hand: Colour) {
        self.board.lay(rug, hand);
        self.rugs_left[hand] = self.rugs_left[hand].saturating_sub(1);
        if self.setup.options().orientation == Orientation::End && self.rugs_left.0 != [0; 4] {
            self.phase = Phase::Orient { hand: None };
        } else {
            // No seat went out, so the game is over only if no seat has a rug left.
            self.next_turn();
        }
    }

    pub(super) fn roll(&mut self, die: Die, hand: Colour) -> Option<Payment> {
        (self.assam, self.facing) = self.setup.options().track.walk(self.assam, self.facing, die);
        self.phase = Phase::Lay { hand };
        let payment = self.payment()?;
        self.dirhams[payment.payer] -= payment.paid;
        self.dirhams[payment.payee] += payment.paid;
        if payment.eliminated {
            self.put_out(payment.payer);
            self.end_or_next_turn();
        }
        Some(payment)
    }

    /// Returns the squares of the field that a payment counts, none if Assam's square is bare.
    ///
    /// They are joined to his square by shared sides, in its colour or in all colours of its owner (see
    /// [`Region`]).
    pub fn field(&self) -> impl Iterator<Item = Square> {
        let ground = self.board.colour(self.assam);
        let owned = ground.and_then(|colour| Some((colour, self.setup.owner(colour)?)));
        let bits = owned.map_or(0, |(colour, owner)| self.field_bits(colour, owner));
        Square::all().filter(move |square| bits & square.bit() != 0)
    }

    /// Returns the size of the field around a square: the dirhams due there, 0 on a bare square.
    pub fn toll(&self, square: Square) -> u8 {
        let ground = self.board.colour(square);
        let owned = ground.and_then(|colour| Some((colour, self.setup.owner(colour)?)));
        owned.map_or(0, |(colour, owner)| self.field_at(square, colour, owner).count_ones() as u8)
    }

    /// Returns the bits of the field around Assam, on a rug of this colour and this owner.
    fn field_bits(&self, colour: Colour, owner: Seat) -> u64 {
        self.field_at(self.assam, colour, owner)
    }

    fn field_at(&self, square: Square, colour: Colour, owner: Seat) -> u64 {
        match self.setup.options().region {
            Region::Colour => self.board.field(square, &[colour]),
            Region::Owner => self.board.field(square, self.setup.colours(owner)),
        }
    }

    /// Returns the payment that the seat to move owes for Assam's square.
    fn payment(&self) -> Option<Payment> {
        let colour = self.board.colour(self.assam)?;
        let payee = self.setup.owner(colour)?;
        if payee == self.seat || self.is_out(payee) {
            return None;
        }
        let due = self.field_bits(colour, payee).count_ones() as u16;
        let purse = self.dirhams[self.seat];
        let eliminated = match self.setup.options().insolvency {
            Insolvency::Eliminate => due > purse,
            Insolvency::EliminateAtZero => due >= purse,
            Insolvency::PayWhatYouCan => false,
        };
        Some(Payment { payer: self.seat, payee, due, paid: due.min(purse), eliminated })
    }

    pub(super) fn leave(&mut self, seat: Seat) {
        let on_turn = self.turn() == Turn::Player(seat);
        self.put_out(seat);
        if on_turn {
            self.end_or_next_turn();
        } else if self.is_over() {
            self.end(Phase::Over);
        }
    }

    /// Puts a seat out. Its dirhams and its pile leave the game, its rugs on the market stay.
    fn put_out(&mut self, seat: Seat) {
        self.out[seat] = self.seats_out() + 1;
        self.dirhams[seat] = 0;
        for &colour in self.setup.colours(seat) {
            self.rugs_left[colour] = 0;
        }
    }

    fn end_or_next_turn(&mut self) {
        if self.is_over() {
            self.end(Phase::Over);
        } else {
            self.next_turn();
        }
    }
}
