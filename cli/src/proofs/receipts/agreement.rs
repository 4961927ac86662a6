//! Checks whether a proof agrees with a receipt.

use std::fmt;

use assam_proofs::proof::{Proof, ProvedSeat};
use assam_proofs::signed::{Of, OfPly, OfSeat, Receipt, StatedBeacon};
use assam_record::beacon::{BeaconName, KnownBeacons};
use assam_record::game::{Head, SeatKind};
use assam_record::hex::Hex;

use super::kept::{KeptHead, SeatTold};

pub(super) fn same(what: &str, kept: String, found: String) -> Result<(), String> {
    match kept == found {
        true => Ok(()),
        false => Err(format!("{what}: the service stated {kept}, but the proof has {found}")),
    }
}

pub(super) fn or_none<T: fmt::Display>(value: Option<T>) -> String {
    value.map_or_else(|| "none".to_owned(), |value| value.to_string())
}

/// Returns what the start of a game contains about a seat.
fn holder(seat: &ProvedSeat) -> [(&'static str, String); 4] {
    [
        ("kind", seat.kind.name().to_owned()),
        ("player", or_none(seat.player)),
        ("entropy", or_none(seat.entropy)),
        ("revision", or_none(seat.revision)),
    ]
}

pub(super) fn seat_of(seats: &[ProvedSeat], number: u8) -> Result<&ProvedSeat, String> {
    seats.iter().find(|seat| seat.seat == number).ok_or_else(|| format!("there is no seat {number}"))
}

fn head_of(heads: &[Head], ply: u32) -> String {
    or_none(heads.iter().rev().find(|head| head.ply == ply).map(|head| Hex(head.hash)))
}

/// Compares the beacon of a proof with the stated one: the chain, and the round once it was fixed.
fn same_beacon(proof: &Proof, said: Option<(BeaconName, Option<u64>)>) -> Result<(), String> {
    let proved = proof.beacon.as_ref();
    same("beacon", or_none(said.map(|said| said.0)), or_none(proved.map(|signed| signed.chain)))?;
    match said.and_then(|said| said.1) {
        Some(round) => same("round", round.to_string(), or_none(proved.map(|signed| signed.round))),
        None => Ok(()),
    }
}

/// Compares a proof with the response to taking a seat.
pub(super) fn hold_to_told(proof: &Proof, heads: &[Head], told: &SeatTold) -> Result<(), String> {
    same("game", told.id.to_string(), proof.game.to_string())?;
    same("setup", told.setup.clone(), proof.setup.clone())?;
    same("commitment", or_none(told.commitment), or_none(proof.commitment))?;
    same_beacon(proof, told.beacon.as_ref().map(|beacon| (beacon.chain, beacon.round)))?;
    let Some(own) = told.your_seat else { return Ok(()) };
    seat_of(&told.seats, own)?;
    let since = seat_of(&proof.seats, own)?.revision;
    let is_full = told.seats.iter().all(|seat| seat.kind != SeatKind::Open);
    let is_fixed = told.head.is_some() || told.beacon.as_ref().is_some_and(|beacon| beacon.round.is_some());
    if is_full && !is_fixed {
        return Err(format!("seat {own}: no seat was open, but the receipt has neither a head nor a round"));
    }
    for found in &proof.seats {
        let kept = seat_of(&told.seats, found.seat)?;
        // While a seat is open, other seats can be left and retaken with a later revision. All others were
        // already there, unchanged.
        if is_full || found.seat == own || found.revision <= since {
            for ((what, kept), (_, found_now)) in holder(kept).into_iter().zip(holder(found)) {
                same(&format!("seat {}: {what}", found.seat), kept, found_now)?;
            }
        }
    }
    // The head follows from everything that the chance depends on, including all seats.
    match &told.head {
        Some(KeptHead { ply, hash }) => {
            same(&format!("head of ply {ply}"), hash.to_string(), head_of(heads, *ply))
        }
        None => Ok(()),
    }
}

/// Checks that the last seat was taken before the round of the beacon was published. Returns a sentence about
/// it if this is a statement about that seat and the chain is known.
pub(super) fn came_in_time(stated: &Receipt, beacons: &KnownBeacons) -> Result<Option<String>, String> {
    let Of::Seat(OfSeat { beacon: Some(StatedBeacon { chain, round: Some(round) }), time, .. }) = stated.of
    else {
        return Ok(None);
    };
    match beacons.time_of(chain, round) {
        Some(out) if out <= time => Err(format!(
            "round: the last seat was taken at {time}, after round {round} was published at {out}"
        )),
        Some(out) => Ok(Some(format!(
            "verified: the service stated that the last seat was taken at {time}, before round {round} was published at {out}."
        ))),
        None => Ok(None),
    }
}

/// Checks that the last seat started the game as stated.
fn hold_to_start(proof: &Proof, of: &OfSeat) -> Result<(), String> {
    let is_there = |seat: &ProvedSeat| {
        seat.seat == of.seat || of.after.contains(&seat.seat) || matches!(seat.kind, SeatKind::BuiltIn(_))
    };
    let is_due = of.pin.is_some() && of.beacon.is_none() && proof.seats.iter().all(is_there);
    match of.start {
        Some(start) => same(&format!("seat {}: start", of.seat), start.to_string(), proof.start.to_string()),
        None if is_due => Err(format!(
            "seat {}: it was the last, but the receipt does not have the start of the game",
            of.seat
        )),
        None => Ok(()),
    }
}

/// Compares a proof with a statement of the service.
///
/// # Errors
/// If the game does not agree with it.
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
        // The seats themselves are compared with its content in `Receipt::contradicts`.
        Of::Seats(_) => Ok(()),
        Of::Seat(of @ OfSeat { seat: number, player, entropy, revision, after, beacon, .. }) => {
            hold_to_start(proof, of)?;
            let found = seat_of(&proof.seats, *number)?;
            let part = |what: &str| format!("seat {number}: {what}");
            same(&part("player"), player.to_string(), or_none(found.player))?;
            same(&part("entropy"), or_none(*entropy), or_none(found.entropy))?;
            same(&part("revision"), revision.to_string(), or_none(found.revision))?;
            same_beacon(proof, beacon.map(|StatedBeacon { chain, round }| (chain, round)))?;
            let is_last = of.start.is_some() || beacon.is_some_and(|beacon| beacon.round.is_some());
            let came_later = |seat: &&ProvedSeat| seat.revision.is_some_and(|other| other > *revision);
            if let Some(later) = proof.seats.iter().find(came_later).filter(|_| is_last) {
                let later = later.seat;
                return Err(format!(
                    "seat {number}: it was the last, but seat {later} came later in the proof"
                ));
            }
            let came_before = |seat: &&ProvedSeat| seat.revision.is_some_and(|other| other < *revision);
            match proof.seats.iter().filter(came_before).find(|seat| !after.contains(&seat.seat)) {
                Some(seat) => Err(format!(
                    "seat {number}: the service stated that seat {} came later or not at all, but it came before in the proof",
                    seat.seat
                )),
                None => Ok(()),
            }
        }
    }
}
