//! `assam show --follow`: shows each position of a record as its words are written.

use std::io::{self, Read};
use std::time::Duration;

use assam_notation::{ErrorKind, Piece, Splitter};
use assam_referee::AnyRecord;
use same_file::Handle;
use tokio::time::{Interval, MissedTickBehavior};

use super::screen::{NotShown, Screen, no_such_record};
use crate::plies::Plies;
use crate::records::Source;

/// How often a file is checked. There is no portable way to be notified when a file grows.
const EVERY: Duration = Duration::from_millis(100);

/// A record that grows.
struct Growing<'a> {
    screen: &'a mut Screen,
    /// The number of the record in the source, from 1.
    number: u64,
    /// How many records of the source have ended.
    ended: u64,
    splitter: Splitter,
    /// How many words were shown; none before the first position was shown.
    shown: Option<usize>,
}

/// Shows each position until the end marker, and returns whether the record is good.
pub fn run(source: &Source, number: u64, screen: &mut Screen) -> Result<bool, NotShown> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let mut growing = Growing { screen, number, ended: 0, splitter: Splitter::new(), shown: None };
    runtime.block_on(growing.follow(source))
}

impl Growing<'_> {
    async fn follow(&mut self, source: &Source) -> Result<bool, NotShown> {
        let mut input = source.open()?;
        // Anything but a regular file blocks until there is more, and ends when there never will be.
        let mut ticks: Option<Interval> = source.length().map(|_| {
            let mut ticks = tokio::time::interval(EVERY);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            ticks
        });
        let followed = match source {
            Source::File(path) => Some((path, Handle::from_path(path)?)),
            Source::Stdin => None,
        };
        let mut buffer = vec![0; 64 * 1024];
        let mut length = 0;
        loop {
            let read = match input.read(&mut buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            };
            length += read as u64;
            if read > 0 {
                if let Some(verdict) = self.grow(&buffer[..read])? {
                    return Ok(verdict);
                }
                continue;
            }
            let Some(ticks) = &mut ticks else { return self.end() };
            if let Some((path, handle)) = &followed
                && Handle::from_path(path).ok().as_ref() != Some(handle)
            {
                return Err(NotShown::Missing("the file was removed or replaced".to_owned()));
            }
            if source.length().is_some_and(|now| now < length) {
                return Err(NotShown::Missing("the file became shorter".to_owned()));
            }
            ticks.tick().await;
        }
    }

    /// Takes more bytes, and returns whether the record is good once it is over.
    fn grow(&mut self, bytes: &[u8]) -> Result<Option<bool>, NotShown> {
        let mut whole: Option<(u64, Vec<u8>)> = None;
        let (ended, number) = (&mut self.ended, self.number);
        self.splitter.feed(bytes, |piece| {
            *ended += 1;
            if *ended == number {
                whole = Some((piece.line, piece.bytes.to_vec()));
            }
            Ok::<(), NotShown>(())
        })?;
        if let Some((line, bytes)) = whole {
            return self.judge(Piece { line, bytes: &bytes }, true);
        }
        match self.unfinished()? {
            Some((line, bytes)) if self.ended + 1 == self.number => {
                self.judge(Piece { line, bytes: complete(&bytes) }, false)
            }
            Some(_) | None => Ok(None),
        }
    }

    /// Ends the input, and returns whether the record is good.
    fn end(&mut self) -> Result<bool, NotShown> {
        match self.unfinished()? {
            Some((line, bytes)) if self.ended + 1 == self.number => {
                self.judge(Piece { line, bytes: &bytes }, true).map(|verdict| verdict.unwrap_or_default())
            }
            Some(_) => Err(no_such_record(self.number, self.ended + 1)),
            None => Err(no_such_record(self.number, self.ended)),
        }
    }

    /// Returns the last record, as far as it was read.
    fn unfinished(&self) -> Result<Option<(u64, Vec<u8>)>, NotShown> {
        let mut found = None;
        self.splitter.clone().finish(|piece| {
            found = Some((piece.line, piece.bytes.to_vec()));
            Ok::<(), NotShown>(())
        })?;
        Ok(found)
    }

    /// Shows the new positions of the record, and returns whether it is good once it is over.
    fn judge(&mut self, piece: Piece<'_>, is_whole: bool) -> Result<Option<bool>, NotShown> {
        if piece.bytes.is_empty() {
            return Ok(None);
        }
        let record = AnyRecord::read(piece.bytes);
        if let Some(mut plies) = Plies::of(&record)
            && !plies.table().is_start_due()
        {
            let words = record.words.len();
            if self.shown.is_none() {
                self.screen.heading(&record, self.number, false)?;
            }
            // At first, only the last position is shown, as `tail` does.
            let mut next = self.shown.map_or(words, |shown| shown + 1);
            let start = usize::from(plies.moment().word.is_some());
            for word in start..=words {
                if word > start {
                    plies.advance();
                }
                if word == next {
                    self.screen.position(&plies)?;
                    next += 1;
                }
            }
            self.shown = Some(words);
        }
        match &record.verdict {
            Ok(()) => Ok(Some(true)),
            Err(error) if error.kind == ErrorKind::MissingMarker && !is_whole => Ok(None),
            Err(error) => {
                self.screen.refusal(piece, error);
                Ok(Some(false))
            }
        }
    }
}

/// Returns the part of a record that is certainly complete. Before the blank line, that leaves out an unfinished line;
/// after it, an unfinished word, and an end marker with scores whose line has not ended.
fn complete(bytes: &[u8]) -> &[u8] {
    let lines = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let mut whole_lines = bytes[..lines].split_inclusive(|&byte| byte == b'\n');
    let has_body = whole_lines.any(|line| line == b"\n" || line == b"\r\n");
    if !has_body {
        return &bytes[..lines];
    }
    let words = bytes.iter().rposition(u8::is_ascii_whitespace).map_or(0, |end| end + 1);
    match bytes[lines..words].iter().position(|&byte| byte == b'=') {
        Some(marker) => &bytes[..lines + marker],
        None => &bytes[..words],
    }
}
