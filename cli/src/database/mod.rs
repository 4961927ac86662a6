//! Opens the store that a URL names. The commands here look after one database: they change it, check it, save it and restore it.

use std::ops::Deref;
use std::path::{Path, PathBuf};

use assam_store::{Database, PostgresStore, SqliteStore, StoreError, file_access};
use clap::Args;

use crate::process::environment;
use crate::process::input::printable;
use crate::process::output::{Failure, say_failed};
use crate::process::output_path::{FilePurpose, OutputPath};

pub mod abort;
pub mod backup;
pub mod doctor;
mod interruption;
pub mod migrate;
pub mod ratings;
pub mod remove;
pub mod restore;
mod url;

use interruption::Interruption;
use url::DatabaseUrl;

/// Arguments that name the database.
#[derive(Args, Clone)]
pub struct DatabaseArgs {
    /// The database that keeps the games: `sqlite:FILE`, or `postgres://user:password@host/name`
    ///
    /// An SQLite file that is missing is an error, unless the command fills it: `serve`, `migrate`, `import` and `restore` make one.
    #[arg(
        long,
        env = "ASSAM_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:assam.db",
        value_name = "URL"
    )]
    database: String,
    /// The largest number of connections to PostgreSQL that read lists, 1 to 1000, beside 2 for each worker and at most 14 for other
    /// work
    #[arg(long, env = "ASSAM_DATABASE_POOL", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    database_pool: u16,
}

/// An open database. When this is dropped, an SQLite file has everything by itself, and its log of writes is empty.
pub struct OpenDatabase {
    store: Database,
    is_open: bool,
    _interruption: Option<Interruption>,
}

impl Deref for OpenDatabase {
    type Target = Database;

    fn deref(&self) -> &Self::Target {
        &self.store
    }
}

impl OpenDatabase {
    fn new(store: Database, interruption: Option<Interruption>) -> Self {
        Self { store, is_open: true, _interruption: interruption }
    }

    /// Ends writing, which the process must not want any more.
    ///
    /// # Errors
    /// Where some of what was written stays in the log of writes; nothing is lost.
    pub fn close(mut self) -> Result<(), StoreError> {
        self.is_open = false;
        self.store.admin.end()
    }
}

impl Drop for OpenDatabase {
    fn drop(&mut self) {
        if self.is_open
            && let Err(error) = self.store.admin.end()
        {
            say_failed(&format!(
                "the log of writes stays next to the SQLite file, and has a part of it: {error}"
            ));
        }
    }
}

impl DatabaseArgs {
    /// Returns the URL. It may have a password.
    pub fn url(&self) -> &str {
        &self.database
    }

    /// Returns what the URL names.
    fn named(&self) -> Result<DatabaseUrl, Failure> {
        let named_by = || environment::named("--database", "ASSAM_DATABASE");
        DatabaseUrl::read(&self.database).map_err(|error| format!("{} {error}", named_by()).into())
    }

    /// Returns the SQLite file that keeps the games, and what SQLite and the service keep next to it.
    pub fn files(&self) -> Vec<PathBuf> {
        let Some(file) = self.sqlite_file() else { return Vec::new() };
        let named = |ending| {
            let mut name = file.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        ["", "-wal", "-shm", "-journal", ".keys"].map(named).to_vec()
    }

    /// Returns the SQLite file that keeps the games, if one does.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        match DatabaseUrl::read(&self.database) {
            Ok(DatabaseUrl::Sqlite(file)) => Some(file),
            Ok(DatabaseUrl::Postgres(_)) | Err(_) => None,
        }
    }

    /// Opens the store that the URL names. An SQLite file that is missing is made; `inputs` are files that the command reads.
    fn store(&self, inputs: &[PathBuf]) -> Result<Database, Failure> {
        match self.named()? {
            DatabaseUrl::Sqlite(file) => {
                usable(&file, inputs).map_err(|why| format!("{}: {why}", printable(&file)))?;
                Ok(SqliteStore::open(&file).map_err(naming(&file))?.into())
            }
            DatabaseUrl::Postgres(url) => Ok(PostgresStore::connect(&url, self.database_pool.into())?.into()),
        }
    }
}

/// Opens the database that a URL names, for a command that ends it when it is interrupted, without creating one.
pub fn open_existing(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    if let DatabaseUrl::Sqlite(file) = args.named()? {
        opened_to_read(&file)?;
    }
    open_for(args, &[])
}

/// Opens the database that a URL names, for an export: to be read alone if its file cannot be written.
pub fn open_to_export(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    match args.named()? {
        DatabaseUrl::Sqlite(file) if file_access::check(&file, true).is_err() => open_to_read(args),
        DatabaseUrl::Sqlite(_) | DatabaseUrl::Postgres(_) => open_existing(args),
    }
}

/// Opens the database that a URL names, for a command that ends it when it is interrupted. An SQLite file that is missing is made; it is none of
/// `inputs`, which the command reads.
pub fn open_for(args: &DatabaseArgs, inputs: &[PathBuf]) -> Result<OpenDatabase, Failure> {
    let interruption = Interruption::heeded()?;
    let store = args.store(inputs)?;
    interruption.end_too(&store);
    Ok(OpenDatabase::new(store, Some(interruption)))
}

/// Opens the database that a URL names, for what heeds signals itself. An SQLite file that is missing is made.
pub fn open(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    Ok(OpenDatabase::new(args.store(&[])?, None))
}

/// Opens the PostgreSQL database that a URL names.
pub fn open_postgres(args: &DatabaseArgs) -> Result<PostgresStore, Failure> {
    match args.named()? {
        DatabaseUrl::Sqlite(_) => {
            Err("that needs a PostgreSQL database: --database postgres://user:password@host/name".into())
        }
        DatabaseUrl::Postgres(url) => Ok(PostgresStore::connect(&url, args.database_pool.into())?),
    }
}

/// Opens the database that a URL names, to be read alone.
pub fn open_to_read(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    let store: Database = match args.named()? {
        DatabaseUrl::Sqlite(file) => opened_to_read(&file)?.into(),
        DatabaseUrl::Postgres(url) => PostgresStore::connect_to_read(&url, args.database_pool.into())?.into(),
    };
    Ok(OpenDatabase::new(store, None))
}

/// Opens an SQLite file to be read that has games.
fn opened_to_read(file: &Path) -> Result<SqliteStore, Failure> {
    let name = printable(file);
    match file.try_exists() {
        Ok(true) => {}
        Ok(false) => return Err(format!("there is no database {name}").into()),
        Err(error) => return Err(format!("{name}: {}", file_access::explained(file, error)).into()),
    }
    let store = SqliteStore::open_to_read(file).map_err(|error| {
        // Next to a file whose log of writes is not empty, SQLite has to be able to make another.
        match file_access::check(file, false).and_then(|()| file_access::check(file, true)) {
            Ok(()) => naming(file)(error),
            Err(why) => format!("{name}: {why}"),
        }
    })?;
    let tables = store.tables().map_err(naming(file))?;
    if tables.is_empty() {
        return Err(format!(
            "{name} has no table: it is new (`assam migrate` makes them), or a copy without {name}-wal (`assam backup` makes whole ones)"
        )
        .into());
    }
    if !tables.iter().any(|table| table == "games") {
        return Err(format!("{name} is a database of something else: it has no table of games").into());
    }
    Ok(store)
}

/// Checks that an SQLite file can be written, or made.
fn usable(file: &Path, inputs: &[PathBuf]) -> std::io::Result<()> {
    file_access::check(file, true)?;
    OutputPath::new(file, FilePurpose::Database, inputs).map(drop)
}

/// Returns what adds to an error the name of the file.
fn naming(file: &Path) -> impl Fn(StoreError) -> String {
    move |error| {
        // SQLite does not say what it cannot open, or make next to the file.
        let is_closed = matches!(error, StoreError::Unavailable(_));
        let seen = if is_closed { format!(": {}", file_access::seen(file)) } else { String::new() };
        format!("{}: {error}{seen}", printable(file))
    }
}
