//! Commands for one database (migrate, check, back up, restore and repair it), and the opening of the store
//! that a URL names.

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
    /// The database with the games: `sqlite:FILE`, or `postgres://user:password@host/name`.
    ///
    /// A missing SQLite file is an error, except for the commands that fill it: `serve`, `migrate`, `import`
    /// and `restore` create it.
    #[arg(
        long,
        env = "ASSAM_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:assam.db",
        value_name = "URL"
    )]
    database: String,
    /// The maximum number of PostgreSQL connections for reading lists, 1 to 1000. Each worker uses 2 more,
    /// and other tasks use at most 14
    #[arg(long, env = "ASSAM_DATABASE_POOL", default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    database_pool: u16,
}

/// An open database. Dropping it leaves an SQLite file complete, with an empty write-ahead log.
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

    /// Ends writing. The process must not write afterwards.
    ///
    /// # Errors
    /// If some changes stay in the write-ahead log. Nothing is lost.
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
                "some changes stay in the write-ahead log next to the SQLite file, which needs it: {error}"
            ));
        }
    }
}

impl DatabaseArgs {
    /// Returns the URL, which may contain a password.
    pub fn url(&self) -> &str {
        &self.database
    }

    /// Parses the URL.
    fn named(&self) -> Result<DatabaseUrl, Failure> {
        let named_by = || environment::named("--database", "ASSAM_DATABASE");
        DatabaseUrl::read(&self.database).map_err(|error| format!("{} {error}", named_by()).into())
    }

    /// Returns the SQLite file of the games and the files that belong to it.
    pub fn files(&self) -> Vec<PathBuf> {
        let Some(file) = self.sqlite_file() else { return Vec::new() };
        let named = |ending| {
            let mut name = file.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        ["", "-wal", "-shm", "-journal", ".keys"].map(named).to_vec()
    }

    /// Returns the SQLite file of the games, if it is SQLite.
    pub fn sqlite_file(&self) -> Option<PathBuf> {
        match DatabaseUrl::read(&self.database) {
            Ok(DatabaseUrl::Sqlite(file)) => Some(file),
            Ok(DatabaseUrl::Postgres(_)) | Err(_) => None,
        }
    }

    /// Opens the store, and creates a missing SQLite file. `inputs` are files that the command reads.
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

/// Opens an existing database for a command, and ends it on an interruption.
pub fn open_existing(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    if let DatabaseUrl::Sqlite(file) = args.named()? {
        opened_to_read(&file)?;
    }
    open_for(args, &[])
}

/// Opens the database for an export: read-only if its file cannot be written.
pub fn open_to_export(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    match args.named()? {
        DatabaseUrl::Sqlite(file) if file_access::check(&file, true).is_err() => open_to_read(args),
        DatabaseUrl::Sqlite(_) | DatabaseUrl::Postgres(_) => open_existing(args),
    }
}

/// Opens the database for a command, and ends it on an interruption. Creates a missing SQLite file, which
/// must not be one of `inputs`, the files that the command reads.
pub fn open_for(args: &DatabaseArgs, inputs: &[PathBuf]) -> Result<OpenDatabase, Failure> {
    let interruption = Interruption::heeded()?;
    let store = args.store(inputs)?;
    interruption.end_too(&store);
    Ok(OpenDatabase::new(store, Some(interruption)))
}

/// Opens the database for a command that handles signals itself. Creates a missing SQLite file.
pub fn open(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    Ok(OpenDatabase::new(args.store(&[])?, None))
}

/// Opens a PostgreSQL database.
pub fn open_postgres(args: &DatabaseArgs) -> Result<PostgresStore, Failure> {
    match args.named()? {
        DatabaseUrl::Sqlite(_) => {
            Err("this needs a PostgreSQL database: --database postgres://user:password@host/name".into())
        }
        DatabaseUrl::Postgres(url) => Ok(PostgresStore::connect(&url, args.database_pool.into())?),
    }
}

/// Opens a database read-only.
pub fn open_to_read(args: &DatabaseArgs) -> Result<OpenDatabase, Failure> {
    let store: Database = match args.named()? {
        DatabaseUrl::Sqlite(file) => opened_to_read(&file)?.into(),
        DatabaseUrl::Postgres(url) => PostgresStore::connect_to_read(&url, args.database_pool.into())?.into(),
    };
    Ok(OpenDatabase::new(store, None))
}

/// Opens an SQLite file with games read-only.
fn opened_to_read(file: &Path) -> Result<SqliteStore, Failure> {
    let name = printable(file);
    match file.try_exists() {
        Ok(true) => {}
        Ok(false) => return Err(format!("there is no database {name}").into()),
        Err(error) => return Err(format!("{name}: {}", file_access::explained(file, error)).into()),
    }
    let store = SqliteStore::open_to_read(file).map_err(|error| {
        // With a write-ahead log that is not empty, SQLite must be able to create another file next to it.
        match file_access::check(file, false).and_then(|()| file_access::check(file, true)) {
            Ok(()) => naming(file)(error),
            Err(why) => format!("{name}: {why}"),
        }
    })?;
    let tables = store.tables().map_err(naming(file))?;
    if tables.is_empty() {
        return Err(format!(
            "{name} has no tables: it is new (`assam migrate` creates them), or a copy without {name}-wal (`assam backup` makes complete copies)"
        )
        .into());
    }
    if !tables.iter().any(|table| table == "games") {
        return Err(format!("{name} is not a database of Assam: it has no table of games").into());
    }
    Ok(store)
}

/// Checks that an SQLite file can be written or created.
fn usable(file: &Path, inputs: &[PathBuf]) -> std::io::Result<()> {
    file_access::check(file, true)?;
    OutputPath::new(file, FilePurpose::Database, inputs).map(drop)
}

/// Returns a function that adds the name of the file to an error.
fn naming(file: &Path) -> impl Fn(StoreError) -> String {
    move |error| {
        // SQLite does not say which file it cannot open or create.
        let is_closed = matches!(error, StoreError::Unavailable(_));
        let seen = if is_closed { format!(": {}", file_access::seen(file)) } else { String::new() };
        format!("{}: {error}{seen}", printable(file))
    }
}
