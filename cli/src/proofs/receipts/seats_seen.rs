//! Checks whether the seats of a game are the ones that a player saw before sending entropy.

use assam_proofs::proof::Proof;
use assam_proofs::signed::Of;
use assam_record::game::SeatsPin;
use assam_record::hex::Hex;

use super::agreement::{or_none, same, seat_of};
use super::kept::{KeptReceipt, SeatTold, Stated};

/// Compares the seats of a proof and of the response with the seats that a player saw before sending entropy,
/// and returns a sentence about that. Returns none for receipts of no seat or without entropy.
///
/// # Errors
/// If they differ, or a statement in the response is about another seat.
pub(super) fn seats_seen(
    proof: &Proof,
    kept: &KeptReceipt,
    statements: &[(&str, &Stated)],
) -> Result<Option<String>, String> {
    let told = kept.told.as_ref().and_then(|told| Some((told.your_seat?, told)));
    let stated = kept.stated.iter().find_map(|stated| match &stated.receipt.of {
        Of::Seat(of) => Some((of.seat, of.revision, of.pin)),
        Of::Ply(_) | Of::Seats(_) => None,
    });
    let pin_of = |told: &SeatTold| {
        told.pin.as_ref().map(|pin| SeatsPin { digest: Some(pin.seats_digest), held: pin.held })
    };
    if let (Some((seat, told)), Some((stated_of, revision, stated))) = (told, stated) {
        let own = seat_of(&told.seats, seat)?.revision;
        let both = [(stated_of, Some(revision)), (seat, own)];
        let [stated_of, own] =
            both.map(|(seat, revision)| format!("seat {seat} at revision {}", or_none(revision)));
        if stated_of != own {
            return Err(format!("the response is of {own}, but the signed receipt in it is of {stated_of}"));
        }
        let digest = |pin: Option<SeatsPin>| or_none(pin.and_then(|pin| pin.digest));
        same(&format!("seat {seat}: seats_digest"), digest(pin_of(told)), digest(stated))?;
    }
    if let Some((seat, told)) = told
        && let Some(pin) = pin_of(told)
        && let Err(found) = proof.keeps_to_pin(&told.seats, seat, &pin)
    {
        same(&format!("seat {seat}: seats_digest"), or_none(pin.digest), or_none(found))?;
    }
    let stated = stated.map(|(seat, _, pin)| (seat, pin));
    let Some((seat, pin)) = stated.or(told.map(|(seat, told)| (seat, pin_of(told)))) else { return Ok(None) };
    let not_verified = |why: &str| {
        Ok(Some(format!(
            "not verified: that no other seat was changed after the entropy of seat {seat} was known, because {why}."
        )))
    };
    let Some(pin) = pin else {
        let has_entropy = seat_of(&proof.seats, seat)?.entropy.is_some();
        return if has_entropy { not_verified("the receipt has no seats_digest") } else { Ok(None) };
    };
    let own = seat_of(&proof.seats, seat)?.revision;
    let is_last = proof.seats.iter().all(|other| other.revision <= own);
    match proof.keeps_to_pin(&proof.seats, seat, &pin) {
        Err(found) => {
            same(&format!("seat {seat}: seats_digest"), or_none(pin.digest), or_none(found))?;
            Err(format!("seat {seat}: the proof has no commitment"))
        }
        Ok(false) => not_verified("other seats were taken again later"),
        Ok(true) if !statements.iter().any(|(_, stated)| is_of_seats(stated, pin.digest)) => not_verified(
            "the receipt has no seats_receipt (the signed seats, fetched before you sent entropy)",
        ),
        Ok(true) => {
            let follows = if is_last && proof.beacon.is_none() {
                ", and no player came later, so no one could choose the chance"
            } else {
                ""
            };
            Ok(Some(format!(
                "verified: the seats are the ones that the player of seat {seat} saw before sending entropy{follows}."
            )))
        }
    }
}

fn is_of_seats(stated: &Stated, digest: Option<Hex<32>>) -> bool {
    matches!(&stated.receipt.of, Of::Seats(of) if Some(of.digest) == digest)
}
