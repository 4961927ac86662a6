//! The text of a receipt, which is signed.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use assam_record::clock::rfc3339;
use assam_record::game::{Head, SeatsPin, Status};
use assam_record::hex::Hex;

use super::{FIRST, NotAReceipt, Of, OfPly, OfSeat, OfSeats, Receipt, StatedBeacon};

/// Writes the signed text.
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
            Of::Seats(OfSeats { digest, revision, time }) => {
                writeln!(f, "seats {digest}")?;
                writeln!(f, "revision {revision}")?;
                writeln!(f, "time {}", rfc3339(*time))
            }
            Of::Seat(OfSeat { seat, player, entropy, revision, after, pin, start, beacon, time }) => {
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
                if let Some(SeatsPin { digest: Some(digest), held }) = pin {
                    writeln!(f, "seats {digest}")?;
                    if let Some(held) = held {
                        writeln!(f, "held {held}")?;
                    }
                }
                if let Some(start) = start {
                    writeln!(f, "start {start}")?;
                }
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
            false if !text.contains("\nseat ") => Of::Seats(OfSeats {
                digest: lines.value("seats")?,
                revision: lines.value("revision")?,
                time: lines.value("time")?,
            }),
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
                pin: match text.contains("\nseats ") {
                    true => Some(SeatsPin {
                        digest: Some(lines.value("seats")?),
                        held: match text.contains("\nheld ") {
                            true => Some(lines.value("held")?),
                            false => None,
                        },
                    }),
                    false => None,
                },
                start: match text.contains("\nstart ") {
                    true => Some(lines.value("start")?),
                    false => None,
                },
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
