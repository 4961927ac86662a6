//! Exceeded limits, as clients see them.

use std::fmt;
use std::time::Duration;

use actix_web::http::header::{HeaderName, RETRY_AFTER};

use super::bucket::Bucket;
use super::rate::Rate;
use crate::problem::{Code, HasProblemCodes, Problem};

/// The rate and what is left of it (draft-ietf-httpapi-ratelimit-headers).
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// An exceeded rate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany {
    /// The bucket.
    pub bucket: Bucket,
    /// The exceeded rate.
    pub rate: Rate,
    /// The secret, address or game that exceeded it.
    pub of: Whose,
    /// The time to wait before a retry.
    pub wait: Duration,
}

/// The subject of a count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// A secret.
    Secret,
    /// An address.
    Network,
    /// A game.
    Game,
}

/// More in progress than one network may have, with the maximum.
pub enum TooManyAtOnce {
    /// Bulk requests.
    Bulk(u32),
    /// Streams and waiting requests.
    Streams(u32),
}

impl fmt::Display for Whose {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Secret => "your secret",
            Self::Network => "your address",
            Self::Game => "this game",
        })
    }
}

impl TooMany {
    /// Returns the whole seconds to wait, 1 or more.
    fn seconds(&self) -> u64 {
        (self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0)).max(1)
    }
}

impl From<TooMany> for Problem {
    fn from(error: TooMany) -> Self {
        let TooMany { bucket, rate, of, .. } = error;
        let seconds = error.seconds();
        let detail = format!(
            "{of} is limited to {} in `{}` every {} s, {} at once. `GET /v1/limits` has all limits",
            rate.requests,
            bucket.name(),
            rate.span.seconds(),
            rate.burst,
        );
        let policy = format!("\"{}\";q={};w={}", bucket.name(), rate.requests, rate.span.seconds());
        let standing = format!("\"{}\";r=0;t={seconds}", bucket.name());
        let headers =
            vec![(RETRY_AFTER, seconds.to_string()), (RATE_LIMIT_POLICY, policy), (RATE_LIMIT, standing)];
        Self { headers, ..Self::new(Code::TooManyRequests, detail) }
    }
}

impl From<TooManyAtOnce> for Problem {
    fn from(error: TooManyAtOnce) -> Self {
        let (detail, seconds) = match error {
            TooManyAtOnce::Bulk(most) => {
                (format!("{} is limited to {most} bulk requests at once", Whose::Network), "1")
            }
            TooManyAtOnce::Streams(most) => (
                format!("{} is limited to {most} streams and waiting requests at once", Whose::Network),
                "30",
            ),
        };
        let detail = format!("{detail}. `GET /v1/limits` has all limits");
        Self { headers: vec![(RETRY_AFTER, seconds.to_owned())], ..Self::new(Code::TooManyRequests, detail) }
    }
}

impl HasProblemCodes for TooMany {
    fn codes() -> Vec<Code> {
        vec![Code::TooManyRequests]
    }
}
