//! The possible outcomes of moves in arbitrary positions.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_referee::{ChanceOutcome, NoOutcomes, Setup, Table, judge};
use assam_rules::Seat;
use serde::{Deserialize, Serialize};
use tokio::task::yield_now;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::http::limits::count_positions;
use crate::http::request::{self, BadBody, BadQuery, Body, Takes};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::{JSON, Reply};
use crate::position_parts::{PositionPart, PositionParts};
use crate::problem::{self, Code, Problem};

/// The maximum number of outcomes listed for one position.
const MOST_OUTCOMES: usize = 1024;
/// The response size in bytes beyond which the remaining positions are refused.
const MOST_BYTES: usize = 8 * 1024 * 1024;
/// The number of positions between two turns of other work.
const TURN: usize = 16;

/// Positions, each with moves to make there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct OutcomesInput {
    /// The positions.
    #[schema(min_items = 1, max_items = 256)]
    positions: Vec<PositionInput>,
}

/// A position, and moves to make there.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionInput {
    /// A position line as in states, or a setup line (`MKN/1 ..`) for the start of a game.
    #[schema(
        min_length = 1,
        max_length = 4096,
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    position: String,
    /// Moves to make there, in order, each with its chance. If the last one omits its chance, every outcome
    /// is listed. Without moves, the outcomes are the draws at the start, or the position itself.
    #[serde(default)]
    #[schema(max_items = 64, example = json!(["E"]))]
    moves: Vec<String>,
}

/// The contents of each outcome.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OutcomesQuery {
    /// The parts of the position after each outcome, separated by commas. Default: all but `state`.
    #[serde(default = "default_parts")]
    #[param(inline, max_items = 4)]
    include: Vec<PositionPart>,
}

fn default_parts() -> Vec<PositionPart> {
    vec![PositionPart::Position, PositionPart::Score, PositionPart::LegalMoves]
}

/// The outcomes of the moves.
#[derive(Serialize, ToSchema)]
pub struct OutcomesAnswer {
    /// The outcomes for each position, in the order of the request.
    #[schema(min_items = 1, max_items = 256)]
    positions: Vec<PositionOutcomes>,
}

/// The outcomes of the moves in one position.
#[derive(Serialize, ToSchema)]
pub struct PositionOutcomes {
    /// The index in the request, from 0.
    #[schema(minimum = 0, maximum = 255)]
    index: usize,
    /// Why there are no outcomes: the position or a move is refused, or there are too many to list
    /// (`too_large`). Null if listed.
    error: Option<Problem>,
    /// The outcomes, in a fixed order. Their probabilities add up to 1.
    #[schema(max_items = 1024)]
    outcomes: Vec<OutcomeView>,
}

/// One outcome.
#[derive(Serialize, ToSchema)]
pub struct OutcomeView {
    /// The last move with its chance. Null without a move and a draw.
    #[schema(max_length = 64, example = "E+1")]
    word: Option<String>,
    /// The probability for an observer who knows only the position sent.
    #[schema(minimum = 0, maximum = 1, example = 0.166_666_666_666_666_66)]
    probability: f64,
    /// The exact probability, as a fraction.
    #[schema(pattern = "^(?:1|[1-9][0-9]*/[1-9][0-9]*)$", max_length = 64, example = "1/6")]
    fraction: String,
    /// Whether the game is over after it.
    over: bool,
    /// The seat whose turn it is then. Null if the game is over.
    #[schema(minimum = 1, maximum = 4)]
    seat: Option<u8>,
    #[serde(flatten)]
    parts: PositionParts,
}

/// List the outcomes of moves
///
/// Accepts up to 256 positions with moves. Returns every outcome of the draw after the last move, with its
/// probability, position, score and legal moves. You do not need a game, and nothing is stored. Hidden cards
/// may be masked (`??`).
///
/// If a move is refused, or a draw has too many outcomes, as a deal does, only its position gets an `error`.
#[utoipa::path(
    tag = "records",
    params(OutcomesQuery),
    request_body(content((OutcomesInput = "application/json", examples(
        ("Marrakech: two ways to turn Assam" = (value = json!({"positions": [
            {"position": "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-", "moves": ["E"]},
            {"position": "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-", "moves": ["W"]},
        ]}))),
    )))),
    responses((status = 200, description = "The outcomes", body = OutcomesAnswer), Refusals<(BadBody, BadQuery, TooMuchWaits)>),
)]
#[post("/v1/outcomes")]
pub async fn list_outcomes(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let OutcomesQuery { include } = request::query(&req)?;
    let body = request::body(&req, payload, Takes::Positions).await?;
    // Reading takes as long as judging.
    let input = app.run_background(async move {
        match body {
            Body::Json(bytes) => request::json::<OutcomesInput>(&bytes),
            Body::Text(text) => request::json::<OutcomesInput>(text.as_bytes()),
        }
    });
    let OutcomesInput { positions } = input.await??;
    count_positions(&req, positions.len())?;
    let base = problem::base(&req);
    let bodies = app.run_background(async move {
        let (mut bodies, mut bytes) = (Vec::new(), 0);
        for (index, input) in positions.into_iter().enumerate() {
            if index % TURN == TURN - 1 {
                yield_now().await;
            }
            let listed = if bytes < MOST_BYTES { outcomes(&input) } else { Err(too_much()) };
            let listed = listed.map_err(|problem| problem.explained_at(&base));
            let one = PositionOutcomes::new(index, listed, &include);
            // Keys are strings, so serialization cannot fail.
            let one = serde_json::to_string(&one).unwrap_or_default();
            bytes += one.len();
            bodies.push(one);
        }
        format!("{{\"positions\":[{}]}}\n", bodies.join(","))
    });
    let finished = Reply::about_service(&req).finish(JSON, bodies.await?);
    if !finished.is_compressed_for(&req) {
        return Ok(finished.send(&req, StatusCode::OK));
    }
    let finished = app.run_background(async move {
        finished.gzip();
        finished
    });
    Ok(finished.await?.send(&req, StatusCode::OK))
}

impl PositionOutcomes {
    fn new(index: usize, listed: Result<Vec<ChanceOutcome>, Problem>, include: &[PositionPart]) -> Self {
        match listed {
            Ok(outcomes) => {
                let outcomes = outcomes.iter().map(|outcome| OutcomeView::new(outcome, include)).collect();
                Self { index, error: None, outcomes }
            }
            Err(problem) => Self { index, error: Some(problem), outcomes: Vec::new() },
        }
    }
}

impl OutcomeView {
    fn new(outcome: &ChanceOutcome, include: &[PositionPart]) -> Self {
        let turn = outcome.table.turn();
        Self {
            word: outcome.word.clone(),
            probability: outcome.probability.value(),
            fraction: outcome.probability.to_string(),
            over: turn.is_end(),
            seat: turn.seat().map(Seat::number),
            parts: PositionParts::new(&*outcome.table, include),
        }
    }
}

/// Lists the outcomes of moves in a position.
fn outcomes(input: &PositionInput) -> Result<Vec<ChanceOutcome>, Problem> {
    let is_start = input.position.starts_with("MKN/");
    let setup =
        if is_start { Setup::read(&input.position) } else { Setup::read_position_line(&input.position) };
    let setup = setup.map_err(Problem::from)?;
    if let Some(at) =
        input.moves.iter().position(|word| word.is_empty() || word.contains(char::is_whitespace))
    {
        let problem = Problem::new(
            Code::NotationSyntax,
            "each of `moves` must be one word: a move, and what was drawn after it",
        );
        return Err(Problem { word: u32::try_from(at + 1).ok(), ..problem });
    }
    let mut table: Box<dyn Table> = setup.table();
    let (last, before) = match input.moves.split_last() {
        Some((last, before)) => (Some(last.as_str()), before),
        None => (None, &[][..]),
    };
    let refused = |number| refused_move(setup.line(), &input.moves[..number], number);
    for (number, word) in (1..).zip(before) {
        table.replay(word).map_err(|_| refused(number))?;
    }
    table.outcomes(last, MOST_OUTCOMES).map_err(|error| match error {
        NoOutcomes::Refused(_) => refused(input.moves.len()),
        NoOutcomes::TooMany => {
            Problem::new(Code::TooLarge, "this draw, such as a deal, has too many outcomes to list")
        }
    })
}

/// Returns why the last of some moves is refused, in the words for records.
fn refused_move(setup: &str, moves: &[String], number: usize) -> Problem {
    let record = format!("{setup}\n\n{} *\n", moves.join(" "));
    match judge(record.as_bytes()).verdict {
        // Places in that record mean nothing to a client that sent none.
        Err(error) => {
            Problem { line: None, column: None, word: u32::try_from(number).ok(), ..Problem::from(error) }
        }
        Ok(()) => Problem::internal("a move is refused, but the record with it is not"),
    }
}

fn too_much() -> Problem {
    let detail =
        format!("the response already has {MOST_BYTES} bytes. Send this position in another request");
    Problem::new(Code::TooLarge, detail)
}
