//! The buckets: kinds of requests that are counted separately.

use std::fmt;
use std::str::FromStr;

use actix_web::http::Method;
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use super::rate::{NoRate, Rate};

/// A kind of request that is counted separately. Spending one bucket leaves the others full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "`counts` explains each bucket")]
pub enum Bucket {
    Moves,
    Reads,
    Creation,
    Joining,
    JoinCodes,
    Validation,
    Outcomes,
    Analysis,
    Imports,
}

impl Bucket {
    /// Every bucket.
    pub const ALL: [Self; 9] = [
        Self::Moves,
        Self::Reads,
        Self::Creation,
        Self::Joining,
        Self::JoinCodes,
        Self::Validation,
        Self::Outcomes,
        Self::Analysis,
        Self::Imports,
    ];

    /// Returns its name, its default rate for one secret, and what it counts.
    const fn entry(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Moves => ("moves", "20/s:200", "requests that submit moves"),
            Self::Reads => ("reads", "50/s:500", "GET and HEAD requests"),
            Self::Creation => {
                ("creation", "60/m:60", "games created or removed, rematches, and cosignatures delivered")
            }
            Self::Joining => (
                "joining",
                "60/m:60",
                "seats taken, renamed or left, secrets replaced, and beacon rounds delivered",
            ),
            Self::JoinCodes => ("join_codes", "6/m:12", "join codes tried, right or wrong"),
            Self::Validation => ("validation", "10/s:100", "records validated, and bulk requests"),
            Self::Outcomes => ("outcomes", "4000/s:40000", "positions in requests for outcomes"),
            Self::Analysis => ("analysis", "60/m:60", "analyses, hints, and bulk requests for analyses"),
            Self::Imports => (
                "imports",
                "10/s:2000",
                "records imported (those in a bulk request are delayed, not refused)",
            ),
        }
    }

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns what it counts.
    pub const fn counts(self) -> &'static str {
        self.entry().2
    }

    /// Returns the bucket of a request, or none if it is always answered.
    pub fn for_request(method: &Method, path: &str) -> Option<Self> {
        if matches!(path, "/livez" | "/readyz") {
            return None;
        }
        if matches!(*method, Method::GET | Method::HEAD) {
            return Some(Self::Reads);
        }
        let mut parts = path.split('/').skip(2);
        let [kind, which, what] = std::array::from_fn(|_| parts.next().unwrap_or(""));
        Some(match (kind, what) {
            ("games", "moves") => Self::Moves,
            ("games", "seats" | "beacon") => Self::Joining,
            ("imports", _) if which != "bulk" => Self::Imports,
            ("outcomes", _) => Self::Outcomes,
            ("analysis", _) => Self::Analysis,
            ("validate" | "imports", _) => Self::Validation,
            _ => Self::Creation,
        })
    }
}

/// The rates of all buckets for one secret. Buckets without a rate are not counted.
#[derive(Clone, Copy, Debug)]
pub struct Rates([Option<Rate>; Bucket::ALL.len()]);

/// A rate set for a bucket, as in `moves=20/s:200` or `moves=off`.
#[derive(Clone, Copy, Debug)]
pub struct SetRate(Bucket, Option<Rate>);

/// The error for text that sets no rate.
#[derive(Debug, Error)]
pub enum NoSetRate {
    /// There is no `=`, or no such bucket.
    #[error("write BUCKET=RATE, where a bucket is one of {}", Bucket::ALL.map(Bucket::name).join(", "))]
    Bucket,
    /// The rate is malformed.
    #[error(transparent)]
    Rate(#[from] NoRate),
}

impl Rates {
    /// No rates.
    pub const NONE: Self = Self([None; Bucket::ALL.len()]);

    /// Returns the default rates, some of them replaced.
    pub fn with(set: &[SetRate]) -> Self {
        let mut rates = Bucket::ALL.map(|bucket| bucket.entry().1.parse().ok());
        for SetRate(bucket, rate) in set {
            rates[*bucket as usize] = *rate;
        }
        Self(rates)
    }

    /// Returns the rate of a bucket.
    pub fn of(&self, bucket: Bucket) -> Option<Rate> {
        self.0[bucket as usize]
    }
}

impl FromStr for SetRate {
    type Err = NoSetRate;

    fn from_str(text: &str) -> Result<Self, NoSetRate> {
        let (name, rate) = text.split_once('=').ok_or(NoSetRate::Bucket)?;
        let bucket = Bucket::ALL.into_iter().find(|bucket| bucket.name() == name).ok_or(NoSetRate::Bucket)?;
        Ok(Self(bucket, if rate == "off" { None } else { Some(rate.parse()?) }))
    }
}

impl fmt::Display for Bucket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
