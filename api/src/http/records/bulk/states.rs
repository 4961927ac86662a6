//! All states of a game.

use actix_web::http::StatusCode;
use actix_web::{HttpResponse, get, web};
use assam_record::game::NotStarted;
use assam_record::log::ply_by_ply;
use serde::Serialize;
use utoipa::ToSchema;

use crate::app::App;
use crate::http::games::game_request::{GameRequest, NoGame};
use crate::http::play::replay::StateAtPly;
use crate::http::request;
use crate::http::response::refusals::{NoSuchForm, Refusals, TooMuchWaits};
use crate::http::response::reply::NDJSON;
use crate::problem::Problem;

const JSON: &str = "application/json";

/// The states of a game.
#[derive(Serialize, ToSchema)]
pub struct GameStates {
    /// The state after every ply, from ply 0.
    #[schema(max_items = 65_536)]
    states: Vec<StateAtPly>,
}

/// Get all states
///
/// Returns the state after every ply from 0, as you may see it now, as one JSON object or as one object per
/// line (`application/x-ndjson`).
#[utoipa::path(
    tag = "replay",
    params(request::GamePath),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The states", content((GameStates = "application/json"), (StateAtPly = "application/x-ndjson"))),
        Refusals<(NoGame, NoSuchForm, NotStarted, TooMuchWaits)>,
    ),
)]
#[get("/v1/games/{id}/states")]
pub async fn get_states(of: GameRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let form = request::accepted(of.http(), &[JSON, NDJSON])?;
    of.started()?;
    let (game, viewer) = (of.game.clone(), of.viewer());
    let body = app.run_background(async move {
        let mut states = Vec::new();
        ply_by_ply(viewer, &game, |seen| {
            // Keys are strings, so serialization cannot fail.
            states.push(serde_json::to_string(&StateAtPly::new(seen)).unwrap_or_default());
        })?;
        Ok::<_, Problem>(if form == JSON {
            format!("{{\"states\":[{}]}}\n", states.join(","))
        } else {
            states.into_iter().map(|state| state + "\n").collect()
        })
    });
    let finished = of.reply().finish(form, body.await??);
    if !finished.is_compressed_for(of.http()) {
        return Ok(finished.send(of.http(), StatusCode::OK));
    }
    let finished = app.run_background(async move {
        finished.gzip();
        finished
    });
    Ok(finished.await?.send(of.http(), StatusCode::OK))
}
