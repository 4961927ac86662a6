//! Query strings.

use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use utoipa::IntoParams;

use super::schema::RequestSchema;
use super::schema_violations::{SchemaViolation, refused_query, types, violations_of};
use crate::problem::{Code, HasProblemCodes, Problem};

/// A refused query.
pub struct BadQuery;

impl HasProblemCodes for BadQuery {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest]
    }
}

/// Reads the query by the parameters of the OpenAPI document. List parameters are repeated, or their values
/// separated by commas.
///
/// # Errors
/// `bad_request`, with all flaws.
pub fn query<T: DeserializeOwned + IntoParams + 'static>(req: &HttpRequest) -> Result<T, Problem> {
    read_query(req.query_string())
}

/// Reads the query of a file as [`query`] does, but ignores undocumented parameters. Pages that embed the
/// file, links and trackers add some, also to bypass caches.
///
/// # Errors
/// `bad_request`, with all flaws.
pub fn query_among_others<T: DeserializeOwned + IntoParams + 'static>(
    req: &HttpRequest,
) -> Result<T, Problem> {
    let schemas = RequestSchema::of_query::<T>();
    let mut pairs = pairs(req)?;
    pairs.retain(|(name, _)| !schemas.root()["properties"][name].is_null());
    read_pairs(pairs)
}

/// Reads the query of a stream as [`query`] does, with the additions of EventSource polyfills
/// (eventsource-polyfill). `evs_last_event_id` means `lastEventId`, an empty one is ignored, and so are other
/// names with `evs_`.
///
/// # Errors
/// `bad_request`, with all flaws.
pub fn stream_query<T: DeserializeOwned + IntoParams + 'static>(req: &HttpRequest) -> Result<T, Problem> {
    const LAST_EVENT_ID: &str = "lastEventId";
    let mut pairs = pairs(req)?;
    for (name, _) in &mut pairs {
        if name == "evs_last_event_id" {
            LAST_EVENT_ID.clone_into(name);
        }
    }
    pairs.retain(|(name, text)| {
        let is_none = name.as_str() == LAST_EVENT_ID && text.is_empty();
        !is_none && !name.starts_with("evs_")
    });
    read_pairs(pairs)
}

/// Reads a query, without its `?`, by the parameters of the OpenAPI document.
///
/// # Errors
/// `bad_request`, with all flaws.
pub fn read_query<T: DeserializeOwned + IntoParams + 'static>(query: &str) -> Result<T, Problem> {
    // Most requests have no query, and no parameter is required.
    if query.is_empty() {
        return fitting(Value::Object(Map::new()));
    }
    read_pairs(pairs_of(query)?)
}

fn read_pairs<T: DeserializeOwned + IntoParams + 'static>(
    pairs: Vec<(String, String)>,
) -> Result<T, Problem> {
    let schemas = RequestSchema::of_query::<T>();
    let mut values = Map::new();
    let mut violations = Vec::new();
    for (name, text) in pairs {
        let value = value(&schemas.root()["properties"][&name], text);
        match (values.get_mut(&name), value) {
            (Some(Value::Array(all)), Value::Array(more)) => all.extend(more),
            (Some(_), _) => violations.push(SchemaViolation::twice(&name)),
            (None, value) => drop(values.insert(name, value)),
        }
    }
    let values = Value::Object(values);
    violations.extend(violations_of(&schemas, &values));
    if violations.is_empty() { fitting(values) } else { Err(refused_query(violations)) }
}

fn fitting<T: DeserializeOwned>(values: Value) -> Result<T, Problem> {
    serde_json::from_value(values).map_err(|error| {
        Problem::new(Code::BadRequest, format!("the query does not fit its schema: {error}"))
    })
}

/// Returns the names and values of a query, decoded.
///
/// # Errors
/// `bad_request`.
pub fn pairs(req: &HttpRequest) -> Result<Vec<(String, String)>, Problem> {
    pairs_of(req.query_string())
}

fn pairs_of(query: &str) -> Result<Vec<(String, String)>, Problem> {
    web::Query::from_query(query)
        .map(web::Query::into_inner)
        .map_err(|_| Problem::new(Code::BadRequest, "the query is not `name=value` pairs joined by `&`"))
}

/// Returns the value of a parameter in the type of its schema, or as text if it does not fit.
fn value(schema: &Value, text: String) -> Value {
    let types = types(schema);
    let is = |name: &str| types.contains(&name);
    if is("array") {
        return text.split(',').map(|text| value(&schema["items"], text.to_owned())).collect();
    }
    let read = match text.as_str() {
        "true" if is("boolean") => Some(Value::Bool(true)),
        "false" if is("boolean") => Some(Value::Bool(false)),
        // Numbers have no sign and no leading zeros, unlike `+1` and `01`.
        digits if is("integer") => {
            digits.parse::<u64>().ok().filter(|number| number.to_string() == digits).map(Value::from)
        }
        _ => None,
    };
    read.unwrap_or(Value::String(text))
}
