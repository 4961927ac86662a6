//! Protects files that no command may overwrite: its own input, and anything that belongs to a database.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf, is_separator};

use assam_api::backup::may_become_backup;
use assam_store::file_access::explained;

/// The path of a file to write, with links followed.
#[derive(Clone, Debug)]
pub struct OutputPath {
    /// The path of the file.
    pub path: PathBuf,
    purpose: FilePurpose,
    inputs: Vec<PathBuf>,
}

/// The purpose of a written file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FilePurpose {
    /// Output other than a database or the keys of a service.
    Output,
    /// A backup, which may replace an earlier one.
    Backup,
    /// The keys of a service.
    Keys,
    Database,
}

/// The endings of file names that belong to a database.
const BELONGINGS: [&str; 4] = ["-wal", "-shm", "-journal", ".keys"];
/// Links that are followed.
const LINKS: usize = 40;

/// The content of a file, by its first bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum FileContent {
    Database,
    Belonging,
    Keys,
    Other,
}

impl OutputPath {
    /// Returns a path to write. `inputs` are read by the same command, and `-` is standard input.
    ///
    /// # Errors
    /// If it must not be written, or cannot be.
    pub fn new(path: &Path, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<Self> {
        let found = Self { path: resolved(path)?, purpose, inputs: inputs.to_vec() };
        found.check()?;
        Ok(found)
    }

    /// Checks that the file may be written.
    ///
    /// # Errors
    /// If it must not be written.
    pub fn check(&self) -> io::Result<()> {
        if self.purpose == FilePurpose::Backup && !may_become_backup(&self.path) {
            return Err(refused("it is not an earlier backup, or is used as a database"));
        }
        let found = match self.path.metadata() {
            Ok(found) => Some(found),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(explained(&self.path, error)),
        };
        if let Some(found) = &found
            && self.inputs.iter().any(|input| is_same(input, found, &self.path))
        {
            return Err(refused("this command reads it"));
        }
        if let Some(database) = owner(&self.path, self.purpose) {
            return Err(refused(&format!("it belongs to the database {}", database.display())));
        }
        if !found.is_some_and(|found| found.is_file()) {
            return Ok(());
        }
        let is_database = is_database(&self.path)?;
        match (content(&self.path)?, self.purpose) {
            (FileContent::Belonging, _) => Err(refused("it belongs to a database")),
            (FileContent::Keys, FilePurpose::Output | FilePurpose::Backup | FilePurpose::Database) => {
                Err(refused("it contains signing keys"))
            }
            (_, FilePurpose::Database | FilePurpose::Backup) => Ok(()),
            (_, FilePurpose::Output | FilePurpose::Keys) if is_database => Err(refused("it is a database")),
            (_, FilePurpose::Output | FilePurpose::Keys) => Ok(()),
        }
    }
}

fn refused(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, format!("{why}, so it is left alone: name another file"))
}

/// Returns a path in an existing folder, with all links followed, including one to a missing file.
fn resolved(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { break };
        path = folder(&path).join(target);
    }
    let text = path.to_string_lossy();
    let is_folder = text.strip_suffix('.').unwrap_or(&text).ends_with(is_separator);
    let name = path.file_name().filter(|_| !is_folder);
    let name = name.ok_or_else(|| explained(&path, ErrorKind::IsADirectory.into()))?;
    let folder = folder(&path);
    match folder.canonicalize() {
        Ok(folder) => Ok(folder.join(name)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(io::Error::new(error.kind(), format!("there is no folder {}", folder.display())))
        }
        Err(error) => Err(explained(folder, error)),
    }
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether an input is the same file, under any name.
fn is_same(input: &Path, found: &Metadata, path: &Path) -> bool {
    let input = if input == Path::new("-") { Path::new("/dev/stdin") } else { input };
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let _ = path;
        input.metadata().is_ok_and(|input| (input.dev(), input.ino()) == (found.dev(), found.ino()))
    }
    #[cfg(not(unix))]
    {
        let _ = found;
        input.canonicalize().ok() == path.canonicalize().ok()
    }
}

/// Returns the database to which a file belongs by its name. Keys belong next to theirs.
fn owner(path: &Path, purpose: FilePurpose) -> Option<PathBuf> {
    let name = path.file_name()?.as_encoded_bytes();
    BELONGINGS.iter().find_map(|ending| {
        let stem = name.strip_suffix(ending.as_bytes()).filter(|stem| !stem.is_empty())?;
        let database = path.with_file_name(os(stem)?);
        let is_its_place = purpose == FilePurpose::Keys && *ending == ".keys";
        (!is_its_place && is_database(&database).unwrap_or(false)).then_some(database)
    })
}

#[cfg(unix)]
fn os(bytes: &[u8]) -> Option<&OsStr> {
    Some(std::os::unix::ffi::OsStrExt::from_bytes(bytes))
}

#[cfg(not(unix))]
fn os(bytes: &[u8]) -> Option<&OsStr> {
    std::str::from_utf8(bytes).ok().map(OsStr::new)
}

/// Returns whether a file is an SQLite database, including one whose contents are still in its write-ahead
/// log.
fn is_database(path: &Path) -> io::Result<bool> {
    let has_log = || {
        ["-wal", "-journal"].iter().any(|ending| {
            let mut log = path.as_os_str().to_owned();
            log.push(ending);
            fs::metadata(log).is_ok_and(|log| log.len() > 0)
        })
    };
    Ok(path.is_file() && (content(path)? == FileContent::Database || has_log()))
}

fn content(path: &Path) -> io::Result<FileContent> {
    let mut begin = Vec::new();
    File::open(path).map_err(|error| explained(path, error))?.take(16).read_to_end(&mut begin)?;
    let begins = |with: &[u8]| begin.starts_with(with);
    // The formats of SQLite files (sqlite.org/fileformat2.html, sqlite.org/walformat.html).
    Ok(if begins(b"SQLite format 3\0") {
        FileContent::Database
    } else if begins(&[0x37, 0x7f, 0x06, 0x82])
        || begins(&[0x37, 0x7f, 0x06, 0x83])
        || begins(&[0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
        || begins(&3_007_000_u32.to_ne_bytes())
    {
        FileContent::Belonging
    } else if begins(b"PRIVATE+KEY+") {
        FileContent::Keys
    } else {
        FileContent::Other
    })
}
