//! States and events in an OpenAPI document: one schema for each game's, and one for any game's.

use std::borrow::Cow;

use assam_players::Mark;
use utoipa::openapi::schema::{ObjectBuilder, OneOf, OneOfBuilder, Type};
use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::{Event, Ruleset, Shown, State, Visitor};

type Schemas = Vec<(String, RefOr<Schema>)>;

/// The schemas of a game.
struct GameSchemas {
    state_name: String,
    /// The state, and its parts.
    state: Schemas,
    /// One schema per kind of event.
    events: Vec<RefOr<Schema>>,
    /// The parts of events.
    event_parts: Schemas,
}

struct Describe;

impl Visitor for Describe {
    type Output = GameSchemas;

    fn visit<G: Shown>(self, _: Ruleset) -> GameSchemas {
        let mut state = Schemas::new();
        G::State::schemas(&mut state);
        state.push((G::State::name().into_owned(), G::State::schema()));
        let mut event_parts = Schemas::new();
        G::ShownEvent::schemas(&mut event_parts);
        let events = match G::ShownEvent::schema() {
            RefOr::T(Schema::OneOf(OneOf { items, .. })) => items,
            other @ (RefOr::Ref(_) | RefOr::T(_)) => vec![other],
        };
        GameSchemas { state_name: G::State::name().into_owned(), state, events, event_parts }
    }
}

fn games() -> impl Iterator<Item = GameSchemas> {
    Ruleset::ALL.iter().map(|ruleset| ruleset.visit(Describe))
}

fn one_of(items: impl Iterator<Item = RefOr<Schema>>, description: &str) -> RefOr<Schema> {
    let schema = OneOfBuilder::new().description(Some(description));
    RefOr::T(Schema::OneOf(items.fold(schema, |schema, item| schema.item(item)).build()))
}

impl PartialSchema for State {
    fn schema() -> RefOr<Schema> {
        let states = games().map(|game| Ref::from_schema_name(game.state_name).into());
        one_of(states, "A position, as you may see it. Its form depends on the rule set.")
    }
}

impl ToSchema for State {
    fn name() -> Cow<'static, str> {
        "State".into()
    }

    fn schemas(schemas: &mut Schemas) {
        schemas.extend(games().flat_map(|game| game.state));
    }
}

impl PartialSchema for Event {
    fn schema() -> RefOr<Schema> {
        one_of(games().flat_map(|game| game.events), "A consequence of a move. `event` names its kind.")
    }
}

impl ToSchema for Event {
    fn name() -> Cow<'static, str> {
        "Event".into()
    }

    fn schemas(schemas: &mut Schemas) {
        schemas.extend(games().flat_map(|game| game.event_parts));
    }
}

/// The names of score parts, of any game.
pub struct ScorePartName;

/// The names of tie-break values, of any game.
pub struct TieBreakName;

// The values of an inner list or a map. They have no description, so that they are inlined where they are
// used.

#[derive(ToSchema)]
#[schema(max_items = 4, minimum = 1, maximum = 4)]
pub struct SeatNumbers(#[expect(dead_code, reason = "only its schema is used")] Vec<u8>);

#[derive(ToSchema)]
#[schema(max_items = 2)]
pub struct Categories(#[expect(dead_code, reason = "only its schema is used")] Vec<ScorePartName>);

#[derive(ToSchema)]
#[schema(maximum = 255)]
pub struct RugCount(#[expect(dead_code, reason = "only its schema is used")] u8);

/// The signs of bad decisions.
pub struct MarkSign;

impl PartialSchema for MarkSign {
    fn schema() -> RefOr<Schema> {
        one_of_names(Mark::ALL.into_iter().map(|(mark, _)| mark.sign()), "How bad a decision was.")
    }
}

impl ToSchema for MarkSign {}

struct ScoreNames;

impl Visitor for ScoreNames {
    type Output = (&'static [&'static str], &'static [&'static str]);

    fn visit<G: Shown>(self, _: Ruleset) -> Self::Output {
        (G::SCORE_PARTS, G::TIE_BREAKS)
    }
}

fn one_of_names(names: impl Iterator<Item = &'static str>, description: &str) -> RefOr<Schema> {
    let names = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    names.description(Some(description)).build().into()
}

impl PartialSchema for ScorePartName {
    fn schema() -> RefOr<Schema> {
        let names = Ruleset::ALL.iter().flat_map(|ruleset| ruleset.visit(ScoreNames).0).copied();
        one_of_names(names, "The source of the points.")
    }
}

impl ToSchema for ScorePartName {}

impl PartialSchema for TieBreakName {
    fn schema() -> RefOr<Schema> {
        let names = Ruleset::ALL.iter().flat_map(|ruleset| ruleset.visit(ScoreNames).1).copied();
        one_of_names(names, "The quantity that is compared.")
    }
}

impl ToSchema for TieBreakName {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::games;

    #[test]
    fn no_two_games_describe_something_under_one_name() {
        let names = games().map(|game| {
            let parts = game.state.into_iter().chain(game.event_parts);
            parts.map(|(name, _)| name).collect::<BTreeSet<String>>()
        });
        let mut all = BTreeSet::new();
        for names in names {
            assert!(names.len() > 2, "{names:?}");
            let twice: Vec<&String> = names.intersection(&all).collect();
            assert!(twice.is_empty(), "{twice:?}");
            all.extend(names);
        }
    }
}
