//! Checks a proof's game before its first word: setup, seats, entropy, commitment and start.

use assam_notation::ErrorKind;
use assam_record::beacon::{KnownBeacons, NoBeacon};
use assam_record::chance;
use assam_record::game::{Bytes32, Holder, SeatKind};
use assam_record::hex::{Hex, digits};
use assam_referee::{Ruleset, Setup};

use super::fault::shown;
use super::pin::holder;
use super::{Fault, Proof, ProvedSeat, Scope, What};

/// Checks the beginning. Returns the setup and the head before the first word.
pub(super) fn beginning(proof: &Proof) -> Result<(Setup, Bytes32), Fault> {
    let fault = |what, expected: String, found: String| Err(Fault::at(Scope::Proof, what, expected, found));
    let setup = match Setup::read(&proof.setup) {
        Ok(setup) => setup,
        Err(error) => {
            let expected = if error.kind == ErrorKind::UnknownRuleset {
                format!("one of {}", Ruleset::names())
            } else {
                format!("a setup line ({}: {})", error.rule, error.detail)
            };
            return fault(What::Setup, expected, shown(&proof.setup));
        }
    };
    if setup.line() != proof.setup {
        return fault(What::Setup, setup.line().to_owned(), shown(&proof.setup));
    }
    if proof.seats.len() != usize::from(setup.seats()) {
        return fault(What::Seat, setup.seats().to_string(), proof.seats.len().to_string());
    }
    for (number, seat) in (1..).zip(&proof.seats) {
        if usize::from(seat.seat) != number {
            return Err(Fault::at(Scope::Seat(number), What::Seat, number, seat.seat));
        }
    }
    if !proof.imported {
        seats(&setup, &proof.seats)?;
    }
    let start = start(proof)?;
    if proof.start.0 != start {
        return fault(What::Start, digits(start), proof.start.to_string());
    }
    for (number, seat) in (1..).zip(&proof.seats) {
        let is_nobody =
            seat.kind == SeatKind::Human && (seat.player, seat.entropy, seat.revision) == (None, None, None);
        if proof.imported && !is_nobody {
            let expected = "human, without player and entropy, as the game was imported";
            return Err(Fault::at(Scope::Seat(number), What::Seat, expected, seat.kind.name()));
        }
    }
    Ok((setup, start))
}

/// The head before the first word.
fn start(proof: &Proof) -> Result<Bytes32, Fault> {
    if proof.imported {
        let none = |what, found: Option<Hex<32>>| match found {
            None => Ok(()),
            Some(found) => Err(Fault::at(Scope::Proof, what, "none, as the game was imported", found)),
        };
        none(What::Commitment, proof.commitment)?;
        none(What::Anchor, proof.anchor)?;
        none(What::SeedHash, proof.seed_hash)?;
        if let Some(signed) = &proof.beacon {
            let found = format!("round {} of {}", signed.round, signed.chain);
            return Err(Fault::at(Scope::Proof, What::Beacon, "none, as the game was imported", found));
        }
        // A seed is a secret wherever it appears.
        if proof.seed.is_some() {
            return Err(Fault::at(Scope::Proof, What::Seed, "none, as the game was imported", "one"));
        }
        return Ok(chance::import_start(&proof.setup));
    }
    let one = |what, found: Option<Hex<32>>| {
        found.ok_or_else(|| Fault::at(Scope::Proof, what, "one, as the game was not imported", "none"))
    };
    let commitment = one(What::Commitment, proof.commitment)?;
    let anchor = one(What::Anchor, proof.anchor)?;
    let seed_hash = one(What::SeedHash, proof.seed_hash)?;
    let committed = Hex(chance::commitment_of(&anchor.0, &seed_hash.0));
    if committed != commitment {
        let expected = format!("that of anchor and seed_hash, {committed}");
        return Err(Fault::at(Scope::Proof, What::Commitment, expected, commitment));
    }
    let of_seed = proof.seed.map(|seed| Hex(chance::seed_hash(&seed.0)));
    if let Some(of_seed) = of_seed.filter(|of_seed| *of_seed != seed_hash) {
        let (expected, found) = (format!("one with the SHA-256 {seed_hash}"), format!("one with {of_seed}"));
        return Err(Fault::at(Scope::Proof, What::Seed, expected, found));
    }
    let seats: Vec<Holder> = proof.seats.iter().map(holder).collect();
    Ok(chance::start(&proof.setup, proof.game, &commitment.0, &seats, proof.beacon.as_ref()))
}

/// Checks that the chain of a beacon signed its round. Returns `Some(true)` if it did, `Some(false)` if its
/// chain is unknown, and `None` without a beacon.
pub(super) fn beacon(proof: &Proof, known: &KnownBeacons) -> Result<Option<bool>, Fault> {
    let Some(signed) = &proof.beacon else { return Ok(None) };
    match known.check(signed) {
        Ok(()) => Ok(Some(true)),
        Err(NoBeacon::UnknownChain) => Ok(Some(false)),
        Err(NoBeacon::Signature) => {
            let expected = format!("the signature of round {} by {}", signed.round, signed.chain);
            Err(Fault::at(Scope::Proof, What::Beacon, expected, signed.signature))
        }
    }
}

/// Checks that a game that has started can have these seats.
///
/// People have an id and a distinct revision of the seats with which they came. With entropy, it is not the
/// revision of the creation. Other seats have neither.
fn seats(setup: &Setup, seats: &[ProvedSeat]) -> Result<(), Fault> {
    for (number, seat) in (1..).zip(seats) {
        let has = (seat.player.is_some(), seat.entropy.is_some());
        let is_fine = match seat.kind {
            SeatKind::Open => false,
            SeatKind::Human => has.0,
            SeatKind::BuiltIn(player) => {
                has == (false, false) && setup.ruleset().info().players.contains(&player)
            }
        };
        if !is_fine {
            let expected = "a person with an id, or a player of the service";
            return Err(Fault::at(Scope::Seat(number), What::Seat, expected, seat.kind.name()));
        }
        let has_other =
            seats.iter().take(number - 1).find(|other| other.player.is_some() && other.player == seat.player);
        if let (Some(other), Some(player)) = (has_other, seat.player) {
            let expected = format!("another player than in seat {}", other.seat);
            return Err(Fault::at(Scope::Seat(number), What::Seat, expected, player));
        }
        let is_other = |other: &ProvedSeat| other.revision != seat.revision;
        let is_fine = match (seat.kind, seat.revision) {
            (SeatKind::Human, Some(revision)) => {
                revision >= i64::from(has.1) && seats.iter().take(number - 1).all(is_other)
            }
            (SeatKind::Human, None) => false,
            (SeatKind::Open | SeatKind::BuiltIn(_), revision) => revision.is_none(),
        };
        if !is_fine {
            let found = seat.revision.map_or_else(|| "none".to_owned(), |revision| revision.to_string());
            let expected = "a distinct one for each person, from 1 with entropy, and none for other seats";
            return Err(Fault::at(Scope::Seat(number), What::Revision, expected, found));
        }
    }
    Ok(())
}
