//! Rule sets, with every option and every rule that a move can break.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_notation::{OptionKind, OptionSpec};
use assam_players::Player;
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
    rulesets: Vec<RulesetView>,
}

/// A built-in player.
#[derive(Serialize, ToSchema)]
pub struct PlayerView {
    /// Its name in the `seats` of a new game.
    #[schema(example = "random")]
    kind: &'static str,
    /// How it plays.
    meaning: &'static str,
}

/// A rule set.
#[derive(Serialize, ToSchema)]
pub struct RulesetView {
    /// Name and version, as in a record's first line.
    #[schema(example = "marrakech/1")]
    id: &'static str,
    /// The name of the game.
    title: &'static str,
    /// The fewest seats.
    min_seats: u8,
    /// The most seats.
    max_seats: u8,
    /// The built-in players that can take its seats.
    players: Vec<PlayerView>,
    /// Whether anything is hidden from anyone while a game goes on. If so, responses about a game depend on the
    /// requester.
    has_secrets: bool,
    /// Every option, in alphabetical order.
    options: Vec<OptionView>,
    /// Every rule that a move can break, as `rule` in a problem names it.
    rules: Vec<RuleView>,
}

/// An option of a rule set.
#[derive(Serialize, ToSchema)]
pub struct OptionView {
    /// Its name.
    #[schema(example = "cover")]
    name: &'static str,
    /// The meaning of the option.
    meaning: &'static str,
    /// The value of the option where it is not named.
    #[schema(example = "opponents")]
    default: &'static str,
    /// Its values; empty if it is a number.
    values: Vec<ValueView>,
    /// The smallest number; null if the option is not a number.
    min: Option<u16>,
    /// The largest number; null if the option is not a number.
    max: Option<u16>,
}

/// A value of an option.
#[derive(Serialize, ToSchema)]
pub struct ValueView {
    /// The value, as it is written.
    #[schema(example = "any")]
    value: &'static str,
    /// The meaning of the value.
    meaning: &'static str,
}

/// A rule that a move can break.
#[derive(Serialize, ToSchema)]
pub struct RuleView {
    /// The stable identifier of the rule.
    #[schema(example = "marrakech.rug.covers-whole-rug")]
    id: &'static str,
    /// The rule in a sentence.
    text: &'static str,
}

/// List the rule sets
///
/// Lists every rule set with its options and its rules.
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "Every rule set, with its options, rules and built-in players", body = RulesetList), Refusals<Nothing>),
)]
#[get("/v1/rulesets")]
pub async fn list_rulesets(req: HttpRequest) -> HttpResponse {
    let rulesets = Ruleset::ALL.iter().copied().map(RulesetView::of).collect();
    Reply::about_service(&req).ok(&RulesetList { rulesets })
}

/// Get a rule set
///
/// Returns its options with their values, and every rule that a move can break.
#[utoipa::path(
    tag = "reference",
    params(
        ("name" = String, Path, description = "Name of the rule set", example = "marrakech"),
        ("version" = String, Path, description = "Its version", example = "1"),
    ),
    responses((status = 200, description = "The rule set, with its options, rules and built-in players", body = RulesetView), Refusals<NoSuchPage>),
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
    Ok(Reply::about_service(&req).ok(&RulesetView::of(ruleset)))
}

impl RulesetView {
    fn of(ruleset: Ruleset) -> Self {
        let GameInfo { name, title, seats, options, rules, players, has_secrets, .. } = ruleset.info();
        let player = |player: &Player| PlayerView { kind: player.name(), meaning: player.meaning() };
        Self {
            id: name,
            title,
            min_seats: *seats.start(),
            max_seats: *seats.end(),
            players: players.iter().map(player).collect(),
            has_secrets: *has_secrets,
            options: options.iter().map(OptionView::of).collect(),
            rules: rules.iter().map(|&RuleInfo { id, text }| RuleView { id, text }).collect(),
        }
    }
}

impl OptionView {
    fn of(spec: &OptionSpec) -> Self {
        let (values, min, max) = match spec.kind {
            OptionKind::Choice(values) => (values, None, None),
            OptionKind::Number { min, max } => (&[][..], Some(min), Some(max)),
        };
        let values = values.iter().map(|&(value, meaning)| ValueView { value, meaning }).collect();
        Self { name: spec.name, meaning: spec.meaning, default: spec.default, values, min, max }
    }
}
