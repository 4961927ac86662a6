//! The periods of score tallies.

use std::fmt;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// All time, or a year, month or day in UTC.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Period {
    /// All time.
    #[default]
    Always,
    /// The year of its first day.
    Year(Date),
    /// The month of its first day.
    Month(Date),
    /// A day.
    Day(Date),
}

/// The form of a period.
pub const PATTERN: &str = "^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$";
/// The form in words.
pub const WORDS: &str = "a year, a month or a day of UTC: `2026`, `2026-11` or `2026-11-23`";

impl Period {
    /// Returns the periods that contain a moment.
    pub fn all_of(moment: Timestamp) -> [Self; 4] {
        let day = moment.to_zoned(TimeZone::UTC).date();
        [Self::Always, Self::Year(day.first_of_year()), Self::Month(day.first_of_month()), Self::Day(day)]
    }
}

/// `2026`, `2026-11` or `2026-11-23`, as ISO 8601 writes dates, or nothing for all time.
impl fmt::Display for Period {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Always => Ok(()),
            Self::Year(day) => write!(f, "{:04}", day.year()),
            Self::Month(day) => write!(f, "{:04}-{:02}", day.year(), day.month()),
            Self::Day(day) => write!(f, "{day}"),
        }
    }
}

/// The error of a text that is not a period.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a period is {WORDS}")]
pub struct NotAPeriod;

impl FromStr for Period {
    type Err = NotAPeriod;

    fn from_str(text: &str) -> Result<Self, NotAPeriod> {
        let date = |text: &str| text.parse::<Date>().map_err(|_| NotAPeriod);
        let read = match text.len() {
            0 => Self::Always,
            4 => Self::Year(date(&format!("{text}-01-01"))?),
            7 => Self::Month(date(&format!("{text}-01"))?),
            _ => Self::Day(date(text)?),
        };
        // One text per period.
        if read.to_string() == text { Ok(read) } else { Err(NotAPeriod) }
    }
}

impl Serialize for Period {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Period {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl PartialSchema for Period {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::String).pattern(Some(PATTERN)).into()
    }
}

impl ToSchema for Period {}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_lies_in_a_day_a_month_a_year_and_all_time_of_utc() {
        let moment: Timestamp = "2026-12-31T23:59:59.999Z".parse().unwrap();
        let texts = |moment: Timestamp| Period::all_of(moment).map(|period| period.to_string());
        assert_eq!(texts(moment), ["", "2026", "2026-12", "2026-12-31"]);
        assert_eq!(texts("2027-01-01T00:00:00Z".parse().unwrap()), ["", "2027", "2027-01", "2027-01-01"]);
        for period in Period::all_of(moment) {
            assert_eq!(period.to_string().parse(), Ok(period));
        }
        for text in
            ["26", "2026-13", "2026-1", "2026-02-30", "20261231", "2026-12-31T00:00", "-001", "2026-W01"]
        {
            assert_eq!(text.parse::<Period>(), Err(NotAPeriod), "{text}");
        }
    }
}
