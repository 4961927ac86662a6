//! The public log of games: its checkpoint, its tiles, and the places of games in it.

use actix_web::http::StatusCode;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use assam_proofs::public_log::{Inclusion, Milestone, Tile, WIDTH, leaf};
use assam_proofs::signed::WitnessKey;
use assam_record::game::{Bytes32, NotStarted};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::receipts::TEXT;
use crate::app::{App, CosignatureError, LogError, StoreError};
use crate::http::games::game_request::{GameRequest, NoGame, app};
use crate::http::request::{self, BadQuery, BadText};
use crate::http::response::finished::{Finished, NO_HEAD};
use crate::http::response::refusals::{NoSuchForm, Refusals};
use crate::http::response::reply::{JSON, Reply};
use crate::problem::{Code, HasProblemCodes, Problem};

const BYTES: &str = "application/octet-stream";
const IMMUTABLE: &str = "public, max-age=31536000, immutable";

impl From<LogError> for Problem {
    fn from(error: LogError) -> Self {
        match error {
            LogError::NoSuchTile(_) => Self::new(Code::TileNotFound, error.to_string()),
            LogError::Imported | LogError::Waits => Self::new(Code::ReceiptNotFound, error.to_string()),
            LogError::NoKey(_) => Self::new(Code::KeyMissing, error.to_string()),
            LogError::Damaged(damaged) => damaged.into(),
            LogError::Store(error) => error.into(),
        }
    }
}

/// Reasons to refuse a request for a tile.
pub struct NoTile;

impl HasProblemCodes for NoTile {
    fn codes() -> Vec<Code> {
        vec![Code::TileNotFound, Code::Unavailable]
    }
}

/// Reasons to refuse a request for a checkpoint.
pub struct NoCheckpoint;

impl HasProblemCodes for NoCheckpoint {
    fn codes() -> Vec<Code> {
        vec![Code::KeyMissing, Code::Unavailable]
    }
}

/// Reasons to refuse a request for a game's place.
pub struct NotLogged;

impl HasProblemCodes for NotLogged {
    fn codes() -> Vec<Code> {
        vec![Code::ReceiptNotFound, Code::KeyMissing]
    }
}

impl From<CosignatureError> for Problem {
    fn from(error: CosignatureError) -> Self {
        match error {
            CosignatureError::Refused(why) => Self::new(Code::CosignatureRefused, why.to_owned()),
            CosignatureError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for CosignatureError {
    fn codes() -> Vec<Code> {
        vec![Code::CosignatureRefused, Code::Unavailable]
    }
}

/// A tile, or the entries of one.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct TileBytes(#[allow(dead_code, reason = "only its schema is used")] Vec<u8>);

/// A checkpoint that a witness cosigned.
#[derive(Serialize, ToSchema)]
pub struct CosignatureView {
    /// The key of the witness.
    #[schema(pattern = r"^[^+]+\+[0-9a-f]{8}\+[0-9A-Za-z+/]+=*$", max_length = 4096)]
    witness: String,
    /// The newest checkpoint that it cosigned, with signatures.
    #[schema(max_length = 65_536)]
    checkpoint: String,
}

/// The newest cosigned checkpoints.
#[derive(Serialize, ToSchema)]
pub struct CosignatureList {
    /// One for each witness that has cosigned.
    #[schema(max_items = 1000)]
    cosignatures: Vec<CosignatureView>,
}

/// The wanted entry of a game.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct InclusionQuery {
    /// Only this entry. Default: both, or the last one in a `.tlog-proof`.
    #[serde(default)]
    #[param(inline)]
    moment: Option<Milestone>,
}

/// Locate a game in the public log
///
/// Returns the places of the game's start and end in the public log, with openings and proofs. An entry is a
/// salted hash, so the log alone reveals no game. The checkpoint is the newest one that meets the witness
/// policy or, until one that covers these entries does, the newest of all.
///
/// As `text/plain`, the response is a `.tlog-proof` (`c2sp.org/tlog-proof`) of one entry, `SHA-256(0x05 |
/// extra)`. `assam verify --inclusion` reads both forms.
#[utoipa::path(
    tag = "log",
    params(request::GamePath, InclusionQuery),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "Entries, openings and proofs", content((Inclusion = "application/json"), (String = "text/plain"))),
        Refusals<((NoGame, BadQuery, NoSuchForm), (NotStarted, NotLogged))>,
    ),
)]
#[get("/v1/games/{id}/inclusion")]
pub async fn get_inclusion(of: GameRequest) -> Result<HttpResponse, Problem> {
    let form = request::accepted(of.http(), &[JSON, "text/plain"])?;
    let query: InclusionQuery = request::query(of.http())?;
    of.started()?;
    let inclusion = app(of.http())?.inclusion(&of.game, query.moment).await?;
    // It changes with the log, not with the head.
    let reply = Reply { head: None, ..of.reply() };
    if form == JSON {
        return Ok(reply.ok(&inclusion));
    }
    Ok(reply.send(TEXT, inclusion.tlog_proof().ok_or(LogError::Waits)?.to_string()))
}

/// Get the checkpoint of the log
///
/// Returns the signed size and root of the public log (`c2sp.org/tlog-checkpoint`), with its cosignatures.
#[utoipa::path(
    tag = "log",
    responses((status = 200, description = "The signed checkpoint", body = String, content_type = "text/plain"), Refusals<NoCheckpoint>),
)]
#[get("/log/checkpoint")]
pub async fn get_checkpoint(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let checkpoint = app.checkpoint().await?;
    Ok(Finished::about_service(TEXT, checkpoint).send(&req, StatusCode::OK))
}

/// Get the entries of a tile
///
/// Returns up to 256 entries of the public log, each after its length in two bytes (`c2sp.org/tlog-tiles`).
/// `x001/067` is a full tile, `x001/067.p/12` a partial one.
#[utoipa::path(
    tag = "log",
    path = "/log/tile/entries/{place}",
    params(("place" = String, Path, description = "Place of the tile, with its number of entries if partial", example = "000.p/1", pattern = "^(x[0-9]{3}/)*[0-9]{3}([.]p/[0-9]{1,3})?$")),
    responses((status = 200, description = "Entries, each with its length", body = inline(TileBytes), content_type = "application/octet-stream"), Refusals<NoTile>),
)]
#[get("/log/tile/entries/{place:.*}")]
pub async fn get_entries(
    req: HttpRequest,
    app: web::Data<App>,
    place: web::Path<String>,
) -> Result<HttpResponse, Problem> {
    let entries = app.log_tile(tile(0, &place)?).await?;
    let with_length = |entry: &Bytes32| [&[0, 32], &entry[..]].concat();
    Ok(bytes(&req, entries.iter().flat_map(with_length).collect()))
}

/// Get a tile
///
/// Returns up to 256 tree hashes of the public log (`c2sp.org/tlog-tiles`), each covering 256^level entries.
#[utoipa::path(
    tag = "log",
    path = "/log/tile/{level}/{place}",
    params(
        ("level" = u8, Path, description = "Level of the tile", maximum = 63, example = 0),
        ("place" = String, Path, description = "Place of the tile, with its number of hashes if partial", example = "000.p/1", pattern = "^(x[0-9]{3}/)*[0-9]{3}([.]p/[0-9]{1,3})?$"),
    ),
    responses((status = 200, description = "Hashes of 32 bytes", body = inline(TileBytes), content_type = "application/octet-stream"), Refusals<NoTile>),
)]
#[get("/log/tile/{level}/{place:.*}")]
pub async fn get_tile(
    req: HttpRequest,
    app: web::Data<App>,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (level, place) = path.into_inner();
    // One tile has one path.
    let level = level.parse().ok().filter(|number: &u8| number.to_string() == level).ok_or_else(no_tile)?;
    let nodes = app.log_tile(tile(level, &place)?).await?;
    let hash = |node: Bytes32| if level == 0 { leaf(&node) } else { node };
    Ok(bytes(&req, nodes.into_iter().flat_map(hash).collect()))
}

fn tile(level: u8, place: &str) -> Result<Tile, Problem> {
    Tile::read(level, place).ok_or_else(no_tile)
}

fn no_tile() -> Problem {
    let detail = format!(
        "this is not the path of a tile. Its place is a number in groups of three digits, each but the last after an x, and .p/ with \
         its width if that is less than {WIDTH}"
    );
    Problem::new(Code::TileNotFound, detail)
}

fn bytes(req: &HttpRequest, body: Vec<u8>) -> HttpResponse {
    // Hashes do not compress.
    Finished::new(BYTES, IMMUTABLE, NO_HEAD, false, body).send(req, StatusCode::OK)
}

/// List the cosignatures
///
/// Lists the newest checkpoint that each witness cosigned (`c2sp.org/tlog-cosignature`). Witnesses check that
/// the log only grows and that it is the same for everyone.
#[utoipa::path(
    tag = "log",
    responses((status = 200, description = "Cosigned checkpoints", body = CosignatureList), Refusals<StoreError>),
)]
#[get("/log/cosignatures")]
pub async fn list_cosignatures(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let view = |(witness, checkpoint): (WitnessKey, String)| CosignatureView {
        witness: witness.to_string(),
        checkpoint,
    };
    let cosignatures = app.cosignatures().await?.into_iter().map(view).collect();
    Ok(Reply::about_service(&req).ok(&CosignatureList { cosignatures }))
}

/// Deliver a cosignature
///
/// Accepts a checkpoint of this log with a cosignature from a configured witness.
#[utoipa::path(
    tag = "log",
    request_body(content = String, content_type = "text/plain", description = "The checkpoint as a signed note"),
    responses((status = 204, description = "Stored, unless a newer one from this witness exists"), Refusals<(BadText, CosignatureError)>),
)]
#[post("/log/cosignatures")]
pub async fn add_cosignature(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let note = request::short_text(&req, payload).await?;
    app.take_cosignatures(&note).await?;
    Ok(HttpResponse::build(StatusCode::NO_CONTENT).insert_header((CACHE_CONTROL, "no-store")).finish())
}
