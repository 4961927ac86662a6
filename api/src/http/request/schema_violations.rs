//! Finds every flaw of a body or a query at once, by its schema in the OpenAPI document.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use assam_record::standings::period;
use assam_referee::likeliest;
use regex::Regex;
use serde_json::{Map, Number, Value};

use super::query_time::QueryTime;
use super::schema::RequestSchema;
use super::seat_name;
use crate::app::check_name;
use crate::http::events::since;
use crate::problem::{Code, FlawView, Problem, first_step, quoted, short, step};

/// One flaw of a value.
pub struct SchemaViolation {
    /// Its place: a JSON pointer (RFC 6901) into the value.
    pointer: String,
    kind: Kind,
    /// The flaw, as the rest of a sentence about the value.
    detail: String,
}

/// The maximum number of flaws reported.
const TOLD: usize = 32;

/// The kind of a flaw, which decides the code.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The value has the wrong form, or is missing.
    Form,
    /// There is no member with that name.
    Unknown,
    /// The value has the right form, but is not allowed.
    Range,
}

/// The patterns of the document, with their meanings in words.
pub const PATTERNS: &[(&str, &str)] = &[
    ("^[0-9a-f]{20}$", "20 lower-case hex digits"),
    ("^[0-9a-f]{32}$", "32 lower-case hex digits"),
    ("^[0-9a-f]{64}$", "64 lower-case hex digits"),
    ("^[0-9a-f]{96}$", "96 lower-case hex digits"),
    ("^drand:[0-9a-f]{64}$", "`drand:` and the hash of a chain, 64 lower-case hex digits"),
    (period::PATTERN, period::WORDS),
    (since::PATTERN, since::WORDS),
    (since::FEED_PATTERN, since::FEED_WORDS),
    (since::GAME_PATTERN, since::GAME_WORDS),
    (seat_name::PATTERN, "text without control characters, and without blanks at its ends"),
];

static READERS: LazyLock<BTreeMap<&str, (Regex, &str)>> = LazyLock::new(|| {
    let read = |&(pattern, words): &(&'static str, &'static str)| {
        Regex::new(pattern).ok().map(|regex| (pattern, (regex, words)))
    };
    PATTERNS.iter().filter_map(read).collect()
});

impl SchemaViolation {
    /// Returns the flaw of a repeated parameter.
    pub fn twice(name: &str) -> Self {
        Self { pointer: step("", name), kind: Kind::Form, detail: "is given more than once".to_owned() }
    }

    /// Returns the flaw of an unknown parameter.
    pub fn unknown_parameter(name: &str) -> Self {
        Self { pointer: step("", name), kind: Kind::Unknown, detail: "is unknown here".to_owned() }
    }

    /// Returns the flaw of a parameter that excludes another one.
    pub fn beside(name: &str, other: &str) -> Self {
        Self {
            pointer: step("", name),
            kind: Kind::Range,
            detail: format!("cannot be combined with `{}`", short(other)),
        }
    }

    fn name(&self) -> &str {
        self.pointer.trim_start_matches('/')
    }

    /// Returns the name of a query parameter. A repeated one is a list, whose items have no names.
    fn parameter(&self) -> String {
        first_step(&self.pointer)
    }
}

/// Returns the problem of a body with flaws.
pub fn refused_body(mut violations: Vec<SchemaViolation>) -> Problem {
    violations.truncate(TOLD);
    let has = |kind| violations.iter().any(|violation| violation.kind == kind);
    let code = match () {
        () if has(Kind::Form) => Code::BadJson,
        () if has(Kind::Unknown) => Code::UnknownField,
        () => Code::BadRequest,
    };
    let sentence = |violation: &SchemaViolation| match violation.name() {
        "" => format!("the body {}", violation.detail),
        name => format!("`{name}` {}", violation.detail),
    };
    let detail = violations.iter().map(sentence).collect::<Vec<_>>().join("; ");
    let view = |SchemaViolation { pointer, detail, .. }| FlawView {
        pointer: Some(pointer),
        parameter: None,
        detail,
    };
    Problem { errors: violations.into_iter().map(view).collect(), ..Problem::new(code, detail) }
}

/// Returns the problem of a query with flaws.
pub fn refused_query(mut violations: Vec<SchemaViolation>) -> Problem {
    violations.truncate(TOLD);
    let sentence = |violation: &SchemaViolation| {
        format!("the parameter `{}` {}", violation.parameter(), violation.detail)
    };
    let detail = violations.iter().map(sentence).collect::<Vec<_>>().join("; ");
    let view = |violation: SchemaViolation| FlawView {
        parameter: Some(violation.parameter()),
        pointer: None,
        detail: violation.detail,
    };
    Problem { errors: violations.into_iter().map(view).collect(), ..Problem::new(Code::BadRequest, detail) }
}

/// Returns every flaw of a value by a schema. Only the keywords in request schemas are known.
pub fn violations_of(schemas: &RequestSchema, value: &Value) -> Vec<SchemaViolation> {
    let mut comparison = Comparison { schemas, found: Vec::new() };
    comparison.at("", schemas.root(), value);
    comparison.found
}

struct Comparison<'a> {
    schemas: &'a RequestSchema,
    found: Vec<SchemaViolation>,
}

impl Comparison<'_> {
    fn say(&mut self, pointer: &str, kind: Kind, detail: impl Into<String>) {
        self.found.push(SchemaViolation { pointer: pointer.to_owned(), kind, detail: detail.into() });
    }

    fn at(&mut self, pointer: &str, schema: &Value, value: &Value) {
        let schema = self.schemas.resolved(schema);
        if let Some(arms) = schema["oneOf"].as_array() {
            return self.one_of(pointer, arms, value);
        }
        if !types(schema).iter().any(|name| is_of(name, value)) {
            let wanted: Vec<String> = types(schema).into_iter().map(in_words).collect();
            return self.say(
                pointer,
                Kind::Form,
                format!("must be {}, not {}", wanted.join(" or "), kind_of(value)),
            );
        }
        if let Some(allowed) = schema["enum"].as_array().filter(|allowed| !allowed.contains(value)) {
            return self.say(pointer, Kind::Form, not_among(allowed, value));
        }
        match value {
            Value::String(text) => self.text(pointer, schema, text),
            Value::Number(number) => self.number(pointer, schema, number),
            Value::Array(items) => self.items(pointer, schema, items),
            Value::Object(members) => self.members(pointer, schema, members),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// Compares a value with alternative schemas. It has no flaws if one fits. Otherwise it has the flaws by
    /// the schema of its type, or matches none.
    fn one_of(&mut self, pointer: &str, arms: &[Value], value: &Value) {
        let tried: Vec<Vec<SchemaViolation>> = arms
            .iter()
            .map(|arm| {
                let mut comparison = Comparison { schemas: self.schemas, found: Vec::new() };
                comparison.at(pointer, arm, value);
                comparison.found
            })
            .collect();
        if tried.iter().any(Vec::is_empty) {
            return;
        }
        let fits = |arm: &&Value| types(self.schemas.resolved(arm)).iter().any(|name| is_of(name, value));
        match arms.iter().zip(tried).find(|(arm, _)| fits(arm)) {
            Some((_, violations)) => self.found.extend(violations),
            None => {
                let wanted = arms.iter().flat_map(|arm| types(self.schemas.resolved(arm))).map(in_words);
                let wanted = wanted.collect::<Vec<_>>().join(" or ");
                self.say(pointer, Kind::Form, format!("must be {wanted}, not {}", kind_of(value)));
            }
        }
    }

    fn text(&mut self, pointer: &str, schema: &Value, text: &str) {
        let length = text.chars().count() as u64;
        let (least, most) = (schema["minLength"].as_u64(), schema["maxLength"].as_u64());
        if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            let range = range(least.unwrap_or_default() as f64, most.map(|most| most as f64));
            return self.say(pointer, Kind::Range, format!("must have {range} characters, not {length}"));
        }
        if schema["format"] == "date-time" && QueryTime::read(text).is_none() {
            return self.say(
                pointer,
                Kind::Range,
                "must be a time in RFC 3339, such as `2026-11-20T20:15:00Z`",
            );
        }
        let pattern = schema["pattern"].as_str().and_then(|pattern| READERS.get(pattern));
        if let Some((_, words)) = pattern.filter(|(regex, _)| !regex.is_match(text)) {
            self.say(pointer, Kind::Range, format!("must be {words}"));
        } else if schema["pattern"] == seat_name::PATTERN
            && let Err(wrong) = check_name(Some(text))
        {
            self.say(pointer, Kind::Range, wrong.to_string());
        }
    }

    fn number(&mut self, pointer: &str, schema: &Value, given: &Number) {
        let number = given.as_f64().unwrap_or_default();
        let (least, most) = (schema["minimum"].as_f64(), schema["maximum"].as_f64());
        if least.is_some_and(|least| number < least) || most.is_some_and(|most| number > most) {
            let range = range(least.unwrap_or_default(), most);
            self.say(pointer, Kind::Range, format!("must be {range}, not {given}"));
        }
    }

    fn items(&mut self, pointer: &str, schema: &Value, items: &[Value]) {
        let length = items.len() as u64;
        let (least, most) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
        if least.is_some_and(|least| length < least) || most.is_some_and(|most| length > most) {
            let range = range(least.unwrap_or_default() as f64, most.map(|most| most as f64));
            return self.say(pointer, Kind::Range, format!("must have {range} items, not {length}"));
        }
        for (n, item) in items.iter().enumerate() {
            self.at(&format!("{pointer}/{n}"), &schema["items"], item);
        }
    }

    fn members(&mut self, pointer: &str, schema: &Value, members: &Map<String, Value>) {
        let wanted = schema["required"].as_array().map_or(&[][..], Vec::as_slice);
        for name in wanted.iter().filter_map(Value::as_str).filter(|name| !members.contains_key(*name)) {
            self.say(&step(pointer, name), Kind::Form, "is missing");
        }
        let known = schema["properties"].as_object();
        let names = || known.into_iter().flat_map(Map::keys).map(String::as_str);
        let told = members.keys().filter(|name| known.is_some_and(|known| known.contains_key(*name))).count();
        if schema["maxProperties"] == 1 && told != 1 && (told > 1 || members.is_empty()) {
            let names: Vec<String> = names().map(|name| format!("`{name}`")).collect();
            self.say(pointer, Kind::Form, format!("must have exactly one of {}", names.join(", ")));
        }
        for (name, value) in members {
            let to = step(pointer, name);
            match (known.and_then(|known| known.get(name)), &schema["additionalProperties"]) {
                (Some(schema), _) => self.at(&to, schema, value),
                (None, others @ Value::Object(_)) => self.at(&to, others, value),
                (None, _) => {
                    self.say(&to, Kind::Unknown, format!("is unknown here{}", did_you_mean(name, names())));
                }
            }
        }
    }
}

/// Returns the types that a schema allows.
pub fn types(schema: &Value) -> Vec<&str> {
    match schema["type"].as_array() {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => schema["type"].as_str().into_iter().collect(),
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        _ => value.is_object(),
    }
}

fn in_words(name: &str) -> String {
    match name {
        "null" => "null".to_owned(),
        "boolean" => "true or false".to_owned(),
        "integer" => "a whole number".to_owned(),
        "array" => "an array".to_owned(),
        "object" => "an object".to_owned(),
        other => format!("a {other}"),
    }
}

fn kind_of(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.len() <= 40 => quoted(text),
        Value::String(_) => "a string".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn range(least: f64, most: Option<f64>) -> String {
    most.map_or_else(|| format!("{least} or more"), |most| format!("{least} to {most}"))
}

fn not_among(allowed: &[Value], value: &Value) -> String {
    let names: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
    let shown: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let hint = value.as_str().map_or_else(String::new, |text| did_you_mean(text, names.iter().copied()));
    format!("must be {}, not {}{hint}", shown.join(" or "), kind_of(value))
}

/// Returns a hint to the name that was probably meant.
pub fn did_you_mean<'a>(sent: &str, known: impl Iterator<Item = &'a str>) -> String {
    likeliest(sent, known).map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}
