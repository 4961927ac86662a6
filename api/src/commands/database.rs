//! From the URL of a database to its store.

use std::path::Path;
use std::sync::Arc;

use super::{DatabaseArgs, Failure};
use crate::store::{PostgresStore, SqliteStore, Store};

/// Opens the store that a URL names.
pub fn open(args: &DatabaseArgs) -> Result<Arc<dyn Store>, Failure> {
    match args.database.split_once(':') {
        Some(("sqlite", file)) if !file.is_empty() => Ok(Arc::new(SqliteStore::open(Path::new(file))?)),
        Some(("postgres" | "postgresql", _)) => {
            Ok(Arc::new(PostgresStore::connect(&args.database, args.database_pool.into())?))
        }
        // The value is not repeated: it may hold a password.
        _ => Err("--database is `sqlite:FILE` or `postgres://user:password@host/name`".into()),
    }
}
