//! The destination of converted records: standard output, or a file that is replaced once everything is written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A destination.
pub enum Output {
    /// Standard output.
    Stdout(io::Stdout),
    /// A new file that replaces the old one at the end, so that a source is never lost, even under another name.
    File {
        /// The new file.
        new: NamedTempFile,
        /// The path that it gets at the end.
        path: PathBuf,
    },
    /// Something that is not a regular file, such as a pipe or a device.
    Device(std::fs::File),
}

impl Output {
    /// Opens a destination; `-` is standard output.
    ///
    /// # Errors
    /// Of the file system.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout(io::stdout()));
        };
        // A link stays a link to the replaced file.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return std::fs::File::options().write(true).open(&path).map(Self::Device);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // That a folder is missing is said of it, and not of a file in it that nobody has named.
        folder.metadata()?;
        let mut new = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // The mode of any new file, or of the file that is replaced.
            let mode = path.metadata().map_or(0o666, |data| data.permissions().mode());
            new.permissions(std::fs::Permissions::from_mode(mode & 0o777));
        }
        let new = new.tempfile_in(folder).map_err(|error| io::Error::from(error.kind()))?;
        Ok(Self::File { new, path })
    }

    /// Keeps what was written. Without this call, the previous contents stay.
    ///
    /// # Errors
    /// Of the file system.
    pub fn keep(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::Stdout(_) | Self::Device(_) => Ok(()),
            Self::File { new, path } => new.persist(path).map(|_| ()).map_err(|error| error.error),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File { new, .. } => new.write(bytes),
            Self::Device(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File { new, .. } => new.flush(),
            Self::Device(out) => out.flush(),
        }
    }
}
