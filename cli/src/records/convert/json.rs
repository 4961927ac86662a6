//! Records as JSON, one object per line, in the shapes of the HTTP interface.

use assam_referee::picture::Moment;
use assam_referee::{AnyRecord, Event, Score, State, Table};
use serde::Serialize;

use crate::records::plies::Plies;
use crate::records::sheet::TagObject;

#[derive(Serialize)]
struct JsonRecord<'a> {
    /// The setup line in canonical form.
    setup: &'a str,
    /// Names and values, in the order of the record.
    tags: TagObject<'a>,
    /// The words in canonical form.
    words: &'a [String],
    /// The end marker.
    marker: String,
    /// The state after each ply, from ply 0 to the last, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<JsonPly>>,
}

/// The state after a ply, as `GET /v1/games/{id}/states/{ply}` returns it but without a head, and the score
/// there.
#[derive(Serialize)]
struct JsonPly {
    ply: u32,
    word: Option<String>,
    events: Vec<Event>,
    position: String,
    state: State,
    score: Score,
}

/// Returns a record as a line.
pub fn line(judgement: &AnyRecord, plies: Plies, has_states: bool) -> String {
    let record = JsonRecord {
        setup: judgement.setup.as_ref().map(|setup| setup.line()).unwrap_or_default(),
        tags: TagObject(&judgement.tags),
        words: &judgement.words,
        marker: judgement.table.as_ref().map(|table| table.marker()).unwrap_or_default(),
        states: has_states.then(|| states(plies)),
    };
    // It has string keys only, so this cannot fail.
    serde_json::to_string(&record).unwrap_or_default() + "\n"
}

fn states(mut plies: Plies) -> Vec<JsonPly> {
    let mut states = vec![JsonPly::new(plies.table(), plies.moment())];
    while plies.advance() {
        states.push(JsonPly::new(plies.table(), plies.moment()));
    }
    states
}

impl JsonPly {
    fn new(table: &dyn Table, moment: &Moment) -> Self {
        Self {
            ply: moment.ply,
            word: moment.word.clone(),
            events: moment.events.clone(),
            position: table.position_line(),
            state: table.state(),
            score: table.score(),
        }
    }
}
