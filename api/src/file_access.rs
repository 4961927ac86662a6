//! Why a file or a folder cannot be used: whose it is, and who we are.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What SQLite keeps next to a file.
const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Checks that a database file can be read, or written, or made where it is missing, with what SQLite keeps next to it.
///
/// # Errors
/// Why not, with the path, its owner and mode, and who we are.
pub fn check(file: &Path, is_written: bool) -> io::Result<()> {
    let found = match file.metadata() {
        Ok(found) if found.is_dir() => {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder, and must be a file"));
        }
        Ok(found) if !found.is_file() => {
            return Err(io::Error::new(ErrorKind::InvalidInput, "it is no regular file"));
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

/// Asks whether something may be read, or read and written. It is not opened: closing it would let go of all locks that this process has on it.
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

/// Adds to an error of the file system, where rights are missing, which file or folder is in the way, its owner and mode, and who we are.
#[must_use]
pub fn explained(path: &Path, error: io::Error) -> io::Error {
    let why = if error.kind() == ErrorKind::PermissionDenied {
        "permission denied"
    } else if error.kind() == ErrorKind::ReadOnlyFilesystem {
        "its file system is read-only"
    } else {
        return error;
    };
    // The nearest that can be seen: what is below it is hidden from us.
    let Some((seen, found)) = path
        .ancestors()
        .map(|path| if path == Path::new("") { Path::new(".") } else { path })
        .find_map(|path| Some((path, path.metadata().ok()?)))
    else {
        return error;
    };
    io::Error::new(error.kind(), format!("{why}: {} {}", seen.display(), described(&found)))
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
