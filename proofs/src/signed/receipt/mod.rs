//! Receipts: signed statements of the service about a game, so that two contradicting ones convict it.
//!
//! A receipt states only what never changes, so it is always the same, byte for byte.

use assam_record::beacon::BeaconName;
use assam_record::chance;
use assam_record::game::{GameId, Head, Holder, PlayerId, SeatKind, SeatsPin, Status, StoredGame};
use assam_record::hex::Hex;
use assam_record::log::time_of_ply;
use assam_rules::Seat;
use jiff::Timestamp;

mod text;

/// The first line of every receipt, and of no checkpoint.
const FIRST: &str = "assam receipt 1";

/// A statement of the service about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The id of the game.
    pub game: GameId,
    /// When the game was created, in milliseconds since 1970.
    pub created: Timestamp,
    /// The commitment to its chance, published at its creation.
    pub commitment: Hex<32>,
    /// The subject, with the statements about it.
    pub of: Of,
}

/// The subject of a receipt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Of {
    /// A ply.
    Ply(OfPly),
    /// A seat.
    Seat(OfSeat),
    /// All seats before the game starts.
    Seats(OfSeats),
}

/// The statements about the seats of an unstarted game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OfSeats {
    /// The digest of the seats.
    pub digest: Hex<32>,
    /// The revision of the seats. The next seat taken has the next one.
    pub revision: i64,
    /// When a player last took a seat.
    pub time: Timestamp,
}

/// The statements about a ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfPly {
    /// The ply and the head after it. Ply 0 is the start.
    pub head: Head,
    /// The status of the game after it.
    pub status: Status,
    /// The time it was written.
    pub time: Timestamp,
}

/// The statements about a taken seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfSeat {
    /// The number, from 1.
    pub seat: u8,
    /// The id of its player.
    pub player: PlayerId,
    /// The entropy that the player added.
    pub entropy: Option<Hex<32>>,
    /// The revision of the seats with which the player came.
    pub revision: i64,
    /// The seats that people had taken by then.
    pub after: Vec<u8>,
    /// The seats that the player saw before.
    pub pin: Option<SeatsPin>,
    /// The start of the game, if this seat was the last one and there is no beacon.
    pub start: Option<Hex<32>>,
    /// The beacon of the game.
    pub beacon: Option<StatedBeacon>,
    /// The time the seat was taken.
    pub time: Timestamp,
}

/// The statements about the beacon of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedBeacon {
    /// The chain.
    pub chain: BeaconName,
    /// The round that was fixed with this seat, if it was the last one.
    pub round: Option<u64>,
}

/// The error of a text that is not a receipt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAReceipt {
    /// The text is something else.
    #[error("a receipt begins with the line `{FIRST}`")]
    First,
    /// A line is missing or differs.
    #[error("line {line}: expected `{expected}` and its value, found {found}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The name of the expected statement.
        expected: &'static str,
        /// The line found.
        found: String,
    },
    /// The receipt is not in canonical form.
    #[error("the receipt is not in canonical form")]
    Form,
}

impl Receipt {
    /// Returns a statement about a ply of a game, with the head after it.
    ///
    /// Imported games have no statements, because their chance has no commitment and their words have no
    /// times.
    pub fn of_ply(game: &StoredGame, head: Head) -> Option<Self> {
        let is_last = game.info.head.is_some_and(|last| last.ply == head.ply);
        let status = if is_last { game.info.status } else { Status::Running };
        let time = time_of_ply(game, head.ply)?;
        Self::about(game, Of::Ply(OfPly { head, status, time }))
    }

    /// Returns the time of the statement. The key of that time signs it.
    pub const fn time(&self) -> Timestamp {
        match &self.of {
            Of::Ply(of) => of.time,
            Of::Seat(of) => of.time,
            Of::Seats(of) => of.time,
        }
    }

    /// Returns a statement about a seat, or `None` unless a person took it.
    pub fn of_seat(game: &StoredGame, seat: Seat) -> Option<Self> {
        let holder = game.info.holder(seat).filter(|holder| holder.kind == SeatKind::Human)?;
        let of = OfSeat {
            seat: seat.number(),
            player: holder.player?,
            entropy: holder.entropy,
            revision: holder.revision?,
            after: holder.after.clone(),
            pin: holder.pin.as_deref().copied(),
            start: Self::start(game, holder),
            beacon: Self::beacon(game, holder),
            time: holder.since.unwrap_or(game.info.created_at),
        };
        Self::about(game, Of::Seat(of))
    }

    /// Returns a statement about the current seats of a game, or `None` for an imported game.
    pub fn of_seats(game: &StoredGame) -> Option<Self> {
        let digest = chance::seats_digest_of(game)?;
        let came = game.info.seats.iter().filter_map(|holder| holder.since).max();
        let time = came.unwrap_or(game.info.created_at);
        Self::about(game, Of::Seats(OfSeats { digest, revision: game.info.revision, time }))
    }

    /// Returns the beacon of a game. It includes the round fixed when this holder came, if they were the
    /// last.
    fn beacon(game: &StoredGame, holder: &Holder) -> Option<StatedBeacon> {
        let beacon = game.beacon.as_ref()?;
        let last = game.info.seats.iter().filter_map(|holder| holder.revision).max();
        let due = beacon.due.filter(|_| holder.revision == last);
        Some(StatedBeacon { chain: beacon.chain, round: due.map(|due| due.number) })
    }

    /// Returns the start of the game if this holder took the last seat with entropy.
    fn start(game: &StoredGame, holder: &Holder) -> Option<Hex<32>> {
        let last = game.info.seats.iter().filter_map(|holder| holder.revision).max();
        let is_last = game.info.head.is_some() && holder.revision == last;
        let (info, commitment) = (&game.info, game.commitment?);
        let start = || chance::start(info.setup.line(), info.id, &commitment, &info.seats, None);
        (is_last && holder.pin.is_some() && game.beacon.is_none()).then(|| Hex(start()))
    }

    fn about(game: &StoredGame, of: Of) -> Option<Self> {
        let commitment = Hex(game.commitment?);
        Some(Self { game: game.info.id, created: game.info.created_at, commitment, of })
    }

    /// Returns the contradiction between two statements, or `None` if both can be true. The id of a game is
    /// never used again.
    pub fn contradicts(&self, other: &Self) -> Option<&'static str> {
        if self.game != other.game {
            return None;
        }
        let differs = |is_other: bool, what| is_other.then_some(what);
        let at_once = differs(self.created != other.created, "created")
            .or_else(|| differs(self.commitment != other.commitment, "commitment"));
        at_once.or_else(|| match (&self.of, &other.of) {
            (Of::Ply(one), Of::Ply(other)) => one.contradicts(other),
            (Of::Seat(one), Of::Seat(other)) => {
                differs(one.revision == other.revision && one != other, "revision")
                    .or_else(|| differs(one.beacons_differ(other), "beacon"))
            }
            (Of::Seats(one), Of::Seats(other)) => {
                differs(one.revision == other.revision && one.digest != other.digest, "seats")
            }
            (Of::Seat(seat), Of::Seats(seats)) | (Of::Seats(seats), Of::Seat(seat)) => {
                differs(seat.comes_after_other(seats), "seats")
            }
            (Of::Ply(_), Of::Seat(_) | Of::Seats(_)) | (Of::Seat(_) | Of::Seats(_), Of::Ply(_)) => None,
        })
    }
}

impl OfSeat {
    /// Returns whether the player is stated to have seen other seats than there were when they came.
    fn comes_after_other(&self, seats: &OfSeats) -> bool {
        let seen = self.pin.and_then(|pin| pin.digest);
        self.revision == seats.revision + 1 && seen.is_some_and(|seen| seen != seats.digest)
    }

    /// Returns whether the beacons differ. A game has one beacon and one last seat.
    fn beacons_differ(&self, other: &Self) -> bool {
        let round = |of: &Self| of.beacon.and_then(|beacon| beacon.round);
        self.beacon.map(|beacon| beacon.chain) != other.beacon.map(|beacon| beacon.chain)
            || round(self).is_some() && round(other).is_some() && self != other
    }
}

impl OfPly {
    fn contradicts(&self, other: &Self) -> Option<&'static str> {
        let (first, later) = if self.head.ply <= other.head.ply { (self, other) } else { (other, self) };
        if first.head.ply < later.head.ply {
            return first.status.is_over().then_some("status");
        }
        let differs = |is_other: bool, what| is_other.then_some(what);
        differs(first.head.hash != later.head.hash, "head")
            .or_else(|| differs(first.status != later.status, "status"))
            .or_else(|| differs(first.time != later.time, "time"))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn receipt(of: Of) -> Receipt {
        let created = "2026-11-23T08:05:59.332Z".parse().unwrap();
        Receipt { game: Hex([1; 16]), created, commitment: Hex([2; 32]), of }
    }

    fn ply(ply: u32, hash: u8, status: Status) -> Receipt {
        let time = "2026-11-23T08:06:00Z".parse().unwrap();
        receipt(Of::Ply(OfPly { head: Head { ply, hash: [hash; 32] }, status, time }))
    }

    fn seat(seat: u8, revision: i64, after: &[u8]) -> Receipt {
        let time = "2026-11-23T08:06:00.001Z".parse().unwrap();
        let (player, after) = (Hex([3; 10]), after.to_vec());
        receipt(Of::Seat(OfSeat {
            seat,
            player,
            entropy: None,
            revision,
            after,
            pin: None,
            start: None,
            beacon: None,
            time,
        }))
    }

    fn with_beacon(receipt: Receipt, round: impl Into<Option<u64>>) -> Receipt {
        let Receipt { of: Of::Seat(of), .. } = receipt else { return receipt };
        let beacon = Some(StatedBeacon { chain: BeaconName(Hex([8; 32])), round: round.into() });
        Receipt { of: Of::Seat(OfSeat { beacon, ..of }), ..receipt }
    }

    #[test]
    fn a_receipt_has_one_form_alone() {
        let with_entropy = match seat(2, 7, &[1, 3]) {
            Receipt { of: Of::Seat(of), .. } => {
                receipt(Of::Seat(OfSeat { entropy: Some(Hex([4; 32])), ..of }))
            }
            other => other,
        };
        let last = with_beacon(seat(2, 2, &[1]), 17);
        assert!(last.to_string().contains(&format!("after 1\nbeacon drand:{} 17\ntime", "08".repeat(32))));
        let first = with_beacon(seat(1, 1, &[]), None::<u64>);
        let plies = [ply(0, 5, Status::Running), ply(9, 5, Status::Aborted)];
        for stated in plies.into_iter().chain([seat(1, 0, &[]), with_entropy, first, last]) {
            let text = stated.to_string();
            assert_eq!(text.parse(), Ok(stated));
            for (from, to) in [
                ("assam receipt 1", "assam receipt 2"),
                ("game 01", "game  01"),
                (".332Z", ".3320Z"),
                ("commitment", "Commitment"),
                ("time ", "time 1"),
                ("\n", "\r\n"),
                ("Z\ncommitment", "Z\nmore\ncommitment"),
            ] {
                let changed = text.replacen(from, to, 1);
                assert_ne!(changed, text);
                assert!(changed.parse::<Receipt>().is_err(), "{changed}");
            }
            assert!((text.clone() + "\n").parse::<Receipt>().is_err());
            assert!(text.trim_end().parse::<Receipt>().is_err());
        }
        assert_eq!(
            "assam receipt 1\ngame x\n".parse::<Receipt>().unwrap_err().to_string(),
            "line 2: expected `game` and its value, found `game x`"
        );
    }

    #[test]
    fn statements_that_cannot_both_be_true_contradict_each_other_and_others_do_not() {
        let other_commitment = Receipt { commitment: Hex([9; 32]), ..seat(1, 1, &[]) };
        let another_game = Receipt { game: Hex([9; 16]), ..ply(3, 8, Status::Running) };
        let recreated = Receipt { created: Timestamp::UNIX_EPOCH, ..seat(1, 1, &[]) };
        for (one, other, what) in [
            (ply(3, 5, Status::Running), ply(3, 6, Status::Running), Some("head")),
            (ply(3, 5, Status::Running), ply(3, 5, Status::Finished), Some("status")),
            (ply(3, 5, Status::Finished), ply(4, 6, Status::Finished), Some("status")),
            (ply(3, 5, Status::Running), ply(4, 6, Status::Finished), None),
            (ply(3, 5, Status::Running), ply(3, 5, Status::Running), None),
            (ply(3, 5, Status::Running), other_commitment, Some("commitment")),
            (ply(3, 5, Status::Running), another_game, None),
            (seat(1, 1, &[]), recreated, Some("created")),
            (seat(1, 1, &[]), seat(2, 1, &[]), Some("revision")),
            (seat(1, 1, &[]), seat(1, 1, &[2]), Some("revision")),
            (with_beacon(seat(1, 1, &[]), 4), with_beacon(seat(1, 1, &[]), 5), Some("revision")),
            (with_beacon(seat(1, 1, &[]), 4), with_beacon(seat(2, 2, &[1]), 4), Some("beacon")),
            (seat(1, 1, &[]), with_beacon(seat(2, 2, &[1]), 4), Some("beacon")),
            (with_beacon(seat(1, 1, &[]), None::<u64>), with_beacon(seat(2, 2, &[1]), 4), None),
            // The seat was left and taken again.
            (seat(1, 1, &[]), seat(1, 3, &[2]), None),
            (seat(1, 1, &[]), ply(0, 5, Status::Running), None),
        ] {
            assert_eq!(one.contradicts(&other), what, "{one}{other}");
            assert_eq!(other.contradicts(&one), what, "{one}{other}");
        }
    }
}
