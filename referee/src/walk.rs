//! Replays a log once: every word in full and as one viewer may read it, and the table that the viewer may
//! see.

use std::borrow::Cow;
use std::fmt;

use assam_notation::{Opening, Word, line_starts, mask_word};
use assam_rules::{Turn, Viewer};

use crate::table_of::TableOf;
use crate::{AnyWord, Play as _, Refusal, Shown, Table};

/// A replay for one viewer.
pub struct Walk<'a, 'w> {
    /// The viewer. Once the game is over, and in a game that hides nothing, it is [`Viewer::Arbiter`].
    pub viewer: Viewer,
    /// The ply of the last written decision of a seat on turn, 0 before the first. Earlier plies show current
    /// knowledge, so only the word of this ply hides what the next decision opens.
    pub decided: u32,
    /// The last ply to play.
    pub last: u32,
    /// The words in canonical form, oldest first.
    pub words: &'w mut dyn Iterator<Item = &'a str>,
    /// Receives every word once it is played, and the game as the viewer may see it then.
    pub each: &'w mut dyn FnMut(Walked<'a>, &dyn Table),
}

/// A word of a replay.
pub struct Walked<'a> {
    /// The ply.
    pub ply: u32,
    /// The turn in which it was written.
    pub turn: Turn,
    /// The full word.
    pub word: AnyWord<'a>,
    /// The word as the viewer may read it.
    pub told: Cow<'a, str>,
    /// Whether it begins a new line in the file form.
    pub begins_line: bool,
}

/// A log that the rules refuse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The ply of the refused word.
    pub ply: u32,
    /// The reason.
    pub refusal: Refusal,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ply {}: {}", self.ply, self.refusal)
    }
}

impl std::error::Error for Broken {}

/// Replays a log from an opening and returns the game after its words, as the viewer may see it.
///
/// # Errors
/// The first refused word.
pub(crate) fn walk<'a, G: Shown>(
    opening: &Opening<G>,
    Walk { viewer, decided, last, words, each }: Walk<'a, '_>,
) -> Result<Box<dyn Table>, Broken> {
    let mut full = TableOf::new(opening.replay());
    let is_blind = G::HAS_SECRETS && viewer != Viewer::Arbiter;
    let mut seen = is_blind.then(|| TableOf::new(opening.masked(viewer, decided > 0).replay()));
    let start = opening.replay();
    let mut begins_line = line_starts(start.position());
    for text in words {
        let ply = full.next_ply();
        if ply > last {
            break;
        }
        let broken = |refusal| Broken { ply, refusal };
        let turn = full.turn();
        let word = Word::<G>::read(text).map_err(Refusal::syntax).map_err(broken)?;
        let any = AnyWord::of(full.position(), &word, text);
        let told = match &mut seen {
            None => Cow::Borrowed(text),
            Some(seen) => {
                let masked = mask_word(full.position(), &word, viewer, ply == decided);
                seen.play(&masked).map_err(broken)?;
                if masked == word { Cow::Borrowed(text) } else { Cow::Owned(masked.text()) }
            }
        };
        full.play(&word).map_err(broken)?;
        let walked = Walked { ply, turn, word: any, told, begins_line: begins_line(&word) };
        each(walked, seen.as_ref().unwrap_or(&full));
    }
    Ok(Box::new(seen.unwrap_or(full)))
}
