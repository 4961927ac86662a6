//! Rule sets, with every option and every rule that a move can break.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_notation::{OptionKind, OptionSpec};
use assam_players::{Level, Player};
use assam_referee::{GameInfo, RuleInfo, Ruleset};
use serde::Serialize;
use utoipa::ToSchema;

use crate::http::response::refusals::{NoSuchPage, Nothing, Refusals};
use crate::http::response::reply::Reply;
use crate::problem::{Code, Problem};

/// The rule sets.
#[derive(Serialize, ToSchema)]
pub struct RulesetList {
    /// Every rule set.
    #[schema(max_items = 1000)]
    rulesets: Vec<RulesetView>,
}

/// A built-in player.
#[derive(Serialize, ToSchema)]
pub struct PlayerView {
    /// Its name in the `seats` of a new game.
    #[schema(max_length = 64, example = "random")]
    kind: &'static str,
    /// Its name for people.
    #[schema(max_length = 64, example = "Zohra")]
    title: &'static str,
    /// Its level, if it is a merchant. 8 is the strongest.
    #[schema(minimum = 1, maximum = 8)]
    level: Option<u8>,
    /// How it plays.
    #[schema(max_length = 4096)]
    meaning: &'static str,
}

/// A rule set.
#[derive(Serialize, ToSchema)]
pub struct RulesetView {
    /// Name and version, as in a record's first line.
    #[schema(pattern = "^[a-z]+/[1-9][0-9]*$", example = "marrakech/1")]
    id: &'static str,
    /// The name of the game.
    #[schema(max_length = 4096)]
    title: &'static str,
    /// The fewest seats.
    #[schema(minimum = 1, maximum = 4)]
    min_seats: u8,
    /// The most seats.
    #[schema(minimum = 1, maximum = 4)]
    max_seats: u8,
    /// The built-in players that can take its seats.
    #[schema(max_items = 1000)]
    players: Vec<PlayerView>,
    /// Whether anything is hidden during a game, so that responses depend on the requester.
    has_secrets: bool,
    /// Every option, in alphabetical order.
    #[schema(max_items = 1000)]
    options: Vec<OptionView>,
    /// Every rule that a move can break.
    #[schema(max_items = 1000)]
    rules: Vec<RuleView>,
}

/// An option of a rule set.
#[derive(Serialize, ToSchema)]
pub struct OptionView {
    /// Its name.
    #[schema(max_length = 64, example = "cover")]
    name: &'static str,
    /// The meaning of the option.
    #[schema(max_length = 4096)]
    meaning: &'static str,
    /// The default value.
    #[schema(max_length = 4096, example = "opponents")]
    default: &'static str,
    /// Its values. Empty if it is a number.
    #[schema(max_items = 64)]
    values: Vec<ValueView>,
    /// The smallest number. Null for other options.
    #[schema(maximum = 65_535)]
    min: Option<u16>,
    /// The largest number. Null for other options.
    #[schema(maximum = 65_535)]
    max: Option<u16>,
}

/// A value of an option.
#[derive(Serialize, ToSchema)]
pub struct ValueView {
    /// The value as written.
    #[schema(max_length = 64, example = "any")]
    value: &'static str,
    /// The meaning of the value.
    #[schema(max_length = 4096)]
    meaning: &'static str,
}

/// A rule that a move can break.
#[derive(Serialize, ToSchema)]
pub struct RuleView {
    /// The stable identifier of the rule.
    #[schema(pattern = "^[a-z]+(?:[.-][a-z0-9]+)*$", example = "marrakech.rug.covers-whole-rug")]
    id: &'static str,
    /// The rule in a sentence.
    #[schema(max_length = 4096)]
    text: &'static str,
}

/// List the rule sets
///
/// Lists every rule set with its options, rules and built-in players.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "The rule sets", body = RulesetList), Refusals<Nothing>),
)]
#[get("/v1/rulesets")]
pub async fn list_rulesets(req: HttpRequest) -> HttpResponse {
    let rulesets = Ruleset::ALL.iter().copied().map(RulesetView::new).collect();
    Reply::about_service(&req).ok(&RulesetList { rulesets })
}

/// Get a rule set
///
/// Returns a rule set with its options, rules and built-in players.
#[utoipa::path(
    tag = "reference",
    params(
        ("name" = String, Path, pattern = "^[a-z]+$", max_length = 64, description = "Name of the rule set", example = "marrakech"),
        ("version" = String, Path, pattern = "^[1-9][0-9]*$", max_length = 9, description = "Its version", example = "1"),
    ),
    responses((status = 200, description = "The rule set", body = RulesetView), Refusals<NoSuchPage>),
)]
#[get("/v1/rulesets/{name}/{version}")]
pub async fn get_ruleset(
    req: HttpRequest,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (name, version) = path.into_inner();
    let id = format!("{name}/{version}");
    let ruleset = Ruleset::named(&id)
        .ok_or_else(|| Problem::new(Code::RouteNotFound, format!("unknown rule set {id:?}")))?;
    Ok(Reply::about_service(&req).ok(&RulesetView::new(ruleset)))
}

impl RulesetView {
    fn new(ruleset: Ruleset) -> Self {
        let GameInfo { name, title, seats, options, rules, players, has_secrets, .. } = ruleset.info();
        let player = |player: &Player| PlayerView {
            kind: player.name(),
            title: player.title(),
            level: player.level().map(Level::number),
            meaning: player.meaning(),
        };
        Self {
            id: name,
            title,
            min_seats: *seats.start(),
            max_seats: *seats.end(),
            players: players.iter().map(player).collect(),
            has_secrets: *has_secrets,
            options: options.iter().map(OptionView::new).collect(),
            rules: rules.iter().map(|&RuleInfo { id, text }| RuleView { id, text }).collect(),
        }
    }
}

impl OptionView {
    fn new(spec: &OptionSpec) -> Self {
        let (values, min, max) = match spec.kind {
            OptionKind::Choice(values) => (values, None, None),
            OptionKind::Number { min, max } => (&[][..], Some(min), Some(max)),
        };
        let values = values.iter().map(|&(value, meaning)| ValueView { value, meaning }).collect();
        Self { name: spec.name, meaning: spec.meaning, default: spec.default, values, min, max }
    }
}
