//! Records from files, folders and the standard input, one after another in constant memory.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use assam_notation::{Piece, Splitter};
use walkdir::WalkDir;

/// The name of the standard input on the command line.
const STDIN: &str = "-";

/// What records are read from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A file.
    File(PathBuf),
    /// The standard input.
    Stdin,
}

impl Source {
    /// The sources that a path on the command line stands for: a file itself, `-` the standard input, a folder every
    /// `*.mkn` file in it and below, in alphabetical order.
    ///
    /// # Errors
    /// A folder that cannot be read, or has no such file.
    pub fn all(path: &Path) -> io::Result<Vec<Self>> {
        if path == Path::new(STDIN) || !path.is_dir() {
            return Ok(vec![Self::one(path)]);
        }
        let mut files = Vec::new();
        for entry in WalkDir::new(path).follow_links(true).sort_by_file_name() {
            let entry = entry?;
            if entry.file_type().is_file() && entry.path().extension().is_some_and(|ending| ending == "mkn") {
                files.push(Self::File(entry.into_path()));
            }
        }
        if files.is_empty() {
            return Err(io::Error::new(io::ErrorKind::NotFound, "no *.mkn file in this folder"));
        }
        Ok(files)
    }

    /// The source that a path on the command line stands for where folders are not wanted.
    pub fn one(path: &Path) -> Self {
        if path == Path::new(STDIN) { Self::Stdin } else { Self::File(path.to_owned()) }
    }

    /// The name for people.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "<stdin>".to_owned(),
        }
    }

    /// Length in bytes, where it is known before reading.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::File(path) => path.metadata().ok().filter(|data| data.is_file()).map(|data| data.len()),
            Self::Stdin => None,
        }
    }

    /// Opens it.
    ///
    /// # Errors
    /// Of the file system.
    pub fn open(&self) -> io::Result<Box<dyn Read>> {
        Ok(match self {
            Self::File(path) => Box::new(File::open(path)?),
            Self::Stdin => Box::new(io::stdin()),
        })
    }
}

/// Gives every record of `input` to `each`, in order; an input without any counts as one empty record.
///
/// # Errors
/// Of reading, and of `each`.
pub fn for_each_record<E: From<io::Error>>(
    mut input: impl Read,
    mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let mut splitter = Splitter::new();
    let mut buffer = vec![0; 64 * 1024];
    let mut is_empty = true;
    let mut each = |piece: Option<Piece<'_>>| match piece {
        Some(piece) => {
            is_empty = false;
            each(piece)
        }
        None if is_empty => each(Piece { line: 1, bytes: b"" }),
        None => Ok(()),
    };
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => splitter.feed(&buffer[..read], |piece| each(Some(piece)))?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    splitter.finish(|piece| each(Some(piece)))?;
    each(None)
}
