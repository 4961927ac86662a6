//! What the heads of a game are made of, as far as a viewer may know it: written by the service, verified by anybody.

use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::chain::{self, Part};
use crate::chance::{self, Committed};
use crate::digits::Hex;
use crate::game::{Game, Head, SeatKind};
use crate::problem::HeadView;
use crate::record::{Damaged, Record, Seen};

mod fault;
mod sentences;
mod verify;

pub use fault::{Fault, Place, What};
pub use verify::{Verified, verify};

/// The evidence for the chance and for the heads of a game.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Proof {
    /// Id of the game.
    #[schema(value_type = String, example = "0f8fad5bd9cb469fa165708f67d64b2a")]
    pub game: Hex<16>,
    /// The setup line.
    #[schema(example = "MKN/1 marrakesh/1 seats=2")]
    pub setup: String,
    /// Was it imported? Then `start` is the hash of `assam/1`, `import` and the setup line, and nothing is sealed.
    pub imported: bool,
    /// SHA-256 of the seed, published before the game started; null for an imported game.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub commitment: Option<Hex<32>>,
    /// The seed, once the game is over; null before, and for an imported game.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub seed: Option<Hex<32>>,
    /// The seats in order, as they are part of `start`.
    pub seats: Vec<ProvedSeat>,
    /// The head before the first word: 64 hex digits.
    #[schema(value_type = String)]
    pub start: Hex<32>,
    /// The words in order.
    pub words: Vec<ProvedWord>,
    /// The head behind the last of them.
    pub head: HeadView,
}

/// A seat, without the name, which is no part of any hash.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedSeat {
    /// Its number, from 1.
    pub seat: u8,
    /// What kind of player holds it.
    pub kind: SeatKind,
    /// Public id of the player: 20 hex digits.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub player: Option<Hex<10>>,
    /// The player's share of the chance: 64 hex digits.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub entropy: Option<Hex<32>>,
}

/// A word, taken apart.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedWord {
    /// Its ply.
    pub ply: u32,
    /// Its parts in order.
    pub parts: Vec<ProvedPart>,
    /// The head behind it: `SHA-256(0x03 | head before | SHA-256(0x02 | hashes of the parts))`.
    #[schema(value_type = String)]
    pub head: Hex<32>,
}

/// A part of a word: its decision, or something that was drawn.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedPart {
    /// 0 for the decision, 1 and on for what was drawn.
    pub part: u32,
    /// The token, without the `+`, as you may read it: what is hidden from you has a `?` for each character of a card.
    #[schema(example = "b:6s2sAsQh5d3c")]
    pub token: String,
    /// What the token is sealed with: 64 hex digits. Null where it is not sealed, and where it is hidden from you.
    #[schema(value_type = Option<String>)]
    #[serde(deserialize_with = "Option::deserialize")]
    pub salt: Option<Hex<32>>,
    /// `SHA-256(0x00 | token)` where it was open when it was written, else `SHA-256(0x01 | salt | token)`.
    #[schema(value_type = String)]
    pub hash: Hex<32>,
}

impl Proof {
    /// The evidence that `viewer` may have.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn of(game: &Game, viewer: Viewer) -> Result<Self, Damaged> {
        let record = Record::replay(game, None)?;
        let seen = Seen::by(viewer, game, record.table.ply())?;
        let mut hash = record.start;
        let words = record.words.iter().zip(&seen.words).map(|(written, seen)| {
            let parts: Vec<ProvedPart> = chain::parts(&written.played)
                .zip(chain::tokens(seen.word()))
                .map(|(part, (_, told))| ProvedPart::of(&part, told, written.ply, record.committed.as_ref()))
                .collect();
            hash = chain::extend(&hash, parts.iter().map(|part| part.hash.0));
            ProvedWord { ply: written.ply, parts, head: Hex(hash) }
        });
        let words = words.collect();
        let not_hex = |_| Damaged::unwritable(game);
        let seats = (1..).zip(&game.info.seats).map(|(number, seat)| {
            let player = seat.player.as_deref().map(str::parse).transpose();
            let entropy = seat.entropy.as_deref().map(str::parse).transpose();
            Ok(ProvedSeat {
                seat: number,
                kind: seat.kind,
                player: player.map_err(not_hex)?,
                entropy: entropy.map_err(not_hex)?,
            })
        });
        Ok(Self {
            game: game.info.id.parse().map_err(not_hex)?,
            setup: game.info.setup.clone(),
            imported: game.info.imported,
            commitment: game.seed.as_ref().map(|seed| Hex(chance::commitment(seed))),
            seed: game.seed.filter(|_| game.info.is_over()).map(Hex),
            seats: seats.collect::<Result<_, Damaged>>()?,
            start: Hex(record.start),
            words,
            head: HeadView::from(&Head { ply: record.table.ply(), hash }),
        })
    }
}

impl ProvedPart {
    /// A part for one who is told this of it.
    fn of(part: &Part<'_>, told: &str, ply: u32, committed: Option<&Committed>) -> Self {
        let salt = committed.filter(|_| part.is_sealed).map(|committed| committed.salt(ply, part.number));
        let hash = match &salt {
            Some(salt) => chain::sealed_part(salt, part.token),
            None => chain::open_part(part.token),
        };
        Self {
            part: part.number,
            token: told.to_owned(),
            salt: salt.filter(|_| told == part.token).map(Hex),
            hash: Hex(hash),
        }
    }

    /// Is it hidden from the one who was given it? No token that is known has a `?`.
    pub fn is_hidden(&self) -> bool {
        self.token.contains('?')
    }
}
