//! Nobody is shown a card that the rules hide from them, whatever happens to the service.

use std::iter;

use assam_referee::{Ruleset, Setup};
use assam_rules::{Seat, Turn, Viewer};

use super::{Finding, Wrong};
use crate::history::{Answer, Asked, GameHistory, Last, Said};
use crate::masks::MASK;

/// The words of a game as one viewer may read them while it goes on, from ply 0 or 1 on.
struct Readable {
    /// Once the next ply is written.
    later: Vec<String>,
    /// While each is the newest.
    newest: Vec<String>,
}

/// What may be read of a game, and when.
struct Secrets {
    spectator: Readable,
    seats: Vec<Readable>,
    /// The ply of the first of these words.
    first: u32,
    /// The last ply of a game that is over: from then on nothing is hidden.
    over: Option<u32>,
    /// When each ply was first asked for.
    asked: Vec<(u32, u64)>,
}

/// Judges what was shown of a game whose words in the end are `whole`, as far as anybody was shown them.
pub(super) fn judge(game: &GameHistory, whole: &Last) -> Vec<Finding> {
    let Some(secrets) = Secrets::of(game, whole) else { return Vec::new() };
    let mut findings = Vec::new();
    let mut find = |who: String, leak: Option<String>| {
        if let Some(leak) = leak {
            findings.push(Finding {
                wrong: Wrong::Leaked,
                game: game.game.clone(),
                detail: format!("{who} was shown {leak}"),
            });
        }
    };
    for attempt in &game.attempts {
        let Answer::Done { words, drawn, .. } = &attempt.answer else { continue };
        let first = match attempt.asked {
            Asked::Append { ply, .. } => ply,
            Asked::Log => 1,
            Asked::Create { .. } | Asked::Sit { .. } | Asked::Game | Asked::State { .. } => continue,
        };
        let leak = secrets.leak(attempt.viewer, attempt.end, first, drawn.as_ref(), words);
        find(format!("client {} at {} us as seat {:?}", attempt.client, attempt.start, attempt.viewer), leak);
    }
    for told in &game.told {
        let first = if told.said == Said::Word { told.ply } else { 1 };
        let leak = secrets.leak(None, told.end, first, told.drawn.as_ref(), &told.words);
        find(format!("the stream of client {} at {} us", told.client, told.end), leak);
    }
    findings
}

impl Secrets {
    /// What the rules hide of a game; nothing of one that has no secrets, nor of words that the rules refuse, which others find.
    fn of(game: &GameHistory, whole: &Last) -> Option<Self> {
        let (ruleset, seats) = game.attempts.iter().find_map(|attempt| match &attempt.asked {
            Asked::Create { ruleset, seats, .. } => Some((Ruleset::named(ruleset)?, seats.len() as u8)),
            Asked::Sit { .. } | Asked::Append { .. } | Asked::Game | Asked::Log | Asked::State { .. } => None,
        })?;
        let setup = Setup::new(ruleset, seats, &[]).ok().filter(|_| ruleset.info().has_secrets)?;
        let asked = game.attempts.iter().filter_map(|attempt| match attempt.asked {
            Asked::Append { ply, .. } => Some((ply, attempt.start)),
            Asked::Create { .. } | Asked::Sit { .. } | Asked::Game | Asked::Log | Asked::State { .. } => None,
        });
        let words = || whole.drawn.iter().chain(&whole.words);
        let readable = |viewer| Readable::by(&setup, viewer, words());
        let mut table = setup.table();
        words().try_for_each(|word| table.replay(word)).ok()?;
        Some(Self {
            spectator: readable(Viewer::Spectator)?,
            seats: Seat::all(seats).map(|seat| readable(Viewer::Seat(seat))).collect::<Option<_>>()?,
            first: u32::from(whole.drawn.is_none()),
            over: matches!(table.turn(), Turn::Over | Turn::Aborted).then(|| table.ply()),
            asked: asked.collect(),
        })
    }

    /// Returns the first word that shows this seat, or somebody without one, more by then than the rules do.
    fn leak(
        &self,
        viewer: Option<usize>,
        end: u64,
        first: u32,
        drawn: Option<&String>,
        words: &[String],
    ) -> Option<String> {
        // What was asked for by then may have been written.
        let written = self.asked.iter().filter(|(_, start)| *start < end).map(|(ply, _)| *ply).max();
        let written = written.unwrap_or(0);
        if self.over.is_some_and(|over| written >= over) {
            return None;
        }
        let readable = match viewer {
            Some(seat) => self.seats.get(seat.checked_sub(1)?)?,
            None => &self.spectator,
        };
        let shown = iter::once(0).zip(drawn).chain((first..).zip(words));
        let leaked = shown.into_iter().find(|(ply, word)| {
            let form = if *ply < written { &readable.later } else { &readable.newest };
            let allowed = ply.checked_sub(self.first).and_then(|place| form.get(place as usize));
            allowed.is_some_and(|allowed| shows_more(word, allowed))
        });
        leaked.map(|(ply, word)| format!("{word} at ply {ply}"))
    }
}

impl Readable {
    fn by<'a>(
        setup: &Setup,
        viewer: Viewer,
        words: impl Iterator<Item = &'a String> + Clone,
    ) -> Option<Self> {
        let read = |is_last| -> Option<Vec<String>> {
            let mut table = setup.table();
            words.clone().map(|word| table.replay_masked(word, viewer, is_last).ok()).collect()
        };
        Some(Self { later: read(false)?, newest: read(true)? })
    }
}

/// Whether a letter is shown that is hidden here.
fn shows_more(shown: &str, allowed: &str) -> bool {
    shown.len() == allowed.len()
        && shown.chars().zip(allowed.chars()).any(|(shown, allowed)| allowed == MASK && shown != MASK)
}
