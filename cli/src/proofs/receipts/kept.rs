//! Receipts in files.

use std::fmt;
use std::io::Read as _;
use std::path::Path;

use assam_proofs::proof::ProvedSeat;
use assam_proofs::signed::{Note, Of, Receipt, VerifyingKey};
use assam_record::beacon::BeaconName;
use assam_record::game::{GameId, PlayerId};
use assam_record::hex::Hex;
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::process::input::Source;

/// A receipt that a player kept.
pub struct KeptReceipt {
    pub(super) name: String,
    /// The response to taking a seat, which is not signed.
    pub(super) told: Option<SeatTold>,
    /// The signed statements of the service.
    pub(super) stated: Vec<Stated>,
}

/// A signed statement.
#[derive(Clone)]
pub(super) struct Stated {
    pub(super) note: String,
    pub(super) receipt: Receipt,
}

/// The part of the response to taking a seat that the proof must agree with.
#[derive(Deserialize)]
pub(super) struct SeatTold {
    pub(super) id: GameId,
    pub(super) setup: String,
    pub(super) commitment: Option<Hex<32>>,
    pub(super) your_seat: Option<u8>,
    pub(super) seats: Vec<ProvedSeat>,
    #[serde(default)]
    pub(super) pin: Option<ToldPin>,
    pub(super) beacon: Option<ToldBeacon>,
    pub(super) head: Option<KeptHead>,
}

/// The seats that the player saw, as the response has them.
#[derive(Deserialize)]
pub(super) struct ToldPin {
    pub(super) seats_digest: Hex<32>,
    pub(super) held: Option<i64>,
}

#[derive(Deserialize)]
pub(super) struct ToldBeacon {
    pub(super) chain: BeaconName,
    pub(super) round: Option<u64>,
}

#[derive(Deserialize)]
pub(super) struct KeptHead {
    pub(super) ply: u32,
    pub(super) hash: Hex<32>,
}

/// A response with a signed receipt, and the members that its client adds.
#[derive(Deserialize)]
struct WithReceipt {
    receipt: Option<String>,
    /// The receipt of the seats before the entropy was sent.
    seats_receipt: Option<String>,
    seats: Option<IgnoredAny>,
}

/// A file is not a receipt, or the game does not agree with it.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
pub struct NotKept {
    pub(super) name: String,
    pub(super) error: String,
    /// Two signed statements that contradict each other.
    pub both: Option<Both>,
}

/// Two signed statements that contradict each other. They convict their signer.
#[derive(Debug)]
pub struct Both {
    pub(super) what: &'static str,
    pub(super) notes: [String; 2],
    /// The signer of each, if keys were given.
    pub(super) signed_by: Option<[String; 2]>,
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
                "These contradict each other: {}. Pass the service's key with --key to check that it signed both.",
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
    /// If the file is not a receipt.
    pub fn read(file: &Path) -> Result<Self, NotKept> {
        /// The limit for a receipt, in bytes. No receipt comes near it.
        const LIMIT: u64 = 16 * 1024 * 1024;
        let source = Source::one(file);
        let wrong = |error: String| NotKept { name: source.name(), error, both: None };
        let mut text = String::new();
        let read = source.open().and_then(|opened| opened.take(LIMIT).read_to_string(&mut text));
        read.map_err(|error| wrong(error.to_string()))?;
        if !text.trim_start().starts_with('{') {
            let stated = vec![Stated::read(text).map_err(wrong)?];
            return Ok(Self { name: source.name(), told: None, stated });
        }
        let with: WithReceipt = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
        let notes = [&with.receipt, &with.seats_receipt].into_iter().flatten().cloned();
        let stated: Vec<Stated> = notes.map(Stated::read).collect::<Result<_, _>>().map_err(wrong)?;
        // A response to a move has no seats.
        let is_of_seat = with.seats.is_some() || with.seats_receipt.is_some() || stated.is_empty();
        let told: Option<SeatTold> = if is_of_seat {
            let told = serde_json::from_str(&text);
            Some(told.map_err(|error| wrong(format!("not the response to taking a seat: {error}")))?)
        } else {
            None
        };
        if told.as_ref().is_some_and(|told| told.your_seat.is_none()) {
            return Err(wrong("not the response to taking a seat: your_seat is null".to_owned()));
        }
        Ok(Self { name: source.name(), told, stated })
    }

    /// Returns its seat: the number, and the player's id, entropy and revision.
    fn seat(&self) -> Option<OwnSeat> {
        let told = self.told.as_ref().and_then(|told| {
            let own = told.seats.iter().find(|seat| Some(seat.seat) == told.your_seat)?;
            Some((own.seat, own.player, own.entropy, own.revision))
        });
        told.or_else(|| {
            self.stated.iter().find_map(|stated| match &stated.receipt.of {
                Of::Seat(of) => Some((of.seat, Some(of.player), of.entropy, Some(of.revision))),
                Of::Ply(_) | Of::Seats(_) => None,
            })
        })
    }

    /// Returns whether this is the receipt with which the player of `other`, which has no entropy, added
    /// entropy to that seat.
    pub(super) fn replaces(&self, other: &Self) -> bool {
        let (Some((seat, player, entropy, revision)), Some(older)) = (self.seat(), other.seat()) else {
            return false;
        };
        (seat, player, None) == (older.0, older.1, older.2) && entropy.is_some() && revision > older.3
    }
}

/// The number of a seat, and its player's id, entropy and revision.
type OwnSeat = (u8, Option<PlayerId>, Option<Hex<32>>, Option<i64>);

impl Stated {
    pub(super) fn read(note: String) -> Result<Self, String> {
        let read = Note::read(&note).map_err(|error| error.to_string())?;
        let receipt = read.text.parse().map_err(|error| format!("{error}"))?;
        Ok(Self { note, receipt })
    }

    /// Returns the key that signed it, or none if there are no keys.
    pub(super) fn signed_by(&self, keys: &[VerifyingKey]) -> Result<Option<VerifyingKey>, String> {
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
