//! The analysis of a game, and hints.

use std::sync::Arc;
use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderValue, RETRY_AFTER};
use actix_web::{HttpResponse, get, web};
use assam_record::game::{NotStarted, Visibility};
use assam_referee::{AnyLine, AnyRecord, Depth};
use serde::Serialize;
use tokio::time::timeout;
use utoipa::ToSchema;

use super::replay::record;
use crate::app::allows_hints;
use crate::http::games::game_request::{GameRequest, LogRequest, NoGame, app};
use crate::http::limits::count_analysis;
use crate::http::records::analysis::AnalysisView;
use crate::http::request;
use crate::http::response::finished::{FinishedResponses, ResponseKind};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::{finish_about_game, line};
use crate::problem::{Code, HasProblemCodes, Problem};

/// How long a request waits for its analysis.
const PATIENCE: Duration = Duration::from_secs(2);

/// The number of decisions in hints.
const MOST_HINTS: usize = 5;

/// An analysis that is still being made.
#[derive(Serialize, ToSchema)]
pub struct AnalysisPending {
    /// How many seconds to wait before you ask again, as in `Retry-After`.
    #[schema(minimum = 1, maximum = 60)]
    retry_after: u32,
}

/// A running game whose analysis could help a player.
pub struct AnalysisWhileRunning(&'static str);

/// Analyse a game
///
/// Judges every decision and every roll of a game that is over. The first request may take a second or two, or return
/// 202 with `Retry-After` while the analysis is made.
///
/// Running games are analysed only if they are public and hide nothing, and only for spectators.
#[utoipa::path(
    tag = "analysis",
    params(request::GamePath),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The analysis", body = AnalysisView),
        (status = 202, description = "The analysis is being made. Send the request again", body = AnalysisPending, headers(("Retry-After"))),
        Refusals<(NoGame, NotStarted, AnalysisWhileRunning, TooMuchWaits)>,
    ),
)]
#[get("/v1/games/{id}/analysis")]
pub async fn get_analysis(
    LogRequest(of): LogRequest,
    kept: web::Data<FinishedResponses>,
) -> Result<HttpResponse, Problem> {
    let head = of.started()?;
    may_be_analysed(&of)?;
    let place = (of.game.cache_generation(), head.ply, ResponseKind::Analysis);
    if let Some(finished) = kept.get(&place) {
        return Ok(finished.send(of.http(), StatusCode::OK));
    }
    count_analysis(of.http())?;
    let (game, viewer) = (Arc::clone(&of.game), of.viewer());
    let analysed = app(of.http())?.run_analysis(async move {
        // Another request may have had it made by now.
        if let Some(finished) = kept.get(&place) {
            return Ok(finished);
        }
        let judged = AnyRecord::read(record(&game, viewer, head.ply)?);
        let analysis = AnalysisView::of(&judged, None).map_err(Problem::internal)?;
        let finished = Arc::new(finish_about_game(&game.info, line(&analysis)?));
        finished.gzip();
        kept.keep(place, &finished);
        Ok::<_, Problem>(finished)
    });
    match timeout(PATIENCE, analysed).await {
        Ok(finished) => Ok(finished??.send(of.http(), StatusCode::OK)),
        // It is made and kept nevertheless.
        Err(_) => {
            let mut pending = of.reply().json(StatusCode::ACCEPTED, &AnalysisPending { retry_after: 1 });
            pending.headers_mut().insert(RETRY_AFTER, HeaderValue::from_static("1"));
            Ok(pending)
        }
    }
}

/// Checks that the analysis can help no player of a running game.
fn may_be_analysed(of: &GameRequest) -> Result<(), AnalysisWhileRunning> {
    let info = &of.game.info;
    if info.is_over() {
        return Ok(());
    }
    let why = match (info.visibility, of.caller.seat(&of.game)) {
        (_, Some(_)) => "the game will be analysed when it is over: you play this game",
        (Visibility::Private | Visibility::Unlisted, None) => {
            "the game will be analysed when it is over: it is not public"
        }
        (Visibility::Public, None) if info.may_hide_something() => {
            "the game will be analysed when it is over: it hides cards"
        }
        (Visibility::Public, None) => return Ok(()),
    };
    Err(AnalysisWhileRunning(why))
}

/// Returns the best decisions of a player against built-in ones.
///
/// # Errors
/// If the running game has no hints, or the caller does not play it.
pub async fn hints(of: &GameRequest) -> Result<Vec<AnyLine>, Problem> {
    if of.game.info.is_over() {
        return Ok(Vec::new());
    }
    let seat = of.caller.seat(&of.game).ok_or(AnalysisWhileRunning("hints are only for the player"))?;
    if !allows_hints(&of.game.info) {
        return Err(AnalysisWhileRunning("only unrated games against built-in players have hints").into());
    }
    count_analysis(of.http())?;
    let game = Arc::clone(&of.game);
    let lines = app(of.http())?.run_analysis(async move {
        let ledger = game.ledger()?;
        let table = ledger.table();
        let nodes = Depth::default().nodes(game.info.ruleset()).unwrap_or_default();
        let analysis = (table.turn().seat() == Some(seat)).then(|| table.analyse(nodes)).flatten();
        let mut lines = analysis.map(|analysis| analysis.lines).unwrap_or_default();
        lines.truncate(MOST_HINTS);
        Ok::<_, Problem>(lines)
    });
    lines.await?
}

impl From<AnalysisWhileRunning> for Problem {
    fn from(AnalysisWhileRunning(why): AnalysisWhileRunning) -> Self {
        Self::new(Code::AnalysisWhileRunning, why)
    }
}

impl HasProblemCodes for AnalysisWhileRunning {
    fn codes() -> Vec<Code> {
        vec![Code::AnalysisWhileRunning]
    }
}
