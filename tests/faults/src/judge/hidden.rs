//! Checks that viewers see no card that the rules hide from them, and miss none that they may see, under any
//! fault.

use std::iter;

use assam_referee::{Ruleset, Setup};
use assam_rules::{Seat, Turn, Viewer};

use super::{Finding, Wrong};
use crate::history::{Answer, Asked, GameHistory, Last, Said};
use crate::judge::masks::MASK;

/// The words of a running game as one viewer may read them, from ply 0 or 1 on.
struct Readable {
    /// Each word after the next ply is written.
    later: Vec<String>,
    /// Each word while it is the newest.
    newest: Vec<String>,
}

/// The readable words of a game for each viewer, and when they are readable.
struct Secrets {
    spectator: Readable,
    seats: Vec<Readable>,
    /// The ply of the first of these words.
    first: u32,
    /// The last ply of a finished game, and when it was first requested.
    over: Option<(u32, u64)>,
}

/// Words shown to a client.
struct ShownWords<'a> {
    /// The seat of the viewer.
    viewer: Option<usize>,
    /// The ply of the head shown with them.
    head: u32,
    /// The ply of the first of them.
    first: u32,
    words: &'a [String],
    drawn: Option<&'a String>,
}

/// Judges the words shown of a game against its final words `whole`, as far as clients saw them.
pub(super) fn judge(game: &GameHistory, whole: &Last) -> Vec<Finding> {
    let secrets = Secrets::of(game, whole);
    if secrets.is_none() && created(game).is_none_or(|(ruleset, _)| ruleset.info().has_secrets) {
        return Vec::new();
    }
    let mut findings = Vec::new();
    let mut judge = |who: String, shown: &ShownWords<'_>| {
        let differs = secrets.as_ref().map_or_else(|| shown.masked(), |secrets| secrets.differs(shown));
        if let Some((wrong, what)) = differs {
            findings.push(Finding {
                wrong,
                game: game.game.clone(),
                detail: format!("{who} was shown {what}"),
            });
        }
    };
    for attempt in &game.attempts {
        let Answer::Done { ply: head, words, drawn, .. } = &attempt.answer else { continue };
        let first = match attempt.asked {
            Asked::Append { ply, .. } => ply,
            Asked::Log => 1,
            Asked::Create { .. } | Asked::Sit { .. } | Asked::Game | Asked::State { .. } => continue,
        };
        let (viewer, head, drawn) = (attempt.viewer, *head, drawn.as_ref());
        let who = format!("client {} at {} us as seat {viewer:?}", attempt.client, attempt.start);
        judge(who, &ShownWords { viewer, head, first, words, drawn });
    }
    for told in &game.told {
        let first = if told.said == Said::Word { told.ply } else { 1 };
        // Streams show words before the last one as they were readable when written, unless the game is over.
        let over = secrets.as_ref().and_then(|secrets| secrets.over);
        let may_be_either = |(over, asked)| told.ply < over && asked < told.end;
        if told.said == Said::Word && over.is_some_and(may_be_either) {
            continue;
        }
        let (viewer, head, words, drawn) = (None, told.ply, told.words.as_slice(), told.drawn.as_ref());
        let who = format!("the stream of client {} at {} us", told.client, told.end);
        judge(who, &ShownWords { viewer, head, first, words, drawn });
    }
    findings
}

/// Returns the rule set of a game and its number of seats.
fn created(game: &GameHistory) -> Option<(Ruleset, u8)> {
    game.attempts.iter().find_map(|attempt| match &attempt.asked {
        Asked::Create { ruleset, seats, .. } => Some((Ruleset::named(ruleset)?, seats.len() as u8)),
        Asked::Sit { .. } | Asked::Append { .. } | Asked::Game | Asked::Log | Asked::State { .. } => None,
    })
}

impl ShownWords<'_> {
    /// Returns the first partly hidden word.
    fn masked(&self) -> Option<(Wrong, String)> {
        let word = self.drawn.into_iter().chain(self.words).find(|word| word.contains(MASK))?;
        Some((Wrong::Changed, format!("{word} with a head of ply {}, where nothing is hidden", self.head)))
    }
}

impl Secrets {
    /// Returns the secrets of a game under the rules. Returns `None` for games without secrets and for words
    /// that the rules refuse, which other judges find.
    fn of(game: &GameHistory, whole: &Last) -> Option<Self> {
        let (ruleset, seats) = created(game)?;
        let setup = Setup::new(ruleset, seats, &[]).ok().filter(|_| ruleset.info().has_secrets)?;
        let words = || whole.drawn.iter().chain(&whole.words);
        let readable = |viewer| Readable::by(&setup, viewer, words());
        let mut table = setup.table();
        words().try_for_each(|word| table.replay(word)).ok()?;
        let is_over = matches!(table.turn(), Turn::Over | Turn::Aborted);
        let asked = game.attempts.iter().filter(|attempt| match attempt.asked {
            Asked::Append { ply, .. } => ply == table.ply(),
            Asked::Create { .. } | Asked::Sit { .. } | Asked::Game | Asked::Log | Asked::State { .. } => {
                false
            }
        });
        let asked = asked.map(|attempt| attempt.start).min().filter(|_| is_over);
        Some(Self {
            spectator: readable(Viewer::Spectator)?,
            seats: Seat::all(seats).map(|seat| readable(Viewer::Seat(seat))).collect::<Option<_>>()?,
            first: u32::from(whole.drawn.is_none()),
            over: asked.map(|asked| (table.ply(), asked)),
        })
    }

    /// Returns the first word that shows more or less than the rules allow at that head, and the fault.
    fn differs(&self, shown: &ShownWords<'_>) -> Option<(Wrong, String)> {
        if self.over.is_some_and(|(over, _)| shown.head >= over) {
            return shown.masked();
        }
        let readable = match shown.viewer {
            Some(seat) => self.seats.get(seat.checked_sub(1)?)?,
            None => &self.spectator,
        };
        let words = iter::once(0).zip(shown.drawn).chain((shown.first..).zip(shown.words));
        words.into_iter().find_map(|(ply, word)| {
            let form = if ply < shown.head { &readable.later } else { &readable.newest };
            let allowed = form.get(ply.checked_sub(self.first)? as usize)?;
            // A different word is a different fault.
            let is_same = word.len() == allowed.len();
            let is = |wrong: fn(char, char) -> bool| {
                is_same && word.chars().zip(allowed.chars()).any(|(shown, allowed)| wrong(shown, allowed))
            };
            let what = format!("{word} at ply {ply}, and may read {allowed}");
            if is(|shown, allowed| allowed == MASK && shown != MASK) {
                return Some((Wrong::Leaked, what));
            }
            is(|shown, allowed| shown == MASK && allowed != MASK).then_some((Wrong::Changed, what))
        })
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
