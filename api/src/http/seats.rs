//! Seats are taken once and renamed at will; the last one taken starts the game.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, patch, put, web};
use serde::Deserialize;
use utoipa::ToSchema;

use super::caller::{NoSecret, caller, required};
use super::games::GameView;
use super::path::{NoGame, NoSuchSeat, game_id, seat};
use super::refusals::Refusals;
use super::reply::{Reply, set_content_location, set_location};
use super::request::{self, BadBody, Body};
use crate::app::{App, RenameError, TakeSeatError, Taking};
use crate::game::Head;
use crate::hex::Hex;
use crate::problem::{Code, HeadView, Problem, Refuses};

/// A seat to take.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct TakeSeat {
    /// A label for the seat: 1 to 64 characters, no control characters, no leading or trailing blanks.
    #[serde(default)]
    #[schema(
        min_length = 1,
        max_length = 64,
        pattern = r"^[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?$"
    )]
    name: Option<String>,
    /// Entropy that you add to the chance of the game: 64 lower-case hex digits (`openssl rand -hex 32`).
    #[serde(default)]
    #[schema(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    entropy: Option<Hex<32>>,
    /// The join code, for a private game.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    #[expect(dead_code, reason = "read first and by itself, see `JoinCode`")]
    join_code: Option<String>,
}

/// A new label for a seat.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct RenameSeat {
    /// The label: 1 to 64 characters, no control characters, no leading or trailing blanks; null erases it.
    // Deserialized like this, the field is required: `{}` erases nothing.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(
        required,
        min_length = 1,
        max_length = 64,
        pattern = r"^[^\s\u0000-\u001f\u007f-\u009f]([^\u0000-\u001f\u007f-\u009f]*[^\s\u0000-\u001f\u007f-\u009f])?$"
    )]
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
        Refusals<((BadBody, NoSecret), (NoGame, NoSuchSeat, TakeSeatError))>,
    ),
)]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn take_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    // Read before the game is looked up: how a body is received must not reveal whether a private game exists.
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let game = app.game_to_join(&caller, game_id(&req)?, join_code(&body).as_deref()).await?;
    let secret = required(&caller)?;
    let wanted: TakeSeat = request::fields(body?)?;
    let taking = Taking { name: wanted.name, entropy: wanted.entropy };
    let seat = seat(&req, &game)?;
    let (game, is_new) = app.take_seat(&game, secret, seat, &taking).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = Reply::about(&req, &game.info).json(status, &GameView::of(&game, &caller)?);
    let path = format!("/v1/games/{}", game.info.id);
    set_location(&mut response, &path);
    set_content_location(&mut response, &path);
    Ok(response)
}

/// Rename a seat
///
/// Changes or erases the name of your seat. Names are not part of the log, so this is possible at any time.
#[utoipa::path(
    tag = "games",
    params(
        ("id" = String, Path, description = "Id of the game"),
        ("seat" = u8, Path, minimum = 1, description = "Number of the seat, from 1"),
        ("If-Match" = Option<String>, Header, description = "Entity tag of the game as you were shown it; if it is another one now, nothing changes"),
    ),
    request_body = RenameSeat,
    security(("secret" = [])),
    responses((status = 200, description = "The game, with the new name", body = GameView), Refusals<((BadBody, NoSecret), (NoGame, NoSuchSeat, RenameError, NotAsShown))>),
)]
#[patch("/v1/games/{id}/seats/{seat}")]
pub async fn rename_seat(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let game = app.game_to_play(&caller, game_id(&req)?).await?;
    required(&caller)?;
    let wanted: RenameSeat = request::fields(body?)?;
    let seat = seat(&req, &game)?;
    let shown = Reply::about(&req, &game.info).finish_json(&GameView::of(&game, &caller)?)?;
    if !shown.is_matched(&req) {
        return Err(NotAsShown(game.info.head).into());
    }
    let game = app.rename_seat(&game, &caller, seat, wanted.name.as_deref()).await?;
    let mut response = Reply::about(&req, &game.info).ok(&GameView::of(&game, &caller)?);
    set_content_location(&mut response, &format!("/v1/games/{}", game.info.id));
    Ok(response)
}

/// A game that is not as `If-Match` says that it was shown.
struct NotAsShown(Option<Head>);

impl From<NotAsShown> for Problem {
    fn from(NotAsShown(head): NotAsShown) -> Self {
        let detail = "If-Match names another response than GET of the game would return to you now";
        Self { head: head.map(HeadView::from), ..Self::new(Code::StaleHead, detail) }
    }
}

impl Refuses for NotAsShown {
    fn codes() -> Vec<Code> {
        vec![Code::StaleHead]
    }
}

/// The join code of a body, whatever else is in it.
#[derive(Deserialize)]
struct JoinCode {
    join_code: Option<String>,
}

/// Returns the join code in a body.
fn join_code(body: &Result<Body, Problem>) -> Option<String> {
    match body {
        Ok(Body::Json(bytes)) => serde_json::from_slice::<JoinCode>(bytes).ok()?.join_code,
        Ok(Body::Text(_)) | Err(_) => None,
    }
}
