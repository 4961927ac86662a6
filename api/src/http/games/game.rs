//! Reading and removing a game.

use std::time::Duration;

use actix_web::http::StatusCode;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, delete, get, web};
use serde::Deserialize;
use utoipa::IntoParams;

use super::game_request::{GameRequest, NoGame, app, game_id};
use super::game_view::GameView;
use crate::app::{App, WithdrawError};
use crate::http::events::long_poll::{HasWaited, wait_for_change};
use crate::http::events::since::Since;
use crate::http::limits::stream_place;
use crate::http::request::caller::{NoSecret, caller, required};
use crate::http::request::{self, BadQuery};
use crate::http::response::finished::ResponseKind;
use crate::http::response::refusals::Refusals;
use crate::http::response::reply::done;
use crate::http::server::closing::Closing;
use crate::problem::Problem;

/// How long to wait, and for which change.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameQuery {
    /// How many seconds to wait for a head that differs from `since`. Default: 0.
    #[param(minimum = 0, maximum = 60)]
    wait: Option<u32>,
    /// The last ply that you have, or the id of a message. Omit it if you have nothing.
    #[param(pattern = r"^(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64}(\.over)?)?$", max_length = 80)]
    since: Option<String>,
}

/// Get a game
///
/// Returns the game with its seats, status, head, position and result. Without a valid secret you are a
/// spectator.
///
/// With `wait`, the response comes once the head differs from `since`, the game is over, or the time has
/// passed. A read-only process, whose database may lag, also waits for a `since` that it does not have yet.
#[utoipa::path(
    tag = "games",
    params(request::GamePath, GameQuery),
    security((), ("secret" = [])),
    responses((status = 200, description = "The game, as you may see it", body = GameView), Refusals<(NoGame, BadQuery)>),
)]
#[get("/v1/games/{id}")]
pub async fn get_game(of: GameRequest, closing: web::Data<Closing>) -> Result<HttpResponse, Problem> {
    let query: GameQuery = request::query(of.http())?;
    let since = query.since.as_deref().map(Since::required).transpose()?;
    let of = match query.wait.unwrap_or(0) {
        0 => of,
        seconds => {
            let (time, id) = (Duration::from_secs(seconds.into()), of.game.info.id);
            let _place = stream_place(of.http())?;
            of.http().extensions_mut().insert(HasWaited);
            let changed = wait_for_change(app(of.http())?, &of.caller, id, since, time, &closing).await?;
            of.about(changed)
        }
    };
    let make = || of.reply().finish_json(&GameView::new(&of.game, &of.caller)?);
    match of.game.info.head {
        Some(head) => of.answer(ResponseKind::Game(of.caller.seat(&of.game)), head.ply, make),
        None => Ok(make()?.send(of.http(), StatusCode::OK)),
    }
}

/// Remove a game
///
/// Removes an open game that you own, unless the game is waiting for its beacon. The service itself removes
/// open games after 30 days, or after the time that the operator has set.
#[utoipa::path(
    tag = "games",
    params(request::GamePath),
    security(("secret" = [])),
    responses((status = 204, description = "The game was removed"), Refusals<(NoSecret, NoGame, WithdrawError)>),
)]
#[delete("/v1/games/{id}")]
pub async fn remove_game(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let game = app.game_to_change(&caller, game_id(&req)?).await?;
    required(&caller)?;
    app.remove_game(&game, &caller).await?;
    Ok(done())
}
