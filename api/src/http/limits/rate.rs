//! Rates.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use governor::Quota;
use thiserror::Error;

/// A number of requests in a span, and a burst that is possible at once. It is written `20/s:200` for 20 a
/// second and 200 at once. The spans are `s`, `m` and `h`. The default burst is the number in a span.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rate {
    /// The number in a span.
    pub requests: NonZeroU32,
    /// The span.
    pub span: Span,
    /// The number at once, after a pause.
    pub burst: NonZeroU32,
}

/// A second, a minute or an hour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    /// A second.
    Second,
    /// A minute.
    Minute,
    /// An hour.
    Hour,
}

/// The error for text that is not a rate.
#[derive(Debug, Error)]
#[error("a rate is a number of requests, a span and the greatest burst, such as 20/s or 600/h:100, or `off`")]
pub struct NoRate;

impl Span {
    /// Returns the span in seconds.
    pub const fn seconds(self) -> u32 {
        match self {
            Self::Second => 1,
            Self::Minute => 60,
            Self::Hour => 3600,
        }
    }
}

impl Rate {
    /// Returns the rate times `factor`, or unchanged for 0.
    pub fn times(self, factor: u32) -> Self {
        let times =
            |number: NonZeroU32| NonZeroU32::new(number.get().saturating_mul(factor)).unwrap_or(number);
        Self { requests: times(self.requests), burst: times(self.burst), ..self }
    }

    /// Returns the rate in the form of the counting library.
    pub fn quota(self) -> Quota {
        let each = Duration::from_secs(self.span.seconds().into()) / self.requests.get();
        // However finely a span is divided, a part is longer than nothing.
        let quota = Quota::with_period(each.max(Duration::from_nanos(1)));
        quota.unwrap_or(Quota::per_second(self.requests)).allow_burst(self.burst)
    }
}

impl FromStr for Rate {
    type Err = NoRate;

    fn from_str(text: &str) -> Result<Self, NoRate> {
        let (often, burst) = text.split_once(':').map_or((text, None), |(often, burst)| (often, Some(burst)));
        let (requests, span) = often.split_once('/').ok_or(NoRate)?;
        let number = |text: &str| text.parse::<NonZeroU32>().map_err(|_| NoRate);
        let requests = number(requests)?;
        let span = match span {
            "s" => Span::Second,
            "m" => Span::Minute,
            "h" => Span::Hour,
            _ => return Err(NoRate),
        };
        Ok(Self { requests, span, burst: burst.map_or(Ok(requests), number)? })
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let span = match self.span {
            Span::Second => "s",
            Span::Minute => "m",
            Span::Hour => "h",
        };
        write!(f, "{}/{span}:{}", self.requests, self.burst)
    }
}
