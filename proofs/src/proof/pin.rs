//! Compares the seats that a player saw before they sent entropy with a proof.

use assam_record::chance;
use assam_record::game::{Holder, SeatKind, SeatsPin};
use assam_record::hex::Hex;

use super::{Proof, ProvedSeat};

impl Proof {
    /// Returns whether these seats, from the proof or a response, are the ones that the player of a seat saw
    /// before they sent entropy. `false` proves nothing if other players took their seats later.
    ///
    /// # Errors
    /// The digest of these seats, if they are others.
    pub fn keeps_to_pin(
        &self,
        seats: &[ProvedSeat],
        seat: u8,
        pin: &SeatsPin,
    ) -> Result<bool, Option<Hex<32>>> {
        let own = seats.iter().find(|other| other.seat == seat).ok_or(None)?;
        let is_later = |other: &ProvedSeat| other.revision > own.revision;
        let before = |other: &ProvedSeat| match pin.held {
            _ if is_later(other) => Holder::new(SeatKind::Open),
            None if other.seat == seat => Holder::new(SeatKind::Open),
            Some(held) if other.seat == seat => {
                Holder { entropy: None, revision: Some(held), ..holder(other) }
            }
            _ => holder(other),
        };
        let holders: Vec<Holder> = seats.iter().map(before).collect();
        let commitment = self.commitment.ok_or(None)?;
        // The next seat taken has the next revision.
        let revision = own.revision.unwrap_or(0) - 1;
        let chain = self.beacon.as_ref().map(|signed| signed.chain);
        let found =
            Hex(chance::seats_digest(&self.setup, self.game, &commitment.0, &holders, chain, revision));
        match pin.digest == Some(found) {
            true => Ok(true),
            false if seats.iter().any(is_later) => Ok(false),
            false => Err(Some(found)),
        }
    }
}

/// Returns the holder of a seat, as far as a proof includes it.
pub(super) fn holder(seat: &ProvedSeat) -> Holder {
    Holder { player: seat.player, entropy: seat.entropy, revision: seat.revision, ..Holder::new(seat.kind) }
}
