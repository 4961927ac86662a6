//! Follows a record through a pipe, which can only grow until it ends.

use std::io::{self, Read};

use assam_notation::{Piece, Splitter};

use super::followed::{Followed, SoFar, complete};
use crate::process::input::Source;
use crate::records::numbered_record::NotFound;
use crate::records::show::screen::NotShown;

struct Growing<'a> {
    followed: Followed<'a>,
    /// Records of the source that have ended.
    ended: u64,
    splitter: Splitter,
}

/// Shows each position until the end marker, and returns whether the record is good.
pub(super) fn follow(source: &Source, followed: Followed<'_>) -> Result<bool, NotShown> {
    let mut growing = Growing { followed, ended: 0, splitter: Splitter::new() };
    let mut input = source.open()?;
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer) {
            Ok(0) => return growing.end(),
            Ok(read) => match growing.grow(&buffer[..read])? {
                SoFar::Unfinished => {}
                SoFar::Good => return Ok(true),
                SoFar::Broken => return Ok(false),
            },
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}

impl Growing<'_> {
    /// Takes more bytes.
    fn grow(&mut self, bytes: &[u8]) -> Result<SoFar, NotShown> {
        let mut whole: Option<(u64, u64, Vec<u8>)> = None;
        let (ended, number) = (&mut self.ended, self.followed.number);
        self.splitter.feed(bytes, |piece| {
            *ended += 1;
            if *ended == number {
                whole = Some((piece.line, piece.column, piece.bytes.to_vec()));
            }
            Ok::<(), NotShown>(())
        })?;
        if let Some((line, column, bytes)) = whole {
            return self.followed.show(Piece { line, column, bytes: &bytes }, true);
        }
        match self.unfinished()? {
            Some((line, column, bytes)) if self.ended + 1 == number => {
                self.followed.show(Piece { line, column, bytes: complete(&bytes) }, false)
            }
            Some(_) | None => Ok(SoFar::Unfinished),
        }
    }

    /// Ends the input, and returns whether the record is good.
    fn end(&mut self) -> Result<bool, NotShown> {
        let number = self.followed.number;
        match self.unfinished()? {
            Some((line, column, bytes)) if self.ended + 1 == number => {
                let standing = self.followed.show(Piece { line, column, bytes: &bytes }, true)?;
                Ok(matches!(standing, SoFar::Good))
            }
            Some(_) => Err(NotFound::Beyond { number, count: self.ended + 1 }.into()),
            None => Err(NotFound::Beyond { number, count: self.ended }.into()),
        }
    }

    /// Returns the last record as read so far.
    fn unfinished(&self) -> Result<Option<(u64, u64, Vec<u8>)>, NotShown> {
        let mut found = None;
        self.splitter.clone().finish(|piece| {
            found = Some((piece.line, piece.column, piece.bytes.to_vec()));
            Ok::<(), NotShown>(())
        })?;
        Ok(found)
    }
}
