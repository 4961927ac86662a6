//! Requests: bodies, queries, conditions and accepted media types.

use actix_web::HttpRequest;
use actix_web::http::header::HeaderName;

mod accept;
mod arriving;
mod body;
pub mod caller;
mod condition;
mod fields;
mod media;
mod query;
mod query_time;
mod schema;
mod schema_violations;
pub mod seat_name;
mod strict_json;

pub use accept::accepted;
pub use arriving::{Arriving, BodyPatience, NotArrived};
pub use body::{BadBody, BadText, Body, MAX_FIELDS, Takes, body, record, short_text};
pub use condition::{Condition, head_condition};
pub use fields::{fields, json, json_body, or_default};
pub use media::{media_type, packing};
pub use query::{BadQuery, pairs, query, query_among_others, read_query, stream_query};
pub use query_time::QueryTime;
pub use schema::{GamePath, SeatPath};
pub use schema_violations::{SchemaViolation, refused_query};

/// Returns the text of a header.
pub fn header<'a>(req: &'a HttpRequest, name: &HeaderName) -> Option<&'a str> {
    req.headers().get(name).and_then(|value| value.to_str().ok())
}

/// Returns the elements of a list header, across all of its fields.
fn list<'a>(req: &'a HttpRequest, name: &HeaderName) -> impl Iterator<Item = &'a str> {
    let fields = req.headers().get_all(name).filter_map(|value| value.to_str().ok());
    fields.flat_map(|value| value.split(',')).map(str::trim).filter(|element| !element.is_empty())
}
