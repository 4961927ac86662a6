//! Checks a game's inclusion in the public log: that the service shows its entries, and that the proof agrees
//! with them.

use std::io::Read as _;
use std::path::Path;

use assam_proofs::proof::Proof;
use assam_proofs::public_log::{Inclusion, Milestone, NotATlogProof, TlogProof};
use assam_proofs::signed::{Note, Of, Receipt, VerifyingKey, WitnessKey};
use assam_record::game::Head;

use crate::process::input::Source;
use crate::proofs::receipts::hold_to_stated;
use crate::remote::log_tiles::Fetched;

/// The limit for an inclusion, in bytes. No inclusion comes near it.
const LIMIT: u64 = 1024 * 1024;

/// Checks that a proof agrees with the opened entry of a moment.
///
/// # Errors
/// If the game does not agree with it, or it belongs to another moment.
pub fn hold_to_entry(
    proof: &Proof,
    heads: &[Head],
    moment: Milestone,
    stated: &Receipt,
) -> Result<(), String> {
    hold_to_stated(proof, heads, stated)?;
    let is_of_moment = match (&stated.of, moment) {
        (Of::Ply(of), Milestone::Start) => of.head.ply == 0,
        (Of::Ply(of), Milestone::End) => of.status.is_over() && of.head.ply == proof.head.ply,
        (Of::Seat(_) | Of::Seats(_), _) => false,
    };
    if is_of_moment { Ok(()) } else { Err("it opens to another receipt".to_owned()) }
}

/// Reads an inclusion: JSON, or a `.tlog-proof`.
fn read(text: &[u8]) -> Result<Inclusion, String> {
    if !TlogProof::is_begun_by(text) {
        return serde_json::from_slice(text).map_err(|error| error.to_string());
    }
    let proof = str::from_utf8(text).map_err(|error| error.to_string())?.parse();
    proof.and_then(Inclusion::new).map_err(|error: NotATlogProof| error.to_string())
}

/// Checks that a proof agrees with the response of `GET /v1/games/{id}/inclusion`, and returns what that
/// verifies, as sentences.
///
/// # Errors
/// If an entry is missing or wrong, or the game does not agree with it.
pub fn hold(
    proof: &Proof,
    heads: &[Head],
    file: &Path,
    keys: &[VerifyingKey],
    witnesses: &[WitnessKey],
) -> Result<Vec<String>, String> {
    let source = Source::one(file);
    let wrong = |error: String| format!("{}: {error}", source.name());
    let opened = source.open().map_err(|error| wrong(error.to_string()))?;
    let mut text = Vec::new();
    opened.take(LIMIT).read_to_end(&mut text).map_err(|error| wrong(error.to_string()))?;
    let inclusion = read(&text).map_err(wrong)?;
    let Fetched { checkpoint: log, note } = Fetched::read(inclusion.checkpoint, keys).map_err(wrong)?;
    let mut told = Vec::new();
    for entry in &inclusion.entries {
        let moment = entry.moment.name();
        let receipt = entry.verify(&log.head).map_err(|error| wrong(format!("{moment}: {error}")))?;
        hold_to_entry(proof, heads, entry.moment, &receipt)
            .map_err(|error| wrong(format!("{moment}: {error}")))?;
        let waits = || {
            wrong(format!("{moment}: it is not in the public log yet, fetch the inclusion again in a second"))
        };
        let position = entry.position.ok_or_else(waits)?;
        told.push(format!(
            "verified: the {moment} of the game is in the public log of {}, at position {position} of {}.",
            log.origin, log.head.size
        ));
    }
    let is_missing = |moment| inclusion.entries.iter().all(|entry| entry.moment != moment);
    let last = if proof.seed.is_some() { Milestone::End } else { Milestone::Start };
    if is_missing(last) {
        return Err(wrong(format!("{}: it has no place in the public log", last.name())));
    }
    // A `.tlog-proof` has only one moment.
    if is_missing(Milestone::Start) {
        told.push("not verified: that the start of the game is in the public log.".to_owned());
    }
    let read = Note::read(&note).map_err(|error| wrong(error.to_string()))?;
    for witness in witnesses {
        let seen = witness.verify(&read).map_err(|error| wrong(format!("{}: {error}", witness.name())))?;
        told.push(format!(
            "verified: the witness {} cosigned this checkpoint of the log at {seen}.",
            witness.name()
        ));
    }
    if witnesses.is_empty() {
        told.push(
            "not verified: that everyone is shown the same log (pass the key of a witness with --witness)."
                .to_owned(),
        );
    }
    if keys.is_empty() {
        told.push(
            "not verified: who signed the checkpoint of the log (pass the service's key with --key)."
                .to_owned(),
        );
    }
    Ok(told)
}
