//! Follows a record in a file, which may grow, be corrected, be replaced, and disappear and come back.
//!
//! Changes are detected by polling the file's metadata five times a second. Notifications of the system would
//! still need that: network file systems send none, and a replaced file needs a watch on its folder.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::pin::pin;
use std::time::Duration;

use assam_notation::Piece;
use futures_util::future::{Either, select};
use jiff::Timestamp;
use tokio::signal::ctrl_c;
use tokio::time::{MissedTickBehavior, interval};

use super::followed::{Followed, SoFar, complete};
use crate::process::input::Source;
use crate::process::output::say_failed;
use crate::records::numbered_record::{NotFound, find};
use crate::records::show::screen::NotShown;

/// The interval between looks at a file.
const EVERY: Duration = Duration::from_millis(200);
/// How often it is read again after a change. File systems may store times in steps of two seconds, so the
/// next change can look like this one.
const AGAIN: u32 = 12;

/// Metadata that tells whether a file has changed.
#[derive(PartialEq, Eq)]
struct Stamp {
    length: u64,
    modified: Option<Timestamp>,
    /// The identity of the file, if it is a number.
    file: Option<(u64, u64)>,
}

/// A file that is being followed.
struct FollowedFile<'a> {
    source: &'a Source,
    followed: Followed<'a>,
    stamp: Option<Stamp>,
    /// How often it is still read, although it looks unchanged.
    again: u32,
    /// Why it cannot be read now.
    unreadable: Option<String>,
}

/// Shows each position until the end marker, and returns whether the record is good.
pub(super) fn follow(source: &Source, followed: Followed<'_>) -> Result<bool, NotShown> {
    // A file that does not exist at the start is more likely a mistake, so it is not awaited.
    source.open()?;
    let mut watched = FollowedFile { source, followed, stamp: None, again: AGAIN, unreadable: None };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut interrupted = pin!(ctrl_c());
        let mut ticks = interval(EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            // Writes a position to its end before it handles Ctrl-C.
            match select(pin!(ticks.tick()), &mut interrupted).await {
                Either::Left(_) => {}
                Either::Right(_) => return Err(NotShown::Interrupted),
            }
            if let SoFar::Good = watched.look()? {
                return Ok(true);
            }
        }
    })
}

impl FollowedFile<'_> {
    /// Shows the changes.
    fn look(&mut self) -> Result<SoFar, NotShown> {
        let stamp = match self.source {
            Source::File(path) => Stamp::new(path),
            Source::Stdin => None,
        };
        if stamp != self.stamp {
            (self.stamp, self.again) = (stamp, AGAIN);
        }
        if self.again == 0 {
            return Ok(SoFar::Unfinished);
        }
        self.again -= 1;
        match find(self.source, self.followed.number) {
            Ok(found) => {
                self.unreadable = None;
                let bytes = if found.has_next { &found.bytes } else { complete(&found.bytes) };
                self.followed.show(Piece { line: found.line, column: found.column, bytes }, found.has_next)
            }
            Err(NotFound::Unreadable(error)) => {
                self.awaits(&error);
                Ok(SoFar::Unfinished)
            }
            // The record has not begun yet.
            Err(NotFound::Beyond { .. }) => Ok(SoFar::Unfinished),
        }
    }

    /// Reports once why the file cannot be read now.
    fn awaits(&mut self, error: &io::Error) {
        let why = error.to_string();
        if self.unreadable.as_ref() != Some(&why) {
            say_failed(&format!("{}: {why}, waiting for it", self.source.name()));
            self.unreadable = Some(why);
        }
    }
}

impl Stamp {
    /// Returns the metadata of a file, or none if it does not exist.
    fn new(path: &Path) -> Option<Self> {
        let data = path.metadata().ok()?;
        let modified = data.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
        Some(Self { length: data.len(), modified, file: number_of(&data) })
    }
}

#[cfg(unix)]
fn number_of(data: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn number_of(_: &Metadata) -> Option<(u64, u64)> {
    None
}
