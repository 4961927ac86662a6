//! Records as JSON, one object per line, in the shapes of the HTTP interface.

use std::io::{self, Write};

use assam_referee::picture::Moment;
use assam_referee::{AnyRecord, Event, Score, State, Table};
use serde::{Serialize, Serializer};

use crate::plies::Plies;

/// A record.
#[derive(Serialize)]
struct JsonRecord<'a> {
    /// The setup line in canonical form.
    setup: &'a str,
    /// Names and values, in the order of the record.
    #[serde(serialize_with = "as_object")]
    tags: &'a [(String, String)],
    /// The words in canonical form.
    words: &'a [String],
    /// The end marker.
    marker: String,
    /// The state after each ply, from ply 0 to the last.
    states: Vec<JsonPly>,
}

/// The state after a ply, as `GET /v1/games/{id}/states/{ply}` returns it but without a head, and the score there.
#[derive(Serialize)]
struct JsonPly {
    ply: u32,
    word: Option<String>,
    events: Vec<Event>,
    position: String,
    state: State,
    score: Score,
}

/// Writes a record as a line.
///
/// # Errors
/// Of `out`.
pub fn write(out: &mut impl Write, record: &AnyRecord, mut plies: Plies) -> io::Result<()> {
    let mut states = vec![JsonPly::of(plies.table(), plies.moment())];
    while plies.advance() {
        states.push(JsonPly::of(plies.table(), plies.moment()));
    }
    let record = JsonRecord {
        setup: record.setup.as_ref().map(|setup| setup.line()).unwrap_or_default(),
        tags: &record.tags,
        words: &record.words,
        marker: plies.table().marker(),
        states,
    };
    serde_json::to_writer(&mut *out, &record)?;
    out.write_all(b"\n")
}

impl JsonPly {
    fn of(table: &dyn Table, moment: &Moment) -> Self {
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

fn as_object<S: Serializer>(pairs: &&[(String, String)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}
