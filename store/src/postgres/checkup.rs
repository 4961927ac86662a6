//! Checks a PostgreSQL database, or one that uses its protocol, for `assam doctor`.

use assam_record::clock::now;
use deadpool_postgres::{Client, GenericClient as _};
use jiff::Timestamp;
use tokio_postgres::Row;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::FromSqlOwned;

use super::PostgresStore;
use super::connection::session::session;
use super::error::PostgresFault;
use crate::Observation;
use crate::StoreError;
use crate::health::database_fault::DatabaseError as _;

/// The triggers that protect stored games from changes by others.
const GUARD: [&str; 17] = [
    "games_guard_beacon",
    "games_guard_clock",
    "games_guard_commitment",
    "games_guard_fixed",
    "games_guard_rated",
    "games_guard_rematch",
    "games_guard_removal",
    "games_guard_truncate",
    "games_guard_update",
    "games_refuse_spent_id",
    "games_spend_id",
    "log_entries_guard",
    "log_entries_guard_removal",
    "log_head_guard",
    "log_head_guard_removal",
    "log_nodes_guard",
    "signing_keys_guard",
];
/// The triggers that distributed games do without.
const LOCAL: [&str; 2] = ["games_refuse_spent_id", "games_spend_id"];
/// The existing triggers that fire.
const TRIGGERS: &str = "SELECT tgname::text FROM pg_trigger WHERE NOT tgisinternal AND tgenabled IN ('O', 'A') \
                        AND pg_table_is_visible(tgrelid)";
/// The settings of the server, as the sessions of the service have them.
const SETTINGS: &str = "SELECT current_setting('server_version'), pg_is_in_recovery(), current_setting('fsync'), \
     current_setting('full_page_writes'), current_setting('synchronous_commit'), current_setting('enable_seqscan'), \
     current_setting('synchronous_standby_names'), (SELECT count(*) FROM pg_stat_replication), \
     current_setting('max_connections')::bigint - current_setting('superuser_reserved_connections')::bigint, \
     (SELECT coalesce(sum(numbackends), 0)::bigint FROM pg_stat_database), \
     (extract(epoch FROM clock_timestamp()) * 1000)::bigint, \
     (SELECT max(extract(epoch FROM clock_timestamp() - xact_start))::bigint FROM pg_stat_activity)";
/// Whether the role of the sessions may write.
const MAY_WRITE: &str =
    "SELECT has_table_privilege('games', 'INSERT') AND has_table_privilege('games', 'UPDATE')";
/// How many rows of games were changed, and how many of these within their page.
const CHANGES: &str = "SELECT coalesce(sum(n_tup_upd), 0)::bigint, coalesce(sum(n_tup_hot_upd), 0)::bigint \
     FROM pg_stat_user_tables WHERE relid = 'games'::regclass";
/// The number of shards of the games, the number of their servers, and an interval in milliseconds (-1 for
/// never). At that interval, Citus looks for transactions that a server has prepared but not committed.
const SHARDS: &str = "SELECT count(*), count(DISTINCT nodename || ':' || nodeport), \
     (SELECT setting::bigint FROM pg_settings WHERE name = 'citus.recover_2pc_interval') FROM citus_shards \
     WHERE table_name = 'games'::regclass";
/// The number of connections between servers that fail.
const AWAY: &str = "SELECT count(*) FROM citus_check_cluster_node_health() WHERE result IS NOT TRUE";
/// A longer interval holds up games for long, in milliseconds.
const SELDOM: i64 = 10_000;

/// The connections of a service process with two workers.
const CONNECTIONS: i64 = 19;
/// A larger difference between clocks is reported, in milliseconds.
const APART: i64 = 1_000;
/// An older transaction keeps the database from cleaning up, in seconds.
const OLD: i64 = 3_600;
/// With fewer changes, the share made in place is not meaningful.
const FEW: i64 = 1_000;

impl PostgresStore {
    /// Checks the database without changing it.
    pub(super) async fn look_over(&self) -> Result<Vec<Observation>, StoreError> {
        // There may be only one session, and starting one takes longer than a response may take.
        drop(session(&self.lists).await?);
        let migrations = Observation::of_migrations(self.check_applied().await);
        let session = session(&self.lists).await?;
        let begun = now();
        let row = session.query_one(SETTINGS, &[]).await.map_err(PostgresFault::from)?;
        let row = Settings { row, read: (begun, now()) };
        let mut found = vec![Observation::good("server", format!("PostgreSQL {}", row.get::<String>(0)?))];
        let is_standby: bool = row.get(1)?;
        found.push(if is_standby {
            Observation::notable("role", "a standby: serve it with `assam serve --read-only`")
        } else if is_kept_from_writing(&session).await {
            Observation::notable(
                "role",
                "it accepts changes, but not from this user: use `assam serve --read-only`, or a user that owns the database",
            )
        } else {
            Observation::good("role", "it accepts changes")
        });
        found.push(migrations);
        found.extend([of_disk(&row)?, of_session(&row)?]);
        if !is_standby {
            found.push(of_standbys(&row)?);
        }
        found.extend([of_connections(&row)?, of_clock(&row)?]);
        found.extend(of_transactions(&row)?);
        found.extend(of_table(&session).await?);
        found.push(of_notices(&session, is_standby).await);
        Ok(found)
    }
}

/// A row of settings, and when it was requested and read.
struct Settings {
    row: Row,
    read: (Timestamp, Timestamp),
}

impl Settings {
    fn get<T: FromSqlOwned>(&self, column: usize) -> Result<T, StoreError> {
        Ok(self.row.try_get(column).map_err(PostgresFault::from)?)
    }
}

fn of_disk(row: &Settings) -> Result<Observation, StoreError> {
    let off: Vec<&str> = [("fsync", 2), ("full_page_writes", 3)]
        .into_iter()
        .filter_map(|(name, column)| match row.get::<String>(column) {
            Ok(value) if value == "on" => None,
            _ => Some(name),
        })
        .collect();
    let commit: String = row.get(4)?;
    Ok(if !off.is_empty() {
        Observation::bad(
            "durability",
            format!("{} is off: acknowledged moves may be lost when the machine stops", off.join(" and ")),
        )
    } else if commit == "on" {
        Observation::good("durability", "a commit is on disk when it is acknowledged")
    } else {
        Observation::bad(
            "durability",
            format!(
                "sessions have synchronous_commit = {commit}, but the service sets `on`: a pooler or proxy drops its options"
            ),
        )
    })
}

fn of_session(row: &Settings) -> Result<Observation, StoreError> {
    let scans: String = row.get(5)?;
    Ok(if scans == "off" {
        Observation::good("sessions", "they have the options of the service")
    } else {
        Observation::notable(
            "sessions",
            "a pooler drops the options of the service: statements may have bad plans, and wait too long for locks. Make it keep `options` (PgBouncer: session pooling)",
        )
    })
}

fn of_standbys(row: &Settings) -> Result<Observation, StoreError> {
    let (named, following): (String, i64) = (row.get(6)?, row.get(7)?);
    Ok(if !named.is_empty() {
        Observation::good("standbys", format!("commits wait for {named}, {following} connected"))
    } else if following > 0 {
        Observation::notable(
            "standbys",
            format!(
                "{following} connected, but no commit waits for them: the last acknowledged moves are lost with this server (set synchronous_standby_names)"
            ),
        )
    } else {
        Observation::notable(
            "standbys",
            "none is connected: everything since the last backup is lost with this server",
        )
    })
}

fn of_connections(row: &Settings) -> Result<Observation, StoreError> {
    let (most, used): (i64, i64) = (row.get(8)?, row.get(9)?);
    let text = format!(
        "{used} of {most} are open, and a service process uses up to {CONNECTIONS}, plus two for each worker beyond two"
    );
    Ok(if most - used < CONNECTIONS {
        Observation::notable("connections", text)
    } else {
        Observation::good("connections", text)
    })
}

/// Returns the difference between its clock and this machine's.
fn of_clock(row: &Settings) -> Result<Observation, StoreError> {
    let there: i64 = row.get(10)?;
    let (asked, read) = (row.read.0.as_millisecond(), row.read.1.as_millisecond());
    let apart = there - there.clamp(asked.min(read), asked.max(read));
    Ok(if apart.abs() > APART {
        Observation::notable("clock", format!("it differs from this machine's clock by {} ms", apart))
    } else {
        Observation::good("clock", "it agrees with this machine's clock")
    })
}

fn of_transactions(row: &Settings) -> Result<Option<Observation>, StoreError> {
    let oldest: Option<i64> = row.get(11)?;
    Ok(oldest.filter(|age| *age > OLD).map(|age| {
        let text =
            format!("one is {} minutes old: until it ends, the database cannot clean up old rows", age / 60);
        Observation::notable("transactions", text)
    }))
}

/// Returns whether the user of the URL may not change games.
async fn is_kept_from_writing(session: &Client) -> bool {
    // Unknown if there are no tables yet, or if the server only uses the protocol.
    let may = session.query_one(MAY_WRITE, &[]).await.and_then(|row| row.try_get(0));
    may.is_ok_and(|may: bool| !may)
}

/// Checks the table of the games: its triggers, how its rows change, and where they are.
async fn of_table(session: &Client) -> Result<Vec<Observation>, StoreError> {
    let there = session.query(TRIGGERS, &[]).await.map_err(PostgresFault::from)?;
    let there: Vec<String> = there.iter().filter_map(|row| row.try_get(0).ok()).collect();
    if let Ok(shards) = session.query_one(SHARDS, &[]).await {
        let [shards, servers, pause]: [i64; 3] =
            [0, 1, 2].map(|column| shards.try_get(column).unwrap_or_default());
        if shards > 0 {
            let guard: Vec<&str> = GUARD.into_iter().filter(|name| !LOCAL.contains(name)).collect();
            let servers = if servers == 1 { "one server".to_owned() } else { format!("{servers} servers") };
            let text = format!("games are in {shards} shards on {servers}");
            let away: i64 = match session.query_one(AWAY, &[]).await {
                Ok(away) => away.try_get(0).unwrap_or_default(),
                // A user without permission for this check gets no observation.
                Err(error) => i64::from(error.code() == Some(&SqlState::CONNECTION_FAILURE)),
            };
            let distribution = if away > 0 {
                Observation::bad(
                    "distribution",
                    text + ", and not all of them can be reached: games on the others can be neither read nor changed",
                )
            } else if (1..=SELDOM).contains(&pause) {
                Observation::good("distribution", text)
            } else {
                Observation::notable(
                    "distribution",
                    text + ": set `citus.recover_2pc_interval = '2s'` on the coordinator, or a server lost during a commit blocks its games for a minute",
                )
            };
            return Ok(vec![Observation::of_guard(&guard, &there), distribution]);
        }
    }
    let mut found = vec![Observation::of_guard(&GUARD, &there)];
    // A server that only uses the protocol may not count this.
    if let Ok(changes) = session.query_one(CHANGES, &[]).await {
        let [all, in_place]: [i64; 2] = [0, 1].map(|column| changes.try_get(column).unwrap_or_default());
        if all >= FEW {
            let share = in_place * 100 / all;
            let text = format!("{share} % of the changes of games fit into their page, and changed no index");
            found.push(if share < 80 {
                Observation::notable(
                    "updates",
                    text + ": `fillfactor` may be too high, or something has added an index",
                )
            } else {
                Observation::good("updates", text)
            });
        }
    }
    Ok(found)
}

/// Checks whether processes notify each other of changes.
async fn of_notices(session: &Client, is_standby: bool) -> Observation {
    if is_standby {
        return Observation::notable(
            "notices",
            "a standby passes none on: the service looks for changes ten times a second",
        );
    }
    match session.batch_execute("LISTEN assam_doctor; NOTIFY assam_doctor; UNLISTEN assam_doctor").await {
        Ok(()) => Observation::good("notices", "processes can notify each other of changes (LISTEN, NOTIFY)"),
        Err(error) => Observation::notable(
            "notices",
            format!("{}: processes show each other's changes up to a second later", error.describe()),
        ),
    }
}
