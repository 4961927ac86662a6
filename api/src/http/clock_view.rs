//! The clock of a game as clients see it, and as they ask for it.

use assam_record::clock::rfc3339;
use assam_record::game_clock::{ClockRule, GameClock};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How much time each seat has for its decisions.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockWanted {
    /// What each seat has at the start, in seconds: 1 to 604800, which is a week.
    #[schema(minimum = 1, maximum = 604800, example = 600)]
    initial: u32,
    /// What a seat gets for each ply that it decides, in seconds: 0 to 86400, which is a day.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 86400, example = 5)]
    increment: u32,
}

/// The clock of a game as of its last word. The seat on turn has what `remaining` says less what has passed since `since`; the other
/// clocks stand still.
#[derive(Serialize, ToSchema)]
pub struct ClockView {
    /// What each seat had at the start, in seconds.
    #[schema(example = 600)]
    initial: u32,
    /// What a seat gets for each ply that it decides, in seconds.
    #[schema(example = 5)]
    increment: u32,
    /// What each seat has left, in milliseconds, in order.
    #[schema(example = json!([597100, 600000]))]
    remaining: Vec<u64>,
    /// Since when the time of the seat on turn is counted; null where no clock runs.
    #[schema(format = DateTime)]
    since: Option<String>,
}

impl From<ClockWanted> for ClockRule {
    fn from(ClockWanted { initial, increment }: ClockWanted) -> Self {
        Self { initial, increment }
    }
}

impl From<&GameClock> for ClockView {
    fn from(clock: &GameClock) -> Self {
        let ClockRule { initial, increment } = clock.rule;
        let since = clock.running.map(|running| rfc3339(running.since));
        Self { initial, increment, remaining: clock.left.clone(), since }
    }
}
