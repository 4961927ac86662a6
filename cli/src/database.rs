//! Opens the store that a URL names.

use std::path::Path;
use std::sync::Arc;

use assam_api::store::{PostgresStore, SqliteStore, Store, StoreError};
use clap::Args;

use crate::output::Failure;

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

/// What a URL names.
enum Named<'a> {
    Sqlite(&'a Path),
    Postgres(&'a str),
}

impl DatabaseArgs {
    /// Returns the URL. It may have a password.
    pub fn url(&self) -> &str {
        &self.database
    }

    /// Returns what the URL names.
    fn named(&self) -> Result<Named<'_>, Failure> {
        match self.database.split_once(':') {
            Some(("sqlite", file)) if !file.is_empty() => Ok(Named::Sqlite(Path::new(file))),
            Some(("postgres" | "postgresql", _)) => Ok(Named::Postgres(&self.database)),
            // The value is not repeated: it may hold a password.
            _ => Err("--database must be `sqlite:FILE` or `postgres://user:password@host/name`".into()),
        }
    }

    /// Returns the SQLite file that keeps the games, if one does.
    pub fn sqlite_file(&self) -> Option<&Path> {
        self.database.strip_prefix("sqlite:").map(Path::new)
    }
}

/// Opens the store that a URL names, without creating one.
pub fn open_existing(args: &DatabaseArgs) -> Result<Arc<dyn Store>, Failure> {
    match args.named()? {
        Named::Sqlite(file) if !file.is_file() => {
            Err(format!("there is no database {}", file.display()).into())
        }
        Named::Sqlite(_) | Named::Postgres(_) => open(args),
    }
}

/// Opens the store that a URL names. An SQLite file that is missing is made.
pub fn open(args: &DatabaseArgs) -> Result<Arc<dyn Store>, Failure> {
    let connections = args.database_pool.into();
    match args.named()? {
        Named::Sqlite(file) => Ok(Arc::new(SqliteStore::open(file).map_err(naming(file))?)),
        Named::Postgres(url) => Ok(Arc::new(PostgresStore::connect(url, connections)?)),
    }
}

/// Opens the PostgreSQL database that a URL names.
pub fn open_postgres(args: &DatabaseArgs) -> Result<PostgresStore, Failure> {
    match args.named()? {
        Named::Sqlite(_) => {
            Err("that needs a PostgreSQL database: --database postgres://user:password@host/name".into())
        }
        Named::Postgres(url) => Ok(PostgresStore::connect(url, args.database_pool.into())?),
    }
}

/// Opens the store that a URL names, to be read alone.
pub fn open_to_read(args: &DatabaseArgs) -> Result<Arc<dyn Store>, Failure> {
    let connections = args.database_pool.into();
    match args.named()? {
        Named::Sqlite(file) if !file.is_file() => {
            Err(format!("there is no database {}", file.display()).into())
        }
        Named::Sqlite(file) => Ok(Arc::new(SqliteStore::open_to_read(file).map_err(naming(file))?)),
        Named::Postgres(url) => Ok(Arc::new(PostgresStore::connect_to_read(url, connections)?)),
    }
}

/// Returns what adds to an error the name of the file.
fn naming(file: &Path) -> impl Fn(StoreError) -> String {
    move |error| format!("{}: {error}", file.display())
}
