//! The holder of a secret.

use actix_web::{HttpRequest, HttpResponse, get};
use assam_record::game::PlayerId;
use serde::Serialize;
use utoipa::ToSchema;

use super::caller::{BadSecret, NoSecret, caller, required};
use super::refusals::Refusals;
use super::reply::Reply;
use crate::problem::Problem;

/// Who you are to others.
#[derive(Serialize, ToSchema)]
pub struct Me {
    /// Your public id: the first 20 hex digits of SHA-256 of the 77 bytes `assam/player`, line feed, your secret. It is the
    /// same in every game.
    #[schema(value_type = String, example = "b5bb9d8014a0f9b1d61e")]
    player: PlayerId,
}

/// Get your player id
///
/// Returns the public id of the holder of your secret, by which `GET /v1/games?player=` lists public games. Nothing is
/// stored: a secret that never took a seat has one too.
#[utoipa::path(
    tag = "games",
    security(("secret" = [])),
    responses((status = 200, description = "Who you are", body = Me), Refusals<(BadSecret, NoSecret)>),
)]
#[get("/v1/me")]
pub async fn get_me(req: HttpRequest) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    Ok(Reply::about_requester(&req).ok(&Me { player: required(&caller)?.player() }))
}
