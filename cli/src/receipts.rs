//! Receipts that somebody kept, and whether a proof keeps to them.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use assam_api::beacon::{BeaconName, KnownBeacons};
use assam_api::game::{GameId, Head};
use assam_api::hex::Hex;
use assam_api::proof::{Proof, ProvedSeat};
use assam_api::signed::{Note, Of, OfPly, OfSeat, Receipt, StatedBeacon, VerifyingKey};
use serde::Deserialize;

use crate::records::Source;

/// A receipt that somebody kept.
pub struct KeptReceipt {
    name: String,
    /// What the response to taking a seat said, whoever signed nothing.
    told: Option<SeatTold>,
    /// What the service stated, with its signature.
    stated: Option<Stated>,
}

/// A signed statement.
#[derive(Clone)]
struct Stated {
    note: String,
    receipt: Receipt,
}

/// What a response to taking a seat says that the proof must say too.
#[derive(Deserialize)]
struct SeatTold {
    id: GameId,
    setup: String,
    commitment: Option<Hex<32>>,
    your_seat: Option<u8>,
    seats: Vec<ProvedSeat>,
    beacon: Option<ToldBeacon>,
    head: Option<KeptHead>,
}

/// A beacon in a response.
#[derive(Deserialize)]
struct ToldBeacon {
    chain: BeaconName,
    round: Option<u64>,
}

/// A head in a response.
#[derive(Deserialize)]
struct KeptHead {
    ply: u32,
    hash: Hex<32>,
}

/// A response that has a signed receipt.
#[derive(Deserialize)]
struct WithReceipt {
    receipt: Option<String>,
}

/// A receipt is none, or the game does not keep to it.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct NotKept {
    name: String,
    error: String,
    /// Two signed statements that contradict each other.
    pub both: Option<Both>,
}

/// Two signed statements that contradict each other: whoever signed both is convicted.
#[derive(Debug)]
pub struct Both {
    what: &'static str,
    notes: [String; 2],
    /// Who signed each, where keys were said.
    signed_by: Option<[String; 2]>,
}

impl fmt::Display for Both {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.signed_by {
            Some([one, other]) if one == other => {
                write!(
                    f,
                    "Both of these are signed by {one}, and they contradict each other: {}.",
                    self.what
                )?;
            }
            Some([one, other]) => write!(
                f,
                "These are signed by {one} and by {other}, and they contradict each other: {}.",
                self.what
            )?,
            None => write!(
                f,
                "These contradict each other: {}. Whether the service signed both, --key tells.",
                self.what
            )?,
        }
        for note in &self.notes {
            f.write_str("\n")?;
            for line in note.lines() {
                write!(f, "\n  {line}")?;
            }
        }
        Ok(())
    }
}

impl KeptReceipt {
    /// Reads a receipt: the response to taking a seat or to a move, as JSON, or a signed note.
    ///
    /// # Errors
    /// Where it is none.
    pub fn read(file: &Path) -> Result<Self, NotKept> {
        /// No receipt comes near it.
        const LIMIT: u64 = 16 * 1024 * 1024;
        let source = Source::one(file);
        let wrong = |error: String| NotKept { name: source.name(), error, both: None };
        let mut text = String::new();
        let read = source.open().and_then(|opened| opened.take(LIMIT).read_to_string(&mut text));
        read.map_err(|error| wrong(error.to_string()))?;
        if !text.trim_start().starts_with('{') {
            let stated = Some(Stated::read(text).map_err(wrong)?);
            return Ok(Self { name: source.name(), told: None, stated });
        }
        let with: WithReceipt = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let stated = with.receipt.map(Stated::read).transpose().map_err(wrong)?;
        let told = match serde_json::from_str(&text) {
            // Where no seat was taken, it is of a move.
            Ok(SeatTold { your_seat: None, .. }) if stated.is_none() => {
                return Err(wrong("not the response to taking a seat: your_seat is null".to_owned()));
            }
            Ok(told) => Some(told),
            Err(error) if stated.is_none() => {
                return Err(wrong(format!(
                    "not the response to taking a seat, nor one with a receipt: {error}"
                )));
            }
            Err(_) => None,
        };
        Ok(Self { name: source.name(), told, stated })
    }
}

impl Stated {
    fn read(note: String) -> Result<Self, String> {
        let read = Note::read(&note).map_err(|error| error.to_string())?;
        let receipt = read.text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { note, receipt })
    }

    /// Returns which of the keys signed it, where there are keys.
    fn signed_by(&self, keys: &[VerifyingKey]) -> Result<Option<VerifyingKey>, String> {
        let note = Note::read(&self.note).map_err(|error| error.to_string())?;
        let mut why = None;
        for key in keys {
            match key.verify(&note) {
                Ok(()) => return Ok(Some(key.clone())),
                Err(error) => why = Some(format!("signature: {error}: {key}")),
            }
        }
        why.map_or(Ok(None), Err)
    }
}

/// Holds a proof to receipts, and returns what is verified by that, in sentences.
///
/// # Errors
/// Where the game does not keep to a receipt, or two of them contradict each other.
pub fn hold(
    proof: &Proof,
    heads: &[Head],
    kept: &[KeptReceipt],
    keys: &[VerifyingKey],
    beacons: &KnownBeacons,
) -> Result<Vec<String>, NotKept> {
    let mut told = Vec::new();
    let end = proof.receipt.clone().map(Stated::read).transpose();
    let wrong = |name: &str, error: String| NotKept { name: name.to_owned(), error, both: None };
    let end = end.map_err(|error| wrong("receipt", error))?;
    if let Some(end) = &end {
        match end.signed_by(keys).map_err(|error| wrong("receipt", error))? {
            Some(key) => told.push(format!("verified: the end of the game is signed by {key}.")),
            None => told.push(
                "not verified: who signed the end of the game: say the key of the service (--key)."
                    .to_owned(),
            ),
        }
    } else if !keys.is_empty() && !proof.imported && !heads.is_empty() {
        told.push(
            "not verified: that the service signed the end of the game: the proof has no receipt.".to_owned(),
        );
    }
    let statements: Vec<(&str, &Stated)> =
        kept.iter().filter_map(|kept| Some((kept.name.as_str(), kept.stated.as_ref()?))).collect();
    contradictions(end.as_ref(), &statements, keys)?;
    for (name, stated) in &statements {
        let key = stated.signed_by(keys).map_err(|error| wrong(name, error))?;
        hold_to_stated(proof, heads, &stated.receipt).map_err(|error| wrong(name, error))?;
        if let Some(sentence) = came_in_time(&stated.receipt, beacons).map_err(|error| wrong(name, error))? {
            told.push(sentence);
        }
        let of = match &stated.receipt.of {
            Of::Ply(of) => format!("ply {}", of.head.ply),
            Of::Seat(of) => format!("seat {}", of.seat),
        };
        told.push(format!("verified: the game keeps to the signed receipt of {of}."));
        told.push(match key {
            Some(key) => format!("verified: the receipt of {of} is signed by {key}."),
            None => {
                format!("not verified: who signed the receipt of {of}: say the key of the service (--key).")
            }
        });
    }
    for kept in kept {
        if let Some((receipt, seat)) = kept.told.as_ref().and_then(|told| Some((told, told.your_seat?))) {
            hold_to_told(proof, heads, receipt).map_err(|error| wrong(&kept.name, error))?;
            told.push(format!(
                "verified: the receipt of seat {} has the same commitment, and the same in its seat and in all that came before it.",
                seat
            ));
        }
    }
    Ok(told)
}

/// Checks that no statement contradicts one before it, or that of the end.
fn contradictions(
    end: Option<&Stated>,
    statements: &[(&str, &Stated)],
    keys: &[VerifyingKey],
) -> Result<(), NotKept> {
    let wrong = |name: &str, error: String, both| NotKept { name: name.to_owned(), error, both };
    let mut known: Vec<&Stated> = end.into_iter().collect();
    for (name, stated) in statements {
        let key = stated.signed_by(keys).map_err(|error| wrong(name, error, None))?;
        for other in &known {
            if let Some(what) = stated.receipt.contradicts(&other.receipt) {
                // The other one was found to be signed before.
                let notes = [stated.note.clone(), other.note.clone()];
                let other_key = other.signed_by(keys).ok().flatten();
                let signed_by = key.as_ref().zip(other_key.as_ref());
                let signed_by = signed_by.map(|(one, other)| [one.to_string(), other.to_string()]);
                let error = format!("{what}: it contradicts another statement of the service");
                return Err(wrong(name, error, Some(Both { what, notes, signed_by })));
            }
        }
        known.push(stated);
    }
    Ok(())
}

fn same(what: &str, kept: String, found: String) -> Result<(), String> {
    match kept == found {
        true => Ok(()),
        false => Err(format!("{what}: the service said {kept}, and {found} is in the proof")),
    }
}

fn or_none<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// What the start of a game says of a seat.
fn holder(seat: &ProvedSeat) -> [(&'static str, String); 4] {
    [
        ("kind", seat.kind.name().to_owned()),
        ("player", or_none(seat.player)),
        ("entropy", or_none(seat.entropy)),
        ("revision", or_none(seat.revision)),
    ]
}

fn seat_of(seats: &[ProvedSeat], number: u8) -> Result<&ProvedSeat, String> {
    seats.iter().find(|seat| seat.seat == number).ok_or_else(|| format!("there is no seat {number}"))
}

fn head_of(heads: &[Head], ply: u32) -> String {
    or_none(heads.iter().rev().find(|head| head.ply == ply).map(|head| Hex(head.hash)))
}

/// Compares the beacon of a proof with what was said of it: the chain, and the round once it was fixed.
fn same_beacon(proof: &Proof, said: Option<(BeaconName, Option<u64>)>) -> Result<(), String> {
    let proved = proof.beacon.as_ref();
    same("beacon", or_none(said.map(|said| said.0)), or_none(proved.map(|signed| signed.chain)))?;
    match said.and_then(|said| said.1) {
        Some(round) => same("round", round.to_string(), or_none(proved.map(|signed| signed.round))),
        None => Ok(()),
    }
}

/// Compares a proof with the response to taking a seat.
fn hold_to_told(proof: &Proof, heads: &[Head], told: &SeatTold) -> Result<(), String> {
    same("game", told.id.to_string(), proof.game.to_string())?;
    same("setup", told.setup.clone(), proof.setup.clone())?;
    same("commitment", or_none(told.commitment), or_none(proof.commitment))?;
    same_beacon(proof, told.beacon.as_ref().map(|beacon| (beacon.chain, beacon.round)))?;
    let Some(own) = told.your_seat else { return Ok(()) };
    seat_of(&told.seats, own)?;
    let since = seat_of(&proof.seats, own)?.revision;
    for found in &proof.seats {
        let kept = seat_of(&told.seats, found.seat)?;
        // Whoever came after this seat has a later revision. All others were there, as they are now.
        if found.seat == own || found.revision <= since {
            for ((what, kept), (_, found_now)) in holder(kept).into_iter().zip(holder(found)) {
                same(&format!("seat {}: {what}", found.seat), kept, found_now)?;
            }
        }
    }
    // It follows from all that the chance hangs on, all seats too.
    match &told.head {
        Some(KeptHead { ply, hash }) => {
            same(&format!("head of ply {ply}"), hash.to_string(), head_of(heads, *ply))
        }
        None => Ok(()),
    }
}

/// Checks that the last seat was taken before the round of the beacon was out, and says so, where a statement is of that seat,
/// and the chain is known.
fn came_in_time(stated: &Receipt, beacons: &KnownBeacons) -> Result<Option<String>, String> {
    let Of::Seat(OfSeat { beacon: Some(StatedBeacon { chain, round: Some(round) }), time, .. }) = stated.of
    else {
        return Ok(None);
    };
    match beacons.time_of(chain, round) {
        Some(out) if out <= time => {
            Err(format!("round: the last seat was taken at {time}, when round {round} was out, since {out}"))
        }
        Some(out) => Ok(Some(format!(
            "verified: the service stated that the last seat was taken at {time}, before round {round} was out, at {out}."
        ))),
        None => Ok(None),
    }
}

/// Compares a proof with a statement of the service.
///
/// # Errors
/// Where the game does not keep to it.
pub fn hold_to_stated(proof: &Proof, heads: &[Head], stated: &Receipt) -> Result<(), String> {
    same("game", stated.game.to_string(), proof.game.to_string())?;
    same("commitment", stated.commitment.to_string(), or_none(proof.commitment))?;
    match &stated.of {
        Of::Ply(OfPly { head, status, .. }) => {
            let hash = Hex(head.hash).to_string();
            same(&format!("head of ply {}", head.ply), hash, head_of(heads, head.ply))?;
            match status.is_over() && head.ply < proof.head.ply {
                true => same("last ply", head.ply.to_string(), proof.head.ply.to_string()),
                false => Ok(()),
            }
        }
        Of::Seat(OfSeat { seat: number, player, entropy, revision, after, beacon, .. }) => {
            let found = seat_of(&proof.seats, *number)?;
            let of = |what: &str| format!("seat {number}: {what}");
            same(&of("player"), player.to_string(), or_none(found.player))?;
            same(&of("entropy"), or_none(*entropy), or_none(found.entropy))?;
            same(&of("revision"), revision.to_string(), or_none(found.revision))?;
            same_beacon(proof, beacon.map(|StatedBeacon { chain, round }| (chain, round)))?;
            let came_before = |seat: &&ProvedSeat| seat.revision.is_some_and(|other| other < *revision);
            match proof.seats.iter().filter(came_before).find(|seat| !after.contains(&seat.seat)) {
                Some(seat) => Err(format!(
                    "seat {number}: the service said that seat {} came later or not at all, and it came before in the proof",
                    seat.seat
                )),
                None => Ok(()),
            }
        }
    }
}
