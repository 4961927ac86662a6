//! A fresh database per test, of every kind, which is removed when dropped.

#![allow(clippy::unwrap_used)]

use std::fmt::Display;
use std::io::{self, Write as _};
use std::path::PathBuf;
use std::{env, thread};

use assam_record::game::{GameId, Head, Holder, Info, SeatKind, Status, StoredGame, Visibility};
use assam_record::log::{Extension, Start};
use assam_referee::Setup;
use assam_store::{Change, Database, Effects, PostgresStore, RowChange, SqliteStore, StoreError, Update};
use jiff::Timestamp;
use postgres::{Client, NoTls};
use tempfile::TempDir;

use super::comes;

/// The test server, as a `postgres://` URL of a user who may create schemas.
const SERVER: &str = "ASSAM_TEST_POSTGRES";
/// `1` skips the PostgreSQL half of the tests, except in CI.
const WITHOUT: &str = "ASSAM_TEST_WITHOUT_POSTGRES";
/// `1` disables the triggers of PostgreSQL, like an engine without them. The tests of the guard then fail, as
/// do those that delay the database with triggers.
const WITHOUT_TRIGGERS: &str = "ASSAM_TEST_WITHOUT_TRIGGERS";

/// One change at a time.
pub(crate) trait Writes {
    async fn alone(&self, change: Change) -> Result<(), StoreError>;
}

impl Writes for Database {
    async fn alone(&self, change: Change) -> Result<(), StoreError> {
        let mut outcomes = self.games.write(&mut [change]).await;
        assert_eq!(outcomes.len(), 1);
        outcomes.pop().unwrap()
    }
}

/// Makes a PostgreSQL look as if Citus had distributed its games over two servers, as far as the service
/// checks.
pub(crate) const AS_IF_DISTRIBUTED: &str = "CREATE TABLE pg_dist_partition AS SELECT 'games'::regclass AS logicalrelid; \
     CREATE TABLE pg_dist_placement AS SELECT n::bigint AS shardid, n % 2 AS groupid FROM generate_series(0, 15) AS n; \
     CREATE FUNCTION get_shard_id_for_distribution_column(regclass, uuid) RETURNS bigint LANGUAGE sql AS \
     'SELECT (''x'' || right($2::text, 1))::bit(4)::bigint'";

pub(crate) fn create(game: &StoredGame) -> Change {
    Change::insert(game.clone(), None)
}

/// Takes seats of an open game that is in no list.
pub(crate) fn reseat(id: GameId, revision: i64, seats: &[Holder], start: Option<&Start>) -> Change {
    let update = Update {
        revision,
        status: Status::Open,
        at: None,
        seats: seats.to_vec(),
        tags: None,
        heir: None,
        beacon: None,
        rematch: None,
        start: start.cloned(),
        removed: None,
    };
    Change { id, row: RowChange::Update(Box::new(update)), effects: Effects::default() }
}

/// Appends to a running game of the tests, whose seats were taken one by one.
pub(crate) fn append(id: GameId, at: &Head, extension: &Extension) -> Change {
    append_at(2, id, at, extension)
}

pub(crate) fn append_at(revision: i64, id: GameId, at: &Head, extension: &Extension) -> Change {
    let row = RowChange::Append { revision, at: *at, extension: extension.clone() };
    Change { id, row, effects: Effects::default() }
}

/// Removes a game that never started.
pub(crate) fn remove(game: &Info) -> Change {
    let effects = Effects::between(Some(&stored(game)), None, None);
    Change { id: game.id, row: RowChange::Delete { revision: game.revision }, effects }
}

/// Takes a game down.
pub(crate) fn take_down(game: &Info) -> Change {
    let update = Update::take_down(game, "spam".into());
    let game = stored(game);
    let effects = Effects::between(Some(&game), Some(&update.applied(&game)), None);
    Change { id: game.info.id, row: RowChange::Update(Box::new(update)), effects }
}

/// Returns the same change of a game, listed as before.
pub(crate) fn listed_as(before: &Info, mut change: Change) -> Change {
    let game = stored(before);
    let mut after = game.clone();
    match &mut change.row {
        RowChange::Update(update) => {
            update.status = before.status;
            after = update.applied(&game);
        }
        RowChange::Append { revision, extension, .. } => {
            *revision = before.revision;
            extension.apply(&mut after);
        }
        RowChange::Insert(_) | RowChange::Delete { .. } => {}
    }
    change.effects = Effects::between(Some(&game), Some(&after), None);
    change
}

/// Returns a game with this info that belongs in the public log.
fn stored(info: &Info) -> StoredGame {
    let blank = blank_game(info.id, info.setup.clone(), info.created_at);
    StoredGame { info: info.clone(), commitment: Some([0xc0; 32]), ..blank }
}

/// Returns a public game with open seats, without an owner and without chance.
pub(crate) fn blank_game(id: GameId, setup: Setup, created_at: Timestamp) -> StoredGame {
    StoredGame {
        info: Info {
            id,
            created_at,
            visibility: Visibility::Public,
            imported: false,
            rated: true,
            clock: None,
            rematch_of: None,
            rematch: None,
            patience_hours: None,
            revision: 0,
            seats: (0..setup.seats()).map(|_| Holder::new(SeatKind::Open)).collect(),
            status: Status::Open,
            started_at: None,
            finished_at: None,
            head: None,
            removed: None,
            setup,
        },
        owner: None,
        heir: None,
        join_code: None,
        request: None,
        seed: None,
        commitment: None,
        beacon: None,
        tags: String::new(),
        log: String::new(),
    }
}

/// A separate empty database.
pub(crate) enum Backend {
    Sqlite(TempDir),
    Postgres(Schema),
}

/// Returns an empty SQLite file, for tests that do not depend on the kind of database.
pub(crate) fn sqlite() -> Backend {
    Backend::Sqlite(tempfile::tempdir().unwrap())
}

/// Returns a database of each kind.
///
/// # Panics
/// If no PostgreSQL server is named, unless it is left out on purpose.
pub(crate) fn backends() -> Vec<Backend> {
    let mut backends = vec![sqlite()];
    if let Ok(server) = env::var(SERVER) {
        backends.push(Backend::Postgres(Schema::create(server)));
    } else {
        let is = |name, value: &str| env::var(name).is_ok_and(|set| set == value);
        assert!(is(WITHOUT, "1") && !is("CI", "true"), "run scripts/test, or set {SERVER}");
        // Straight to the stream, as libtest does not hold this back.
        let test = thread::current();
        let test = test.name().unwrap_or("a test");
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED on Postgres ({WITHOUT}): {test}").unwrap();
    }
    backends
}

/// Returns an empty PostgreSQL database, for tests of PostgreSQL alone. Returns `None` with a notice if no
/// server is named.
pub(crate) fn postgres() -> Option<Backend> {
    backends().into_iter().nth(1)
}

/// An addition to the options of a PostgreSQL URL that disables triggers.
pub(crate) const NO_TRIGGER_FIRES: &str = "%20-c%20session_replication_role%3Dreplica";

/// Does something while another connection blocks all writes to an SQLite file.
fn while_locked<T>(directory: &TempDir, work: impl FnOnce() -> T) -> T {
    let other = rusqlite::Connection::open(file(directory)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    work()
}

impl Backend {
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            Self::Postgres(_) => "Postgres",
        }
    }

    /// Does something while the database is slow: each write takes seconds.
    pub(crate) fn while_slow<T>(&self, work: impl FnOnce() -> T) -> T {
        match self {
            Self::Sqlite(directory) => while_locked(directory, work),
            Self::Postgres(schema) => {
                let mut other = client(&schema.url());
                let slow = "CREATE FUNCTION be_slow() RETURNS trigger LANGUAGE plpgsql AS \
                     'BEGIN PERFORM pg_sleep(2); RETURN NULL; END'; \
                     CREATE TRIGGER be_slow BEFORE INSERT ON games FOR EACH STATEMENT EXECUTE FUNCTION be_slow()";
                other.batch_execute(slow).unwrap();
                let done = work();
                other.batch_execute("DROP FUNCTION be_slow CASCADE").unwrap();
                done
            }
        }
    }

    /// Does something while another session holds a game, so that nothing of it is written.
    pub(crate) fn while_held<T>(&self, game: &str, work: impl FnOnce() -> T) -> T {
        match self {
            Self::Sqlite(directory) => while_locked(directory, work),
            Self::Postgres(schema) => {
                let mut other = client(&schema.url());
                let hold = format!("BEGIN; SELECT FROM games WHERE id = {} FOR UPDATE", self.id(game));
                other.batch_execute(&hold).unwrap();
                work()
            }
        }
    }

    /// Does something while PostgreSQL reports a full disk for all writes.
    pub(crate) fn while_full<T>(&self, work: impl FnOnce() -> T) -> T {
        self.script(
            "CREATE FUNCTION be_full() RETURNS trigger LANGUAGE plpgsql AS \
             'BEGIN RAISE EXCEPTION ''no room'' USING ERRCODE = ''disk_full''; END'; \
             CREATE TRIGGER be_full BEFORE INSERT ON games FOR EACH STATEMENT EXECUTE FUNCTION be_full(); \
             CREATE TRIGGER be_full BEFORE INSERT ON records FOR EACH STATEMENT EXECUTE FUNCTION be_full()",
        );
        let done = work();
        self.script("DROP FUNCTION be_full CASCADE");
        done
    }

    /// Returns bytes as SQL.
    pub(crate) fn bytes(&self, hex: impl Display) -> String {
        match self {
            Self::Sqlite(_) => format!("x'{hex}'"),
            Self::Postgres(_) => format!("decode('{hex}', 'hex')"),
        }
    }

    /// Returns the id of a game as SQL.
    pub(crate) fn id(&self, id: impl Display) -> String {
        match self {
            Self::Sqlite(_) => format!("x'{id}'"),
            Self::Postgres(_) => format!("'{id}'::uuid"),
        }
    }

    /// Returns the value for `--database`.
    pub(crate) fn url(&self) -> String {
        match self {
            Self::Sqlite(directory) => format!("sqlite:{}", file(directory).display()),
            Self::Postgres(schema) => schema.url(),
        }
    }

    /// Returns another store on this database, like another process has, without migrating.
    pub(crate) fn connect(&self) -> Database {
        match self {
            Self::Sqlite(directory) => SqliteStore::open(&file(directory)).unwrap().into(),
            Self::Postgres(schema) => PostgresStore::connect(&schema.url(), 4).unwrap().into(),
        }
    }

    /// Returns another store on this database, ready for use.
    pub(crate) async fn open(&self) -> Database {
        let store = self.connect();
        store.admin.migrate().await.unwrap();
        store
    }

    /// Runs statements, bypassing the stores.
    pub(crate) fn script(&self, sql: &str) {
        match self {
            Self::Sqlite(directory) => {
                rusqlite::Connection::open(file(directory)).unwrap().execute_batch(sql).unwrap();
            }
            Self::Postgres(schema) => apart(|| client(&schema.url()).batch_execute(sql)).unwrap(),
        }
    }

    /// Takes a game down as the operator does.
    pub(crate) fn take_down(&self, id: &str, reason: &str) -> std::process::Output {
        super::assam(&["remove", id, "--reason", reason, "--database", &self.url()], "")
    }

    /// Ends every session of the services, like a restarted database.
    pub(crate) fn end_sessions(&self) {
        if let Self::Postgres(Schema { name, .. }) = self {
            self.script(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
                 WHERE application_name = '{name}' AND pid <> pg_backend_pid()"
            ));
        }
    }

    /// Kills a process of PostgreSQL, which ends all others at once and recovers from disk. Waits for the
    /// recovery. Other users of that server are affected too.
    pub(crate) fn crash(&self) {
        if let Self::Postgres(schema) = self {
            let url = schema.url();
            apart(|| {
                let mut other = client(&url);
                // The parent of that shell is the process of this session.
                let killed = client(&url).batch_execute("COPY (SELECT 1) TO PROGRAM 'kill -KILL $PPID'");
                assert!(killed.is_err_and(|error| error.is_closed()));
                // It ends all sessions before it recovers.
                while other.batch_execute("SELECT 1").is_ok() {}
                assert!(comes(60, || Client::connect(&url, NoTls).is_ok()));
            });
        }
    }

    /// Returns the text column of a game.
    pub(crate) fn cell(&self, id: &str, column: &str) -> String {
        let sql = format!("SELECT {column} FROM games WHERE id = {}", self.id(id));
        match self {
            Self::Sqlite(directory) => {
                let connection = rusqlite::Connection::open(file(directory)).unwrap();
                connection.query_row(&sql, [], |row| row.get(0)).unwrap()
            }
            Self::Postgres(schema) => {
                apart(|| client(&schema.url()).query_one(&sql, &[]).unwrap().get::<_, String>(0))
            }
        }
    }

    /// Returns the count of a statement.
    pub(crate) fn count(&self, sql: &str) -> i64 {
        match self {
            Self::Sqlite(directory) => rusqlite::Connection::open(file(directory))
                .unwrap()
                .query_row(sql, [], |row| row.get(0))
                .unwrap(),
            Self::Postgres(schema) => apart(|| client(&schema.url()).query_one(sql, &[]).unwrap().get(0)),
        }
    }

    /// Runs one statement, bypassing the stores. Returns the number of changed rows, or the database's error.
    pub(crate) fn sabotage(&self, sql: &str) -> Result<u64, String> {
        match self {
            Self::Sqlite(directory) => {
                let connection = rusqlite::Connection::open(file(directory)).unwrap();
                let changed = connection.execute(sql, []);
                changed.map(|rows| rows.try_into().unwrap()).map_err(|error| error.to_string())
            }
            Self::Postgres(schema) => apart(|| {
                let changed = client(&schema.url()).execute(sql, &[]);
                changed.map_err(|error| error.as_db_error().unwrap().message().to_owned())
            }),
        }
    }
}

fn file(directory: &TempDir) -> PathBuf {
    directory.path().join("assam.db")
}

/// A schema on the server for tests.
pub(crate) struct Schema {
    server: String,
    name: String,
}

impl Schema {
    fn create(server: String) -> Self {
        let name = format!("assam_test_{:016x}", rand::random::<u64>());
        apart(|| client(&server).batch_execute(&format!("CREATE SCHEMA {name}"))).unwrap();
        Self { server, name }
    }

    fn url(&self) -> String {
        let Self { server, name } = self;
        let joint = if server.contains('?') { '&' } else { '?' };
        let fires =
            if env::var(WITHOUT_TRIGGERS).is_ok_and(|set| set == "1") { NO_TRIGGER_FIRES } else { "" };
        format!("{server}{joint}application_name={name}&options=-c%20search_path%3D{name}{fires}")
    }
}

impl Drop for Schema {
    fn drop(&mut self) {
        let Self { server, name } = self;
        // Ends the remaining sessions: one may be in a transaction, and its rollback may wait for the thread
        // that waits here.
        let sql = format!(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '{name}';
             DROP SCHEMA {name} CASCADE"
        );
        let dropped = apart(|| client(server).batch_execute(&sql));
        // A second panic would hide the first.
        if !thread::panicking() {
            dropped.unwrap();
        }
    }
}

fn client(url: &str) -> Client {
    Client::connect(url, NoTls).unwrap()
}

/// Runs on a separate thread, as the blocking client refuses to work inside a Tokio runtime.
fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| scope.spawn(work).join().unwrap())
}
