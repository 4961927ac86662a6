//! Taking, renaming and leaving seats. The last seat taken starts the game.

use actix_web::http::StatusCode;
use actix_web::http::header::IF_MATCH;
use actix_web::{HttpRequest, HttpResponse, delete, patch, put, web};
use assam_record::game::Forced;
use assam_record::hex::Hex;
use assam_record::secret::Secret;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::game_request::{NoGame, NoSuchSeat, game_id, seat};
use super::game_view::GameView;
use crate::app::{
    App, CachedGame, Caller, RenameError, ReplaceSecretError, TakeSeatError, Taking, WithdrawError,
};
use crate::http::limits::count_code;
use crate::http::request::caller::{NoSecret, caller, required};
use crate::http::request::seat_name::SeatName;
use crate::http::request::{self, BadBody, BadQuery, Body, Takes, or_default};
use crate::http::response::refusals::Refusals;
use crate::http::response::reply::{Reply, done, set_content_location, set_location};
use crate::problem::{Code, Problem};

/// A seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct TakeSeat {
    /// A label for the seat.
    #[serde(default)]
    name: Option<SeatName>,
    /// Entropy that you add to the game's chance (`openssl rand -hex 32`). Requires `commitment` and
    /// `seats_digest`.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    entropy: Option<Hex<32>>,
    /// The game's `commitment` as shown to you. If it is not correct, you do not get the seat.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    commitment: Option<Hex<32>>,
    /// The game's `seats_digest` as shown to you. If the seats have changed, you do not get the seat.
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    seats_digest: Option<Hex<32>>,
    /// Whether you send decisions in which your seat has no choice (`ask`), or the service makes them at once
    /// (`play`).
    #[serde(default, deserialize_with = "or_default")]
    #[schema(value_type = Option<Forced>)]
    forced: Forced,
    /// The join code, for a private game.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    #[expect(dead_code, reason = "read first and separately, see `JoinCode`")]
    join_code: Option<String>,
}

/// Additions to the response to taking a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IncludedWithSeat {
    /// The receipt of the seat.
    Receipt,
}

/// Optional parts of the response to taking a seat.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct SeatQuery {
    /// `receipt` for the signed receipt of your seat.
    #[serde(default)]
    #[param(inline, max_items = 1)]
    include: Vec<IncludedWithSeat>,
}

/// A new label for a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct RenameSeat {
    /// The label, or null to erase it.
    // Deserialized like this, the field is required: `{}` erases nothing.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    name: Option<SeatName>,
}

/// Take a seat
///
/// Binds your secret to the seat, so that moves sent with the secret are moves of that seat. The game starts
/// when its last seat is taken. Until then, you can repeat the request to add missing entropy, which changes
/// nothing else.
///
/// Send entropy with the game's `commitment` and `seats_digest`, which `GET /v1/games/{id}/receipt` signs.
/// If yours is the last seat, no one can then choose the outcomes of chance in the game. If you cannot see the game yet, first send 64
/// zeros for each, and no entropy. The problem that you get contains the right value in `expected` and the
/// receipt of the seats in `receipt`. If you get `seats_changed` after you sent entropy, do not retry
/// automatically. Players who try again need new entropy.
///
/// Keep the response together with the receipt of the seats. With `include=receipt`, the response contains a
/// signed receipt of your seat.
#[utoipa::path(
    tag = "games",
    params(request::GamePath, request::SeatPath, SeatQuery),
    request_body = TakeSeat,
    security(("secret" = [])),
    responses(
        (status = 201, description = "You took the seat", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "You already held the seat", body = GameView, headers(("Location"), ("Content-Location"))),
        Refusals<((BadBody, BadQuery, NoSecret), (NoGame, NoSuchSeat, TakeSeatError))>,
    ),
)]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn take_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let SeatQuery { include } = request::query(&req)?;
    let caller = caller(&req)?;
    // Read before the game is looked up: how a body is received must not reveal whether a private game
    // exists.
    let body = request::body(&req, payload, Takes::Fields).await;
    let (id, code) = (game_id(&req)?, join_code(&body));
    if code.is_some() {
        count_code(&req, id)?;
    }
    let game = app.game_to_join(&caller, id, code.as_deref()).await?;
    let secret = required(&caller)?;
    let wanted: TakeSeat = request::fields(body?)?;
    let name = wanted.name.map(|name| name.as_str().to_owned());
    let TakeSeat { entropy, commitment, seats_digest, forced, .. } = wanted;
    let taking = Taking { name, entropy, commitment, seats_digest, forced };
    let seat = seat(&req, &game)?;
    let (game, is_new) = app.take_seat(&game, secret, seat, &taking).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut view = GameView::new(&game, &caller)?;
    let path = format!("/v1/games/{}", game.info.id);
    if include.contains(&IncludedWithSeat::Receipt) {
        view.receipt = app.seat_receipt(&game, seat).ok();
    }
    let mut response = Reply::about(&req, &game.info).json(status, &view);
    set_location(&mut response, &path);
    if view.receipt.is_none() {
        set_content_location(&mut response, &path);
    }
    Ok(response)
}

/// Rename a seat
///
/// Changes or erases the name of your seat, at any time. Other processes of the service may show the old name
/// for half a second.
#[utoipa::path(
    tag = "games",
    params(
        request::GamePath,
        request::SeatPath,
        ("If-Match" = Option<String>, Header, nullable = false, description = "Entity tag of the game as shown to you"),
    ),
    request_body = RenameSeat,
    security(("secret" = [])),
    responses((status = 200, description = "The game, with the new name", body = GameView, headers(("Content-Location"))), Refusals<((BadBody, NoSecret), (NoGame, NoSuchSeat, RenameError))>),
)]
#[patch("/v1/games/{id}/seats/{seat}")]
pub async fn rename_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let body = request::body(&req, payload, Takes::Fields).await;
    let id = game_id(&req)?;
    // A condition concerns the current game, even if another process changed it.
    let is_conditional = req.headers().contains_key(IF_MATCH);
    let game = match is_conditional {
        true => app.game(&caller, id).await?,
        false => app.game_to_change(&caller, id).await?,
    };
    required(&caller)?;
    let wanted: RenameSeat = request::fields(body?)?;
    let seat = seat(&req, &game)?;
    let is_as_shown = is_conditional.then_some(|game: &CachedGame| is_matched(&req, game, &caller));
    let name = wanted.name.as_ref().map(SeatName::as_str);
    let game = app.rename_seat(&game, &caller, seat, name, is_as_shown).await?;
    let mut response = Reply::about(&req, &game.info).ok(&GameView::new(&game, &caller)?);
    set_content_location(&mut response, &format!("/v1/games/{}", game.info.id));
    Ok(response)
}

/// Leave a seat
///
/// Opens your seat again, as long as the game has not started. The next player may add different entropy. To
/// leave a started game, submit `!resign`.
#[utoipa::path(
    tag = "games",
    params(request::GamePath, request::SeatPath),
    security(("secret" = [])),
    responses((status = 204, description = "The seat is open"), Refusals<((NoSecret, NoGame), NoSuchSeat, WithdrawError)>),
)]
#[delete("/v1/games/{id}/seats/{seat}")]
pub async fn leave_seat(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let game = app.game_to_change(&caller, game_id(&req)?).await?;
    required(&caller)?;
    app.leave_seat(&game, &caller, seat(&req, &game)?).await?;
    Ok(done())
}

/// A new secret for a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReplaceSecret {
    /// The new secret: 64 lower-case hex digits (`openssl rand -hex 32`).
    #[schema(
        pattern = "^[0-9a-f]{64}$",
        example = "8f2b0b1b4b0f4b7c9d3e5a6f708192a3b4c5d6e7f8091a2b3c4d5e6f70819203"
    )]
    secret: String,
}

/// Replace the secret of a seat
///
/// Binds your seat, and the game if you own it, to a different secret, at any time. Do this if your secret
/// may have leaked. Your public id in this game does not change, and `GET /v1/me/games` lists the game for
/// the new secret. If the request is interrupted, repeat it with the new secret in `Authorization`.
#[utoipa::path(
    tag = "games",
    params(request::GamePath, request::SeatPath),
    request_body = ReplaceSecret,
    security(("secret" = [])),
    responses((status = 204, description = "The seat is now bound to the new secret"), Refusals<((BadBody, NoSecret), (NoGame, NoSuchSeat, ReplaceSecretError))>),
)]
#[put("/v1/games/{id}/seats/{seat}/secret")]
pub async fn replace_secret(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let body = request::body(&req, payload, Takes::Fields).await;
    let game = app.game_to_change(&caller, game_id(&req)?).await?;
    required(&caller)?;
    let wanted: ReplaceSecret = request::fields(body?)?;
    let secret = Secret::read(&wanted.secret)
        .ok_or_else(|| Problem::new(Code::BadRequest, "secret must be 64 lower-case hex digits"))?;
    app.replace_secret(&game, &caller, seat(&req, &game)?, &secret).await?;
    Ok(done())
}

/// Returns whether `If-Match` names what GET of the game would return to this caller.
fn is_matched(req: &HttpRequest, game: &CachedGame, caller: &Caller) -> bool {
    let view = GameView::new(game, caller).and_then(|view| Reply::about(req, &game.info).finish_json(&view));
    view.is_ok_and(|view| view.is_matched(req))
}

/// The join code of a body, regardless of its other members.
#[derive(Deserialize)]
struct JoinCode {
    join_code: Option<String>,
}

/// Returns the join code of a body.
fn join_code(body: &Result<Body, Problem>) -> Option<String> {
    match body {
        Ok(Body::Json(bytes)) => serde_json::from_slice::<JoinCode>(bytes).ok()?.join_code,
        Ok(Body::Text(_)) | Err(_) => None,
    }
}
