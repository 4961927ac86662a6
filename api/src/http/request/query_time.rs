//! Times in queries.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::civil::DateTime;
use regex::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The last representable whole second, in milliseconds since 1970.
const LAST: i64 = 253_402_207_200_000;

/// A time in RFC 3339, in whole milliseconds like the times of games. It is rounded up, so that `since` finds
/// what was then or later, and `until` what was before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QueryTime(pub Timestamp);

impl QueryTime {
    /// Reads a time, or none if the text is not RFC 3339. Times at the very end of the year 9999 become the
    /// last representable one.
    pub fn read(text: &str) -> Option<Self> {
        static FORM: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?)(?:[Zz]|[+-]\d\d:\d\d)$")
                .expect("the pattern is well formed")
        });
        let local = FORM.captures(text)?.get(1)?;
        let at = match text.parse::<Timestamp>() {
            Ok(at) => at,
            Err(_) => local
                .as_str()
                .parse::<DateTime>()
                .ok()
                .filter(|_| text.starts_with("9999-"))
                .map(|_| Timestamp::MAX)?,
        };
        let ms = at.as_nanosecond().div_euclid(1_000_000)
            + i128::from(at.as_nanosecond().rem_euclid(1_000_000) > 0);
        Timestamp::from_millisecond(i64::try_from(ms).ok()?.min(LAST)).ok().map(Self)
    }
}

impl<'de> Deserialize<'de> for QueryTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::read(&String::deserialize(deserializer)?)
            .ok_or_else(|| D::Error::custom("not a time in RFC 3339"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_rfc_3339_and_what_lies_between_two_milliseconds_is_the_later_one() {
        let read = |text: &str| QueryTime::read(text).map(|moment| moment.0.to_string());
        for (text, moment) in [
            ("2026-11-20T20:15:00Z", "2026-11-20T20:15:00Z"),
            ("2026-11-20t21:15:00.5+01:00", "2026-11-20T20:15:00.5Z"),
            ("2026-11-20T20:15:00.206Z", "2026-11-20T20:15:00.206Z"),
            ("2026-11-20T20:15:00.206000001Z", "2026-11-20T20:15:00.207Z"),
            ("9999-12-31T23:59:59Z", "9999-12-30T22:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
        ] {
            assert_eq!(read(text).as_deref(), Some(moment), "{text}");
        }
        for text in [
            "",
            "2026-11-20",
            "2026-11-20T20:15Z",
            "2026-11-20T20:15:00",
            "2026-11-22T00:00:00Z[UTC]",
            "2026-13-01T00:00:00Z",
            "9999-13-01T00:00:00Z",
            "now",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
