//! What the heads of a game are made of, as far as the caller may know it.

use actix_web::{HttpRequest, HttpResponse, get, web};

use super::access::Caller;
use super::moves::started;
use super::reply::Reply;
use super::{Service, StartedProblems};
use crate::problem::Problem;
use crate::proof::Proof;

/// Fetch the proof
///
/// What the head of every ply is made of. Of tokens that you may not read you are given hashes only, so that everybody who
/// asks comes to the same heads; when the game is over, everything is open, and the seed shows how it was drawn.
/// `assam verify` recomputes all of it.
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
