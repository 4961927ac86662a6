//! The ledger of the dice: how often each face came, and which rolls these were.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_record::game::{GameId, Info, Status, StoredGame};
use assam_record::standings::{Competitor, DiceKey, DiceTally, Fairness, counts, rolls};
use assam_referee::{Faces, Roll, WinAndPoints};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::game_request::{BadPath, competitor};
use super::lists::{link_next, place};
use crate::app::{App, ListOrder, ListPlace, ListQuery, ListScope, SortBy, StoreError};
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::Reply;
use crate::problem::Problem;

/// The dice of a player, or of all players, and some of the rolls.
#[derive(Serialize, ToSchema)]
pub struct DicePage {
    /// The player: a public id, or a built-in player's name. Null for all players.
    player: Option<Competitor>,
    /// All dice of each rule set.
    #[schema(max_items = 100)]
    rulesets: Vec<RulesetDice>,
    /// The rolls of some games, the game that ended last first, each game's in order.
    #[schema(max_items = 100_000)]
    rolls: Vec<RollView>,
    /// The `cursor` of earlier games. Null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// The dice of a rule set.
#[derive(Serialize, ToSchema)]
pub struct RulesetDice {
    /// The rule set.
    #[schema(pattern = "^[a-z]+/[1-9][0-9]*$", example = "marrakech/1")]
    ruleset: &'static str,
    /// The number of dice that were thrown.
    #[schema(maximum = 9_007_199_254_740_991_u64, example = 960)]
    dice: u64,
    /// The number of games.
    #[schema(maximum = 9_007_199_254_740_991_u64, example = 40)]
    games: u64,
    /// How often each face came.
    #[schema(max_items = 6)]
    faces: Vec<FaceCount>,
    /// Pearson's chi-square test against a fair die. Null if there are too few dice.
    test: Option<ChiSquareTest>,
    /// The outcome of the test.
    fairness: Fairness,
    /// The same as a sentence.
    #[schema(
        max_length = 200,
        example = "That is usual: fair dice are at least this uneven in 50.3 of 100 such samples."
    )]
    meaning: String,
    /// The luck of those who threw, all rolls together.
    luck: DiceLuck,
}

/// How often a face came.
#[derive(Serialize, ToSchema)]
pub struct FaceCount {
    /// The face.
    face: Face,
    /// The number of dice that showed it.
    #[schema(maximum = 9_007_199_254_740_991_u64, example = 163)]
    rolled: u64,
    /// The number that fair dice show on average, rounded to thousandths.
    #[schema(minimum = 0, example = 160.0)]
    expected: f64,
}

/// A face of a die.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[schema(minimum = 1, maximum = 6)]
struct Face(u8);

/// A chi-square test.
#[derive(Serialize, ToSchema)]
pub struct ChiSquareTest {
    /// The sum of the squared differences from the expected numbers, each divided by the expected number, rounded
    /// to thousandths.
    #[schema(minimum = 0, example = 2.35)]
    chi_square: f64,
    /// The number of faces of the die, less 1.
    #[schema(minimum = 1, maximum = 5, example = 3)]
    degrees_of_freedom: u32,
    /// The probability that fair dice are at least this far from the expected numbers, rounded to 6 digits.
    #[schema(minimum = 0, maximum = 1, example = 0.503)]
    p_value: f64,
}

/// The luck of many rolls: for each, what those who threw could expect after it, less what they could expect before.
#[derive(Serialize, ToSchema)]
pub struct DiceLuck {
    /// The share of the win in 10,000ths, added up. 10,000 is a whole win.
    #[schema(minimum = -9_007_199_254_740_991_i64, maximum = 9_007_199_254_740_991_i64, example = -1250)]
    win: i64,
    /// Points in 1,000ths, added up.
    #[schema(minimum = -9_007_199_254_740_991_i64, maximum = 9_007_199_254_740_991_i64, example = -3200)]
    points: i64,
    /// The standard deviation of `win`. Fair dice stay within twice as much in 19 of 20 samples.
    #[schema(maximum = 9_007_199_254_740_991_u64, example = 5300)]
    deviation: u64,
}

/// Dice that a seat threw at once.
#[derive(Serialize, ToSchema)]
pub struct RollView {
    /// The game. Its proof is `GET /v1/games/{id}/proof`.
    game: GameId,
    /// The ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The seat.
    #[schema(minimum = 1, maximum = 4)]
    seat: u8,
    /// The faces: one in Marrakech, six in Marrakesh.
    #[schema(min_items = 1, max_items = 6)]
    faces: Vec<Face>,
    /// The luck of the seat. In Marrakesh both seats throw together, so it is that of all twelve dice.
    luck: WinAndPoints,
}

/// Which rolls to show.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DiceQuery {
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Games whose rolls are listed, 1 to 20. Default: 5. A page may have rolls of fewer games and still have a
    /// `next`.
    #[param(minimum = 1, maximum = 20)]
    limit: Option<u32>,
}

/// Get the dice of all players
///
/// Returns how often each face came in the public games that this service ran, whether that is usual, and the
/// rolls of the games that ended last. A game starts to count a few seconds after its end.
#[utoipa::path(
    tag = "analysis",
    params(DiceQuery),
    responses((status = 200, description = "The dice", body = DicePage, headers(("Link"))), Refusals<(BadQuery, StoreError, TooMuchWaits)>),
)]
#[get("/v1/dice")]
pub async fn get_dice(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    page(&req, app, None).await
}

/// Get the dice of a player
///
/// Returns how often each face came for a player in the public games that this service ran, and whether that is
/// usual. Lists the rolls of the games that ended last, and adds up the luck of all.
///
/// A game starts to count a few seconds after its end. Unknown players and players without games look the same.
#[utoipa::path(
    tag = "analysis",
    params(("player" = String, Path, description = "A public id, or a built-in player's name", pattern = "^([0-9a-f]{20}|[a-z0-9-]{1,20}(/[1-9][0-9]{0,3})?)$", example = "b5bb9d8014a0f9b1d61e"), DiceQuery),
    responses((status = 200, description = "The dice", body = DicePage, headers(("Link"))), Refusals<((BadPath, BadQuery), StoreError, TooMuchWaits)>),
)]
#[get("/v1/players/{player}/dice")]
pub async fn get_dice_of_player(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let player = competitor(&req)?;
    page(&req, app, Some(player)).await
}

async fn page(
    req: &HttpRequest,
    app: web::Data<App>,
    player: Option<Competitor>,
) -> Result<HttpResponse, Problem> {
    let query: DiceQuery = request::query(req)?;
    let after = query.cursor.as_deref().map(|cursor| place(cursor, ListOrder::Finished)).transpose()?;
    let wanted = ListQuery {
        // Built-in players have no lists of their own.
        scope: match player {
            Some(Competitor::Player(player)) => ListScope::PublicOf(player),
            Some(Competitor::BuiltIn(_)) | None => ListScope::Public,
        },
        order: SortBy::Finished,
        statuses: vec![Status::Finished],
        imported: Some(false),
        after: after.map(|place| (place.at, place.id)),
        limit: query.limit.unwrap_or(5),
        ..ListQuery::default()
    };
    let service = app.clone();
    let page = app.run_background(async move {
        let (dice, games) = (service.dice_of(player).await?, service.export(&wanted).await?);
        let next = games.next.map(|(at, id)| ListPlace { order: ListOrder::Finished, at, id }.cursor());
        Ok::<_, StoreError>(DicePage {
            player,
            rulesets: dice
                .iter()
                .filter(|(_, tally)| tally.dice() > 0)
                .map(|(key, tally)| RulesetDice::new(key, tally))
                .collect(),
            rolls: games.games.iter().flat_map(|game| rolls_of(game, player)).collect(),
            next,
        })
    });
    let page = page.await??;
    let mut response = Reply::about_service(req).ok(&page);
    link_next(req, &mut response, page.next.as_deref());
    Ok(response)
}

/// Returns the rolls of a player, or of all players, in a game, if it counts. Games with damaged logs do not.
fn rolls_of(game: &StoredGame, player: Option<Competitor>) -> Vec<RollView> {
    let Info { id, seats, .. } = &game.info;
    let is_by = |seat: usize| player.is_none() || player == seats.get(seat).and_then(Competitor::new);
    if !counts(&game.info) || !(0..seats.len()).any(is_by) {
        return Vec::new();
    }
    let rolls = rolls(game).unwrap_or_default();
    let views = rolls.iter().flat_map(|Roll { ply, thrown, luck }| {
        let thrown = thrown.iter().filter(|(seat, _)| is_by(seat.index()));
        thrown.map(|(seat, counts)| RollView {
            game: *id,
            ply: *ply,
            seat: seat.number(),
            faces: faces(*counts),
            luck: luck[*seat].into(),
        })
    });
    views.collect()
}

/// Lists each face as often as it came.
fn faces(counts: Faces) -> Vec<Face> {
    (1..).zip(counts).flat_map(|(face, count)| std::iter::repeat_n(Face(face), count.into())).collect()
}

impl RulesetDice {
    fn new(key: &DiceKey, tally: &DiceTally) -> Self {
        let info = key.ruleset.info();
        let fairness = tally.fairness(info.die);
        let test = tally.chi_square(info.die).filter(|_| fairness != Fairness::TooFew);
        let faces = (1..).zip(tally.faces).zip(tally.expected(info.die)).zip(info.die);
        Self {
            ruleset: info.name,
            dice: tally.dice(),
            games: tally.games,
            faces: faces
                .filter(|(_, sides)| *sides > 0)
                .map(|(((face, rolled), expected), _)| FaceCount {
                    face: Face(face),
                    rolled,
                    expected: round(expected, 3),
                })
                .collect(),
            meaning: meaning(fairness, test.map_or(1.0, |test| round(test.p_value, 6))),
            test: test.map(|test| ChiSquareTest {
                chi_square: round(test.statistic, 3),
                degrees_of_freedom: test.degrees_of_freedom,
                p_value: round(test.p_value, 6),
            }),
            fairness,
            luck: DiceLuck {
                win: tally.luck,
                points: tally.luck_points,
                deviation: (tally.luck_squares as f64).sqrt().round() as u64,
            },
        }
    }
}

fn meaning(fairness: Fairness, p_value: f64) -> String {
    let percent = 100.0 * p_value;
    match fairness {
        Fairness::TooFew => "There are too few dice for a test.".to_owned(),
        Fairness::Usual => {
            format!("That is usual: fair dice are at least this uneven in {percent:.1} of 100 such samples.")
        }
        Fairness::Unusual => format!(
            "That is unusual, though one of many players will see it: fair dice are at least this uneven in {percent:.1} of 100 such samples."
        ),
        Fairness::VeryUnusual => {
            "Fair dice are this uneven in fewer than 1 of 1,000 such samples. Verify the proofs of the games."
                .to_owned()
        }
    }
}

fn round(value: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (value * unit).round() / unit
}
