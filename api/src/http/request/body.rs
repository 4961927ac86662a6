//! Bodies: their lengths, media types and encodings.

use std::io::Read as _;

use actix_web::http::header::CONTENT_LENGTH;
use actix_web::{HttpRequest, web};
use bytes::{Bytes, BytesMut};
use flate2::read::MultiGzDecoder;

use super::{Arriving, NotArrived, header, media_type, packing};
use crate::problem::{Code, HasProblemCodes, Problem};

/// The largest body with a few fields, in bytes.
pub const MAX_FIELDS: usize = 16 * 1024;

/// The largest body with a record, in bytes: enough even if JSON escapes every byte.
const RECORD_LIMIT: usize = 6 * assam_notation::MAX_RECORD + 1024;

/// The largest body with positions, in bytes: enough for 256 long position lines with moves.
const MAX_POSITIONS: usize = 256 * 1024;

/// A body, by its media type.
pub enum Body {
    /// `application/json`, or no media type.
    Json(Bytes),
    /// `text/plain`.
    Text(String),
}

/// The body that an operation accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Takes {
    /// A few fields, as JSON.
    Fields,
    /// A few fields as JSON, or a short text.
    FieldsOrText,
    /// A short text.
    ShortText,
    /// A record, as JSON or as text.
    Record,
    /// Positions, as JSON.
    Positions,
}

impl Takes {
    /// Returns the largest body, in bytes.
    const fn limit(self) -> usize {
        match self {
            Self::Fields | Self::FieldsOrText | Self::ShortText => MAX_FIELDS,
            Self::Record => RECORD_LIMIT,
            Self::Positions => MAX_POSITIONS,
        }
    }

    const fn media_types(self) -> &'static [&'static str] {
        match self {
            Self::Fields | Self::Positions => &[JSON],
            Self::ShortText => &[TEXT],
            Self::FieldsOrText | Self::Record => &[JSON, TEXT],
        }
    }
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain";

/// A body that is refused.
pub struct BadBody;

impl HasProblemCodes for BadBody {
    fn codes() -> Vec<Code> {
        vec![
            Code::BadJson,
            Code::BadRequest,
            Code::RequestTimeout,
            Code::TooLarge,
            Code::UnsupportedMediaType,
            Code::UnknownField,
        ]
    }
}

/// A text that is refused.
pub struct BadText;

impl HasProblemCodes for BadText {
    fn codes() -> Vec<Code> {
        vec![Code::BadRequest, Code::RequestTimeout, Code::TooLarge, Code::UnsupportedMediaType]
    }
}

/// Reads a short text.
///
/// # Errors
/// As [`body`].
pub async fn short_text(req: &HttpRequest, payload: web::Payload) -> Result<String, Problem> {
    match body(req, payload, Takes::ShortText).await? {
        Body::Text(text) => Ok(text),
        Body::Json(_) => Err(Problem::internal("a text was read as JSON")),
    }
}

/// Reads a body, whose length is limited both before and after decompression.
///
/// # Errors
/// `too_large`, then `unsupported_media_type`, then `bad_request` if it cannot be decompressed or is not
/// UTF-8.
pub async fn body(req: &HttpRequest, payload: web::Payload, takes: Takes) -> Result<Body, Problem> {
    match bytes(req, payload, takes).await? {
        (JSON, bytes) => Ok(Body::Json(bytes)),
        (_, bytes) => {
            let text = String::from_utf8(bytes.into());
            text.map(Body::Text).map_err(|_| Problem::new(Code::BadRequest, "the body is not UTF-8"))
        }
    }
}

/// Reads a body that is a record: the bytes of a text, whose reader locates invalid UTF-8, or what `of_json`
/// takes from the JSON.
///
/// # Errors
/// As [`body`], and those of `of_json`.
pub async fn record(
    req: &HttpRequest,
    payload: web::Payload,
    of_json: impl FnOnce(&[u8]) -> Result<String, Problem>,
) -> Result<Vec<u8>, Problem> {
    match bytes(req, payload, Takes::Record).await? {
        (JSON, bytes) => of_json(&bytes).map(String::into_bytes),
        (_, bytes) => Ok(bytes.into()),
    }
}

/// Reads a body with its media type.
async fn bytes(
    req: &HttpRequest,
    payload: web::Payload,
    takes: Takes,
) -> Result<(&'static str, Bytes), Problem> {
    let limit = takes.limit();
    let announced = header(req, &CONTENT_LENGTH).and_then(|length| length.parse::<usize>().ok());
    if announced.is_some_and(|length| length > limit) {
        return Err(too_large(limit));
    }
    let bytes = whole(Arriving::new(req, payload), limit).await?;
    let media_type = media_type(req, takes.media_types())?;
    Ok((media_type, unpacked(req, bytes, limit)?))
}

/// Waits for the end of a body.
async fn whole(mut arriving: Arriving, limit: usize) -> Result<Bytes, Problem> {
    let mut all = BytesMut::new();
    while let Some(piece) = arriving.next().await {
        let piece = piece?;
        if all.len() + piece.len() > limit {
            return Err(too_large(limit));
        }
        all.extend_from_slice(&piece);
    }
    Ok(all.freeze())
}

impl From<NotArrived> for Problem {
    fn from(error: NotArrived) -> Self {
        let code = match error {
            NotArrived::BrokeOff => Code::BadRequest,
            NotArrived::TooSlow => Code::RequestTimeout,
        };
        Self::new(code, error.to_string())
    }
}

fn too_large(limit: usize) -> Problem {
    Problem::new(Code::TooLarge, format!("the body has more than {limit} bytes"))
}

fn unpacked(req: &HttpRequest, packed: Bytes, limit: usize) -> Result<Bytes, Problem> {
    if packing(req, &["gzip"])?.is_none() {
        return Ok(packed);
    }
    let mut bytes = Vec::new();
    let one_more = limit as u64 + 1;
    MultiGzDecoder::new(packed.as_ref())
        .take(one_more)
        .read_to_end(&mut bytes)
        .map_err(|_| Problem::new(Code::BadRequest, "the body is not gzip"))?;
    if bytes.len() > limit { Err(too_large(limit)) } else { Ok(bytes.into()) }
}
