//! Delivery of a beacon's round.

use actix_web::{HttpRequest, HttpResponse, put, web};
use assam_record::hex::Hex;
use serde::Deserialize;
use utoipa::ToSchema;

use super::game_request::{NoGame, game_id};
use super::game_view::GameView;
use crate::app::{App, DeliverError};
use crate::http::request::caller::caller;
use crate::http::request::{self, BadBody, Takes};
use crate::http::response::refusals::Refusals;
use crate::http::response::reply::{Reply, set_content_location};
use crate::problem::{Code, HasProblemCodes, Problem};

/// A published round of a beacon.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DeliverBeacon {
    /// The number of the round.
    #[schema(minimum = 1, maximum = 9_007_199_254_740_991_u64, example = 1000)]
    round: u64,
    /// Its signature: 96 lower-case hex digits.
    #[schema(
        value_type = String,
        pattern = "^[0-9a-f]{96}$",
        example = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
    )]
    signature: Hex<48>,
}

impl From<DeliverError> for Problem {
    fn from(error: DeliverError) -> Self {
        let detail = error.to_string();
        match error {
            DeliverError::NoBeacon => Self::new(Code::BeaconNotFound, detail),
            DeliverError::NotFixed(error) => error.into(),
            DeliverError::OtherRound { fixed, .. } => {
                Self { expected: Some(fixed.to_string()), ..Self::new(Code::BeaconRefused, detail) }
            }
            DeliverError::Refused(_) => Self::new(Code::BeaconRefused, detail),
            DeliverError::NotExtended(_) => Self::internal(detail),
            DeliverError::Store(error) => error.into(),
        }
    }
}

impl HasProblemCodes for DeliverError {
    fn codes() -> Vec<Code> {
        vec![Code::BeaconNotFound, Code::NotStarted, Code::BeaconRefused, Code::Busy, Code::Unavailable]
    }
}

/// Deliver a beacon round
///
/// Starts a game that is waiting for a beacon round, once the round is published. Anyone who can see the game
/// can deliver the round, which drand servers publish at `/<hash of the chain>/public/<round>`. Repeating the
/// request changes nothing.
#[utoipa::path(
    tag = "games",
    params(request::GamePath),
    request_body = DeliverBeacon,
    security((), ("secret" = [])),
    responses((status = 200, description = "The started game", body = GameView, headers(("Content-Location"))), Refusals<(BadBody, NoGame, DeliverError)>),
)]
#[put("/v1/games/{id}/beacon")]
pub async fn deliver_beacon(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let body = request::body(&req, payload, Takes::Fields).await;
    let game = app.game_to_change(&caller, game_id(&req)?).await?;
    let DeliverBeacon { round, signature } = request::fields(body?)?;
    let game = app.deliver_beacon(&game, round, signature).await?;
    let mut response = Reply::about(&req, &game.info).ok(&GameView::new(&game, &caller)?);
    set_content_location(&mut response, &format!("/v1/games/{}", game.info.id));
    Ok(response)
}
