//! Rematches.

use actix_web::{HttpRequest, HttpResponse, post, web};

use assam_record::game::GameId;

use super::create::made;
use super::game_request::{NoGame, game_id};
use super::game_view::GameView;
use crate::app::{App, RematchError};
use crate::http::request::caller::{NoSecret, caller, required};
use crate::http::response::refusals::Refusals;
use crate::problem::{Code, HasProblemCodes, Problem};

impl From<RematchError> for Problem {
    fn from(error: RematchError) -> Self {
        let detail = error.to_string();
        match error {
            RematchError::NoSeat => Self::new(Code::NotYourSeat, detail),
            RematchError::NotOver => Self::new(Code::NotFinished, detail),
            // The operator has removed its chain.
            RematchError::NoBeacon(_) => Self::new(Code::Unavailable, detail),
            RematchError::NoEntropy(_) => Self::internal(detail),
            RematchError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for RematchError {
    fn codes() -> Vec<Code> {
        vec![Code::NotYourSeat, Code::NotFinished, Code::Busy, Code::Unavailable]
    }
}

/// Play again
///
/// Returns the only rematch of a game that is over, and creates it if there is none. The rematch has the same
/// settings and built-in players, and the same people in rotated order, so that the second seat moves first.
/// Any player with a seat can send the request, and the first to do so owns the rematch.
///
/// Its seats are reserved for the same secrets. Take your seat like any other, with entropy and the new
/// `commitment`. A private rematch has no join code. If a rematch is removed because it never started, you
/// can request another.
#[utoipa::path(
    tag = "games",
    params(("id" = GameId, Path, description = "Id of the game that is over")),
    security(("secret" = [])),
    responses(
        (status = 201, description = "The new game", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "The existing rematch", body = GameView, headers(("Location"), ("Content-Location"))),
        Refusals<(NoSecret, NoGame, RematchError)>,
    ),
)]
#[post("/v1/games/{id}/rematch")]
pub async fn make_rematch(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let game = app.game(&caller, game_id(&req)?).await?;
    required(&caller)?;
    let (game, is_new) = app.rematch(&game, &caller).await?;
    made(&req, &game, is_new, &caller)
}
