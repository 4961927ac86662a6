//! Reading moves and submitting them, which is safe to repeat.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, get, put, web};
use assam_record::clock::{now, rfc3339};
use assam_record::game::{HeadView, NotStarted, Visibility};
use assam_record::hex::{Hex32, digits};
use assam_record::log::{Chain, MaskedReplay};
use assam_referee::{AnyLine, Event, State};
use assam_rules::{Seat, Viewer};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::analysis::{AnalysisWhileRunning, hints};
use crate::app::{App, CachedGame, Caller, NoSubmission, Submission, SubmitError, Wrote};
use crate::http::games::game_request::{
    BadPath, GameRequest, NoGame, NoSuchPly, PlyRequest, game_id, next_ply,
};
use crate::http::games::game_view::ClockView;
use crate::http::request::caller::{NoSecret, caller, required};
use crate::http::request::{self, BadBody, BadQuery, Body, Takes};
use crate::http::response::finished::ResponseKind;
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::{Freshness, Reply, set_location};
use crate::problem::{Code, Problem};

/// One move, or several consecutive moves of one seat: exactly one of the fields.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(min_properties = 1, max_properties = 1)]
pub struct SubmitMoves {
    /// A decision in notation, without its chance.
    #[serde(default, rename = "move")]
    #[schema(nullable = false, max_length = 64)]
    one: Option<String>,
    /// Consecutive decisions, written together or not at all.
    #[serde(default)]
    #[schema(nullable = false, max_items = 64)]
    moves: Option<Vec<String>>,
}

/// The written words.
#[derive(Serialize, ToSchema)]
pub struct MovesAnswer {
    /// The ply of the first word.
    #[schema(maximum = 65_536, example = 1)]
    ply: u32,
    /// Your words, each a decision with its chance, then the words of built-in players that moved in
    /// response. A card hidden from you is `??`.
    #[schema(max_items = 65_536, max_length = 64, example = json!(["N+3"]))]
    words: Vec<String>,
    /// The head after the last word.
    head: HeadView,
    /// The seat whose turn it is after them. Null when the game is over.
    #[schema(minimum = 1, maximum = 4)]
    seat: Option<u8>,
    /// The clock as of the last word, if the game has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    clock: Option<ClockView>,
    /// The current position, as you may see it, with `include=state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
    /// The current legal moves, with `include=legal-moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    legal_moves: Option<LegalMoves>,
    /// The receipt of the ply of `head`, with `include=receipt`, if the signing key is available.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 4096, nullable = false)]
    receipt: Option<String>,
}

/// Additions to the response to a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Included {
    /// The position.
    State,
    /// The legal moves.
    LegalMoves,
    /// The receipt of the last word.
    Receipt,
}

/// Optional parts of the response to a move.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct MovesQuery {
    /// Optional parts, separated by commas: your current `state` and `legal-moves`, even when you resend a
    /// move, and the `receipt` of the written words.
    #[serde(default)]
    #[param(inline, max_items = 3)]
    include: Vec<Included>,
}

/// A move of a game.
#[derive(Serialize, ToSchema)]
pub struct MoveView {
    /// The ply. Ply 0 is what was drawn before the first decision.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The seat that decided or left. Null for ply 0 and an abort.
    #[schema(minimum = 1, maximum = 4)]
    seat: Option<u8>,
    /// The word: a decision with its chance.
    #[schema(max_length = 64, example = "N+3")]
    word: String,
    /// When it was written. Null in imported games.
    #[schema(format = DateTime)]
    at: Option<String>,
    /// The consequences of the word, in order.
    #[schema(max_items = 1000)]
    events: Vec<Event>,
    /// The key of the ply, which with public data determines the draw. Null in imported games.
    #[schema(value_type = Option<Hex32>)]
    key: Option<String>,
    /// The head after this ply.
    head: HeadView,
}

/// The legal moves of the seat whose turn it is.
#[derive(Serialize, ToSchema)]
pub struct LegalMoves {
    /// The next ply to write, if the game is not over.
    #[schema(maximum = 65_536, example = 1)]
    ply: u32,
    /// The seat whose turn it is. Null when the game is over.
    #[schema(minimum = 1, maximum = 4, example = 1)]
    seat: Option<u8>,
    /// The legal decisions in notation. Null if they depend on a hand hidden from you. Empty when the game is
    /// over.
    #[schema(max_items = 1000, max_length = 64, example = json!(["N", "E", "W"]))]
    moves: Option<Vec<String>>,
    /// The current head of the game.
    head: HeadView,
    /// The best decisions for you, best first, with `include=hints`. Empty if it is not your turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_items = 5, nullable = false)]
    hints: Option<Vec<AnyLine>>,
}

/// Additions to legal moves.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum LegalMovesPart {
    /// The best decisions for you.
    Hints,
}

/// Optional parts of the legal moves.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct LegalMovesQuery {
    /// Optional parts: `hints` in unrated games against built-in players. Their records have the tag `hints`.
    #[serde(default)]
    #[param(inline, max_items = 1)]
    include: Vec<LegalMovesPart>,
}

/// Submit a move
///
/// Writes your move at the ply in the path. If a decision triggers chance, the service draws it. The response
/// includes the moves of built-in players that follow. Resending a move is safe: you get the original words
/// with status 200.
///
/// Three special moves take a seat out of the game or end the game:
///
/// * `!resign` gives up your seat, even when it is not your turn.
/// * `!timeoutN` claims out seat N, once it has used up `patience_hours` or its time on the `clock`. With a
///   clock, the service itself does so a second later.
/// * `!abort` ends the game for everyone. Only the owner may send it, after the start and before ply 1.
#[utoipa::path(
    tag = "play",
    params(
        request::GamePath,
        ("ply" = u32, Path, maximum = 65_536, minimum = 1, description = "The ply to write: the one after `head`"),
        MovesQuery,
        ("If-Match" = Option<String>, Header, nullable = false, description = "Hash of the head for which you chose the move, or the entity tag of a response"),
    ),
    request_body(content(
        (SubmitMoves = "application/json", examples(
            ("Assam is turned (Marrakech)" = (value = json!({"move": "N"}))),
            ("Marrakech with orientation=end: lay a rug, then turn Assam" = (value = json!({"moves": ["d6e6", "S"]}))),
            ("Marrakesh: lead or reply with a card" = (value = json!({"move": "6s"}))),
            ("Marrakesh: use two numbers" = (value = json!({"moves": ["6@6", "2@5"]}))),
        )),
        (String = "text/plain", examples(
            ("One move" = (value = json!("N"))),
            ("Several consecutive moves" = (value = json!("6@6 2@5"))),
        )),
    )),
    security(("secret" = [])),
    responses(
        (status = 201, description = "The move was written", body = MovesAnswer, headers(("Location"))),
        (status = 200, description = "The original words of a resent move", body = MovesAnswer, headers(("Location"))),
        Refusals<((BadBody, BadQuery, NoSecret, NoGame), (BadPath, NoSubmission, SubmitError))>,
    ),
)]
#[put("/v1/games/{id}/moves/{ply}")]
pub async fn submit_moves(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let MovesQuery { include } = request::query(&req)?;
    let caller = caller(&req)?;
    // Read before the game is looked up: how a body is received must not reveal whether a private game
    // exists.
    let body = request::body(&req, payload, Takes::FieldsOrText).await;
    // The body has arrived, so what follows does not count as the sender's time.
    let arrived = now();
    let id = game_id(&req)?;
    let game = app.game_to_play(&caller, id).await?;
    let (ply, game, wrote) = match write(&app, &req, &caller, &game, body, arrived).await {
        // Another process may have given the seat to another player since.
        Err(refused) if game.info.visibility == Visibility::Private => {
            app.game(&caller, id).await?;
            return Err(refused);
        }
        written => written?,
    };
    let Wrote { words, head, seat, is_new } = wrote;
    // A resent move may not be the last one, here or in another process.
    let game = if is_new || include.is_empty() { game } else { app.game(&caller, id).await? };
    let viewer = caller.viewer(&game);
    let answer = MovesAnswer {
        ply,
        words,
        head: HeadView::from(head),
        seat: seat.map(Seat::number),
        clock: game.info.clock.as_ref().map(ClockView::from),
        state: match include.contains(&Included::State) {
            true => Some(MaskedReplay::by(viewer, &game, game.started()?.ply)?.table.state()),
            false => None,
        },
        legal_moves: match include.contains(&Included::LegalMoves) {
            true => Some(LegalMoves::new(&game, viewer)?),
            false => None,
        },
        receipt: match include.contains(&Included::Receipt) {
            true => app.ply_receipt(&game, head).ok(),
            false => None,
        },
    };
    let reply =
        Reply { req: &req, game: Some(&game.info), head: Some(&head), freshness: Freshness::Changing };
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = reply.json(status, &answer);
    set_location(&mut response, &format!("/v1/games/{id}/moves/{ply}"));
    Ok(response)
}

/// Writes the moves of a body, and returns their first ply.
async fn write(
    app: &Arc<App>,
    req: &HttpRequest,
    caller: &Caller,
    game: &Arc<CachedGame>,
    body: Result<Body, Problem>,
    arrived: Timestamp,
) -> Result<(u32, Arc<CachedGame>, Wrote), Problem> {
    required(caller)?;
    let words = read_moves(body?)?;
    let ply = next_ply(req)?;
    let condition = request::head_condition(req);
    let (game, wrote) = match Submission::read(game.info.ruleset(), &words)? {
        Submission::Moves(moves) => {
            app.submit(game, caller, ply, &moves, condition.as_ref(), arrived).await?
        }
        Submission::Leave(leaving) => {
            app.leave(game, caller, ply, leaving, condition.as_ref(), arrived).await?
        }
    };
    Ok((ply, game, wrote))
}

/// Get a move
///
/// Returns a word of the log with its consequences. Ply 0 exists if the game draws something before the first
/// decision.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath, ("ply" = u32, Path, maximum = 65_536, description = "A written ply")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The word, its time and its consequences", body = MoveView), Refusals<(NoGame, NoSuchPly)>),
)]
#[get("/v1/games/{id}/moves/{ply}")]
pub async fn get_move(PlyRequest { of, ply }: PlyRequest) -> Result<HttpResponse, Problem> {
    of.answer(ResponseKind::Move, ply, || {
        let seen = of.seen(ply)?;
        let Some(written) = &seen.last else {
            let detail = "nothing was drawn at the start of this game".to_owned();
            return Err(NoSuchPly::NotWritten { ply, head: of.started()?, detail }.into());
        };
        of.reply_about(&seen.head).finish_json(&MoveView {
            ply,
            seat: written.seat().map(Seat::number),
            word: written.told.to_string(),
            at: written.time(&of.game).map(rfc3339),
            events: seen.table.events(),
            key: Chain::new(&of.game).committed.map(|committed| digits(committed.keys.of(ply))),
            head: HeadView::from(seen.head),
        })
    })
}

/// List the legal moves
///
/// Lists every legal decision of the seat whose turn it is. If the list depends on a hidden hand, `moves` is
/// null unless you send that seat's secret.
#[utoipa::path(
    tag = "play",
    params(request::GamePath, LegalMovesQuery),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The legal decisions of the seat whose turn it is", body = LegalMoves),
        Refusals<((NoGame, NotStarted), (BadQuery, AnalysisWhileRunning, TooMuchWaits))>,
    ),
)]
#[get("/v1/games/{id}/legal-moves")]
pub async fn get_legal_moves(of: GameRequest) -> Result<HttpResponse, Problem> {
    let LegalMovesQuery { include } = request::query(of.http())?;
    let head = of.started()?;
    if include.contains(&LegalMovesPart::Hints) {
        let hints = Some(hints(&of).await?);
        let moves = LegalMoves { hints, ..LegalMoves::new(&of.game, of.viewer())? };
        return Ok(Reply { freshness: Freshness::Own, ..of.reply() }.ok(&moves));
    }
    of.answer(ResponseKind::LegalMoves, head.ply, || {
        of.reply().finish_json(&LegalMoves::new(&of.game, of.viewer())?)
    })
}

impl LegalMoves {
    /// Returns the legal moves as a viewer may know them.
    ///
    /// # Errors
    /// Before the start, and if the stored log is damaged.
    pub fn new(game: &CachedGame, viewer: Viewer) -> Result<Self, Problem> {
        let head = game.started()?;
        // A seat that must reply to a hidden card may know which cards are legal replies.
        let ledger = game.ledger()?;
        Ok(Self {
            ply: head.ply + 1,
            seat: ledger.table().turn().seat().map(Seat::number),
            moves: ledger.table().legal_moves(viewer),
            head: HeadView::from(head),
            hints: None,
        })
    }
}

fn read_moves(body: Body) -> Result<Vec<String>, Problem> {
    let bytes = match body {
        Body::Text(text) => return Ok(text.split_ascii_whitespace().map(str::to_owned).collect()),
        Body::Json(bytes) => bytes,
    };
    match request::json::<SubmitMoves>(&bytes)? {
        SubmitMoves { one: Some(one), moves: None } => Ok(vec![one]),
        SubmitMoves { one: None, moves: Some(moves) } => Ok(moves),
        SubmitMoves { one: Some(_), moves: Some(_) } | SubmitMoves { one: None, moves: None } => Err(
            Problem::new(Code::BadJson, "the body must have exactly one of the fields `move` and `moves`"),
        ),
    }
}
