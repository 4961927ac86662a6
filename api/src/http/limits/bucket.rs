//! What is counted apart.

use std::fmt;
use std::str::FromStr;

use actix_web::http::Method;
use serde::Serialize;
use thiserror::Error;
use utoipa::ToSchema;

use super::rate::{NoRate, Rate};

/// What is counted apart: who has spent one of these still has the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// Moves that are submitted.
    Moves,
    /// Everything that is read.
    Reads,
    /// Games that are created or removed.
    Creation,
    /// Seats that are taken, renamed and left, secrets that are replaced, and beacons that are delivered.
    Joining,
    /// Join codes that are tried, right or wrong; also counted for each game.
    JoinCodes,
    /// Records that are validated, and bodies of many records.
    Validation,
    /// Positions of which the outcomes of moves are listed.
    Outcomes,
    /// Records that are imported; those of a body of many wait for their turn.
    Imports,
}

impl Bucket {
    /// Every bucket.
    pub const ALL: [Self; 8] = [
        Self::Moves,
        Self::Reads,
        Self::Creation,
        Self::Joining,
        Self::JoinCodes,
        Self::Validation,
        Self::Outcomes,
        Self::Imports,
    ];

    /// Returns its name, and its default rate for one secret.
    const fn entry(self) -> (&'static str, &'static str) {
        match self {
            Self::Moves => ("moves", "20/s:200"),
            Self::Reads => ("reads", "50/s:500"),
            Self::Creation => ("creation", "60/m:60"),
            Self::Joining => ("joining", "60/m:60"),
            Self::JoinCodes => ("join_codes", "6/m:12"),
            Self::Validation => ("validation", "10/s:100"),
            Self::Outcomes => ("outcomes", "4000/s:40000"),
            Self::Imports => ("imports", "10/s:2000"),
        }
    }

    /// Returns its name.
    pub const fn name(self) -> &'static str {
        self.entry().0
    }

    /// Returns the bucket of a request; none for what is always answered.
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
            ("validate" | "imports", _) => Self::Validation,
            _ => Self::Creation,
        })
    }
}

/// The rates of all buckets, for one secret; what has no rate is not counted.
#[derive(Clone, Copy, Debug)]
pub struct Rates([Option<Rate>; Bucket::ALL.len()]);

/// A rate that is set for a bucket, as `moves=20/s:200` or `moves=off`.
#[derive(Clone, Copy, Debug)]
pub struct SetRate(Bucket, Option<Rate>);

/// What sets no rate.
#[derive(Debug, Error)]
pub enum NoSetRate {
    /// There is no `=`, or no such bucket.
    #[error("write BUCKET=RATE, where a bucket is one of {}", Bucket::ALL.map(Bucket::name).join(", "))]
    Bucket,
    /// Behind it stands no rate.
    #[error(transparent)]
    Rate(#[from] NoRate),
}

impl Rates {
    /// Counts nothing.
    pub const NONE: Self = Self([None; Bucket::ALL.len()]);

    /// Returns the default rates, with some of them set.
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
