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

/// Reads a body of a few fields; an empty one counts as `{}`.
///
/// # Errors
/// As [`body`] and [`fields`].
pub async fn json_body<T: DeserializeOwned + ToSchema + 'static>(
    req: &HttpRequest,
    payload: web::Payload,
) -> Result<T, Problem> {
    fields(body(req, payload, Takes::Fields).await?)
}

/// Reads the fields of a JSON body that has arrived; an empty one counts as `{}`.
///
/// # Errors
/// As [`json`].
pub fn fields<T: DeserializeOwned + ToSchema + 'static>(body: Body) -> Result<T, Problem> {
    match body {
        Body::Json(bytes) if bytes.is_empty() => json(b"{}"),
        Body::Json(bytes) => json(&bytes),
        // Where only fields are taken, text is refused before it gets here.
        Body::Text(text) => json(text.as_bytes()),
    }
}

/// Reads a field that has a default, which null stands for too: some generated clients send null for what is not given.
///
/// # Errors
/// Of the deserializer.
pub fn or_default<'de, T: Deserialize<'de> + Default, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<T, D::Error> {
    Option::deserialize(deserializer).map(Option::unwrap_or_default)
}

/// Reads a JSON object by the schema that the OpenAPI document has for it.
///
/// # Errors
/// `bad_json`, `unknown_field` or `bad_request`, with everything that is wrong.
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
        // What fits its schema can be read; a test holds each schema to that.
        serde_json::from_value(value)
            .map_err(|_| Problem::new(Code::BadJson, "the body does not fit its schema"))
    } else {
        Err(refused_body(violations))
    }
}
