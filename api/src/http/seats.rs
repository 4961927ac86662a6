//! Seats are taken once and renamed at will; the last one taken starts the game.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, patch, put, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::{NoSecret, caller, required};
use super::games::GameView;
use super::path::{BadPath, game_id, seat};
use super::refusals::Refusals;
use super::reply::{Reply, set_location};
use super::request::{self, BadBody, Body};
use crate::app::{App, ReadError, RenameError, TakeSeatError, Taking, check_name};
use crate::problem::{Code, Problem};

/// A seat to take.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct TakeSeat {
    /// A label for the seat: 1 to 64 characters, no control characters, no leading or trailing blanks.
    #[serde(default)]
    name: Option<String>,
    /// Entropy that you add to the chance of the game: 64 lower-case hex digits (`openssl rand -hex 32`).
    #[serde(default)]
    entropy: Option<String>,
    /// The join code, for a private game.
    #[serde(default)]
    join_code: Option<String>,
}

/// A new label for a seat.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct RenameSeat {
    /// The label: 1 to 64 characters, no control characters, no leading or trailing blanks; null erases it.
    // Deserialized like this, the field is required: `{}` erases nothing.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    name: Option<String>,
}

/// Take a seat
///
/// Binds your secret to the seat: from now on, moves sent with it are moves of that seat. The game starts when its last
/// seat is taken. Repeating this request for your own seat changes nothing; a different name or entropy is ignored.
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game"), ("seat" = u8, Path, minimum = 1, description = "Number of the seat, from 1")),
    request_body = TakeSeat,
    security(("secret" = [])),
    responses(
        (status = 201, description = "You took the seat", body = GameView),
        (status = 200, description = "You held the seat already; nothing changed", body = GameView),
        Refusals<((BadBody, NoSecret), (ReadError, BadPath, TakeSeatError))>,
    ),
)]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn take_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req);
    // Read before the game is looked up: how a body is received must not reveal whether a private game exists.
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let game = app.game_to_join(&caller, game_id(&req)?, join_code(&body).as_deref()).await?;
    let secret = required(&caller)?;
    let wanted: TakeSeat = request::fields(body?)?;
    let bad_request = |detail: &str| Problem::new(Code::BadRequest, detail);
    check_name(wanted.name.as_deref()).map_err(bad_request)?;
    let entropy = wanted.entropy.as_deref().map(str::parse).transpose();
    let entropy = entropy.map_err(|_| bad_request("entropy must be 64 lower-case hex digits"))?;
    let taking = Taking { name: wanted.name, entropy };
    let seat = seat(&req, &game)?;
    let (game, is_new) = app.take_seat(&game, secret, seat, &taking).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = Reply::about(&req, &game.info).json(status, &GameView::of(&game, &caller)?);
    set_location(&mut response, &format!("/v1/games/{}", game.info.id));
    Ok(response)
}

/// Rename a seat
///
/// Changes or erases the name of your seat. Names are not part of the log, so this is possible at any time.
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game"), ("seat" = u8, Path, minimum = 1, description = "Number of the seat, from 1")),
    request_body = RenameSeat,
    security(("secret" = [])),
    responses((status = 200, description = "The game, with the new name", body = GameView), Refusals<((BadBody, NoSecret), (ReadError, BadPath, RenameError))>),
)]
#[patch("/v1/games/{id}/seats/{seat}")]
pub async fn rename_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req);
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let game = app.game_to_play(&caller, game_id(&req)?).await?;
    required(&caller)?;
    let wanted: RenameSeat = request::fields(body?)?;
    check_name(wanted.name.as_deref()).map_err(|wrong| Problem::new(Code::BadRequest, wrong))?;
    let seat = seat(&req, &game)?;
    let game = app.rename_seat(&game, &caller, seat, wanted.name.as_deref()).await?;
    Ok(Reply::about(&req, &game.info).ok(&GameView::of(&game, &caller)?))
}

/// Returns the join code in a body, even if the body has unknown fields.
fn join_code(body: &Result<Body, Problem>) -> Option<String> {
    match body {
        Ok(Body::Json(bytes)) => serde_json::from_slice::<TakeSeat>(bytes).ok()?.join_code,
        Ok(Body::Text(_)) | Err(_) => None,
    }
}
