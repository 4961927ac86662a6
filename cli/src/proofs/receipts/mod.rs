//! Receipts that players kept, and whether a proof agrees with them.

use assam_proofs::proof::Proof;
use assam_proofs::signed::{Of, VerifyingKey};
use assam_record::beacon::KnownBeacons;
use assam_record::game::Head;

use agreement::{came_in_time, hold_to_told};
use kept::{Both, Stated};
use seats_seen::seats_seen;

pub use agreement::hold_to_stated;
pub use kept::{KeptReceipt, NotKept};

mod agreement;
mod kept;
mod seats_seen;

/// Checks that a proof agrees with receipts, and returns what that verifies, as sentences.
///
/// # Errors
/// If the game does not agree with a receipt, or two receipts contradict each other.
pub fn hold<'a>(
    proof: &Proof,
    heads: &[Head],
    kept: &'a [KeptReceipt],
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
                "not verified: who signed the end of the game (pass the service's key with --key)."
                    .to_owned(),
            ),
        }
    } else if !keys.is_empty() && !proof.imported && proof.seed.is_some() {
        let error = "the game is over, but the proof does not have the signed receipt of its end";
        return Err(wrong("receipt", error.to_owned()));
    } else if !keys.is_empty() && !proof.imported && !heads.is_empty() {
        told.push(
            "not verified: that the service signed the end of the game, which is still running.".to_owned(),
        );
    }
    let stated = |kept: &'a KeptReceipt| kept.stated.iter().map(|stated| (kept.name.as_str(), stated));
    let statements: Vec<(&str, &Stated)> = kept.iter().flat_map(stated).collect();
    contradictions(end.as_ref(), &statements, keys)?;
    // A player may also have kept an earlier receipt, from before they added entropy.
    let newest: Vec<&KeptReceipt> =
        kept.iter().filter(|one| !kept.iter().any(|other| other.replaces(one))).collect();
    for (name, stated) in newest.iter().copied().flat_map(stated) {
        let key = stated.signed_by(keys).map_err(|error| wrong(name, error))?;
        hold_to_stated(proof, heads, &stated.receipt).map_err(|error| wrong(name, error))?;
        if let Some(sentence) = came_in_time(&stated.receipt, beacons).map_err(|error| wrong(name, error))? {
            told.push(sentence);
        }
        let of = match &stated.receipt.of {
            Of::Ply(of) => format!("ply {}", of.head.ply),
            Of::Seat(of) => format!("seat {}", of.seat),
            Of::Seats(of) => format!("the seats at revision {}", of.revision),
        };
        if !matches!(stated.receipt.of, Of::Seats(_)) {
            told.push(format!("verified: the game agrees with the signed receipt of {of}."));
        }
        told.push(match key {
            Some(key) => format!("verified: the receipt of {of} is signed by {key}."),
            None => {
                format!("not verified: who signed the receipt of {of} (pass the service's key with --key).")
            }
        });
    }
    for kept in newest {
        if let Some((receipt, seat)) = kept.told.as_ref().and_then(|told| Some((told, told.your_seat?))) {
            hold_to_told(proof, heads, receipt).map_err(|error| wrong(&kept.name, error))?;
            told.push(format!(
                "verified: the receipt of seat {} has the same commitment as the game, and its seat and all earlier ones are unchanged.",
                seat
            ));
        }
        told.extend(seats_seen(proof, kept, &statements).map_err(|error| wrong(&kept.name, error))?);
    }
    Ok(told)
}

/// Checks that no statement contradicts an earlier one, or the end of the game.
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
                // The signature of the other one was already checked.
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
