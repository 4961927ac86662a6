//! The signed receipt in the proof of a game that is over.

use assam_record::beacon::KnownBeacons;
use assam_record::game::Status;
use assam_record::hex::Hex;

use super::fault::shown;
use super::{Fault, Proof, Scope, What};
use crate::signed::{Note, Of, Receipt};

/// Checks that the receipt states what the proof proves, with the status that its words lead to, regardless
/// of its signer.
pub(super) fn receipt(proof: &Proof, status: Status, beacons: &KnownBeacons) -> Result<(), Fault> {
    let Some(note) = &proof.receipt else { return Ok(()) };
    let fault =
        |expected: String, found: String| Err(Fault::at(Scope::Proof, What::Receipt, expected, found));
    let receipt = match Note::read(note) {
        Ok(note) => match note.text.parse::<Receipt>() {
            Ok(receipt) => receipt,
            Err(error) => return fault(error.to_string(), shown(note.text)),
        },
        Err(error) => return fault(error.to_string(), shown(note)),
    };
    let same = |what: &str, proved: String, stated: String| match proved == stated {
        true => Ok(()),
        false => fault(format!("one that states the {what} {proved}"), stated),
    };
    same("game", proof.game.to_string(), receipt.game.to_string())?;
    let commitment = proof.commitment.map_or_else(|| "none".to_owned(), |commitment| commitment.to_string());
    same("commitment", commitment, receipt.commitment.to_string())?;
    let signed = proof.beacon.as_ref();
    let out = signed.and_then(|signed| beacons.time_of(signed.chain, signed.round));
    if let Some(out) = out.filter(|out| *out <= receipt.created) {
        let expected = format!("a round that was out after the game was created, at {}", receipt.created);
        return Err(Fault::at(Scope::Proof, What::Beacon, expected, format!("one of {out}")));
    }
    let Of::Ply(of) = &receipt.of else {
        return fault("one of the last ply".to_owned(), "one of a seat".to_owned());
    };
    same("ply", proof.head.ply.to_string(), of.head.ply.to_string())?;
    same("head", proof.head.hash.to_string(), Hex(of.head.hash).to_string())?;
    if !status.is_over() {
        return fault("none, as the game goes on".to_owned(), "one".to_owned());
    }
    same("status", status.name().to_owned(), of.status.name().to_owned())
}
