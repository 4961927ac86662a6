//! Records that come from outside: judged, and imported when they are whole.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_rules::{Turn, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::access::{self, Caller};
use super::games::GameView;
use super::reply::{Reply, set_location};
use super::request::{self, Body};
use super::seats::is_name;
use super::{ImportProblems, Service, ValidateProblems};
use crate::clock::now;
use crate::game::{Bytes32, Game, Head, Info, Seat, SeatKind, Status, Visibility};
use crate::judge::judge;
use crate::log::Entry;
use crate::problem::{Code, Problem};
use crate::referee::{Judgement, Table};
use crate::view::{Score, State};
use crate::{chain, chance};

/// A record.
#[derive(Deserialize, ToSchema)]
pub struct RecordInput {
    /// A whole record in MKN, or a position line.
    #[schema(example = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n")]
    record: String,
}

/// What became of a record.
#[derive(Serialize, ToSchema)]
pub struct Verdict {
    /// Is the record whole and right?
    valid: bool,
    /// Is something in it masked? Then what is valid is so as far as can be seen.
    masked: bool,
    /// Where it broke, and why; null where it is valid.
    error: Option<Problem>,
    /// The setup line in canonical form; null where it broke.
    #[schema(example = "MKN/1 marrakech/1 seats=3")]
    setup: Option<String>,
    /// The words up to the end, or up to where it broke, in canonical form.
    #[schema(example = json!(["N+3", "d6e6"]))]
    words: Vec<String>,
    /// The number of the last ply.
    ply: Option<u32>,
    /// The whole valid part in canonical form, with the end marker that belongs to it; null where not even what is
    /// drawn at the start is there.
    #[schema(example = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n")]
    canonical: Option<String>,
    /// The position after these words, as a position line.
    #[schema(
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    position: Option<String>,
    /// The position after these words.
    state: Option<State>,
    /// The seat on turn.
    seat: Option<u8>,
    /// What it may do.
    legal_moves: Vec<String>,
    /// Scores and ranking as things stand.
    score: Option<Score>,
}

/// Validate a record
///
/// One record, finished or not, is replayed through the rules, or one position line looked at; nothing is stored. A record that is refused is
/// answered 200 too: the verdict says where and why, and has everything up to there.
#[utoipa::path(
    tag = "records",
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n"))),
        ("Marrakesh, masked for seat 1" = (value = json!("MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:???????????? 6s *\n"))),
        ("A position line" = (value = json!("marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"))),
    )))),
    responses((status = 200, description = "The verdict", body = Verdict), ValidateProblems),
)]
#[post("/v1/validate")]
pub async fn validate(req: HttpRequest, payload: web::Payload) -> Result<HttpResponse, Problem> {
    let record = read_record(&req, payload).await?;
    Ok(Reply::about_service(&req).ok(&Verdict::of(judge(record.as_bytes()))))
}

/// Import a finished record
///
/// The game's id follows from the record's canonical text, so that importing it again changes nothing.
#[utoipa::path(
    tag = "records",
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n"))),
        ("Marrakesh" = (value = json!("MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:Qs4h6d3d3c2c !resign2\n= 0 0\n"))),
    )))),
    responses(
        (status = 201, description = "Imported", body = GameView),
        (status = 200, description = "Imported before", body = GameView),
        ImportProblems,
    ),
)]
#[post("/v1/imports")]
pub async fn import(
    req: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let record = read_record(&req, payload).await?;
    let game = imported(judge(record.as_bytes()))?;
    let status = match service.store.create(&game).await? {
        crate::store::Creation::Created => StatusCode::CREATED,
        crate::store::Creation::Exists => StatusCode::OK,
    };
    let id = game.info.id;
    let game = service.store.load(&id).await?.ok_or_else(access::not_found)?;
    let mut response = Reply::about(&req, &game.info).json(status, &GameView::of(&game, &Caller::of(&req))?);
    set_location(&mut response, &format!("/v1/games/{id}"));
    Ok(response)
}

async fn read_record(req: &HttpRequest, payload: web::Payload) -> Result<String, Problem> {
    match request::body(req, payload, request::RECORD_LIMIT).await? {
        Body::Text(text) => Ok(text),
        Body::Json(bytes) => request::json::<RecordInput>(&bytes).map(|input| input.record),
    }
}

impl Verdict {
    fn of(judgement: Judgement) -> Self {
        let table = judgement.table.as_deref();
        let seat = match table.map(Table::turn) {
            Some(Turn::Player(seat)) => Some(seat),
            Some(Turn::Chance | Turn::Over | Turn::Aborted) | None => None,
        };
        Self {
            valid: judgement.verdict.is_ok(),
            masked: table.is_some_and(Table::is_masked),
            error: judgement
                .verdict
                .err()
                .map(|error| Problem::from(error).for_request("/v1/validate", None)),
            setup: judgement.setup_line,
            words: judgement.words,
            ply: table.map(|table| table.ply()),
            canonical: table.filter(|table| !table.is_start_due()).map(|_| judgement.canonical),
            position: table.filter(|table| !table.is_start_due()).map(Table::position_line),
            state: table.map(Table::state),
            seat: seat.map(|seat| seat.number()),
            // Who sends a record knows all that stands in it.
            legal_moves: table.and_then(|table| table.legal_moves(Viewer::Arbiter)).unwrap_or_default(),
            score: table.map(Table::score),
        }
    }
}

fn imported(judgement: Judgement) -> Result<Game, Problem> {
    judgement.verdict?;
    let (Some(setup), Some(table)) = (judgement.setup_line, judgement.table) else {
        return Err(Problem::internal("a valid record has a setup and a position"));
    };
    let status = match table.turn() {
        Turn::Over => Status::Finished,
        Turn::Aborted => Status::Aborted,
        Turn::Player(_) | Turn::Chance => {
            return Err(Problem::new(Code::NotFinished, "the record ends with `*`: the game is not over"));
        }
    };
    if table.is_masked() {
        let hidden = "something in the record is unknown: import it when the game is over and all is open";
        return Err(Problem::new(Code::MaskedRecord, hidden));
    }
    let tags: String = judgement.tags.iter().map(|(name, value)| tag_line(name, value)).collect();
    // What is exported again is the canonical text and the tags; a record without a last line end can be a byte short of it.
    if judgement.canonical.len() + tags.len() > assam_notation::MAX_RECORD {
        let detail =
            format!("a record has at most {} bytes, its last line end counted", assam_notation::MAX_RECORD);
        return Err(Problem::new(Code::TooLarge, detail));
    }
    // Nothing is sealed: every token is public.
    let extend = |head: Bytes32, word: &String| {
        chain::extend(&head, chain::tokens(word).map(|(_, token)| chain::open_part(token)))
    };
    let hash = judgement.words.iter().fold(chance::import_start(&setup), extend);
    let entries: Vec<String> =
        judgement.words.iter().rev().map(|word| Entry { word, after_ms: 0 }.text()).collect();
    // A tag that is no name of a seat stays a tag only.
    let name = |number: usize| {
        let tag = format!("seat{number}");
        let found = judgement.tags.iter().find(|(name, _)| *name == tag);
        found.map(|(_, value)| value.clone()).filter(|name| is_name(name))
    };
    let seat = |number| Seat { kind: SeatKind::Human, name: name(number), ..Seat::open() };
    Ok(Game {
        owner: None,
        join_code: None,
        request: None,
        seed: None,
        tags,
        log: entries.join(" "),
        info: Info {
            id: hex::encode(chance::import_id(&judgement.canonical)),
            created_at: now(),
            ruleset: setup.split(' ').nth(1).unwrap_or_default().to_owned(),
            visibility: Visibility::Public,
            imported: true,
            patience_hours: None,
            revision: 0,
            seats: (1..=table.score().scores.len()).map(seat).collect(),
            status,
            started_at: None,
            head: Some(Head { ply: table.ply(), hash }),
            setup,
        },
    })
}

/// A tag as it is written: no blank where it has no value.
fn tag_line(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name}:\n") } else { format!("{name}: {value}\n") }
}
