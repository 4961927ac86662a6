//! The fields of JSON bodies.

use actix_web::{HttpRequest, web};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

use super::body::{Body, Takes, body};
use super::schema::RequestSchema;
use super::schema_violations::{refused_body, violations_of};
use super::strict_json;
use crate::problem::{Code, Problem};

/// Reads a body with a few fields. An empty one counts as `{}`.
///
/// # Errors
/// As [`body`] and [`fields`].
pub async fn json_body<T: DeserializeOwned + ToSchema + 'static>(
    req: &HttpRequest,
    payload: web::Payload,
) -> Result<T, Problem> {
    fields(body(req, payload, Takes::Fields).await?)
}

/// Reads the fields of an arrived JSON body. An empty one counts as `{}`.
///
/// # Errors
/// As [`json`].
pub fn fields<T: DeserializeOwned + ToSchema + 'static>(body: Body) -> Result<T, Problem> {
    match body {
        Body::Json(bytes) if bytes.is_empty() => json(b"{}"),
        Body::Json(bytes) => json(&bytes),
        // If only fields are accepted, text was refused before.
        Body::Text(text) => json(text.as_bytes()),
    }
}

/// Reads a field whose default may also be written as null. Some generated clients send null for absent
/// values.
///
/// # Errors
/// The errors of the deserializer.
pub fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a JSON object by its schema in the OpenAPI document.
///
/// # Errors
/// `bad_json`, `unknown_field` or `bad_request`, with all flaws.
pub fn json<T: DeserializeOwned + ToSchema + 'static>(bytes: &[u8]) -> Result<T, Problem> {
    if bytes.is_empty() {
        return Err(Problem::new(Code::BadJson, "the body is empty"));
    }
    let value = strict_json::read(bytes)?;
    if !value.is_object() {
        return Err(Problem::new(Code::BadJson, "the body is not a JSON object"));
    }
    let violations = violations_of(&RequestSchema::of_body::<T>(), &value);
    if violations.is_empty() {
        // A value that fits its schema can be read. A test checks that for each schema.
        serde_json::from_value(value)
            .map_err(|_| Problem::new(Code::BadJson, "the body does not fit its schema"))
    } else {
        Err(refused_body(violations))
    }
}
