//! Reads records from files, folders and standard input, one by one in constant memory.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::thread;

use assam_notation::{Piece, Splitter};
use assam_store::file_access::{explained, open};
use walkdir::{DirEntry, WalkDir};

/// The name of standard input on the command line.
const STDIN: &str = "-";

/// A source of records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    File(PathBuf),
    Stdin,
}

impl Source {
    /// Returns the sources that a path on the command line means. A file means itself, and `-` standard
    /// input. A folder means every `*.mkn` file in and below it that is not hidden, in alphabetical order.
    /// Anything in a folder that cannot be read is among them by name, and so is a folder without such a
    /// file.
    pub fn all(path: &Path) -> Vec<Result<Self, Unreadable>> {
        if path == Path::new(STDIN) || !path.is_dir() {
            return vec![Ok(Self::one(path))];
        }
        let entries = WalkDir::new(path).follow_links(true).sort_by_file_name().into_iter();
        let found: Vec<Result<Self, Unreadable>> = entries
            .filter_entry(|entry| entry.depth() == 0 || !is_hidden(entry.path()))
            .filter_map(|entry| match entry {
                Ok(entry) if is_record_file(&entry) => Some(Ok(Self::File(entry.into_path()))),
                Ok(_) => None,
                Err(error) if error.path().is_some_and(is_hidden) => None,
                Err(error) => Some(Err(Unreadable::of_entry(path, error))),
            })
            .collect();
        if found.is_empty() {
            let error = io::Error::new(io::ErrorKind::NotFound, "no *.mkn file in this folder");
            return vec![Err(Unreadable { name: printable(path), error })];
        }
        found
    }

    /// Returns the sources of several paths, as [`Source::all`] does, and passes unreadable ones to
    /// `unreadable`.
    ///
    /// # Errors
    /// The errors of `unreadable`.
    pub fn of_all<E>(
        paths: &[PathBuf],
        mut unreadable: impl FnMut(&str, &io::Error) -> Result<(), E>,
    ) -> Result<Vec<Self>, E> {
        let mut sources = Vec::new();
        for found in paths.iter().flat_map(|path| Self::all(path)) {
            match found {
                Ok(source) => sources.push(source),
                Err(Unreadable { name, error }) => unreadable(&name, &error)?,
            }
        }
        Ok(sources)
    }

    /// Returns the source that a path means if folders are not accepted.
    pub fn one(path: &Path) -> Self {
        if path == Path::new(STDIN) { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// Returns the paths of sources. `-` is standard input.
    pub fn paths(sources: &[Self]) -> Vec<PathBuf> {
        let path = |source: &Self| match source {
            Self::File(path) => path.clone(),
            Self::Stdin => PathBuf::from(STDIN),
        };
        sources.iter().map(path).collect()
    }

    /// Returns the name for people.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => printable(path),
            Self::Stdin => "<stdin>".to_owned(),
        }
    }

    /// Returns the length in bytes, if it is known before reading.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::File(path) => path.metadata().ok().filter(|data| data.is_file()).map(|data| data.len()),
            Self::Stdin => None,
        }
    }

    /// Opens the source.
    ///
    /// # Errors
    /// File system errors.
    pub fn open(&self) -> io::Result<Box<dyn Read + Send>> {
        Ok(match self {
            Self::File(path) => Box::new(open(path)?),
            Self::Stdin => Box::new(io::stdin()),
        })
    }
}

/// Bytes that are read at a time.
const CHUNK: usize = 64 * 1024;
/// Chunks that may be read ahead.
const AHEAD: usize = 4;

impl Source {
    /// Passes every record of `input`, which is this source, to `each`, in order. Calls `each` with none
    /// while nothing more arrives, for example from a slow pipe or a keyboard.
    ///
    /// # Errors
    /// Read errors, and the errors of `each`.
    pub fn each_record<E: From<io::Error>>(
        &self,
        input: impl Read + Send + 'static,
        mut each: impl FnMut(Option<Piece<'_>>) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Self::File(_) = self {
            return for_each_record(input, |piece| each(Some(piece)));
        }
        let mut records = Records::default();
        let chunks = read_ahead(input);
        loop {
            let chunk = match chunks.try_recv() {
                Err(TryRecvError::Empty) => {
                    each(None)?;
                    chunks.recv().ok()
                }
                outcome => outcome.ok(),
            };
            let Some(chunk) = chunk else { break };
            records.feed(&chunk?, |piece| each(Some(piece)))?;
        }
        records.finish(|piece| each(Some(piece)))
    }
}

/// Something on the command line that cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    /// Its name for people.
    pub name: String,
    /// The reason.
    pub error: io::Error,
}

impl Unreadable {
    fn of_entry(folder: &Path, error: walkdir::Error) -> Self {
        let (path, why) = (error.path().unwrap_or(folder).to_owned(), error.to_string());
        let error =
            error.into_io_error().map_or_else(|| io::Error::other(why), |error| explained(&path, error));
        Self { name: printable(&path), error }
    }
}

/// Returns whether this is a hidden file, such as editors and file systems leave next to others.
fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
}

/// Returns whether this is a file of records.
fn is_record_file(entry: &DirEntry) -> bool {
    let ending = entry.path().extension();
    entry.file_type().is_file() && ending.is_some_and(|ending| ending.eq_ignore_ascii_case("mkn"))
}

/// Returns the name of a file for people, with terminal controls escaped.
pub fn printable(path: &Path) -> String {
    escaped(&path.display().to_string())
}

/// Returns whether a character is invisible and can reorder or hide its neighbours.
pub const fn is_steering(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}

/// Returns a text with terminal controls and direction controls escaped.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for character in text.chars() {
        if character.is_control() || is_steering(character) {
            escaped.extend(character.escape_default());
        } else {
            escaped.push(character);
        }
    }
    escaped
}

/// Passes every record of `input` to `each`, in order. An input without records counts as one empty record.
///
/// # Errors
/// Read errors, and the errors of `each`.
pub fn for_each_record<E: From<io::Error>>(
    mut input: impl Read,
    mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut records = Records::default();
    let mut buffer = vec![0; CHUNK];
    while let count @ 1.. = read(&mut input, &mut buffer)? {
        records.feed(&buffer[..count], &mut each)?;
    }
    records.finish(each)
}

/// Splits an input into records.
#[derive(Default)]
struct Records {
    splitter: Splitter,
    /// Whether there was a record.
    any: bool,
}

impl Records {
    fn feed<E>(&mut self, bytes: &[u8], mut each: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let Self { splitter, any } = self;
        splitter.feed(bytes, |piece| {
            *any = true;
            each(piece)
        })
    }

    fn finish<E>(self, mut each: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let Self { splitter, mut any } = self;
        splitter.finish(|piece| {
            any = true;
            each(piece)
        })?;
        if any { Ok(()) } else { each(Piece { line: 1, column: 1, bytes: b"" }) }
    }
}

/// Reads some bytes, or 0 at the end.
fn read(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match input.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
}

/// Reads on another thread, as far ahead as chunks may wait.
fn read_ahead(mut input: impl Read + Send + 'static) -> Receiver<io::Result<Vec<u8>>> {
    let (sender, chunks) = sync_channel(AHEAD);
    thread::spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK];
            let outcome = read(&mut input, &mut chunk);
            let is_last = !matches!(outcome, Ok(1..));
            if matches!(outcome, Ok(0)) {
                return;
            }
            let sent = sender.send(outcome.map(|count| {
                chunk.truncate(count);
                chunk
            }));
            if is_last || sent.is_err() {
                return;
            }
        }
    });
    chunks
}
