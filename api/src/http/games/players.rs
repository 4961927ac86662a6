//! Players: their public ids, ratings and results, and the leaders.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_record::game::{GameId, PlayerId};
use assam_record::hex::digits;
use assam_record::standings::{Competitor, Period, PlayerTally, Rating, Reckoning, TallyKey};
use assam_referee::Ruleset;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::game_request::{BadPath, competitor};
use super::lists::{UnknownRuleset, link_next, named_ruleset};
use crate::app::{App, Leader, LeadersBy, StoreError};
use crate::http::request::caller::{BadSecret, NoSecret, caller, required};
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::Refusals;
use crate::http::response::reply::Reply;
use crate::problem::{Code, Problem};

/// A rating by the method of Weng and Lin. It starts at 25, with an uncertainty of 25/3.
#[derive(Serialize, ToSchema)]
pub struct RatingView {
    /// An estimate of strength.
    #[schema(example = 27.635_273_614)]
    rating: f64,
    /// The standard deviation of the estimate, which falls with the number of games.
    #[schema(minimum = 0, example = 8.065_506_316)]
    uncertainty: f64,
    /// The estimate minus three times its uncertainty. Leaders are ordered by it.
    #[schema(example = 3.438_754_666)]
    at_least: f64,
    /// The number of rated games.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    games: u64,
}

/// Results and scores in games with the same number of seats.
#[derive(Serialize, ToSchema)]
pub struct TallyView {
    /// The number of games that have ended, counted once for each seat that the player held.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    games: u64,
    /// The number of first places, alone or shared.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 0)]
    firsts: u64,
    /// The mean of the scores, rounded to thousandths.
    #[schema(example = 37.125)]
    mean_score: f64,
    /// The best score.
    #[schema(minimum = -1_000_000, maximum = 1_000_000)]
    best_score: i32,
    /// The first game with that score.
    best_game: GameId,
}

/// The ratings and results of a player.
#[derive(Serialize, ToSchema)]
pub struct PlayerStandings {
    /// The player: a public id, or a built-in player's name.
    player: Competitor,
    /// The period of the results, a year, month or day in UTC. Null for all time.
    period: Option<Period>,
    /// The player's rating in each rule set, for all time.
    #[schema(max_items = 100)]
    ratings: Vec<RulesetRating>,
    /// Results by rule set and number of seats.
    #[schema(max_items = 1000)]
    results: Vec<RulesetTally>,
}

/// A rating in a rule set.
#[derive(Serialize, ToSchema)]
pub struct RulesetRating {
    /// The rule set.
    #[schema(pattern = "^[a-z]+/[1-9][0-9]*$", example = "marrakech/1")]
    ruleset: &'static str,
    #[serde(flatten)]
    rating: RatingView,
}

/// Results in a rule set.
#[derive(Serialize, ToSchema)]
pub struct RulesetTally {
    /// The rule set.
    #[schema(pattern = "^[a-z]+/[1-9][0-9]*$", example = "marrakech/1")]
    ruleset: &'static str,
    /// The number of seats of the games.
    #[schema(minimum = 1, maximum = 4)]
    seats: u8,
    #[serde(flatten)]
    tally: TallyView,
}

/// A page of leaders.
#[derive(Serialize, ToSchema)]
pub struct LeaderPage {
    /// The leaders, best first. If two are equal, the greater id comes first.
    #[schema(max_items = 100)]
    leaders: Vec<LeaderView>,
    /// The `cursor` of the next page. Null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// A leader.
#[derive(Serialize, ToSchema)]
pub struct LeaderView {
    /// The player: a public id, or a built-in player's name.
    player: Competitor,
    /// The rating, if leaders are ordered by it.
    rating: Option<RatingView>,
    /// The results, if leaders are ordered by them.
    results: Option<TallyView>,
}

/// The order of leaders.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaderSort {
    /// By `at_least` of the rating.
    #[default]
    Rating,
    /// By best score.
    BestScore,
    /// By number of games won.
    Firsts,
}

/// Which results of a player to show.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// A year, month or day in UTC, such as `2026-11`. Default: all time.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$")]
    period: Option<Period>,
}

/// Which leaders to show.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ScoresQuery {
    /// The rule set: `marrakech/1` by default.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// The order. Default: `rating`.
    #[serde(default)]
    #[param(inline)]
    sort: LeaderSort,
    /// The number of seats of the games. Required for `best_score` and `firsts`, and not allowed otherwise.
    #[param(minimum = 1, maximum = 4)]
    seats: Option<u8>,
    /// A year, month or day in UTC, such as `2026-11`, for `best_score` and `firsts`. Default: all time.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$")]
    period: Option<Period>,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Leaders per page, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// Get the ratings and results of a player
///
/// Returns ratings and results by rule set, from the public games that this service ran. A game starts to
/// count a few seconds after its end. Unknown players and players without games look the same.
#[utoipa::path(
    tag = "games",
    params(("player" = String, Path, description = "A public id, or a built-in player's name", pattern = "^([0-9a-f]{20}|[a-z0-9-]{1,20}(/[1-9][0-9]{0,3})?)$", example = "b5bb9d8014a0f9b1d61e"), PlayerQuery),
    responses((status = 200, description = "The ratings and results", body = PlayerStandings), Refusals<((BadPath, BadQuery), StoreError)>),
)]
#[get("/v1/players/{player}")]
pub async fn get_player(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let player = competitor(&req)?;
    let PlayerQuery { period } = request::query(&req)?;
    let standings = app.standings_of(player, period.unwrap_or_default()).await?;
    Ok(Reply::about_service(&req).ok(&PlayerStandings::new(player, period, &standings)))
}

/// List the leaders
///
/// Returns a page of the players with the best ratings, best scores or most wins in the public games that
/// this service ran. A game starts to count a few seconds after its end.
#[utoipa::path(
    tag = "games",
    params(ScoresQuery),
    responses((status = 200, description = "A page of leaders", body = LeaderPage, headers(("Link"))), Refusals<(BadQuery, UnknownRuleset, StoreError)>),
)]
#[get("/v1/scores")]
pub async fn list_leaders(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: ScoresQuery = request::query(&req)?;
    let ruleset = query.ruleset.as_deref().map_or(Ok(Ruleset::ALL[0]), named_ruleset)?;
    let by = query.by()?;
    let after = query.cursor.as_deref().map(place).transpose()?;
    let limit = query.limit.unwrap_or(20);
    let leaders = app.leaders(ruleset, by, after, limit + 1).await?;
    let page = LeaderPage::new(&leaders, limit as usize);
    let mut response = Reply::about_service(&req).ok(&page);
    link_next(&req, &mut response, page.next.as_deref());
    Ok(response)
}

fn bad(detail: &str) -> Problem {
    Problem::new(Code::BadRequest, detail)
}

/// Reads a place among leaders.
fn place(cursor: &str) -> Result<(i64, Competitor), Problem> {
    let read = || {
        let text = assam_record::hex::text_of(cursor)?;
        let (value, competitor) = text.split_once(':')?;
        Some((value.parse().ok()?, competitor.parse().ok()?))
    };
    read().ok_or_else(|| bad("cursor must be the `next` of a page of the same list").at_parameter("cursor"))
}

impl ScoresQuery {
    fn by(&self) -> Result<LeadersBy, Problem> {
        let tally = |by: fn(u8, Period) -> LeadersBy| {
            let seats = self.seats.ok_or_else(|| {
                bad("scores need `seats`, because games for two and for four do not compare")
                    .at_parameter("seats")
            })?;
            Ok(by(seats, self.period.unwrap_or_default()))
        };
        match self.sort {
            LeaderSort::BestScore => tally(LeadersBy::BestScore),
            LeaderSort::Firsts => tally(LeadersBy::Firsts),
            LeaderSort::Rating => {
                let given = [("seats", self.seats.is_some()), ("period", self.period.is_some())];
                let wrong = "ratings cover all games of a rule set. Leave out `seats` and `period`";
                given
                    .into_iter()
                    .find(|(_, is_given)| *is_given)
                    .map_or(Ok(LeadersBy::Rating), |(name, _)| Err(bad(wrong).at_parameter(name)))
            }
        }
    }
}

impl LeaderPage {
    /// Returns a page of leaders, with a cursor if there are more than `limit`.
    fn new(leaders: &[Leader], limit: usize) -> Self {
        let shown = leaders.get(..limit).unwrap_or(leaders);
        let last = shown.last().filter(|_| shown.len() < leaders.len());
        Self {
            leaders: shown.iter().map(LeaderView::new).collect(),
            next: last.map(|last| digits(format!("{}:{}", last.value, last.competitor))),
        }
    }
}

impl LeaderView {
    fn new(leader: &Leader) -> Self {
        Self {
            player: leader.competitor,
            rating: leader.rating.as_ref().map(RatingView::new),
            results: leader.tally.as_ref().map(TallyView::new),
        }
    }
}

impl RatingView {
    fn new(rating: &Rating) -> Self {
        Self {
            rating: rating.rating(),
            uncertainty: rating.uncertainty(),
            at_least: rating.at_least(),
            games: rating.games,
        }
    }
}

impl TallyView {
    fn new(tally: &PlayerTally) -> Self {
        Self {
            games: tally.games,
            firsts: tally.firsts,
            mean_score: (tally.mean_score() * 1000.0).round() / 1000.0,
            best_score: tally.best.score,
            best_game: tally.best.game,
        }
    }
}

impl PlayerStandings {
    fn new(player: Competitor, period: Option<Period>, standings: &Reckoning) -> Self {
        let rating = |((ruleset, _), rating): (&(_, _), &Rating)| {
            let ruleset: &Ruleset = ruleset;
            RulesetRating { ruleset: ruleset.name(), rating: RatingView::new(rating) }
        };
        let tally = |(key, tally): (&TallyKey, &PlayerTally)| RulesetTally {
            ruleset: key.ruleset.name(),
            seats: key.seats,
            tally: TallyView::new(tally),
        };
        Self {
            player,
            period,
            ratings: standings.ratings.iter().map(rating).collect(),
            results: standings.tallies.iter().map(tally).collect(),
        }
    }
}

/// Your public identity.
#[derive(Serialize, ToSchema)]
pub struct Me {
    /// Your public id: the first 20 hex digits of SHA-256 of the 77 bytes `assam/player`, line feed, your
    /// secret.
    player: PlayerId,
}

/// Get your player id
///
/// Returns the public id of your secret, for example for `GET /v1/games?player=`. Nothing is stored.
#[utoipa::path(
    tag = "games",
    security(("secret" = [])),
    responses((status = 200, description = "Your public id", body = Me), Refusals<(BadSecret, NoSecret)>),
)]
#[get("/v1/me")]
pub async fn get_me(req: HttpRequest) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    Ok(Reply::about_requester(&req).ok(&Me { player: required(&caller)?.player() }))
}
