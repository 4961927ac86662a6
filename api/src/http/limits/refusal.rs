//! What is too much, as clients are told.

use std::fmt;
use std::time::Duration;

use actix_web::http::header::{HeaderName, RETRY_AFTER};

use super::bucket::Bucket;
use super::rate::Rate;
use crate::problem::{Code, HasProblemCodes, Problem};

/// What is left of a rate, and what the rate is (draft-ietf-httpapi-ratelimit-headers).
const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// More than a client may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooMany {
    /// What there was too much of.
    pub bucket: Bucket,
    /// The rate that was exceeded.
    pub rate: Rate,
    /// For whom it was counted.
    pub of: Whose,
    /// When it may be tried again.
    pub wait: Duration,
}

/// For whom something is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Whose {
    /// For a secret.
    Secret,
    /// For an address.
    Network,
    /// For a game.
    Game,
}

/// More than one network may have under way: how many that is.
pub enum TooManyAtOnce {
    /// Of requests about many records.
    Bulk(u32),
    /// Of streams and requests that wait.
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
    /// Returns after how many whole seconds it may be tried again, 1 or more.
    fn seconds(&self) -> u64 {
        (self.wait.as_secs() + u64::from(self.wait.subsec_nanos() > 0)).max(1)
    }
}

impl From<TooMany> for Problem {
    fn from(error: TooMany) -> Self {
        let TooMany { bucket, rate, of, .. } = error;
        let seconds = error.seconds();
        let detail = format!(
            "{of} has {} in `{}` every {} s here, {} at once; `GET /v1/limits` has all limits",
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
                (format!("of requests about many records, {} may have {most} under way", Whose::Network), "1")
            }
            TooManyAtOnce::Streams(most) => (
                format!("of streams and requests that wait, {} may have {most} under way", Whose::Network),
                "30",
            ),
        };
        let detail = format!("{detail}; `GET /v1/limits` has all limits");
        Self { headers: vec![(RETRY_AFTER, seconds.to_owned())], ..Self::new(Code::TooManyRequests, detail) }
    }
}

impl HasProblemCodes for TooMany {
    fn codes() -> Vec<Code> {
        vec![Code::TooManyRequests]
    }
}
