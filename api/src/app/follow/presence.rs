//! Who is connected to a game: of those seats that want it to be known, and for the other seats alone.

use assam_rules::{BySeat, Seat};

/// For how many beats a seat stays connected after it was seen: whoever connects again at once was never away.
const STAYS: u8 = 3;

/// The seats of a game that are connected, here and elsewhere.
#[derive(Default)]
pub(super) struct Presence(BySeat<SeatConnection>);

/// How a seat is connected.
#[derive(Clone, Copy, Default)]
struct SeatConnection {
    /// How many streams here say so.
    streams: u32,
    /// How many beats it stays connected without them.
    beats: u8,
}

/// The seats that are connected.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct PresentSeats(BySeat<bool>);

impl PresentSeats {
    /// Returns them in order.
    pub fn seats(self) -> impl Iterator<Item = Seat> {
        Seat::all(Seat::MAX).filter(move |seat| self.0[*seat])
    }
}

impl Presence {
    /// A stream says that a seat is connected.
    pub(in crate::app) fn enter(&mut self, seat: Seat) {
        self.0[seat].streams += 1;
    }

    /// That stream has ended; its seat stays connected for a while if it has the same holder.
    pub(in crate::app) fn leave(&mut self, seat: Seat, stays: bool) {
        let connected = &mut self.0[seat];
        connected.streams = connected.streams.saturating_sub(1);
        connected.beats = if stays { STAYS } else { 0 };
    }

    /// Another process says that a seat is connected.
    pub(in crate::app) fn hear(&mut self, seat: Seat) {
        self.0[seat].beats = STAYS;
    }

    /// Some time goes by.
    pub(in crate::app) fn beat(&mut self) {
        self.0.0.iter_mut().for_each(|connected| connected.beats = connected.beats.saturating_sub(1));
    }

    /// Seats have other holders now, who have said nothing.
    pub(in crate::app) fn forget(&mut self, seats: &[Seat]) {
        seats.iter().for_each(|seat| self.0[*seat].beats = 0);
    }

    /// Returns who is connected here.
    pub(in crate::app) fn here(&self) -> PresentSeats {
        self.seats(|connected| connected.streams > 0)
    }

    /// Returns who is connected.
    pub(in crate::app) fn all(&self) -> PresentSeats {
        self.seats(|connected| connected.streams > 0 || connected.beats > 0)
    }

    fn seats(&self, is: impl Fn(SeatConnection) -> bool) -> PresentSeats {
        PresentSeats(BySeat(self.0.0.map(is)))
    }
}
