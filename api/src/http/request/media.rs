//! The declared media type and compression of a body.

use actix_web::HttpRequest;
use actix_web::http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};

use crate::problem::{Code, Problem};

/// Returns the media type of a body, which must be one of these. The first is the default.
///
/// # Errors
/// `unsupported_media_type`, also for a character set other than UTF-8.
pub fn media_type(req: &HttpRequest, taken: &[&'static str]) -> Result<&'static str, Problem> {
    let unsupported = |detail| unsupported(ACCEPT, taken, detail);
    let Some(value) = req.headers().get(CONTENT_TYPE) else { return Ok(taken.first().unwrap_or(&"")) };
    let sent = String::from_utf8_lossy(value.as_bytes()).to_ascii_lowercase();
    let mut parts = sent.split(';').map(str::trim);
    let named = parts.next().unwrap_or_default();
    let Some(media_type) = taken.iter().find(|media_type| **media_type == named) else {
        return Err(unsupported(format!("the body must be {}, not {sent:?}", taken.join(" or "))));
    };
    match parts.find_map(|part| part.strip_prefix("charset=")).map(|charset| charset.trim_matches('"')) {
        None | Some("utf-8" | "us-ascii") => Ok(media_type),
        Some(other) => Err(unsupported(format!("the body must be UTF-8, not {other:?}"))),
    }
}

/// The content coding of an uncompressed body.
const PLAIN: &str = "identity";

/// Returns the compression of a body, which must be one of these, or none.
///
/// # Errors
/// `unsupported_media_type`.
pub fn packing(req: &HttpRequest, taken: &[&'static str]) -> Result<Option<&'static str>, Problem> {
    // Several fields form one list (RFC 9110, section 5.3).
    let fields = req.headers().get_all(CONTENT_ENCODING);
    let fields: Vec<_> = fields.map(|field| String::from_utf8_lossy(field.as_bytes())).collect();
    if fields.is_empty() {
        return Ok(None);
    }
    let sent = fields.join(", ").to_ascii_lowercase();
    match if sent == "x-gzip" { "gzip" } else { &sent } {
        PLAIN => Ok(None),
        named => match taken.iter().find(|packing| **packing == named) {
            Some(packing) => Ok(Some(packing)),
            None => {
                let detail =
                    format!("a body may be compressed with {}, not with {sent:?}", taken.join(" or "));
                Err(unsupported(ACCEPT_ENCODING, taken, detail))
            }
        },
    }
}

/// Refuses a body, with a header of accepted values (RFC 9110, section 15.5.16).
fn unsupported(header: HeaderName, taken: &[&'static str], detail: String) -> Problem {
    Problem { headers: vec![(header, taken.join(", "))], ..Problem::new(Code::UnsupportedMediaType, detail) }
}
