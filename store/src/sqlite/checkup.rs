//! Checks an SQLite file for `assam doctor`.

use std::fs;

use rusqlite::{Connection, Error};

use super::SqliteStore;
use super::session::FileAccess;
use crate::Observation;
use crate::{StoreError, file_access};

/// The triggers that protect stored games from changes by others.
const GUARD: [&str; 19] = [
    "games_guard_beacon",
    "games_guard_clock",
    "games_guard_commitment",
    "games_guard_delete",
    "games_guard_fixed",
    "games_guard_rated",
    "games_guard_rematch",
    "games_guard_replace",
    "games_guard_rowid",
    "games_guard_update",
    "games_refuse_spent_id",
    "games_spend_id",
    "log_entries_guard",
    "log_entries_guard_removal",
    "log_head_guard",
    "log_head_guard_removal",
    "log_nodes_guard_removal",
    "log_nodes_guard_update",
    "signing_keys_guard",
];
/// The largest number of faults that are reported.
const FAULTS: usize = 5;
/// The length in bytes from which the write-ahead log is long.
const LONG: u64 = 256 * 1024 * 1024;

impl SqliteStore {
    /// Checks the database without changing it.
    pub(super) async fn look_over(&self) -> Result<Vec<Observation>, StoreError> {
        let mut found = vec![Observation::good("server", format!("SQLite {}", rusqlite::version()))];
        found.push(Observation::of_migrations(self.check_applied()));
        found.extend(self.of_file());
        let read = self.read(|connection| {
            let guard = Observation::of_guard(&GUARD, &triggers(connection)?);
            Ok([Some(of_pages(connection)), self.of_log(connection)?, Some(guard)])
        })?;
        found.extend(read.into_iter().flatten());
        Ok(found)
    }
}

impl SqliteStore {
    /// Returns nothing for a file that is read as unchanging, since SQLite does not look at its journal.
    fn of_log(&self, connection: &Connection) -> Result<Option<Observation>, Error> {
        if self.file().access == FileAccess::ReadUnchanging {
            return Ok(None);
        }
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        Ok(Some(if mode == "wal" {
            let text = "a commit is on disk when it is acknowledged, and readers never wait for a writer";
            Observation::good("durability", text)
        } else {
            let text = format!(
                "its journal is `{mode}`, and the service turns on the write-ahead log when it opens the file for writing"
            );
            Observation::notable("durability", text)
        }))
    }

    fn of_file(&self) -> Vec<Observation> {
        let file = self.file();
        let path = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        let beside = |end: &str| {
            let mut path = path.as_os_str().to_owned();
            path.push(end);
            fs::metadata(path).ok()
        };
        let mut found = Vec::new();
        if beside("").is_some() {
            found.push(of_modes(["", "-wal", "-shm", ".keys"].map(|end| (end, beside(end)))));
            found.push(match file_access::check(&path, true) {
                Ok(()) => Observation::good("access", "it can be written"),
                Err(why) => {
                    let text =
                        format!("it cannot be written ({why}): serve it with `assam serve --read-only`");
                    Observation::notable("access", text)
                }
            });
        }
        if let Some(log) = beside("-wal")
            && log.len() > LONG
        {
            let megabytes = log.len() / 1024 / 1024;
            let text = format!(
                "its write-ahead log has {megabytes} MB: a long read of the file keeps SQLite from reusing it"
            );
            found.push(Observation::notable("length", text));
        }
        found
    }
}

/// Checks who else may read it and the files next to it.
#[cfg(unix)]
fn of_modes(files: [(&str, Option<fs::Metadata>); 4]) -> Observation {
    use std::os::unix::fs::PermissionsExt as _;
    let open = files.into_iter().filter_map(|(end, metadata)| {
        let mode = metadata?.permissions().mode() & 0o777;
        (mode & 0o077 != 0).then(|| format!("FILE{end} (mode {mode:o})"))
    });
    let open: Vec<String> = open.collect();
    if open.is_empty() {
        return Observation::good("secrets", "only its owner may read the file");
    }
    let text = format!(
        "others may read {}, with the seeds of running games or the keys that sign receipts: `chmod 600 FILE*`",
        open.join(", ")
    );
    Observation::bad("secrets", text)
}

#[cfg(not(unix))]
fn of_modes(_: [(&str, Option<fs::Metadata>); 4]) -> Observation {
    Observation::notable(
        "secrets",
        "the file's permissions cannot be checked on this system, and it has the seeds of running games",
    )
}

/// Some damage is reported as a row, and some ends the check with an error.
fn of_pages(connection: &Connection) -> Observation {
    let told = || {
        let mut check = connection.prepare(&format!("PRAGMA quick_check({FAULTS})"))?;
        check.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()
    };
    match told() {
        Ok(told) if told == ["ok"] => Observation::good("pages", "the file is intact"),
        told => {
            let why = told.map_or_else(|error| error.to_string(), |told| told.join("; "));
            Observation::bad("pages", format!("the file is damaged, restore a backup: {why}"))
        }
    }
}

fn triggers(connection: &Connection) -> Result<Vec<String>, Error> {
    let mut select = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")?;
    select.query_map([], |row| row.get(0))?.collect()
}
