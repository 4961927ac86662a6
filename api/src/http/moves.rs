//! Moves: submitted, repeated without harm, looked at.

use actix_web::http::StatusCode;
use actix_web::http::header::IF_MATCH;
use actix_web::{HttpRequest, HttpResponse, get, put, web};
use assam_rules::{Seat, Turn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::Caller;
use super::reply::{Freshness, Reply, set_location};
use super::request::{self, Body, Condition};
use super::submission::{Actor, Item, Outcome, Submission, read_items, submit};
use super::{MoveProblems, ReadProblems, Service, TurnProblems};
use crate::clock::{now, rfc3339};
use crate::game::{Game, Head};
use crate::problem::{Code, HeadView, Problem};
use crate::record::{Record, Seen, referee};
use crate::store::StoreError;
use crate::view::Event;

/// One move, or several in a row of one seat. Exactly one of the two fields.
#[derive(Deserialize, ToSchema)]
pub struct SubmitMoves {
    /// A decision in notation, without chance.
    #[serde(default, rename = "move")]
    one: Option<String>,
    /// Decisions in a row; all are written, or none.
    #[serde(default)]
    moves: Option<Vec<String>>,
}

/// What was written.
#[derive(Serialize, ToSchema)]
pub struct MovesAnswer {
    /// The first ply that was written.
    #[schema(example = 1)]
    ply: u32,
    /// Your words, each a decision with the chance that it triggered; then those of the built-in players that answered, up
    /// to the next decision of somebody else. `??` is a card that you may not see yet.
    #[schema(example = json!(["N+3"]))]
    words: Vec<String>,
    /// The head behind them.
    head: HeadView,
}

/// A ply of a game.
#[derive(Serialize, ToSchema)]
pub struct MoveView {
    /// Its number; 0 is what was drawn before the first decision.
    ply: u32,
    /// The seat that decided; null for ply 0 and for an abort.
    seat: Option<u8>,
    /// The word: a decision with the chance that it triggered.
    #[schema(example = "N+3")]
    word: String,
    /// When it was written; null in an imported game.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// What followed from it.
    events: Vec<Event>,
    /// The head behind it.
    head: HeadView,
}

/// What the seat on turn may do.
#[derive(Serialize, ToSchema)]
pub struct LegalMoves {
    /// The ply to write.
    #[schema(example = 1)]
    ply: u32,
    /// The seat on turn; null when the game is over.
    #[schema(example = 1)]
    seat: Option<u8>,
    /// Every legal decision, in notation; null where only the seat itself may know them, as they depend on its hand.
    #[schema(example = json!(["N", "E", "W"]))]
    moves: Option<Vec<String>>,
    /// Where the game stands.
    head: HeadView,
}

/// Submit a move
///
/// Names the ply that it writes, so that it can be repeated without harm: the same decision of the same seat gets
/// 200 with the same words, also after the game went on. The service draws the chance. `!resign` gives up, on turn or not,
/// `!abort` (by the owner, before ply 1 is written, so not where a built-in player has the first move) ends the game
/// for all, `!timeoutN` claims out a seat that used up the game's patience.
#[utoipa::path(
    tag = "play",
    params(
        ("id" = String, Path, description = "Id of the game"),
        ("ply" = u32, Path, description = "The ply to write, from 1: the one behind `head`"),
        ("If-Match" = Option<String>, Header, description = "Entity tag or hash of the head that the move was chosen for"),
    ),
    request_body(content(
        (SubmitMoves = "application/json", examples(
            ("Marrakech, Assam is turned" = (value = json!({"move": "N"}))),
            ("Marrakech with orientation=end, a rug and Assam" = (value = json!({"moves": ["d6e6", "S"]}))),
            ("Marrakesh, a card is led or answered" = (value = json!({"move": "6s"}))),
            ("Marrakesh, two numbers are used" = (value = json!({"moves": ["6@6", "2@5"]}))),
        )),
        (String = "text/plain", examples(
            ("One move" = (value = json!("N"))),
            ("Several in a row" = (value = json!("6@6 2@5"))),
        )),
    )),
    security(("secret" = [])),
    responses(
        (status = 201, description = "Written", body = MovesAnswer),
        (status = 200, description = "Written before, by this seat", body = MovesAnswer),
        MoveProblems,
    ),
)]
#[put("/v1/games/{id}/moves/{ply}")]
pub async fn submit_moves(
    req: HttpRequest,
    payload: web::Payload,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, ply) = path.into_inner();
    let caller = Caller::of(&req);
    let body = request::body(&req, payload, request::FIELDS_LIMIT).await;
    let mut game = caller.game(&*service.store, &id).await?;
    caller.required()?;
    let texts = read_moves(body?)?;
    let ply = request::path_number("ply", &ply)?;
    if ply == 0 {
        return Err(Problem::new(Code::BadRequest, "plies are written from 1; the service writes ply 0"));
    }
    let items: Vec<Item> = read_items(referee(&game).map_err(Problem::internal)?, &texts)?;
    let if_match = Condition::of(&req, &IF_MATCH);
    let submission = Submission { ply, items: &items, if_match: if_match.as_ref() };
    let (status, game, words, head) = loop {
        let actor = Actor { seat: caller.seat(&game), is_owner: caller.is_owner(&game) };
        match submit(&game, &actor, &submission, now())? {
            Outcome::Repeated { words, head } => break (StatusCode::OK, &game, words, head),
            Outcome::Extended { at, extension, words } => {
                match service.store.append(&id, &at, &extension).await {
                    Ok(()) => break (StatusCode::CREATED, &game, words, extension.head),
                    // Somebody wrote first: look again at what this ply holds now.
                    Err(StoreError::Conflict) => game = caller.game(&*service.store, &id).await?,
                    Err(error) => return Err(error.into()),
                }
            }
        }
    };
    let answer = MovesAnswer { ply, words, head: HeadView::from(&head) };
    let reply =
        Reply { req: &req, game: Some(&game.info), head: Some(&head), freshness: Freshness::Changing };
    let mut response = reply.json(status, &answer);
    set_location(&mut response, &format!("/v1/games/{id}/moves/{ply}"));
    Ok(response)
}

/// Look at a ply
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game"), ("ply" = u32, Path, description = "A ply that is written")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The word, when it was written, and what followed from it", body = MoveView), ReadProblems),
)]
#[get("/v1/games/{id}/moves/{ply}")]
pub async fn get_move(
    req: HttpRequest,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, ply) = path.into_inner();
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let seen = at_ply(&game, &caller, &ply)?;
    let written =
        seen.words.last().filter(|written| written.ply == seen.head.ply).ok_or_else(|| {
            ply_not_found(&game, seen.head.ply, "nothing was drawn at the start of this game")
        })?;
    let view = MoveView {
        ply: written.ply,
        seat: written.seat().map(Seat::number),
        word: written.word().to_owned(),
        at: written.time(&game).map(rfc3339),
        events: written.events().to_vec(),
        head: HeadView::from(&seen.head),
    };
    let freshness = Freshness::Immutable;
    Ok(Reply { req: &req, game: Some(&game.info), head: Some(&seen.head), freshness }.ok(&view))
}

/// List the legal moves
///
/// Which cards a seat may play is told to that seat only.
#[utoipa::path(
    tag = "play",
    params(("id" = String, Path, description = "Id of the game")),
    security((), ("secret" = [])),
    responses((status = 200, description = "Every legal decision of the seat on turn", body = LegalMoves), TurnProblems),
)]
#[get("/v1/games/{id}/legal-moves")]
pub async fn get_legal_moves(
    req: HttpRequest,
    id: web::Path<String>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let head = started(&game)?;
    let record = Record::replay(&game, None).map_err(Problem::internal)?;
    let seat = match record.table.turn() {
        Turn::Player(seat) => Some(seat.number()),
        Turn::Chance | Turn::Over | Turn::Aborted => None,
    };
    let moves = record.table.legal_moves(caller.viewer(&game));
    let view = LegalMoves { ply: head.ply + 1, seat, moves, head: HeadView::from(head) };
    Ok(Reply::about(&req, &game.info).ok(&view))
}

/// The head of a game that has started.
///
/// # Errors
/// `not_started`.
pub fn started(game: &Game) -> Result<&Head, Problem> {
    let open = "seats are still open: the game starts when the last one is taken";
    game.info.head.as_ref().ok_or_else(|| Problem::new(Code::NotStarted, open))
}

/// A game up to a ply that it has, as the caller may see it.
///
/// # Errors
/// `bad_request`, `ply_not_found`.
pub fn at_ply(game: &Game, caller: &Caller, ply: &str) -> Result<Seen, Problem> {
    let ply = request::path_number("ply", ply)?;
    if game.info.head.is_none_or(|head| ply > head.ply) {
        return Err(ply_not_found(game, ply, format!("the game has no ply {ply}")));
    }
    Seen::by(caller.viewer(game), game, ply).map_err(Problem::internal)
}

fn ply_not_found(game: &Game, ply: u32, detail: impl Into<String>) -> Problem {
    let head = game.info.head.as_ref().map(HeadView::from);
    Problem { ply: Some(ply), head, ..Problem::new(Code::PlyNotFound, detail) }
}

fn read_moves(body: Body) -> Result<Vec<String>, Problem> {
    let bytes = match body {
        Body::Text(text) => return Ok(text.split_ascii_whitespace().map(str::to_owned).collect()),
        Body::Json(bytes) => bytes,
    };
    match request::json::<SubmitMoves>(&bytes)? {
        SubmitMoves { one: Some(one), moves: None } => Ok(vec![one]),
        SubmitMoves { one: None, moves: Some(moves) } => Ok(moves),
        SubmitMoves { one: Some(_), moves: Some(_) } | SubmitMoves { one: None, moves: None } => {
            Err(Problem::new(Code::BadJson, "the body has exactly one of the fields `move` and `moves`"))
        }
    }
}
