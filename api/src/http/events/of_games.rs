//! Several games in one stream.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, get, web};
use assam_record::game::GameId;
use futures_util::future::{join_all, select_all};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::frame::{EventForm, SSE};
use super::long_poll::{HasWaited, PlaceAwaited, wait_for_place};
use super::message::GameMessage;
use super::of_game::GameSource;
use super::since::Since;
use super::stream::{EventSource, EventStream, Frames, Progress};
use super::{IncludedInWord, streamed};
use crate::app::{App, Caller, StoreError};
use crate::counted::StreamEnd;
use crate::http::limits::stream_place;
use crate::http::request::caller::{BadSecret, caller};
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{NoSuchForm, Refusals};
use crate::http::response::reply::NDJSON;
use crate::http::server::closing::Closing;
use crate::problem::{Code, Problem};

/// The games of a stream, what it includes, and whether it continues.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesEventsQuery {
    /// The games, separated by commas: each `<id>`, or `<id>.<ply>` or `<id>.<ply>.<head hash>` to resume
    /// after a ply.
    #[serde(default)]
    #[param(inline, max_items = 100)]
    games: Vec<FollowedFrom>,
    /// Whether to continue the stream once you have received everything. Default: true.
    follow: Option<bool>,
    /// `state`: adds to each `word` the position after it, as you could see it then.
    #[serde(default)]
    #[param(inline, max_items = 1)]
    include: Vec<IncludedInWord>,
    /// Whether to show the other players that you are connected while this stream is open. Default: false.
    presence: Option<bool>,
}

/// A game, and the last of its plies that you have.
#[derive(Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(pattern = r"^[0-9a-f]{32}(\.(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64})?)?$", max_length = 107)]
struct FollowedFrom(String);

/// A message about one of several games, or about the stream.
#[derive(Serialize, ToSchema)]
pub struct GamesMessage {
    /// The id of the game. Null in `heartbeat` and `closing`.
    game_id: Option<GameId>,
    /// The message, as in the game's stream.
    message: GameMessage,
}

/// Follow several games
///
/// Combines the streams of several games (`GET /v1/games/{id}/events`). Each `message` comes with its
/// `game_id`, except for `heartbeat` and `closing`. A game that is over, missing or not visible to you ends
/// with `over` or `gone`. The stream ends when its last game does. To resume, name the last ply of each game
/// that you have.
#[utoipa::path(
    tag = "play",
    params(GamesEventsQuery),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The messages", content((String = "text/event-stream"), (GamesMessage = "application/x-ndjson"))),
        Refusals<(BadQuery, BadSecret, StoreError, NoSuchForm)>,
    ),
)]
#[get("/v1/games/events")]
pub async fn get_games_events(
    req: HttpRequest,
    app: web::Data<App>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let query: GamesEventsQuery = request::stream_query(&req)?;
    let form = request::accepted(&req, &[SSE, NDJSON])?;
    let place = stream_place(&req)?;
    let wanted = query.games.iter().map(FollowedFrom::read).collect::<Result<BTreeMap<_, _>, _>>()?;
    let begun = wanted.into_iter().map(|from| begin(&app, &caller, &closing, from, &query));
    let (mut source, mut service_ends) = (GamesSource::default(), false);
    for begun in join_all(begun).await {
        match begun? {
            BegunGame::Followed(id, game, awaited) => {
                if awaited != PlaceAwaited::No {
                    req.extensions_mut().insert(HasWaited);
                }
                service_ends |= awaited == PlaceAwaited::ServiceEnds;
                source.games.push((id, game));
            }
            BegunGame::Gone(id, why) => source.gone.push((id, why)),
        }
    }
    let mut stream = EventStream::new(app, source, EventForm::from_media_type(form), place, &closing);
    if service_ends {
        stream.close();
    }
    stream.answer(&req, streamed(form), query.goes_on()).await
}

impl GamesEventsQuery {
    fn goes_on(&self) -> bool {
        self.follow.unwrap_or(true)
    }
}

impl FollowedFrom {
    /// Reads the game, and the place to follow it from.
    fn read(&self) -> Result<(GameId, Option<Since>), Problem> {
        let (id, since) = self.0.split_once('.').map_or((&*self.0, None), |(id, since)| (id, Some(since)));
        let refused = || Problem::new(Code::BadRequest, "`games` must be ids of games").at_parameter("games");
        Ok((id.parse().map_err(|_| refused())?, since.map(Since::required).transpose()?))
    }
}

/// Begins to follow a game after a place.
async fn begin(
    app: &web::Data<App>,
    caller: &Caller,
    closing: &Closing,
    (id, since): (GameId, Option<Since>),
    query: &GamesEventsQuery,
) -> Result<BegunGame, Problem> {
    let mut follower = match app.follow(caller, id).await.map_err(Problem::from) {
        Ok(follower) => follower,
        // It may be readable later.
        Err(busy) if busy.code.status() == StatusCode::SERVICE_UNAVAILABLE => return Err(busy),
        Err(gone) => return Ok(BegunGame::Gone(id, gone)),
    };
    let mut awaited = PlaceAwaited::No;
    if let Some(since) = since {
        awaited = wait_for_place(app, &mut follower, since, closing).await?;
        follower.resume(since.place);
    }
    if query.include.contains(&IncludedInWord::State) {
        follower.with_states();
    }
    if query.goes_on() && query.presence.unwrap_or(false) {
        follower.show();
    }
    Ok(BegunGame::Followed(id, GameSource::new(app.clone(), follower, caller.clone()), awaited))
}

/// The outcome of beginning to follow a game.
enum BegunGame {
    Followed(GameId, GameSource, PlaceAwaited),
    /// The game cannot be followed.
    Gone(GameId, Problem),
}

/// Games that are followed together.
#[derive(Default)]
struct GamesSource {
    games: Vec<(GameId, GameSource)>,
    /// Games that cannot be followed, still to be reported.
    gone: Vec<(GameId, Problem)>,
}

impl EventSource for GamesSource {
    async fn changed(&mut self) {
        select_all(self.games.iter_mut().map(|(_, game)| Box::pin(game.changed()))).await;
    }

    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem> {
        for (id, why) in self.gone.drain(..) {
            to.of_game(id).say(GameMessage::gone(why).text().as_bytes(), None);
        }
        for (id, mut game) in std::mem::take(&mut self.games) {
            if !matches!(game.catch_up(to.of_game(id)).await?, Progress::Last(_)) {
                self.games.push((id, game));
            }
        }
        Ok(if self.games.is_empty() { Progress::Last(StreamEnd::Over) } else { Progress::All })
    }

    fn say_alive(&self, to: &mut Frames) {
        to.of_stream().say(text_about_stream(GameMessage::heartbeat(None)).as_bytes(), None);
    }

    fn closing(retry: u32) -> String {
        text_about_stream(GameMessage::closing(retry))
    }
}

/// Returns the text of a message about the stream.
fn text_about_stream(message: GameMessage) -> String {
    // Keys are strings, so serialization cannot fail.
    serde_json::to_string(&GamesMessage { game_id: None, message }).unwrap_or_default()
}
