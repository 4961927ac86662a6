//! The proof of a game: everything its heads are computed from, as far as a viewer may see it. The service
//! writes it, and anyone can verify it.

use assam_record::beacon::{BeaconRound, GameBeacon};
use assam_record::chain;
use assam_record::chance::{self, Committed};
use assam_record::game::{GameId, Head, HeadView, PlayerId, SeatKind, StoredGame};
use assam_record::hex::{Hex, Hex32};
use assam_record::log::{Chain, Damaged, MaskedReplay};
use assam_referee::{Token, tokens};
use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

mod agrees;
mod beginning;
mod drawn;
mod fault;
mod pin;
mod sentences;
mod signed;
mod verify;

pub use fault::{Fault, Scope, What};
pub use verify::{Verified, verify, verify_knowing};

/// The evidence for the chance and for the heads of a game.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct Proof {
    /// The id of the game.
    pub game: GameId,
    /// The setup line.
    #[schema(max_length = 4096, example = "MKN/1 marrakesh/1 seats=2")]
    pub setup: String,
    /// Whether the game was imported. If so, `start` is the hash of `assam/1`, `import` and the setup line,
    /// and nothing is sealed.
    pub imported: bool,
    /// The commitment published when the game was created: `SHA-256(0x04 | anchor | seed_hash)`. Null for an
    /// imported game.
    #[serde(deserialize_with = "Option::deserialize")]
    pub commitment: Option<Hex32>,
    /// SHA-256 of the key of ply 0, even if ply 0 has no word. Null for an imported game.
    #[serde(deserialize_with = "Option::deserialize")]
    pub anchor: Option<Hex32>,
    /// SHA-256 of the seed. Null for an imported game.
    #[serde(deserialize_with = "Option::deserialize")]
    pub seed_hash: Option<Hex32>,
    /// The seed, once the game is over. Null before that, and for an imported game.
    #[serde(deserialize_with = "Option::deserialize")]
    pub seed: Option<Hex32>,
    /// The seats in order, as `start` includes them.
    #[schema(max_items = 4)]
    pub seats: Vec<ProvedSeat>,
    /// The round of the outside beacon that `start` includes. Null in a game without one.
    #[serde(deserialize_with = "Option::deserialize")]
    pub beacon: Option<BeaconRound>,
    /// The head before the first word: 64 hex digits.
    pub start: Hex32,
    /// The words in order.
    #[schema(max_items = 65_536)]
    pub words: Vec<ProvedWord>,
    /// The head after the last word.
    pub head: HeadView,
    /// The signed receipt of the last ply, once the game is over. Null before that, for an imported game, and
    /// if the service no longer has the key that signed at that time.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(max_length = 4096)]
    pub receipt: Option<String>,
}

/// A seat, without its name, which is not part of any hash.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedSeat {
    /// The number of the seat, from 1.
    #[schema(minimum = 1, maximum = 4)]
    pub seat: u8,
    /// The kind of player that holds the seat.
    pub kind: SeatKind,
    /// The public id of the player: 20 hex digits.
    #[serde(deserialize_with = "Option::deserialize")]
    pub player: Option<PlayerId>,
    /// The entropy that the player added to the chance of the game: 64 hex digits.
    #[serde(deserialize_with = "Option::deserialize")]
    pub entropy: Option<Hex32>,
    /// The revision of the seats at which a person took the seat, or the later one at which they added
    /// entropy. The larger of two revisions is the later one. Null for other seats, and in imported games.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(minimum = 0, maximum = 2_147_483_647)]
    pub revision: Option<i64>,
}

/// A word, split into its parts.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedWord {
    /// The ply of the word.
    #[schema(maximum = 65_536)]
    pub ply: u32,
    /// The key of the ply. Its SHA-256 is the key of the previous ply, and for ply 0 the anchor. Outcomes
    /// drawn here from public information follow from it. Null in an imported game.
    #[serde(deserialize_with = "Option::deserialize")]
    pub key: Option<Hex32>,
    /// The parts of the word, in order.
    #[schema(max_items = 1000)]
    pub parts: Vec<ProvedPart>,
    /// The head after it: `SHA-256(0x03 | head before | SHA-256(0x02 | hashes of the parts))`.
    pub head: Hex32,
}

/// A part of a word: its decision or an outcome of chance.
#[derive(Serialize, Deserialize, ToSchema)]
pub struct ProvedPart {
    /// The number of the part: 0 for the decision, from 1 for outcomes.
    #[schema(maximum = 65_536)]
    pub part: u32,
    /// The token, without the `+`, as you may read it: a card that is hidden from you is `??`.
    #[schema(max_length = 64, example = "b:6s2sAsQh5d3c")]
    pub token: String,
    /// The salt that seals the token: 64 hex digits. Null if the token is not sealed, or is hidden from you.
    #[serde(deserialize_with = "Option::deserialize")]
    pub salt: Option<Hex32>,
    /// `SHA-256(0x00 | token)` if the token was public when it was written, otherwise `SHA-256(0x01 | salt |
    /// token)`.
    pub hash: Hex32,
}

impl Proof {
    /// Returns the evidence that `viewer` may see.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn new(game: &StoredGame, viewer: Viewer) -> Result<Self, Damaged> {
        let Chain { head: start, mut committed } = Chain::new(game);
        let last = game.info.head.map_or(0, |head| head.ply);
        if let Some(committed) = &mut committed {
            committed.keys.look_back(last);
        }
        let mut hash = start;
        let mut words = Vec::new();
        MaskedReplay::word_by_word(viewer, game, last, |written| {
            let told = tokens(&written.told);
            let part = |(token, (_, told))| ProvedPart::new(&token, told, written.ply, committed.as_ref());
            let parts: Vec<ProvedPart> = written.word.tokens().zip(told).map(part).collect();
            hash = chain::extend(&hash, parts.iter().map(|part| part.hash.0));
            let key = committed.as_ref().map(|committed| Hex(committed.keys.of(written.ply)));
            words.push(ProvedWord { ply: written.ply, key, parts, head: Hex(hash) });
        })?;
        let seats = game.info.seated().map(|(seat, holder)| ProvedSeat {
            seat: seat.number(),
            kind: holder.kind,
            player: holder.player,
            entropy: holder.entropy,
            revision: holder.revision,
        });
        Ok(Self {
            game: game.info.id,
            setup: game.info.setup.line().to_owned(),
            imported: game.info.imported,
            commitment: game.commitment.map(Hex),
            anchor: committed.as_ref().map(|committed| Hex(committed.keys.anchor())),
            seed_hash: game.seed.as_ref().map(|seed| Hex(chance::seed_hash(seed))),
            seed: game.seed.filter(|_| game.info.is_over()).map(Hex),
            seats: seats.collect(),
            beacon: game.beacon.as_ref().and_then(GameBeacon::signed),
            start: Hex(start),
            words,
            head: HeadView::from(Head { ply: last, hash }),
            receipt: None,
        })
    }
}

impl ProvedPart {
    /// Returns a part for a viewer who reads its token as `told`.
    fn new(part: &Token<'_>, told: &str, ply: u32, committed: Option<&Committed>) -> Self {
        let salt = committed.filter(|_| part.is_sealed).map(|committed| committed.salt(ply, part.part));
        let hash = match &salt {
            Some(salt) => chain::sealed_part(salt, part.text),
            None => chain::open_part(part.text),
        };
        Self {
            part: part.part,
            token: told.to_owned(),
            salt: salt.filter(|_| told == part.text).map(Hex),
            hash: Hex(hash),
        }
    }

    /// Returns whether the part is hidden from the requester of the proof. A known token never has a `?`.
    pub fn is_hidden(&self) -> bool {
        self.token.contains('?')
    }
}
