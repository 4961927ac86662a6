//! Requests: bodies, queries, conditions.

use actix_web::http::header::{ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, HeaderName, IF_MATCH};
use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;

use crate::app::HeadCondition;
use crate::hex::Hex;
use crate::problem::{Code, Problem, Refuses};

/// The largest body of a request that carries a few fields, in bytes.
pub const FIELDS_LIMIT: usize = 16 * 1024;

/// The largest body of a request that carries a record, in bytes: room for a record of which JSON escapes every byte.
pub const RECORD_LIMIT: usize = 6 * assam_notation::MAX_RECORD + 1024;

/// A body, by its media type.
pub enum Body {
    /// `application/json`, or no media type.
    Json(web::Bytes),
    /// `text/plain`.
    Text(String),
}

/// A body that is refused.
pub struct BadBody;

impl Refuses for BadBody {
    fn codes() -> Vec<Code> {
        vec![Code::BadJson, Code::BadRequest, Code::TooLarge, Code::UnsupportedNotation, Code::UnknownField]
    }
}

/// A query that is refused.
pub struct BadQuery;

impl Refuses for BadQuery {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest]
    }
}

/// Reads a body of at most `limit` bytes.
///
/// # Errors
/// `too_large`, then `unsupported_notation`, then `bad_request` for text that is not UTF-8.
pub async fn body(req: &HttpRequest, payload: web::Payload, limit: usize) -> Result<Body, Problem> {
    let too_large = || Problem::new(Code::TooLarge, format!("the body has more than {limit} bytes"));
    let announced = header(req, &CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large());
    }
    let bytes =
        payload.to_bytes_limited(limit).await.map_err(|_| too_large())?.map_err(|error| {
            Problem::new(Code::BadRequest, format!("the body could not be read: {error}"))
        })?;
    let media_type = header(req, &CONTENT_TYPE).unwrap_or("application/json");
    match media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "application/json" => Ok(Body::Json(bytes)),
        "text/plain" => String::from_utf8(bytes.to_vec())
            .map(Body::Text)
            .map_err(|_| Problem::new(Code::BadRequest, "the body is not UTF-8")),
        other => Err(Problem::new(
            Code::UnsupportedNotation,
            format!("the body must be application/json or text/plain, not {other:?}"),
        )),
    }
}

/// Reads a JSON body of at most [`FIELDS_LIMIT`] bytes; an empty one counts as `{}`.
///
/// # Errors
/// As [`body`], then `bad_json`, then `unknown_field`.
pub async fn json_body<T: DeserializeOwned>(req: &HttpRequest, payload: web::Payload) -> Result<T, Problem> {
    fields(body(req, payload, FIELDS_LIMIT).await?)
}

/// Reads the fields of a JSON body that has arrived; an empty one counts as `{}`.
///
/// # Errors
/// `unsupported_notation`, then `bad_json`, then `unknown_field`.
pub fn fields<T: DeserializeOwned>(body: Body) -> Result<T, Problem> {
    match body {
        Body::Json(bytes) if bytes.is_empty() => json(b"{}"),
        Body::Json(bytes) => json(&bytes),
        Body::Text(_) => Err(Problem::new(Code::UnsupportedNotation, "the body must be application/json")),
    }
}

/// Reads a JSON object, and refuses unknown fields.
///
/// # Errors
/// `bad_json`, or `unknown_field` with the field's name.
pub fn json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // Otherwise an array would count as the fields in their order.
    if !bytes.trim_ascii_start().starts_with(b"{") {
        let detail = if bytes.is_empty() { "the body is empty" } else { "the body is not a JSON object" };
        return Err(Problem::new(Code::BadJson, detail));
    }
    let mut unknown = None;
    let mut reader = serde_json::Deserializer::from_slice(bytes);
    let malformed = |error: serde_json::Error| Problem {
        line: u32::try_from(error.line()).ok(),
        column: u32::try_from(error.column()).ok(),
        ..Problem::new(Code::BadJson, error.to_string())
    };
    let value = serde_ignored::deserialize(&mut reader, |path| {
        unknown.get_or_insert_with(|| path.to_string());
    })
    .map_err(malformed)?;
    reader.end().map_err(malformed)?;
    match unknown {
        None => Ok(value),
        Some(field) => {
            Err(Problem::new(Code::UnknownField, format!("this operation has no field {field:?}")))
        }
    }
}

/// Reads the query.
///
/// # Errors
/// `bad_request` for a parameter that is unknown or malformed.
pub fn query<T: DeserializeOwned>(req: &HttpRequest) -> Result<T, Problem> {
    web::Query::<T>::from_query(req.query_string())
        .map(web::Query::into_inner)
        .map_err(|error| Problem::new(Code::BadRequest, format!("the query is malformed: {error}")))
}

/// Returns the text of a header.
pub fn header<'a>(req: &'a HttpRequest, name: &HeaderName) -> Option<&'a str> {
    req.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Returns the elements of a list header, over all of its fields.
fn list<'a>(req: &'a HttpRequest, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let fields = req.headers().get_all(name).filter_map(|value| value.to_str().ok());
    fields.flat_map(|value| value.split(',')).map(str::trim).filter(|element| !element.is_empty())
}

/// An `If-Match` or `If-None-Match`.
pub enum Condition<'a> {
    /// `*`: whatever the tag is.
    Any,
    /// One of these entity tags, without quotes and `W/`.
    Tags(Vec<&'a str>),
}

impl<'a> Condition<'a> {
    /// Returns the condition of a request, if it has one.
    pub fn of(req: &'a HttpRequest, name: &HeaderName) -> Option<Self> {
        req.headers().get(name)?;
        let elements: Vec<&str> = list(req, name).collect();
        if elements == ["*"] {
            return Some(Self::Any);
        }
        let bare = |tag: &'a str| tag.strip_prefix("W/").unwrap_or(tag).trim_matches('"');
        Some(Self::Tags(elements.into_iter().map(bare).collect()))
    }

    /// Returns whether the condition names the current tag.
    pub fn matches(&self, is_current: impl Fn(&str) -> bool) -> bool {
        match self {
            Self::Any => true,
            Self::Tags(tags) => tags.iter().any(|tag| is_current(tag)),
        }
    }
}

/// Reads the heads that `If-Match` names, by entity tag or by hash alone.
pub fn head_condition(req: &HttpRequest) -> Option<HeadCondition> {
    Some(match Condition::of(req, &IF_MATCH)? {
        Condition::Any => HeadCondition::Any,
        Condition::Tags(tags) => {
            let hash = |tag: &str| tag.split('.').next()?.parse().ok().map(|Hex(hash)| hash);
            HeadCondition::OneOf(tags.into_iter().filter_map(hash).collect())
        }
    })
}

/// Returns the offered media type that `Accept` prefers; of several with the same weight, the one offered first.
///
/// # Errors
/// `not_acceptable`.
pub fn accepted(req: &HttpRequest, offered: &[&'static str]) -> Result<&'static str, Problem> {
    let none = || {
        Problem::new(Code::NotAcceptable, format!("this resource is available as {}", offered.join(" or ")))
    };
    let ranges: Vec<(String, f32)> = list(req, &ACCEPT).map(weighted_range).collect();
    if ranges.is_empty() {
        return offered.first().copied().ok_or_else(none);
    }
    // The most specific range that fits decides the weight of a media type (RFC 9110, section 12.5.1).
    let weight = |media: &str| {
        let group = media.split('/').next().unwrap_or_default();
        let of = |wanted: &str| ranges.iter().find(|(range, _)| *range == wanted).map(|(_, weight)| *weight);
        of(media).or_else(|| of(&format!("{group}/*"))).or_else(|| of("*/*")).unwrap_or(0.0)
    };
    offered
        .iter()
        .rev()
        .map(|media| (*media, weight(media)))
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(media, _)| media)
        .ok_or_else(none)
}

fn weighted_range(range: &str) -> (String, f32) {
    let range = range.to_ascii_lowercase();
    let mut parts = range.split(';').map(str::trim);
    let media = parts.next().unwrap_or_default().to_owned();
    let weight = parts.find_map(|part| part.strip_prefix("q=")).and_then(|q| q.parse().ok());
    (media, weight.unwrap_or(1.0))
}
