//! The proof of a game, as the caller may see it.

use actix_web::{HttpResponse, get};
use assam_proofs::proof::Proof;
use assam_record::game::{NotStarted, StoredGame};
use assam_record::log::Damaged;
use assam_rules::Viewer;

use crate::app::App;
use crate::http::games::game_request::{GameRequest, NoGame, app};
use crate::http::request::GamePath;
use crate::http::response::finished::ResponseKind;
use crate::http::response::refusals::Refusals;
use crate::problem::Problem;

/// Get the proof
///
/// Returns the data that the game's heads are computed from. Tokens hidden from you appear only as hashes.
/// Once the game is over, nothing is hidden, and the seed shows how all chance was drawn. `assam verify`
/// recomputes everything.
#[utoipa::path(
    tag = "replay",
    params(GamePath),
    security((), ("secret" = [])),
    responses((status = 200, description = "Tokens, salts and hashes", body = Proof), Refusals<(NoGame, NotStarted)>),
)]
#[get("/v1/games/{id}/proof")]
pub async fn get_proof(of: GameRequest) -> Result<HttpResponse, Problem> {
    let head = of.started()?;
    let (kind, app) = (ResponseKind::Proof(of.caller.seat(&of.game)), app(of.http())?);
    of.answer(kind, head.ply, || of.reply().finish_json(&proof_of(app, &of.game, of.viewer())?))
}

/// Returns the proof of a game for a viewer. If the game is over and the signing key available, it includes
/// the receipt.
///
/// # Errors
/// If the stored log is damaged.
pub fn proof_of(app: &App, game: &StoredGame, viewer: Viewer) -> Result<Proof, Damaged> {
    let mut proof = Proof::new(game, viewer)?;
    if let Some(head) = game.info.head.filter(|_| game.info.is_over()) {
        proof.receipt = app.ply_receipt(game, head).ok();
    }
    Ok(proof)
}
