//! The keys that sign receipts: where they are stored, how they are found, and how they are created.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use assam_proofs::signed::{Keyring, PublishedKey, SigningKey};
use assam_record::clock::now;
use assam_store::file_access::explained;
use assam_store::{Database, Grade, Observation};
use clap::Args;

use crate::database::DatabaseArgs;
use crate::process::output::Failure;
use crate::process::output_file::NewFile;
use crate::process::output_path::FilePurpose;

pub mod command;

/// Arguments for the place of the signing keys.
#[derive(Args, Clone)]
pub struct KeyArgs {
    /// The file with the keys that sign receipts, one per line, newest last. With an SQLite database FILE,
    /// the default is FILE.keys.
    ///
    /// If the file is missing and the database has never had a key, the service creates it, readable only by
    /// its owner. Anyone who can read the file can sign as this service: keep it apart from backups, and do
    /// not lose it.
    #[arg(long, env = "ASSAM_KEY_FILE", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The keys themselves, instead of a file
    #[arg(
        long,
        env = "ASSAM_KEYS",
        hide_env_values = true,
        conflicts_with = "key_file",
        value_name = "KEYS"
    )]
    keys: Option<String>,
}

/// The result of looking for keys.
pub enum KeysFound {
    /// The keys, newest last. One or more.
    Keys(Vec<SigningKey>),
    /// There is no such file.
    NoFile(PathBuf),
}

impl KeyArgs {
    /// Returns the file of the keys, if they are in one.
    ///
    /// # Errors
    /// If nothing names their place.
    pub fn file(&self, database: &DatabaseArgs) -> Result<Option<PathBuf>, Failure> {
        if self.keys.is_some() {
            return Ok(None);
        }
        let beside = || {
            let mut name = database.sqlite_file()?.into_os_string();
            name.push(".keys");
            Some(PathBuf::from(name))
        };
        match self.key_file.clone().or_else(beside) {
            Some(file) => Ok(Some(file)),
            None => Err("the service needs a key to sign receipts: with PostgreSQL, pass --key-file FILE (created if missing), or set ASSAM_KEYS to the output of `assam key new`".into()),
        }
    }

    /// Returns the file of the keys, if one was named.
    pub fn named_file(&self) -> Option<PathBuf> {
        self.key_file.clone()
    }

    /// Looks for the keys.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn find(&self, database: &DatabaseArgs) -> Result<KeysFound, Failure> {
        let (text, place) = match (&self.keys, self.file(database)?) {
            (Some(keys), _) => (keys.clone(), "ASSAM_KEYS".to_owned()),
            (None, Some(file)) => match fs::read_to_string(&file) {
                Ok(text) => (text, file.display().to_string()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(KeysFound::NoFile(file)),
                Err(error) => return Err(format!("{}: {}", file.display(), explained(&file, error)).into()),
            },
            (None, None) => return Err("there is no key".into()),
        };
        let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
        // Errors never repeat a line, which is a secret.
        let read = lines.map(|(number, line)| {
            line.trim().parse().map_err(|error| format!("{place}, line {number}: {error}"))
        });
        let keys: Vec<SigningKey> = read.collect::<Result<_, String>>()?;
        if keys.is_empty() {
            Err(format!("{place}: there is no key in it").into())
        } else {
            Ok(KeysFound::Keys(keys))
        }
    }

    /// Returns the available keys, with their history in the database. Creates none.
    ///
    /// # Errors
    /// If they are not available.
    pub async fn at_hand(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        match self.find(database)? {
            KeysFound::Keys(keys) => Ok(Keyring::new(keys, store.reads.signing_keys().await?)?),
            KeysFound::NoFile(file) => Err(format!("{} is missing", file.display()).into()),
        }
    }

    /// Returns the keys if they are available, with their history in the database. Creates none. Without
    /// them, nothing is signed.
    ///
    /// # Errors
    /// If they do not match the history.
    pub async fn open_to_read(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        let history = store.reads.signing_keys().await?;
        if self.have_place(database)
            && let KeysFound::Keys(keys) = self.find(database)?
        {
            return Ok(Keyring::new(keys, history)?);
        }
        Ok(Keyring::without_keys(history))
    }

    /// Reports whether the signing keys are available, for `assam doctor`.
    ///
    /// # Errors
    /// If the database cannot be read.
    pub async fn check_up(&self, database: &DatabaseArgs, store: &Database) -> Result<Observation, Failure> {
        let history = store.reads.signing_keys().await?;
        let found = |grade, text: String| Ok(Observation { grade, subject: "keys", text });
        if !self.have_place(database) {
            return found(Grade::Notable, "not checked: pass --key-file, or set ASSAM_KEYS".into());
        }
        let keys = match self.find(database) {
            Ok(KeysFound::NoFile(file)) if history.is_empty() => {
                return found(
                    Grade::Good,
                    format!("there are none yet: the service creates {} when it starts", file.display()),
                );
            }
            Ok(KeysFound::NoFile(file)) => {
                // The service may have them in ASSAM_KEYS.
                let grade = if self.key_file.is_some() { Grade::Bad } else { Grade::Notable };
                return found(grade, missing(&file, &history).to_string());
            }
            Ok(KeysFound::Keys(keys)) => keys,
            Err(failure) => return found(Grade::Bad, failure.to_string()),
        };
        if history.is_empty() {
            return found(Grade::Good, "the database knows none yet: the newest becomes its first".into());
        }
        match Keyring::new(keys, history) {
            Ok(_) => found(Grade::Good, "the newest key that the database knows is available".into()),
            Err(fault) => found(Grade::Bad, fault.to_string()),
        }
    }

    /// Returns whether their place is known.
    fn have_place(&self, database: &DatabaseArgs) -> bool {
        self.keys.is_some() || self.key_file.is_some() || database.sqlite_file().is_some()
    }

    /// Returns the keys, with their history in the database. If the history is empty, the newest key becomes
    /// its first. If there is no file either, it creates one.
    ///
    /// # Errors
    /// If the newest key is not the newest of the history.
    pub async fn open(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        let mut history = store.reads.signing_keys().await?;
        let keys = match self.find(database)? {
            KeysFound::Keys(keys) => {
                if history.is_empty() && self.keys.is_none() {
                    tracing::warn!(
                        "the database is new, but the key file is not: was a database lost, or is this another one?"
                    );
                }
                keys
            }
            KeysFound::NoFile(file) if history.is_empty() => {
                let key = SigningKey::made()?;
                match add_line(&file, &key) {
                    // Another process was first.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    made => made.map_err(|error| format!("{}: {error}", file.display()))?,
                }
                match self.find(database)? {
                    KeysFound::Keys(keys) => keys,
                    KeysFound::NoFile(file) => return Err(format!("{} is gone", file.display()).into()),
                }
            }
            KeysFound::NoFile(file) => return Err(missing(&file, &history)),
        };
        if let (true, Some(newest)) = (history.is_empty(), keys.last()) {
            let first = PublishedKey { key: newest.verifying_key().clone(), since: now() };
            store.admin.add_signing_key(&first, true).await?;
            history = store.reads.signing_keys().await?;
        }
        Ok(Keyring::new(keys, history)?)
    }
}

/// Reports that the file of a key that the database knows is missing.
fn missing(file: &Path, history: &[PublishedKey]) -> Failure {
    let key = history.last().map(|known| known.key.to_string()).unwrap_or_default();
    format!(
        "{} is missing, with the key {key} that the database knows: restore the file, or create another key with `assam key rotate`",
        file.display()
    )
    .into()
}

/// Creates a file with a key, readable by its owner only.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if it exists, and file system errors.
fn add_line(file: &Path, key: &SigningKey) -> io::Result<()> {
    create(file, &lines([key]), FilePurpose::Keys)
}

/// Adds a key to a file of keys. After a crash, the file is complete, either old or new.
///
/// # Errors
/// File system errors.
pub fn append_line(file: &Path, older: &[SigningKey], key: &SigningKey) -> io::Result<()> {
    replace(file, &lines(older.iter().chain([key])), FilePurpose::Keys, &[])
}

fn lines<'a>(keys: impl IntoIterator<Item = &'a SigningKey>) -> String {
    keys.into_iter().map(|key| key.secret_text() + "\n").collect()
}

/// Creates a file with a text, readable by its owner only.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] if it exists, and the errors of [`NewFile::begin_private`].
pub fn create(file: &Path, text: &str, purpose: FilePurpose) -> io::Result<()> {
    written(file, text, purpose, &[])?.keep_first()
}

/// Replaces a file with a text, readable by its owner only. After a crash, the file is complete, either old
/// or new. `inputs` are the files that the command reads.
///
/// # Errors
/// The errors of [`NewFile::begin_private`].
pub fn replace(file: &Path, text: &str, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<()> {
    written(file, text, purpose, inputs)?.keep()
}

fn written(file: &Path, text: &str, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<NewFile> {
    let mut new = NewFile::begin_private(file, purpose, inputs)?;
    new.write_all(text.as_bytes())?;
    Ok(new)
}
