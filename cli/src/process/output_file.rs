//! Destinations of commands: standard output, or a file that is replaced once everything is written.

use std::env;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use assam_store::file_access::explained;
use tempfile::NamedTempFile;

use crate::process::output_path::{FilePurpose, OutputPath};

/// A destination for text, tables or pictures.
pub enum Output {
    Stdout(io::Stdout),
    File(NewFile),
    /// Something other than a regular file, such as a pipe or a device.
    Device(File),
}

/// A file being written, next to the one that it replaces at the end.
pub struct NewFile {
    new: NamedTempFile,
    to: OutputPath,
}

/// Returns a file that is removed on drop.
///
/// # Errors
/// File system errors, with the folder.
pub fn temporary() -> io::Result<NamedTempFile> {
    let folder = env::temp_dir();
    let new = NamedTempFile::new().map_err(|error| explained(&folder, error.kind().into()));
    new.map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", folder.display())))
}

impl NewFile {
    /// Begins a file that only its owner may read.
    ///
    /// # Errors
    /// If it must not be written ([`OutputPath::new`]), and file system errors.
    pub fn begin_private(path: &Path, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<Self> {
        Self::begin(OutputPath::new(path, purpose, inputs)?, 0o600)
    }

    fn begin(to: OutputPath, mode: u32) -> io::Result<Self> {
        let mut new = tempfile::Builder::new();
        #[cfg(unix)]
        new.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
        #[cfg(not(unix))]
        let _ = mode;
        let folder = to.path.parent().unwrap_or(Path::new("."));
        let new = new.tempfile_in(folder).map_err(|error| explained(folder, error.kind().into()))?;
        Ok(Self { new, to })
    }

    /// Returns its temporary path.
    pub fn path(&self) -> &Path {
        self.new.path()
    }

    /// Moves it into place atomically. Without this call, the previous contents stay.
    ///
    /// # Errors
    /// If there is something now that must not be replaced, and file system errors.
    pub fn keep(self) -> io::Result<()> {
        self.persist(|new, path| new.persist(path))
    }

    /// Moves it into place if there is nothing yet.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is, and the errors of [`NewFile::keep`].
    pub fn keep_first(self) -> io::Result<()> {
        self.persist(|new, path| new.persist_noclobber(path))
    }

    fn persist(
        mut self,
        persist: impl FnOnce(NamedTempFile, &Path) -> Result<File, tempfile::PersistError>,
    ) -> io::Result<()> {
        self.new.flush()?;
        // Another process may have written to this path: sync that too.
        File::open(self.new.path())?.sync_all()?;
        self.to.check()?;
        let path = &self.to.path;
        // Callers that create a new file handle an existing one themselves.
        let named = |error: io::Error| match error.kind() == ErrorKind::AlreadyExists {
            true => error,
            false => explained(path, error),
        };
        persist(self.new, path).map_err(|error| named(error.error))?;
        path.parent().map_or(Ok(()), |folder| File::open(folder)?.sync_all())
    }
}

impl Output {
    /// Opens a destination. `-` and none mean standard output. `inputs` are the files that the command reads.
    ///
    /// # Errors
    /// If it must not be written ([`OutputPath::new`]), and file system errors.
    pub fn open(path: Option<&Path>, inputs: &[PathBuf]) -> io::Result<Self> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Self::Stdout(io::stdout()));
        };
        let to = OutputPath::new(path, FilePurpose::Output, inputs)?;
        let found = to.path.metadata().ok();
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            let opened = File::options().write(true).open(&to.path);
            return opened.map(Self::Device).map_err(|error| explained(&to.path, error));
        }
        #[cfg(unix)]
        let mode = {
            use std::os::unix::fs::PermissionsExt as _;
            // The mode of any new file, or of the replaced one.
            found.map_or(0o666, |found| found.permissions().mode()) & 0o777
        };
        #[cfg(not(unix))]
        let mode = 0o666;
        NewFile::begin(to, mode).map(Self::File)
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// The errors of [`Output::open`].
    pub fn write_file(path: &Path, contents: &[u8], inputs: &[PathBuf]) -> io::Result<()> {
        let written = || {
            let mut out = Self::open(Some(path), inputs)?;
            out.write_all(contents)?;
            out.keep()
        };
        let name = path.file_name().unwrap_or_default().display();
        written().map_err(|error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}")))
    }

    /// Keeps what was written. Without this call, the previous contents stay.
    ///
    /// # Errors
    /// File system errors.
    pub fn keep(mut self) -> io::Result<()> {
        self.flush()?;
        match self {
            Self::Stdout(_) | Self::Device(_) => Ok(()),
            Self::File(new) => new.keep(),
        }
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.new.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.new.flush()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Stdout(out) => out.write(bytes),
            Self::File(new) => new.write(bytes),
            Self::Device(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(new) => new.flush(),
            Self::Device(out) => out.flush(),
        }
    }
}
