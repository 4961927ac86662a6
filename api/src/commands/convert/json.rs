//! A record as one JSON object a line, in the shapes of the HTTP interface.

use std::io::{self, Write};

use serde::{Serialize, Serializer};

use crate::commands::plies::Plies;
use crate::picture::Moment;
use crate::referee::{Judgement, Table};
use crate::view::{Event, Score, State};

/// A record.
#[derive(Serialize)]
struct Record<'a> {
    /// The setup line in canonical form.
    setup: &'a str,
    /// Name and value, in the order in which they stand.
    #[serde(serialize_with = "as_object")]
    tags: &'a [(String, String)],
    /// The words in canonical form.
    words: &'a [String],
    /// The end marker.
    marker: String,
    /// From ply 0 to the last.
    states: Vec<StateAtPly>,
}

/// The state after a ply, as `GET /v1/games/{id}/states/{ply}` answers it, but without a head; and the score there.
#[derive(Serialize)]
struct StateAtPly {
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
pub fn write(out: &mut impl Write, judgement: &Judgement, mut plies: Plies) -> io::Result<()> {
    let mut states = vec![StateAtPly::of(plies.table(), plies.moment())];
    while plies.advance() {
        states.push(StateAtPly::of(plies.table(), plies.moment()));
    }
    let record = Record {
        setup: judgement.setup_line.as_deref().unwrap_or_default(),
        tags: &judgement.tags,
        words: &judgement.words,
        marker: plies.table().marker(),
        states,
    };
    serde_json::to_writer(&mut *out, &record)?;
    out.write_all(b"\n")
}

impl StateAtPly {
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
