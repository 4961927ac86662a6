//! What the heads of a game are made of, as far as the caller may know it.

use std::collections::HashMap;

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_rules::Viewer;
use serde::Serialize;
use utoipa::ToSchema;

use super::access::Caller;
use super::games::SeatView;
use super::moves::started;
use super::reply::Reply;
use super::{Service, StartedProblems};
use crate::chain::{self, Part, Salts};
use crate::chance;
use crate::game::Game;
use crate::problem::{HeadView, Problem};
use crate::record::{Damaged, Record, Seen};

/// The evidence for the chance and for the heads of a game.
#[derive(Serialize, ToSchema)]
pub struct Proof {
    /// Id of the game.
    #[schema(example = "0f8fad5bd9cb469fa165708f67d64b2a")]
    game: String,
    /// The setup line.
    #[schema(example = "MKN/1 marrakesh/1 seats=2")]
    setup: String,
    /// Was it imported? Then `start` is the hash of `assam/1`, `import` and the setup line, and nothing is sealed.
    imported: bool,
    /// SHA-256 of the seed, published before the game started; null for an imported game.
    commitment: Option<String>,
    /// The seed, once the game is over; null before, and for an imported game.
    seed: Option<String>,
    /// The seats, as they are part of `start`.
    seats: Vec<SeatView>,
    /// The head before the first word: 64 hex digits.
    start: String,
    /// The words in order.
    words: Vec<ProvedWord>,
    /// The head behind the last of them.
    head: HeadView,
}

/// A word, taken apart.
#[derive(Serialize, ToSchema)]
pub struct ProvedWord {
    /// Its ply.
    ply: u32,
    /// Its parts in order.
    parts: Vec<ProvedPart>,
    /// The head behind it: `SHA-256(0x03 | head before | SHA-256(0x02 | hashes of the parts))`.
    head: String,
}

/// A part of a word: its decision, or something that was drawn.
#[derive(Serialize, ToSchema)]
pub struct ProvedPart {
    /// 0 for the decision, 1 and on for what was drawn.
    part: u32,
    /// The token, without the `+`; null where you may not read it.
    #[schema(example = "b:6s2sAsQh5d3c")]
    token: Option<String>,
    /// What the token is sealed with: 64 hex digits. Null where it is not sealed, and where you may not read it.
    salt: Option<String>,
    /// `SHA-256(0x00 | token)` where it was open when it was written, else `SHA-256(0x01 | salt | token)`.
    hash: String,
}

/// Fetch the proof
///
/// What the head of every ply is made of. Tokens that you may not read are hashes only, so that everybody who asks
/// comes to the same heads; when the game is over, everything is open, and the seed shows how it was drawn.
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game")),
    security((), ("secret" = [])),
    responses((status = 200, description = "Tokens, salts and hashes", body = Proof), StartedProblems),
)]
#[get("/v1/games/{id}/proof")]
pub async fn get_proof(
    req: HttpRequest,
    id: web::Path<String>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    started(&game)?;
    let proof = Proof::of(&game, caller.viewer(&game)).map_err(Problem::internal)?;
    Ok(Reply::about(&req, &game.info).ok(&proof))
}

impl Proof {
    fn of(game: &Game, viewer: Viewer) -> Result<Self, Damaged> {
        let record = Record::replay(game, None)?;
        let head = record.head();
        let seen = Seen::by(viewer, game, head.ply)?;
        let mut hash = record.start;
        let words = record.words.iter().zip(&seen.words).map(|(written, seen)| {
            hash = chain::extend_by(&hash, written.ply, &written.played, record.salts.as_ref());
            let told: HashMap<u32, &str> = chain::tokens(seen.word()).collect();
            let is_told = |part: &Part<'_>| told.get(&part.number) == Some(&part.token);
            let parts = chain::parts(&written.played)
                .map(|part| ProvedPart::of(&part, is_told(&part), written.ply, record.salts.as_ref()));
            ProvedWord { ply: written.ply, parts: parts.collect(), head: hex::encode(hash) }
        });
        let words = words.collect();
        Ok(Self {
            game: game.info.id.clone(),
            setup: game.info.setup.clone(),
            imported: game.info.imported,
            commitment: game.seed.as_ref().map(|seed| hex::encode(chance::commitment(seed))),
            seed: game.seed.filter(|_| game.info.is_over()).map(hex::encode),
            seats: (1..).zip(&game.info.seats).map(SeatView::of).collect(),
            start: hex::encode(record.start),
            words,
            head: HeadView::from(&head),
        })
    }
}

impl ProvedPart {
    /// A part for one who may read it, or not.
    fn of(part: &Part<'_>, is_told: bool, ply: u32, salts: Option<&Salts>) -> Self {
        let salt = salts.filter(|_| part.is_sealed).map(|salts| salts.salt(ply, part.number));
        let hash = match &salt {
            Some(salt) => chain::sealed_part(salt, part.token),
            None => chain::open_part(part.token),
        };
        Self {
            part: part.number,
            token: is_told.then(|| part.token.to_owned()),
            salt: salt.filter(|_| is_told).map(hex::encode),
            hash: hex::encode(hash),
        }
    }
}
