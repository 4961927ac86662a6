//! Players: who the holder of a secret is to others, how well players play, and who leads.

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

/// A rating, by the method of Weng and Lin: whoever never played has 25, with an uncertainty of 25/3.
#[derive(Serialize, ToSchema)]
pub struct RatingView {
    /// An estimate of strength.
    #[schema(example = 27.635_273_614)]
    rating: f64,
    /// Its standard deviation: the more games, the smaller.
    #[schema(minimum = 0, example = 8.065_506_316)]
    uncertainty: f64,
    /// The estimate less three times its uncertainty, by which leaders are ordered: so nobody leads for one lucky game.
    #[schema(example = 3.438_754_666)]
    at_least: f64,
    /// How many games it is made of.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    games: u64,
}

/// Results and scores in games with the same number of seats.
#[derive(Serialize, ToSchema)]
pub struct TallyView {
    /// How many games ended. A game in which the player held several seats counts once for each.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1)]
    games: u64,
    /// How many of them brought the first place, alone or shared.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 0)]
    firsts: u64,
    /// The mean of the scores, rounded to thousandths.
    #[schema(example = 37.125)]
    mean_score: f64,
    /// The best score.
    #[schema(minimum = -1_000_000, maximum = 1_000_000)]
    best_score: i32,
    /// The first game that brought it.
    best_game: GameId,
}

/// The ratings and results of a player.
#[derive(Serialize, ToSchema)]
pub struct PlayerStandings {
    /// The player: a public id, or the name of a built-in player.
    player: Competitor,
    /// The period of the results: a year, a month or a day of UTC; null for all time.
    period: Option<Period>,
    /// The rating in each rule set in which one was earned, whatever the period.
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
    /// Who leads, the first first; of those who are equal, the greater id.
    #[schema(max_items = 100)]
    leaders: Vec<LeaderView>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// Somebody among the leaders.
#[derive(Serialize, ToSchema)]
pub struct LeaderView {
    /// The player: a public id, or the name of a built-in player.
    player: Competitor,
    /// The rating, where leaders are ordered by it.
    rating: Option<RatingView>,
    /// The results, where leaders are ordered by something of them.
    results: Option<TallyView>,
}

/// What leaders are ordered by.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeaderSort {
    /// By `at_least` of their rating.
    #[default]
    Rating,
    /// By their best score.
    BestScore,
    /// By how many games they won.
    Firsts,
}

/// Which results of a player are shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PlayerQuery {
    /// A year, a month or a day of UTC (`2026`, `2026-11`, `2026-11-23`); all time by default.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$")]
    period: Option<Period>,
}

/// Which leaders are shown.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ScoresQuery {
    /// The rule set: `marrakech/1` by default.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// What leaders are ordered by: `rating` by default.
    #[serde(default)]
    #[param(inline)]
    sort: LeaderSort,
    /// The number of seats of the games; with `best_score` and `firsts`, which need it.
    #[param(minimum = 1, maximum = 4)]
    seats: Option<u8>,
    /// A year, a month or a day of UTC (`2026`, `2026-11`, `2026-11-23`), with `best_score` and `firsts`; all time by default.
    #[param(value_type = Option<String>, pattern = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$")]
    period: Option<Period>,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Leaders per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// Get the ratings and results of a player
///
/// Returns what the public games say that this service ran: ratings, results and scores, by rule set. A game counts a few seconds
/// after its end, once. Whoever has no such game has none of these: a player who never played is not told from one
/// who is unknown. Built-in players are rated as others are, by their names.
#[utoipa::path(
    tag = "games",
    params(("player" = String, Path, description = "The public id of a player, or the name of a built-in player", pattern = "^([0-9a-f]{20}|[a-z-]{1,20})$", example = "b5bb9d8014a0f9b1d61e"), PlayerQuery),
    responses((status = 200, description = "The ratings and results", body = PlayerStandings), Refusals<((BadPath, BadQuery), StoreError)>),
)]
#[get("/v1/players/{player}")]
pub async fn get_player(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let player = competitor(&req)?;
    let PlayerQuery { period } = request::query(&req)?;
    let standings = app.standings_of(player, period.unwrap_or_default()).await?;
    Ok(Reply::about_service(&req).ok(&PlayerStandings::new(player, period, &standings)))
}

/// List who leads
///
/// Returns the players with the best ratings, the best scores, or the most games won, in the public games that this service ran, a page at
/// a time. Each game counts a few seconds after its end, once.
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
                bad("scores need `seats`: those of games for two are no match for those for four")
                    .at_parameter("seats")
            })?;
            Ok(by(seats, self.period.unwrap_or_default()))
        };
        match self.sort {
            LeaderSort::BestScore => tally(LeadersBy::BestScore),
            LeaderSort::Firsts => tally(LeadersBy::Firsts),
            LeaderSort::Rating => {
                let given = [("seats", self.seats.is_some()), ("period", self.period.is_some())];
                let wrong = "ratings are of all games of a rule set: leave `seats` and `period` out";
                given
                    .into_iter()
                    .find(|(_, is_given)| *is_given)
                    .map_or(Ok(LeadersBy::Rating), |(name, _)| Err(bad(wrong).at_parameter(name)))
            }
        }
    }
}

impl LeaderPage {
    /// Returns a page of these, which may go on.
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

/// Who you are to others.
#[derive(Serialize, ToSchema)]
pub struct Me {
    /// Your public id: the first 20 hex digits of SHA-256 of the 77 bytes `assam/player`, line feed, your secret. It is the
    /// same in every game.
    player: PlayerId,
}

/// Get your player id
///
/// Returns the public id of the holder of your secret, by which `GET /v1/games?player=` lists public games. Nothing is
/// stored: a secret that never took a seat has one too.
#[utoipa::path(
    tag = "games",
    security(("secret" = [])),
    responses((status = 200, description = "Who you are", body = Me), Refusals<(BadSecret, NoSecret)>),
)]
#[get("/v1/me")]
pub async fn get_me(req: HttpRequest) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    Ok(Reply::about_requester(&req).ok(&Me { player: required(&caller)?.player() }))
}
