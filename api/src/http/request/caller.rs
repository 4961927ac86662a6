//! The sender of a request.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;
use assam_record::secret::Secret;

use crate::app::Caller;
use crate::problem::{Code, HasProblemCodes, Problem};

/// Reads the secret of a request.
///
/// # Errors
/// If an `Authorization` header has none, or if there are two.
pub fn caller(req: &HttpRequest) -> Result<Caller, BadSecret> {
    let mut sent = req.headers().get_all(AUTHORIZATION);
    let Some(first) = sent.next() else { return Ok(Caller::new(None)) };
    if sent.next().is_some() {
        return Err(BadSecret::Two);
    }
    let bearer = first.to_str().ok().and_then(|value| value.split_once(' '));
    let bearer = bearer.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let secret = bearer.and_then(|(_, secret)| Secret::read(secret.trim()));
    secret.map(|secret| Caller::new(Some(secret))).ok_or(BadSecret::Malformed)
}

/// An `Authorization` header without a secret.
pub enum BadSecret {
    /// Something else.
    Malformed,
    /// Two headers (RFC 9110, section 11.6.2 allows one).
    Two,
}

impl From<BadSecret> for Problem {
    fn from(error: BadSecret) -> Self {
        match error {
            BadSecret::Malformed => NoSecret.into(),
            BadSecret::Two => Self::new(Code::BadRequest, "the request has two `Authorization` headers"),
        }
    }
}

impl HasProblemCodes for BadSecret {
    fn codes() -> Vec<Code> {
        vec![Code::Unauthenticated, Code::BadRequest]
    }
}

/// A request without a required secret.
pub struct NoSecret;

impl From<NoSecret> for Problem {
    fn from(_: NoSecret) -> Self {
        let none = "send `Authorization: Bearer <secret>`, where the secret is 64 lower-case hex digits";
        Self::new(Code::Unauthenticated, none)
    }
}

impl HasProblemCodes for NoSecret {
    fn codes() -> Vec<Code> {
        vec![Code::Unauthenticated]
    }
}

/// Returns the required secret of a request.
///
/// # Errors
/// If the request has none.
pub fn required(caller: &Caller) -> Result<&Secret, NoSecret> {
    caller.secret().ok_or(NoSecret)
}
