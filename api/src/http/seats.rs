//! Seats: taken once, renamed at will; the last one taken starts the game.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, patch, put, web};
use assam_rules::Seat as SeatNumber;
use serde::Deserialize;
use utoipa::ToSchema;

use super::access::{self, Caller};
use super::games::GameView;
use super::reply::{Reply, set_location};
use super::request::{self, Body};
use super::{RenameProblems, SeatProblems, Service};
use crate::clock::now;
use crate::game::{Game, Seat, SeatKind};
use crate::problem::{Code, Problem};
use crate::record;
use crate::secret::{Secret, is_hex};
use crate::store::{Start, StoreError};

/// How a seat is taken.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct TakeSeat {
    /// A label: 1 to 64 characters, no control characters, no blanks at its ends.
    #[serde(default)]
    name: Option<String>,
    /// Your share of the chance: 64 lower-case hex digits (`openssl rand -hex 32`).
    #[serde(default)]
    entropy: Option<String>,
    /// The join code of a private game.
    #[serde(default)]
    join_code: Option<String>,
}

/// A new label.
#[derive(Deserialize, ToSchema)]
#[schema(example = json!({"name": "Aisha"}))]
pub struct RenameSeat {
    /// 1 to 64 characters, no control characters, no blanks at its ends; null erases the label.
    // Read like this, it must be there: `{}` erases nothing.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schema(required)]
    name: Option<String>,
}

/// Take a seat
///
/// Whoever holds the secret is that seat from now on. The game starts when its last seat is taken. A seat that is yours stays
/// as you took it: another name or entropy is not looked at.
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game"), ("seat" = u8, Path, description = "Number of the seat, from 1")),
    request_body = TakeSeat,
    security(("secret" = [])),
    responses(
        (status = 201, description = "The seat is yours", body = GameView),
        (status = 200, description = "The seat was yours already", body = GameView),
        SeatProblems,
    ),
)]
#[put("/v1/games/{id}/seats/{seat}")]
pub async fn take_seat(
    req: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let caller = Caller::of(&req);
    // Before the game is looked up: how a body is received must not tell a private game from none.
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let mut game = access::any_game(&*service.store, &id).await?.ok_or_else(access::not_found)?;
    if !caller.may_see(&game) && !access::opens(&game, join_code(&body).as_deref()) {
        return Err(access::not_found());
    }
    let secret = caller.required()?;
    let wanted: TakeSeat = request::fields(body?)?;
    check_name(wanted.name.as_deref())?;
    if wanted.entropy.as_deref().is_some_and(|entropy| !is_hex(entropy, 64)) {
        return Err(Problem::new(Code::BadRequest, "entropy is 64 lower-case hex digits"));
    }
    let seat = read_seat(&number, &game)?;
    let status = loop {
        if caller.seat(&game) == Some(seat) {
            break StatusCode::OK;
        }
        let (seats, start) = with_seat_taken(&game, seat, secret, &caller, &wanted)?;
        match service.store.reseat(&id, game.info.revision, &seats, start.as_ref()).await {
            Ok(()) => break StatusCode::CREATED,
            Err(StoreError::Conflict) => game = reload(&service, &id).await?,
            Err(error) => return Err(error.into()),
        }
    };
    let game = reload(&service, &id).await?;
    let mut response = Reply::about(&req, &game.info).json(status, &GameView::of(&game, &caller)?);
    set_location(&mut response, &format!("/v1/games/{id}"));
    Ok(response)
}

/// Rename a seat
///
/// Names are labels outside the log: they can be changed and erased at any time.
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game"), ("seat" = u8, Path, description = "Number of the seat, from 1")),
    request_body = RenameSeat,
    security(("secret" = [])),
    responses((status = 200, description = "The game with the new label", body = GameView), RenameProblems),
)]
#[patch("/v1/games/{id}/seats/{seat}")]
pub async fn rename_seat(
    req: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, number) = path.into_inner();
    let caller = Caller::of(&req);
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let mut game = caller.game(&*service.store, &id).await?;
    caller.required()?;
    let wanted: RenameSeat = request::fields(body?)?;
    check_name(wanted.name.as_deref())?;
    let seat = read_seat(&number, &game)?;
    loop {
        if caller.seat(&game) != Some(seat) {
            let detail = format!("your secret does not hold seat {}", seat.number());
            return Err(Problem { seat: Some(seat.number()), ..Problem::new(Code::NotYourSeat, detail) });
        }
        let mut seats = game.info.seats.clone();
        seats[seat.index()].name.clone_from(&wanted.name);
        match service.store.reseat(&id, game.info.revision, &seats, None).await {
            Ok(()) => break,
            Err(StoreError::Conflict) => game = reload(&service, &id).await?,
            Err(error) => return Err(error.into()),
        }
    }
    let game = reload(&service, &id).await?;
    Ok(Reply::about(&req, &game.info).ok(&GameView::of(&game, &caller)?))
}

/// The seats with one more taken, and the start of the game where it was the last.
fn with_seat_taken(
    game: &Game,
    seat: SeatNumber,
    secret: &Secret,
    caller: &Caller,
    wanted: &TakeSeat,
) -> Result<(Vec<Seat>, Option<Start>), Problem> {
    let taken =
        |detail: String| Err(Problem { seat: Some(seat.number()), ..Problem::new(Code::SeatTaken, detail) });
    if let Some(held) = caller.seat(game) {
        return taken(format!("your secret holds seat {} of this game already", held.number()));
    }
    let mut seats = game.info.seats.clone();
    match seats[seat.index()].kind {
        SeatKind::Open => {}
        SeatKind::Human | SeatKind::SolitaireAi | SeatKind::Random => {
            return taken(format!("seat {} is taken", seat.number()));
        }
    }
    seats[seat.index()] = Seat {
        kind: SeatKind::Human,
        player: Some(secret.player()),
        secret: Some(hex::encode(secret.hash())),
        name: wanted.name.clone(),
        entropy: wanted.entropy.clone(),
    };
    if seats.iter().any(|seat| seat.kind == SeatKind::Open) {
        return Ok((seats, None));
    }
    let mut full = game.clone();
    full.info.seats.clone_from(&seats);
    let start = record::start(&full, now()).map_err(Problem::internal)?;
    Ok((seats, Some(start)))
}

/// The join code in a body, also where the body has a field too many.
fn join_code(body: &Result<Body, Problem>) -> Option<String> {
    match body {
        Ok(Body::Json(bytes)) => serde_json::from_slice::<TakeSeat>(bytes).ok()?.join_code,
        Ok(Body::Text(_)) | Err(_) => None,
    }
}

async fn reload(service: &Service, id: &str) -> Result<Game, Problem> {
    service.store.load(id).await?.ok_or_else(access::not_found)
}

fn check_name(name: Option<&str>) -> Result<(), Problem> {
    if name.is_none_or(is_name) {
        return Ok(());
    }
    let wrong = "a name has 1 to 64 characters, no control characters, and no blanks at its ends";
    Err(Problem::new(Code::BadRequest, wrong))
}

/// May a seat be labelled like this?
pub fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && assam_notation::check_tag("seat1", name)
}

fn read_seat(number: &str, game: &Game) -> Result<SeatNumber, Problem> {
    let seats = game.info.seats.len();
    let number = request::path_number("seat", number)?;
    u8::try_from(number)
        .ok()
        .and_then(SeatNumber::new)
        .filter(|seat| seat.index() < seats)
        .ok_or_else(|| Problem::new(Code::BadRequest, format!("the seats of this game are 1 to {seats}")))
}
