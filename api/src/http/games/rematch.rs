//! Playing again.

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
            // The operator took its chain away.
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
/// Returns the rematch of a game that is over, and makes it if there is none: the same rule set, options, position, visibility, patience, clock and
/// beacon, the same built-in players, and the same people in the next order: who sat second begins. Whoever holds a seat can ask, as often
/// as they like: there is one rematch, of which the game names the id, and who asks first owns it.
///
/// Its seats are kept for those who held them, each for the same secret. They take them like any seat, with entropy and the `commitment` of
/// the new game, and the last one starts it. A private rematch has no join code. One that does not start goes like any open
/// game; after that, there can be another.
#[utoipa::path(
    tag = "games",
    params(("id" = GameId, Path, description = "Id of the game that is over")),
    security(("secret" = [])),
    responses(
        (status = 201, description = "The new game", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "The rematch that there is", body = GameView, headers(("Location"), ("Content-Location"))),
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
