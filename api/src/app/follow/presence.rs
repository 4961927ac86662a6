//! The connected seats of a game: only seats that want to be shown, and only for the other seats.

use assam_rules::{BySeat, Seat};

/// The number of beats that a seat stays connected after it was seen. A seat that reconnects at once was
/// never away.
const STAYS: u8 = 3;

/// The connected seats of a game, here and elsewhere.
#[derive(Default)]
pub(super) struct Presence(BySeat<SeatConnection>);

/// The connections of a seat.
#[derive(Clone, Copy, Default)]
struct SeatConnection {
    /// The number of its streams here.
    streams: u32,
    /// The number of beats that it stays connected without them.
    beats: u8,
}

/// The connected seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PresentSeats(BySeat<bool>);

impl PresentSeats {
    /// Returns the seats in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MAX).filter(move |seat| self.0[*seat])
    }
}

impl Presence {
    /// Adds a stream of a seat.
    pub(in crate::app) fn enter(&mut self, seat: Seat) {
        self.0[seat].streams += 1;
    }

    /// Removes a stream of a seat. With `stays`, because the holder is the same, the seat stays connected for
    /// a while.
    pub(in crate::app) fn leave(&mut self, seat: Seat, stays: bool) {
        let connected = &mut self.0[seat];
        connected.streams = connected.streams.saturating_sub(1);
        connected.beats = if stays { STAYS } else { 0 };
    }

    /// Records that a seat is connected to another process.
    pub(in crate::app) fn hear(&mut self, seat: Seat) {
        self.0[seat].beats = STAYS;
    }

    /// Lets a beat pass.
    pub(in crate::app) fn beat(&mut self) {
        self.0.0.iter_mut().for_each(|connected| connected.beats = connected.beats.saturating_sub(1));
    }

    /// Removes seats that have new holders, who have not connected yet.
    pub(in crate::app) fn forget(&mut self, seats: &[Seat]) {
        seats.iter().for_each(|seat| self.0[*seat].beats = 0);
    }

    /// Returns the seats connected here.
    pub(in crate::app) fn here(&self) -> PresentSeats {
        self.seats(|connected| connected.streams > 0)
    }

    /// Returns all connected seats.
    pub(in crate::app) fn all(&self) -> PresentSeats {
        self.seats(|connected| connected.streams > 0 || connected.beats > 0)
    }

    fn seats(&self, is: impl Fn(SeatConnection) -> bool) -> PresentSeats {
        PresentSeats(BySeat(self.0.0.map(is)))
    }
}
