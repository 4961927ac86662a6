//! Positions and events of any game as clients see them.

use std::fmt;

use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// A position, as its viewer may see it. Its form depends on the rule set.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct State(Box<RawValue>);

impl State {
    pub(crate) fn of(state: &impl Serialize) -> Self {
        Self(json(state))
    }
}

/// A consequence of a move, such as a payment.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Event {
    json: Box<RawValue>,
    #[serde(skip)]
    sentence: String,
}

impl Event {
    pub(crate) fn of(event: &(impl Serialize + fmt::Display)) -> Self {
        Self { json: json(event), sentence: event.to_string() }
    }
}

impl fmt::Display for Event {
    /// Writes the event as a sentence for people.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence)
    }
}

fn json(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("states and events have string keys only, and serialise without errors")
}
