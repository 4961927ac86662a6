//! Direct access to the database of a run, bypassing the service.

use std::fs::{File, OpenOptions};
use std::io::{Error, Read as _, Result, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use crate::field::cluster::Cluster;

/// The lengths of the headers of SQLite's write-ahead log and of its frames.
const HEADS: (u64, u64) = (32, 24);

/// A database.
#[derive(Clone, Debug)]
pub enum Database {
    /// A file.
    Sqlite(PathBuf),
    /// A database on a server.
    Postgres {
        /// The server.
        cluster: Cluster,
        /// The name of the database.
        name: String,
    },
}

fn failed(error: rusqlite::Error) -> Error {
    Error::other(error)
}

impl Database {
    /// Returns the URL for `--database`, bypassing every proxy.
    pub fn url(&self) -> String {
        match self {
            Self::Sqlite(file) => format!("sqlite:{}", file.display()),
            Self::Postgres { cluster, name } => {
                format!(
                    "postgres://postgres@{}/{name}",
                    cluster.folder.display().to_string().replace('/', "%2F")
                )
            }
        }
    }

    /// Returns the stored words of a game.
    ///
    /// # Errors
    /// Those of the database.
    pub fn words(&self, game: &str) -> Result<Vec<String>> {
        let log = match self {
            Self::Sqlite(file) => {
                let sql = format!("SELECT log FROM games WHERE id = x'{game}'");
                match Connection::open(file).map_err(failed)?.query_row(&sql, [], |row| row.get(0)) {
                    Err(rusqlite::Error::QueryReturnedNoRows) => String::new(),
                    log => log.map_err(failed)?,
                }
            }
            Self::Postgres { cluster, name } => {
                cluster.sql(name, &format!("SELECT log FROM games WHERE id = '{game}'"))?
            }
        };
        // The newest comes first, each with the time since the one before it.
        let words = log.split_whitespace().rev();
        Ok(words.map(|word| word.split('~').next().unwrap_or_default().to_owned()).collect())
    }

    /// Changes the last word of a running game, bypassing all guards. With `head_before`, the word is removed
    /// and that head restored. Otherwise the word is doubled. Returns whether there was such a game.
    ///
    /// # Errors
    /// Those of the database.
    pub fn change_last_word(&self, game: &str, head_before: Option<&str>) -> Result<bool> {
        let (space, bytes, id) = match self {
            Self::Sqlite(_) => ("instr(log, ' ')", "x'HEAD'", format!("x'{game}'")),
            Self::Postgres { .. } => ("position(' ' in log)", "decode('HEAD', 'hex')", format!("'{game}'")),
        };
        let change = match head_before {
            Some(head) => {
                let bytes = bytes.replace("HEAD", head);
                format!("log = substr(log, {space} + 1), ply = ply - 1, head = {bytes}")
            }
            None => format!("log = substr(log, 1, {space}) || log, ply = ply + 1"),
        };
        let sql = format!("UPDATE games SET {change} WHERE id = {id} AND status = 1");
        match self {
            Self::Sqlite(file) => {
                let connection = Connection::open(file).map_err(failed)?;
                for guard in guards(&connection).map_err(failed)? {
                    connection.execute_batch(&format!("DROP TRIGGER {guard}")).map_err(failed)?;
                }
                connection.execute(&sql, []).map(|changed| changed == 1).map_err(failed)
            }
            Self::Postgres { cluster, name } => {
                let sql = format!("SET session_replication_role = replica; {sql} RETURNING 'changed'");
                Ok(cluster.sql(name, &sql)?.contains("changed"))
            }
        }
    }

    /// Makes PostgreSQL report a full disk for all writes, or stops that.
    ///
    /// # Errors
    /// Those of the database.
    pub fn fill(&self, is_full: bool) -> Result<()> {
        let Self::Postgres { cluster, name } = self else { return Ok(()) };
        let sql = if is_full {
            "CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN RAISE EXCEPTION ''no room'' USING ERRCODE = ''disk_full''; END'; \
             CREATE TRIGGER be_full BEFORE INSERT OR UPDATE ON games FOR EACH STATEMENT EXECUTE FUNCTION be_full()"
        } else {
            "DROP FUNCTION IF EXISTS be_full CASCADE"
        };
        cluster.sql(name, sql).map(drop)
    }
}

fn guards(connection: &Connection) -> rusqlite::Result<Vec<String>> {
    let mut guards =
        connection.prepare("SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'games'")?;
    guards.query_map([], |row| row.get(0))?.collect()
}

/// Drops the last quarter of SQLite's write-ahead log, as a disk does that acknowledged writes too early.
///
/// # Errors
/// If the file cannot be changed.
pub fn lose_writes(database: &Path) -> Result<()> {
    let mut log = OpenOptions::new().read(true).write(true).open(log_of(database))?;
    let (frames, frame) = frames(&mut log)?;
    if frames == 0 { Ok(()) } else { log.set_len(HEADS.0 + frames * 3 / 4 * frame) }
}

/// Returns the length of SQLite's write-ahead log in bytes. Its file may be longer, with the remains of an
/// earlier log.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn length_of_log(database: &Path) -> Result<u64> {
    let (frames, frame) = frames(&mut File::open(log_of(database))?)?;
    Ok(frames * frame)
}

fn log_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push("-wal");
    PathBuf::from(name)
}

/// Returns how many frames a log has, and the length of each.
fn frames(log: &mut File) -> Result<(u64, u64)> {
    let mut head = [0; HEADS.0 as usize];
    if log.read_exact(&mut head).is_err() {
        // Nothing was written.
        return Ok((0, 0));
    }
    let page = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
    let frame = HEADS.1 + u64::from(page);
    Ok((count(log, &head[16..24], frame)?, frame))
}

/// Counts the frames that belong to a log with this salt.
fn count(log: &mut File, salt: &[u8], frame: u64) -> Result<u64> {
    let mut frames = 0;
    loop {
        log.seek(SeekFrom::Start(HEADS.0 + frames * frame))?;
        let mut head = [0; HEADS.1 as usize];
        if log.read_exact(&mut head).is_err() || &head[8..16] != salt {
            return Ok(frames);
        }
        frames += 1;
    }
}
