//! What the strings, numbers and lists in responses look like: by the name of a member, which means the same everywhere.
//! What the states and events of a game look like, the game says itself (`Shown::BOUNDS`); what requests may carry is
//! said where it is read, and enforced there.

use assam_record::standings::period;
use assam_referee::{Bound, Ruleset, Shown, Visitor};
use serde_json::{Map, Value, json};

const WORD: u32 = 64;
const LINE: u32 = 4096;
const RECORD: u32 = 65_536;
const TEXT: u32 = 4096;
/// More than there can be: the largest integer that every reader of JSON knows exactly.
const MANY: i64 = (1 << 53) - 1;
/// The plies that a log can have: a record of more would be too long to be one.
pub const PLIES: u32 = 65_536;

struct OfGame;

impl Visitor for OfGame {
    type Output = &'static [Bound];

    fn visit<G: Shown>(self, _: Ruleset) -> Self::Output {
        G::BOUNDS
    }
}

/// Returns what a game says of a member of its states and events.
fn bound_of_game(schema: &str, member: &str) -> Option<Value> {
    let name = format!("{schema}.{member}");
    let mut all = Ruleset::ALL.iter().flat_map(|ruleset| ruleset.visit(OfGame));
    let (_, keywords) = all.find(|(place, _)| *place == name)?;
    serde_json::from_str(keywords).ok()
}

/// Returns what a value is held to; `Schema.member` goes before `member`, and items are told by `[]`.
fn bound(schema: &str, member: &str) -> Option<Value> {
    let text = |max: u32| json!({"maxLength": max});
    let pattern = |pattern: &str| json!({"pattern": pattern});
    let number = |least: i64, most: i64| json!({"minimum": least, "maximum": most});
    let list = |most: u32| json!({"maxItems": most});
    let of_schema = match (schema, member) {
        ("GameSummary", "id" | "rematch" | "rematch_of") | ("Proof", "game") => {
            Some(pattern("^[0-9a-f]{32}$"))
        }
        ("Problem", "ply") => Some(number(0, u32::MAX.into())),
        ("Problem", "detail") => Some(text(4 * TEXT)),
        ("Problem", "word") => Some(number(1, RECORD.into())),
        ("HeadView" | "ProvedPart", "hash") | ("ProvedWord", "head") => Some(pattern("^[0-9a-f]{64}$")),
        ("RulesetView", "id") => Some(pattern("^[a-z]+/[1-9][0-9]*$")),
        ("RuleView", "id") | ("Problem", "rule") => Some(pattern("^[a-z]+(?:[.-][a-z0-9]+)*$")),
        ("Proof" | "Score" | "GameSummary", "seats") => Some(list(4)),
        ("ScorePart", "round") => Some(number(1, 12)),
        ("Inclusion" | "CosignatureView", "checkpoint") => Some(text(RECORD)),
        ("Inclusion", "entries") | ("ExportedProof", "log") => Some(list(2)),
        ("LoggedEntry", "entry" | "proof[]") => Some(pattern("^[0-9a-f]{64}$")),
        ("BeaconView", "round") => Some(number(1, MANY)),
        ("LoggedEntry", "position") => Some(number(0, MANY)),
        ("LoggedEntry", "proof") => Some(list(64)),
        (schema, "position") if schema.starts_with("Feed") => Some(number(0, MANY)),
        (schema, "cursor") if schema.starts_with("Feed") => Some(pattern("^[0-9]+\\.[0-9a-f]{64}$")),
        ("OwnCaughtUpMessage" | "OwnHeartbeatMessage", "running") => Some(number(0, 1000)),
        ("FeedRemovedMessage" | "GamesMessage" | "OwnGoneMessage", "game_id") => {
            Some(pattern("^[0-9a-f]{32}$"))
        }
        ("CosignatureList", "cosignatures") | ("Health", "witnesses") => Some(list(1000)),
        ("Health", "quorum_behind") | ("WitnessView", "behind") => Some(number(0, MANY)),
        ("KeyView", "key") | ("CosignatureView" | "WitnessView", "witness") => {
            Some(json!({"maxLength": LINE, "pattern": "^[^+]+\\+[0-9a-f]{8}\\+[0-9A-Za-z+/]+=*$"}))
        }
        ("SeatView", "reserved_for") => Some(pattern("^[0-9a-f]{20}$")),
        ("SeatView", "name") => Some(json!({"minLength": 1, "maxLength": 64})),
        ("Health", "status") => Some(json!({"const": "ok"})),
        ("PlayerView", "kind") | ("OptionView", "name") => Some(text(WORD)),
        ("OptionView", "min" | "max") | ("OptionInput", _) => Some(number(0, u32::MAX.into())),
        ("OptionView", "default") => Some(text(TEXT)),
        ("ValueView", "value") => Some(text(WORD)),
        ("OptionView", "values") => Some(list(64)),
        ("RowError", "rule") => Some(pattern("^[a-z]+(?:[.-][a-z0-9]+)*$")),
        ("RowError", "code") => Some(pattern("^[a-z_]+$")),
        ("RowError" | "RecordRow" | "ImportRow", "line" | "number") => Some(number(1, MANY)),
        ("RowError", "word") => Some(number(1, RECORD.into())),
        ("ImportRow", "game") => Some(pattern("^[0-9a-f]{32}$")),
        ("ValidationSummary" | "ImportSummary" | "ExportCount", _) => Some(number(0, MANY)),
        ("ExportedGame", "record") => Some(text(RECORD)),
        ("RatingView" | "TallyView" | "RulesetRating" | "RulesetTally", "games" | "firsts") => {
            Some(number(0, MANY))
        }
        ("TallyView" | "RulesetTally", "best_score") => Some(number(-1_000_000, 1_000_000)),
        ("TallyView" | "RulesetTally", "best_game") => Some(pattern("^[0-9a-f]{32}$")),
        ("RulesetTally", "seats") => Some(number(1, 4)),
        ("PlayerStandings" | "LeaderView", "player") => Some(pattern("^([0-9a-f]{20}|[a-z-]{1,20})$")),
        ("ClockView", "initial" | "increment") => Some(number(0, 604_800)),
        ("ClockView", "remaining") => Some(list(4)),
        ("ClockView", "remaining[]") => Some(number(0, MANY)),
        ("PlayerStandings", "period") => Some(pattern(period::PATTERN)),
        ("PresenceMessage", "connected") => Some(list(4)),
        ("PresenceMessage", "connected[]") => Some(number(1, 4)),
        ("ClosingMessage", "retry") => Some(number(0, 3_600_000)),
        ("Problem" | "ProblemPage", "status") => Some(number(400, 599)),
        _ => None,
    };
    let named = || match member {
        "anchor" | "commitment" | "entropy" | "key" | "salt" | "seed" | "seats_digest" | "seed_hash"
        | "start" => Some(pattern("^[0-9a-f]{64}$")),
        "player" => Some(pattern("^[0-9a-f]{20}$")),
        "ruleset" => Some(pattern("^[a-z]+/[1-9][0-9]*$")),
        "word" | "words[]" | "moves[]" | "legal_moves[]" | "token" | "parameter" | "options{}" => {
            Some(text(WORD))
        }
        "setup" | "position" | "marker" => Some(text(LINE)),
        "canonical" => Some(text(RECORD)),
        "receipt" | "tags{}" => Some(text(LINE)),
        "keys" => Some(list(1000)),
        "next" => Some(json!({"maxLength": 256, "pattern": "^[0-9a-f]+$"})),
        "detail" | "expected" | "why" | "meaning" | "remedy" | "text" | "title" | "pointer" => {
            Some(text(TEXT))
        }
        "seat" | "your_seat" | "seat_on_turn" | "ranking[][]" => Some(number(1, 4)),
        "min_seats" | "max_seats" => Some(number(1, 4)),
        "ply" | "part" => Some(number(0, PLIES.into())),
        "line" | "column" => Some(number(1, RECORD.into())),
        "round" => Some(number(1, 12)),
        "revision" | "held" => Some(number(0, i32::MAX.into())),
        "points" | "score" | "total" | "value" | "scores[]" => Some(number(-1_000_000, 1_000_000)),
        "games" => Some(list(100)),
        "ranking" | "ranking[]" | "scores" | "seats" => Some(list(4)),
        "players" | "problems" | "rules" | "rulesets" | "options" | "errors" => Some(list(1000)),
        "events" | "tie_breaks" | "parts" => Some(list(1000)),
        "legal_moves" | "moves" => Some(list(1000)),
        "words" | "states" | "opened" => Some(list(PLIES)),
        "salts" => Some(list(1000)),
        "rates" => Some(list(16)),
        "ignored_tags" => Some(list(RECORD)),
        "ignored_tags[]" => Some(json!({"maxLength": LINE, "pattern": "^[a-z0-9-]+$"})),
        _ => None,
    };
    bound_of_game(schema, member).or(of_schema).or_else(named)
}

/// Adds the bounds of the members of a schema.
pub fn add(name: &str, schema: &mut Value) {
    for part in ["allOf", "oneOf"] {
        for part in items_mut(schema, part) {
            add(name, part);
        }
    }
    for (member, schema) in members_mut(schema, "properties") {
        add_to(name, member, schema);
    }
}

fn add_to(name: &str, member: &str, schema: &mut Value) {
    let Some(of) = schema.as_object_mut() else { return };
    if needs(of)
        && let Some(Value::Object(bound)) = bound(name, member)
    {
        for (keyword, value) in bound {
            of.insert(keyword, value);
        }
        if of.get("maximum").and_then(Value::as_i64).is_some_and(|most| most > i32::MAX.into()) {
            of.insert("format".to_owned(), json!("int64"));
        }
    }
    for (inner, mark) in [("items", "[]"), ("additionalProperties", "{}")] {
        if let Some(inner) = of.get_mut(inner) {
            add_to(name, &format!("{member}{mark}"), inner);
        }
    }
}

/// Returns whether a schema leaves open what its strings, numbers or lists look like.
fn needs(schema: &Map<String, Value>) -> bool {
    let is = |name: &str| match schema.get("type") {
        Some(Value::Array(names)) => names.iter().any(|one| one == name),
        Some(one) => one == name,
        None => false,
    };
    let has = |name: &str| schema.contains_key(name);
    let is_text = is("string") && !["enum", "format", "pattern", "maxLength"].into_iter().any(has);
    is_text || is("integer") && !has("maximum") || is("array") && !has("maxItems")
}

/// Returns the items of a member that is a list; none where there is no such member.
pub fn items_mut<'a>(value: &'a mut Value, member: &str) -> impl Iterator<Item = &'a mut Value> {
    value.get_mut(member).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Returns the members of a member that is an object; none where there is no such member.
pub fn members_mut<'a>(
    value: &'a mut Value,
    member: &str,
) -> impl Iterator<Item = (&'a String, &'a mut Value)> {
    value.get_mut(member).and_then(Value::as_object_mut).into_iter().flatten()
}
