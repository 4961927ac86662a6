//! The keys with which the service signs: where they are kept, and how they get there.
//!
//! `assam key` is in `command`.

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

/// Arguments that say where the keys are with which the service signs.
#[derive(Args, Clone)]
pub struct KeyArgs {
    /// The file with the keys that sign receipts, one a line, the newest last; beside an SQLite file FILE it is FILE.keys
    ///
    /// It is made, readable by its owner only, where it is missing and the database has never had a key. Whoever reads it can sign as
    /// this service: keep it apart from backups, and do not lose it.
    #[arg(long, env = "ASSAM_KEY_FILE", value_name = "FILE")]
    key_file: Option<PathBuf>,
    /// The keys themselves, in place of a file
    #[arg(
        long,
        env = "ASSAM_KEYS",
        hide_env_values = true,
        conflicts_with = "key_file",
        value_name = "KEYS"
    )]
    keys: Option<String>,
}

/// Keys that were looked for.
pub enum KeysFound {
    /// Keys, the newest last; one or more.
    Keys(Vec<SigningKey>),
    /// There is no such file.
    NoFile(PathBuf),
}

impl KeyArgs {
    /// Returns the file of the keys, if they are in one.
    ///
    /// # Errors
    /// Where nothing says where they are.
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
            None => Err("the service signs receipts, and beside PostgreSQL somebody has to say where its key is: --key-file FILE (made where there is none), or ASSAM_KEYS with what `assam key new` prints".into()),
        }
    }

    /// Returns the file of the keys, if one was named.
    pub fn named_file(&self) -> Option<PathBuf> {
        self.key_file.clone()
    }

    /// Looks for the keys.
    ///
    /// # Errors
    /// Where they cannot be read.
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
        // What a line holds is not repeated: it is a secret.
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

    /// Returns the keys that are at hand, with the history that the database has of them. None is made.
    ///
    /// # Errors
    /// Where they are not at hand.
    pub async fn at_hand(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        match self.find(database)? {
            KeysFound::Keys(keys) => Ok(Keyring::new(keys, store.reads.signing_keys().await?)?),
            KeysFound::NoFile(file) => Err(format!("{} is missing", file.display()).into()),
        }
    }

    /// Returns the keys, where they are at hand, with the history that the database has of them. None is made, and nothing is signed without.
    ///
    /// # Errors
    /// Where there are others than those of the history.
    pub async fn open_to_read(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        let history = store.reads.signing_keys().await?;
        if self.have_place(database)
            && let KeysFound::Keys(keys) = self.find(database)?
        {
            return Ok(Keyring::new(keys, history)?);
        }
        Ok(Keyring::without_keys(history))
    }

    /// Says whether the keys are at hand with which the service signs, for `assam doctor`.
    ///
    /// # Errors
    /// Where the database cannot be read.
    pub async fn check_up(&self, database: &DatabaseArgs, store: &Database) -> Result<Observation, Failure> {
        let history = store.reads.signing_keys().await?;
        let found = |grade, text: String| Ok(Observation { grade, subject: "keys", text });
        if !self.have_place(database) {
            return found(
                Grade::Notable,
                "not looked for: name their file with --key-file, or set ASSAM_KEYS".into(),
            );
        }
        let keys = match self.find(database) {
            Ok(KeysFound::NoFile(file)) if history.is_empty() => {
                return found(
                    Grade::Good,
                    format!("there are none yet: the service makes {} when it starts", file.display()),
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
            return found(Grade::Good, "the database knows none yet: the newest will be its first".into());
        }
        match Keyring::new(keys, history) {
            Ok(_) => found(Grade::Good, "the newest that the database knows is at hand".into()),
            Err(fault) => found(Grade::Bad, fault.to_string()),
        }
    }

    /// Returns whether something says where the keys are.
    fn have_place(&self, database: &DatabaseArgs) -> bool {
        self.keys.is_some() || self.key_file.is_some() || database.sqlite_file().is_some()
    }

    /// Returns the keys, with the history that the database has of them. Where it has none, the newest key is its first; and where
    /// there is no file either, one is made.
    ///
    /// # Errors
    /// Where the newest key is not that of the history.
    pub async fn open(&self, database: &DatabaseArgs, store: &Database) -> Result<Keyring, Failure> {
        let mut history = store.reads.signing_keys().await?;
        let keys = match self.find(database)? {
            KeysFound::Keys(keys) => keys,
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

/// Says that the file of keys is missing of which the database knows one.
fn missing(file: &Path, history: &[PublishedKey]) -> Failure {
    let key = history.last().map(|known| known.key.to_string()).unwrap_or_default();
    format!(
        "{} is missing, with the key {key} that the database knows: restore the file, or make another key with `assam key rotate`",
        file.display()
    )
    .into()
}

/// Makes a file with a key, readable by its owner only.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] where there is one, and others of the file system.
fn add_line(file: &Path, key: &SigningKey) -> io::Result<()> {
    create(file, &lines([key]), FilePurpose::Keys)
}

/// Adds a key to a file that has others; the file is there, old or new, whatever happens meanwhile.
///
/// # Errors
/// Of the file system.
pub fn append_line(file: &Path, older: &[SigningKey], key: &SigningKey) -> io::Result<()> {
    replace(file, &lines(older.iter().chain([key])), FilePurpose::Keys, &[])
}

fn lines<'a>(keys: impl IntoIterator<Item = &'a SigningKey>) -> String {
    keys.into_iter().map(|key| key.secret_text() + "\n").collect()
}

/// Makes a file with a text, readable by its owner only.
///
/// # Errors
/// [`io::ErrorKind::AlreadyExists`] where there is one, and as [`NewFile::begin_private`].
pub fn create(file: &Path, text: &str, purpose: FilePurpose) -> io::Result<()> {
    written(file, text, purpose, &[])?.keep_first()
}

/// Writes a text into a file, readable by its owner only; the file is there, old or new, whatever happens meanwhile. `inputs` are what
/// the command reads.
///
/// # Errors
/// As [`NewFile::begin_private`].
pub fn replace(file: &Path, text: &str, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<()> {
    written(file, text, purpose, inputs)?.keep()
}

fn written(file: &Path, text: &str, purpose: FilePurpose, inputs: &[PathBuf]) -> io::Result<NewFile> {
    let mut new = NewFile::begin_private(file, purpose, inputs)?;
    new.write_all(text.as_bytes())?;
    Ok(new)
}
