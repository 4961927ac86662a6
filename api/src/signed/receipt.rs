//! Receipts: what the service states about a game, so that two statements that contradict each other convict it.
//!
//! A receipt states only what never changes, so whenever it is asked for, it is the same, byte for byte.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use assam_rules::Seat;
use jiff::Timestamp;

use crate::beacon::BeaconName;
use crate::clock::rfc3339;
use crate::game::{GameId, Head, Holder, PlayerId, SeatKind, Status, StoredGame};
use crate::hex::Hex;
use crate::log::time_of_ply;

/// The first line of every receipt. No checkpoint of a log begins so.
const FIRST: &str = "assam receipt 1";

/// What the service states about a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Receipt {
    /// The id of the game.
    pub game: GameId,
    /// When the game was created, in milliseconds since 1970.
    pub created: Timestamp,
    /// What was published of its chance then.
    pub commitment: Hex<32>,
    /// What is stated of it.
    pub of: Of,
}

/// What a receipt is of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Of {
    /// A ply.
    Ply(OfPly),
    /// A seat.
    Seat(OfSeat),
}

/// What is stated of a ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfPly {
    /// The ply and the head after it; ply 0 is the start.
    pub head: Head,
    /// Whether the game went on after it, or how it ended with it.
    pub status: Status,
    /// When it was written.
    pub time: Timestamp,
}

/// What is stated of a seat that somebody took.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OfSeat {
    /// Its number, from 1.
    pub seat: u8,
    /// The id of its player.
    pub player: PlayerId,
    /// The entropy that the player added.
    pub entropy: Option<Hex<32>>,
    /// The revision of the seats with which the player came.
    pub revision: i64,
    /// The seats that people had by then.
    pub after: Vec<u8>,
    /// The beacon of the game.
    pub beacon: Option<StatedBeacon>,
    /// When that was.
    pub time: Timestamp,
}

/// What is stated of the beacon of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StatedBeacon {
    /// Which it is.
    pub chain: BeaconName,
    /// The round that was fixed with this seat, the last one; none with the others.
    pub round: Option<u64>,
}

/// A text is no receipt.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotAReceipt {
    /// It is something else.
    #[error("a receipt begins with the line `{FIRST}`")]
    First,
    /// A line is missing, or another one stands there.
    #[error("line {line}: expected `{expected}` and its value, found {found}")]
    Line {
        /// The number of the line, from 1.
        line: usize,
        /// The name of what it states.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// It is not in the form in which it is written.
    #[error("a receipt is written in one way alone, and this is another")]
    Form,
}

impl Receipt {
    /// Returns what is stated of a ply of a game, after which it has this head.
    ///
    /// There is nothing to state of an imported game, to whose chance nobody committed, and whose words have no times.
    pub fn of_ply(game: &StoredGame, head: Head) -> Option<Self> {
        let is_last = game.info.head.is_some_and(|last| last.ply == head.ply);
        let status = if is_last { game.info.status } else { Status::Running };
        let time = time_of_ply(game, head.ply)?;
        Self::about(game, Of::Ply(OfPly { head, status, time }))
    }

    /// Returns the time of what is stated: the key of that time signs it.
    pub const fn time(&self) -> Timestamp {
        match &self.of {
            Of::Ply(of) => of.time,
            Of::Seat(of) => of.time,
        }
    }

    /// Returns what is stated of a seat; nothing, unless a person took it.
    pub fn of_seat(game: &StoredGame, seat: Seat) -> Option<Self> {
        let holder = game.info.holder(seat).filter(|holder| holder.kind == SeatKind::Human)?;
        let of = OfSeat {
            seat: seat.number(),
            player: holder.player?,
            entropy: holder.entropy,
            revision: holder.revision?,
            after: holder.after.clone(),
            beacon: Self::beacon(game, holder),
            time: holder.since.unwrap_or(game.info.created_at),
        };
        Self::about(game, Of::Seat(of))
    }

    /// Returns the beacon of a game, with the round that was fixed when this holder came, if that was the last one.
    fn beacon(game: &StoredGame, holder: &Holder) -> Option<StatedBeacon> {
        let beacon = game.beacon.as_ref()?;
        let last = game.info.seats.iter().filter_map(|holder| holder.revision).max();
        let due = beacon.due.filter(|_| holder.revision == last);
        Some(StatedBeacon { chain: beacon.chain, round: due.map(|due| due.number) })
    }

    fn about(game: &StoredGame, of: Of) -> Option<Self> {
        let commitment = Hex(game.commitment?);
        Some(Self { game: game.info.id, created: game.info.created_at, commitment, of })
    }

    /// Returns why both cannot be true; nothing where they can. The id of a game is never used for another one.
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
            (Of::Ply(_), Of::Seat(_)) | (Of::Seat(_), Of::Ply(_)) => None,
        })
    }
}

impl OfSeat {
    /// A game has one beacon, and one seat was the last.
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

/// The text that is signed.
impl fmt::Display for Receipt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{FIRST}")?;
        writeln!(f, "game {}", self.game)?;
        writeln!(f, "created {}", rfc3339(self.created))?;
        writeln!(f, "commitment {}", self.commitment)?;
        match &self.of {
            Of::Ply(OfPly { head, status, time }) => {
                writeln!(f, "ply {}", head.ply)?;
                writeln!(f, "head {}", Hex(head.hash))?;
                writeln!(f, "status {}", status.name())?;
                writeln!(f, "time {}", rfc3339(*time))
            }
            Of::Seat(OfSeat { seat, player, entropy, revision, after, beacon, time }) => {
                writeln!(f, "seat {seat}")?;
                writeln!(f, "player {player}")?;
                match entropy {
                    Some(entropy) => writeln!(f, "entropy {entropy}")?,
                    None => writeln!(f, "entropy -")?,
                }
                writeln!(f, "revision {revision}")?;
                f.write_str("after")?;
                if after.is_empty() {
                    f.write_str(" -")?;
                }
                for seat in after {
                    write!(f, " {seat}")?;
                }
                f.write_char('\n')?;
                match beacon {
                    Some(StatedBeacon { chain, round: Some(round) }) => {
                        writeln!(f, "beacon {chain} {round}")?
                    }
                    Some(StatedBeacon { chain, round: None }) => writeln!(f, "beacon {chain} -")?,
                    None => {}
                }
                writeln!(f, "time {}", rfc3339(*time))
            }
        }
    }
}

impl FromStr for Receipt {
    type Err = NotAReceipt;

    fn from_str(text: &str) -> Result<Self, NotAReceipt> {
        let mut lines = ReceiptLines { lines: text.lines().enumerate() };
        if lines.lines.next().is_none_or(|(_, line)| line != FIRST) {
            return Err(NotAReceipt::First);
        }
        let game = lines.value("game")?;
        let created = lines.value("created")?;
        let commitment = lines.value("commitment")?;
        let of = match text.contains("\nply ") {
            true => {
                let ply = lines.value("ply")?;
                let Hex(hash) = lines.value("head")?;
                let status = lines.read("status", Status::named)?;
                Of::Ply(OfPly { head: Head { ply, hash }, status, time: lines.value("time")? })
            }
            false => Of::Seat(OfSeat {
                seat: lines.value("seat")?,
                player: lines.value("player")?,
                entropy: lines.read("entropy", |text| match text {
                    "-" => Some(None),
                    hex => hex.parse().ok().map(Some),
                })?,
                revision: lines.value("revision")?,
                after: lines.read("after", |text| match text {
                    "-" => Some(Vec::new()),
                    seats => seats.split(' ').map(|seat| seat.parse().ok()).collect(),
                })?,
                beacon: match text.contains("\nbeacon ") {
                    true => lines.read("beacon", |text| {
                        let (chain, round) = text.split_once(' ')?;
                        let round = match round {
                            "-" => None,
                            number => Some(number.parse().ok()?),
                        };
                        Some(Some(StatedBeacon { chain: chain.parse().ok()?, round }))
                    })?,
                    false => None,
                },
                time: lines.value("time")?,
            }),
        };
        let receipt = Self { game, created, commitment, of };
        if receipt.to_string() == text { Ok(receipt) } else { Err(NotAReceipt::Form) }
    }
}

/// The lines of a receipt, read one after another.
struct ReceiptLines<'a, I: Iterator<Item = (usize, &'a str)>> {
    lines: I,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> ReceiptLines<'a, I> {
    fn value<T: FromStr>(&mut self, name: &'static str) -> Result<T, NotAReceipt> {
        self.read(name, |text| text.parse().ok())
    }

    fn read<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<T, NotAReceipt> {
        let (index, line) = self.lines.next().unwrap_or_default();
        let value = line.strip_prefix(name).and_then(|rest| rest.strip_prefix(' ')).and_then(read);
        value.ok_or_else(|| NotAReceipt::Line {
            line: index + 1,
            expected: name,
            found: format!("`{}`", line.escape_debug()),
        })
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
        receipt(Of::Seat(OfSeat { seat, player, entropy: None, revision, after, beacon: None, time }))
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
            // It was left, and taken again.
            (seat(1, 1, &[]), seat(1, 3, &[2]), None),
            (seat(1, 1, &[]), ply(0, 5, Status::Running), None),
        ] {
            assert_eq!(one.contradicts(&other), what, "{one}{other}");
            assert_eq!(other.contradicts(&one), what, "{one}{other}");
        }
    }
}
