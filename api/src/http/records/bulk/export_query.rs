//! The query of an export.

use assam_record::clock::now;
use assam_record::game::{GameId, PlayerId, Status};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::exported::Detail;
use crate::app::{App, ListQuery, ListScope, SortBy};
use crate::http::games::lists::{PublicSort, named_ruleset};
use crate::http::request::{QueryTime, SchemaViolation, refused_query};
use crate::problem::{Code, HasProblemCodes, Problem};

/// A status of games that have a record.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportStatus {
    /// Not over. Cards hidden from spectators are `??`.
    Running,
    /// Played to its end.
    Finished,
    /// Ended by `!abort`.
    Aborted,
}

/// Filters of an export, and its first game.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Only games with one of these statuses, separated by commas. Default: games that are over.
    #[serde(default)]
    #[param(inline, max_items = 3)]
    status: Vec<ExportStatus>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games with a seat of this player.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{20}$")]
    player: Option<PlayerId>,
    /// `true`: only imported games. `false`: only games that were not imported.
    imported: Option<bool>,
    /// Only games from this time on, in RFC 3339.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order, oldest first. Default: `created`.
    #[serde(default)]
    #[param(inline)]
    sort: PublicSort,
    /// Only games after this one: the last that you have.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{32}$")]
    after: Option<GameId>,
    /// The maximum number of games. Default: all.
    #[param(minimum = 1, maximum = 1000000000)]
    pub(super) limit: Option<u32>,
    /// Whether games in JSON include the state after every ply.
    #[serde(default)]
    states: bool,
    /// Whether to return each game's proof instead of the game, always in JSON. Cannot be combined with
    /// `states`.
    #[serde(default)]
    proofs: bool,
}

/// A game that no export can resume after: it is not public or, in order of end, not over.
pub struct NoSuchPlace;

impl From<NoSuchPlace> for Problem {
    fn from(_: NoSuchPlace) -> Self {
        Self::new(
            Code::GameNotFound,
            "there is no public game with this id, or it has no place in this order",
        )
    }
}

impl HasProblemCodes for NoSuchPlace {
    fn codes() -> Vec<Code> {
        vec![Code::GameNotFound]
    }
}

impl ExportQuery {
    /// Returns the content of each game as JSON.
    pub(super) const fn detail(&self) -> Detail {
        match (self.proofs, self.states) {
            (true, _) => Detail::Proof,
            (false, true) => Detail::States,
            (false, false) => Detail::Game,
        }
    }

    /// Returns the list query of the export.
    ///
    /// # Errors
    /// `bad_request` for proofs with states, and the problem of a wrong rule set or place.
    pub(super) async fn read(&self, app: &App) -> Result<ListQuery, Problem> {
        if self.proofs && self.states {
            return Err(refused_query(vec![SchemaViolation::beside("proofs", "states")]));
        }
        let order = match self.sort {
            PublicSort::Created => SortBy::Created,
            PublicSort::Finished => SortBy::Finished,
        };
        let statuses = match &self.status[..] {
            [] => vec![Status::Finished, Status::Aborted],
            statuses => statuses.iter().map(|status| status.read()).collect(),
        };
        let after = match self.after {
            Some(id) => Some(app.place_in(order, id).await?.ok_or(NoSuchPlace)?),
            None => None,
        };
        // Later games are excluded, or the export would never end.
        let end = now().saturating_add(SignedDuration::from_millis(1)).unwrap_or(Timestamp::MAX);
        Ok(ListQuery {
            scope: self.player.map_or(ListScope::Public, ListScope::PublicOf),
            order,
            statuses,
            ruleset: self.ruleset.as_deref().map(named_ruleset).transpose()?,
            imported: self.imported,
            since: self.since.map(|since| since.0),
            until: Some(self.until.map_or(end, |until| until.0.min(end))),
            is_ascending: true,
            after,
            ..ListQuery::default()
        })
    }
}

impl ExportStatus {
    const fn read(self) -> Status {
        match self {
            Self::Running => Status::Running,
            Self::Finished => Status::Finished,
            Self::Aborted => Status::Aborted,
        }
    }
}
