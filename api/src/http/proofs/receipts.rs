//! Receipts, and the keys that sign them.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_proofs::signed::PublishedKey;
use assam_record::clock::rfc3339;
use assam_record::game::{NotStarted, Status};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::{App, ReceiptError};
use crate::http::games::game_request::{GameRequest, NoGame, NoSuchPly, NoSuchSeat, app, seat};
use crate::http::request::{self, BadQuery};
use crate::http::response::finished::ResponseKind;
use crate::http::response::refusals::{Nothing, Refusals};
use crate::http::response::reply::Reply;
use crate::problem::{Code, HasProblemCodes, Problem};

/// The media type of signed notes.
pub(super) const TEXT: &str = "text/plain; charset=utf-8";

impl From<ReceiptError> for Problem {
    fn from(error: ReceiptError) -> Self {
        let detail = error.to_string();
        match error {
            ReceiptError::Imported => Self::new(Code::ReceiptNotFound, detail),
            ReceiptError::NoPerson(seat) => {
                Self { seat: Some(seat.number()), ..Self::new(Code::ReceiptNotFound, detail) }
            }
            ReceiptError::NoKey(_) => Self::new(Code::KeyMissing, detail),
        }
    }
}

impl HasProblemCodes for ReceiptError {
    fn codes() -> Vec<Code> {
        vec![Code::ReceiptNotFound, Code::KeyMissing]
    }
}

/// The keys that the service signs with.
#[derive(Serialize, ToSchema)]
pub struct KeyList {
    /// Every key, oldest first. Each key is used until the next one takes over.
    #[schema(max_items = 1000)]
    keys: Vec<KeyView>,
}

/// A key that the service signs with.
#[derive(Serialize, ToSchema)]
pub struct KeyView {
    /// The key in the form of signed notes: name, id and base64, joined by `+`.
    #[schema(
        pattern = r"^[^+]+\+[0-9a-f]{8}\+[0-9A-Za-z+/]+=*$",
        max_length = 4096,
        example = "assam-87f3f3f2226b+6ab1ceab+AbYim1E8khsgownK73p2e0D+L1tOoY40ckjOdFJdtjra"
    )]
    key: String,
    /// When the service starts to sign with it.
    #[schema(format = DateTime)]
    since: String,
}

/// The ply of a receipt.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ReceiptQuery {
    /// A written ply, or 0 for the start. Default: the last ply, or the seats before the start.
    #[serde(default)]
    #[param(minimum = 0)]
    ply: Option<u32>,
}

/// Get a receipt
///
/// Returns a signed statement about a ply: the game with its commitment, the head, whether the game
/// continued, and the time. The receipt is a signed note (`c2sp.org/signed-note`) and always the same for a
/// ply. Keep it: if the service later signs anything different, the two notes together prove it. `assam
/// verify` reads them.
///
/// Before the start, the receipt states the digest of the seats. Get it before you send entropy.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath, ReceiptQuery),
    security((), ("secret" = [])),
    responses((status = 200, description = "The signed note", body = String, content_type = "text/plain"), Refusals<((NoGame, BadQuery), (NoSuchPly, NotStarted, ReceiptError))>),
)]
#[get("/v1/games/{id}/receipt")]
pub async fn get_receipt(of: GameRequest) -> Result<HttpResponse, Problem> {
    let query: ReceiptQuery = request::query(of.http())?;
    let app = app(of.http())?;
    if query.ply.is_none() && of.game.info.status == Status::Open {
        let finished = of.reply().finish(TEXT, app.seats_receipt(&of.game)?);
        return Ok(finished.send(of.http(), actix_web::http::StatusCode::OK));
    }
    let head = of.started()?;
    let (ply, kind) = match query.ply {
        Some(ply) => (of.written(ply)?, ResponseKind::Receipt),
        None => (head.ply, ResponseKind::ReceiptNow),
    };
    of.answer(kind, ply, || {
        let head = if ply == head.ply { head } else { of.seen(ply)?.head };
        let reply = if kind == ResponseKind::Receipt { of.reply_about(&head) } else { of.reply() };
        Ok(reply.finish(TEXT, app.ply_receipt(&of.game, head)?))
    })
}

/// Get the receipt for a seat
///
/// Returns a signed statement about a seat that a person took: the game with its commitment, the player with
/// their entropy, and which seats were taken before it. The receipt stays the same until the player leaves
/// the seat.
#[utoipa::path(
    tag = "games",
    params(request::GamePath, request::SeatPath),
    security((), ("secret" = [])),
    responses((status = 200, description = "The signed note", body = String, content_type = "text/plain"), Refusals<((NoGame, NoSuchSeat), ReceiptError)>),
)]
#[get("/v1/games/{id}/seats/{seat}/receipt")]
pub async fn get_seat_receipt(of: GameRequest) -> Result<HttpResponse, Problem> {
    let seat = seat(of.http(), &of.game)?;
    let receipt = app(of.http())?.seat_receipt(&of.game, seat)?;
    let finished = of.reply().finish(TEXT, receipt);
    Ok(finished.send(of.http(), actix_web::http::StatusCode::OK))
}

/// List the keys
///
/// Lists the keys with which the service signs receipts and proofs, and their history. Keep a copy, because
/// these keys identify this service's receipts.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "Every key, and when the service started to sign with it", body = KeyList), Refusals<Nothing>),
)]
#[get("/v1/keys")]
pub async fn list_keys(req: HttpRequest, app: web::Data<App>) -> HttpResponse {
    let keys = app.signing_keys().iter().map(KeyView::new).collect();
    Reply::about_service(&req).ok(&KeyList { keys })
}

impl KeyView {
    fn new(PublishedKey { key, since }: &PublishedKey) -> Self {
        Self { key: key.to_string(), since: rfc3339(*since) }
    }
}
