//! Where converted records go: the standard output, or a file that is replaced when all is written.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// What is written to.
pub enum Output {
    /// The standard output.
    Stdout(io::Stdout),
    /// A file beside the one that it becomes in the end, so that a source is never lost, whatever its other names.
    File {
        /// What is written.
        new: NamedTempFile,
        /// What it becomes.
        path: PathBuf,
    },
    /// Something that is no file, such as a pipe or a device.
    Device(std::fs::File),
}

impl Output {
    /// Opens it.
    ///
    /// # Errors
    /// Of the file system.
    pub fn open(path: Option<&Path>) -> io::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout(io::stdout())) };
        // A link stays a link to what is replaced.
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|data| !data.is_file()) {
            return std::fs::File::options().write(true).open(&path).map(Self::Device);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut new = tempfile::Builder::new();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any new file, or as the one that is replaced.
            let mode = path.metadata().map_or(0o666, |data| data.permissions().mode());
            new.permissions(std::fs::Permissions::from_mode(mode & 0o777));
        }
        Ok(Self::File { new: new.tempfile_in(folder)?, path })
    }

    /// What was written stays; without this, what was there before does.
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
