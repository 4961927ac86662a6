//! The sender of a request.

use actix_web::HttpRequest;
use actix_web::http::header::AUTHORIZATION;

use super::request::header;
use crate::app::Caller;
use crate::problem::{Code, Problem, Refuses};
use crate::secret::Secret;

/// Reads the secret of a request. A malformed one counts as none.
pub fn caller(req: &HttpRequest) -> Caller {
    let bearer = header(req, &AUTHORIZATION)
        .and_then(|value| value.split_once(' '))
        .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    Caller::with(bearer.and_then(|(_, secret)| Secret::read(secret.trim())))
}

/// Returns whether a request has an `Authorization` header without a valid secret.
pub fn has_malformed_secret(req: &HttpRequest, caller: &Caller) -> bool {
    caller.secret().is_none() && req.headers().contains_key(AUTHORIZATION)
}

/// A request without a secret, where one is needed.
pub struct NoSecret;

impl From<NoSecret> for Problem {
    fn from(_: NoSecret) -> Self {
        let none = "send `Authorization: Bearer <secret>`, where the secret is 64 lower-case hex digits";
        Self::new(Code::Unauthenticated, none)
    }
}

impl Refuses for NoSecret {
    fn codes() -> Vec<Code> {
        vec![Code::Unauthenticated]
    }
}

/// Returns the secret of a request that needs one.
///
/// # Errors
/// Where the request has none.
pub fn required(caller: &Caller) -> Result<&Secret, NoSecret> {
    caller.secret().ok_or(NoSecret)
}
