//! Rule sets: what can be played, with every option and every rule that a move can break.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_notation::{OptionKind, OptionSpec};
use serde::Serialize;
use utoipa::ToSchema;

use super::reply::Reply;
use super::{PageProblems, StaticProblems};
use crate::game::SeatKind;
use crate::problem::{Code, Problem};
use crate::ruleset::Ruleset;

/// The rule sets.
#[derive(Serialize, ToSchema)]
pub struct RulesetList {
    rulesets: Vec<RulesetView>,
}

/// A player that the service can put on a seat.
#[derive(Serialize, ToSchema)]
pub struct PlayerView {
    /// How `seats` of a new game names it.
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
    /// Fewest seats.
    min_seats: u8,
    /// Most seats.
    max_seats: u8,
    /// The players that the service can put on a seat, as `seats` of a new game names them.
    players: Vec<PlayerView>,
    /// Is something hidden from somebody while a game goes on? Then what is answered depends on who asks.
    has_secrets: bool,
    /// Every option, in alphabetical order.
    options: Vec<OptionView>,
    /// Every rule that a move can break: what `rule` in a problem means.
    rules: Vec<RuleView>,
}

/// An option of a rule set.
#[derive(Serialize, ToSchema)]
pub struct OptionView {
    /// Its name.
    #[schema(example = "cover")]
    name: &'static str,
    /// What it means.
    meaning: &'static str,
    /// What holds where it is not named.
    #[schema(example = "opponents")]
    default: &'static str,
    /// Its values; empty where it is a number.
    values: Vec<ValueView>,
    /// The smallest number.
    min: Option<u16>,
    /// The largest number.
    max: Option<u16>,
}

/// A value of an option.
#[derive(Serialize, ToSchema)]
pub struct ValueView {
    /// As it is written.
    #[schema(example = "any")]
    value: &'static str,
    /// What it means.
    meaning: &'static str,
}

/// A rule that a move can break.
#[derive(Serialize, ToSchema)]
pub struct RuleView {
    /// Stable identifier.
    #[schema(example = "marrakech.rug.covers-whole-rug")]
    id: &'static str,
    /// The rule in a sentence.
    text: &'static str,
}

/// List the rule sets
#[utoipa::path(
    tag = "reference",
    responses((status = 200, description = "Every rule set with its options", body = RulesetList), StaticProblems),
)]
#[get("/v1/rulesets")]
pub async fn list_rulesets(req: HttpRequest) -> HttpResponse {
    let rulesets = Ruleset::ALL.iter().copied().map(RulesetView::of).collect();
    Reply::about_service(&req).ok(&RulesetList { rulesets })
}

/// Look at a rule set
#[utoipa::path(
    tag = "reference",
    params(
        ("name" = String, Path, description = "Name of the rule set", example = "marrakech"),
        ("version" = String, Path, description = "Its version", example = "1"),
    ),
    responses((status = 200, description = "The rule set with its options", body = RulesetView), PageProblems),
)]
#[get("/v1/rulesets/{name}/{version}")]
pub async fn get_ruleset(
    req: HttpRequest,
    path: web::Path<(String, String)>,
) -> Result<HttpResponse, Problem> {
    let (name, version) = path.into_inner();
    let id = format!("{name}/{version}");
    let ruleset = Ruleset::named(&id)
        .ok_or_else(|| Problem::new(Code::RouteNotFound, format!("there is no rule set {id:?}")))?;
    Ok(Reply::about_service(&req).ok(&RulesetView::of(ruleset)))
}

impl RulesetView {
    fn of(ruleset: Ruleset) -> Self {
        let referee = ruleset.referee();
        Self {
            id: ruleset.name(),
            title: referee.title(),
            min_seats: *referee.seats().start(),
            max_seats: *referee.seats().end(),
            players: referee.built_in_players().iter().copied().filter_map(PlayerView::of).collect(),
            has_secrets: referee.has_secrets(),
            options: referee.option_specs().iter().map(OptionView::of).collect(),
            rules: referee.rules().into_iter().map(|(id, text)| RuleView { id, text }).collect(),
        }
    }
}

impl PlayerView {
    fn of(kind: SeatKind) -> Option<Self> {
        let meaning = match kind {
            SeatKind::Open | SeatKind::Human => return None,
            SeatKind::SolitaireAi => {
                "Plays a card of its hand at random, each equally likely; of the ways to use the values of a trick it chooses the \
                 one with the most pieces off, then the one that moves from the highest points."
            }
            SeatKind::Random => "Chooses among the legal decisions, each equally likely.",
        };
        Some(Self { kind: kind.name(), meaning })
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
