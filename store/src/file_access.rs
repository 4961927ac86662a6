//! Explains why a file or a folder cannot be used, with its owner and the user of this process.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// The endings of files that SQLite keeps next to a database.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Checks that a database file, and the files that SQLite keeps next to it, can be read or written, or
/// created if missing.
///
/// # Errors
/// The reason, with the path, its owner and mode, and the user of this process.
pub fn check(file: &Path, is_written: bool) -> io::Result<()> {
    let found = match file.metadata() {
        Ok(found) if found.is_dir() => return Err(explained(file, ErrorKind::IsADirectory.into())),
        Ok(found) if !found.is_file() => {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is not a regular file"));
        }
        Ok(_) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => return Err(explained(file, error)),
    };
    let beside = BESIDE.map(|ending| {
        let mut name = file.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    });
    if found {
        for file in beside.iter().filter(|file| file.exists()).map(PathBuf::as_path).chain([file]) {
            may(file, is_written).map_err(|error| explained(file, error))?;
        }
    }
    let folder = folder(file);
    if is_written && folder.is_dir() {
        may(folder, true).map_err(|error| explained(folder, error))?;
    }
    Ok(())
}

/// Checks whether a file may be read, or read and written, without opening it: closing it would release all
/// locks that this process has on it.
#[cfg(unix)]
fn may(path: &Path, is_written: bool) -> io::Result<()> {
    use rustix::fs::{Access, AtFlags, CWD, accessat};
    let access = if is_written { Access::READ_OK | Access::WRITE_OK } else { Access::READ_OK };
    Ok(accessat(CWD, path, access, AtFlags::EACCESS)?)
}

#[cfg(not(unix))]
fn may(_: &Path, _: bool) -> io::Result<()> {
    Ok(())
}

/// Opens a file to read it.
///
/// # Errors
/// As [`explained`], including for a folder.
pub fn open(file: &Path) -> io::Result<File> {
    let opened = File::open(file).and_then(|opened| match opened.metadata()?.is_dir() {
        true => Err(ErrorKind::IsADirectory.into()),
        false => Ok(opened),
    });
    opened.map_err(|error| explained(file, error))
}

/// Rewords a file system error. The text names the obstacle, and for missing permissions, the owner, the
/// mode, and the user of this process.
#[must_use]
pub fn explained(path: &Path, error: io::Error) -> io::Error {
    if error.get_ref().is_some() {
        return error;
    }
    // Without a trailing slash.
    let path: &Path = &path.components().collect::<PathBuf>();
    let kind = error.kind();
    let why = if kind == ErrorKind::PermissionDenied {
        format!("permission denied: {}", seen(path))
    } else if kind == ErrorKind::ReadOnlyFilesystem {
        format!("its file system is read-only: {}", seen(path))
    } else if kind == ErrorKind::IsADirectory {
        "it is a folder, but must be a file".to_owned()
    } else if kind == ErrorKind::NotFound {
        "there is no such file or folder".to_owned()
    } else if matches!(kind, ErrorKind::NotADirectory | ErrorKind::AlreadyExists) {
        format!("{} is a file, but must be a folder", nearest(path).0.display())
    } else {
        error.to_string().split(" (os error").next().unwrap_or_default().to_owned()
    };
    io::Error::new(kind, why)
}

/// Returns the owner of a file or folder, its mode, and the user of this process.
#[must_use]
pub fn seen(path: &Path) -> String {
    let (seen, found) = nearest(path);
    format!("{} {}", seen.display(), found.as_ref().map_or_else(|_| "cannot be seen".to_owned(), described))
}

/// Returns the nearest visible ancestor. Anything below it is missing, or hidden from this process.
fn nearest(path: &Path) -> (&Path, io::Result<fs::Metadata>) {
    let paths = path.ancestors().map(|path| if path == Path::new("") { Path::new(".") } else { path });
    let seen = paths.map(|path| (path, path.metadata())).find(|(_, found)| found.is_ok());
    seen.unwrap_or_else(|| (path, path.metadata()))
}

fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(unix)]
fn described(found: &fs::Metadata) -> String {
    use std::os::unix::fs::MetadataExt as _;
    let us = rustix::process::geteuid().as_raw();
    let mode = found.mode() & 0o7777;
    format!("belongs to {}, mode {mode:o}, and this process runs as {}", user(found.uid()), user(us))
}

#[cfg(not(unix))]
fn described(found: &fs::Metadata) -> String {
    let access = if found.permissions().readonly() { "read-only" } else { "not read-only" };
    format!("is {access}")
}

/// Returns the name of a user with the number.
#[cfg(unix)]
fn user(id: u32) -> String {
    let users = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let name = users.lines().find_map(|line| {
        let mut fields = line.split(':');
        let (name, number) = (fields.next()?, fields.nth(1)?);
        (number.parse() == Ok(id)).then(|| name.to_owned())
    });
    name.map_or_else(|| format!("uid {id}"), |name| format!("{name} (uid {id})"))
}
