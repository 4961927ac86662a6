//! What games take on the disk and in the write-ahead log.

use std::io::{Error, Result};
use std::net::SocketAddr;

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use crate::connection::Connection;
use crate::reads::play;

/// How many games are played at the same time. After each such round PostgreSQL may use the room again that rows have
/// left, as it does by itself after a while.
const AT_ONCE: u64 = 64;
/// How many rounds are played.
const ROUNDS: u64 = 16;

/// Bytes that a database has written.
struct Bytes {
    /// Tables and indexes.
    disk: i64,
    /// The write-ahead log, where the database says.
    log: Option<i64>,
}

/// Plays games, and prints what each of their plies takes, creation and seats included.
///
/// # Errors
/// Where the service or the database fails.
pub async fn print(store: &str, url: &str, address: SocketAddr) -> Result<()> {
    let games = ROUNDS * AT_ONCE;
    println!("| {store}, {games} games | plies a game | bytes a ply | in the write-ahead log |");
    println!("| --- | ---: | ---: | ---: |");
    for (name, ruleset, seats, last) in [
        ("Marrakech for three, 20 plies", "marrakech/1", 3, 20),
        ("Marrakech for three, to the end", "marrakech/1", 3, u32::MAX),
        ("Marrakesh, 290 plies or to the end", "marrakesh/1", 2, 290),
    ] {
        let before = measure(url).await?;
        let mut plies = 0;
        for round in 0..ROUNDS {
            let mut tables = JoinSet::new();
            for table in 0..AT_ONCE {
                let mut random = SmallRng::seed_from_u64(round * AT_ONCE + table);
                tables.spawn(async move {
                    let mut on = Connection::open(address).await?;
                    Ok::<_, Error>(play(&mut on, &mut random, ruleset, seats, last).await?.0.1)
                });
            }
            while let Some(played) = tables.join_next().await {
                plies += played.map_err(Error::other)??;
            }
            clean(url).await?;
        }
        let after = measure(url).await?;
        let each = |bytes: i64| bytes as f64 / f64::from(plies);
        let log = before.log.zip(after.log).map(|(before, after)| format!("{:.0}", each(after - before)));
        println!(
            "| {name} | {:.0} | {:.1} | {} |",
            f64::from(plies) / games as f64,
            each(after.disk - before.disk),
            log.unwrap_or_default()
        );
    }
    println!();
    Ok(())
}

async fn clean(url: &str) -> Result<()> {
    if url.starts_with("postgres") {
        let database = connect(url).await?;
        database.batch_execute("VACUUM games, player_games, own_games").await.map_err(Error::other)?;
    }
    Ok(())
}

/// Opens a session of PostgreSQL.
///
/// # Errors
/// Where there is none.
pub async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.map_err(Error::other)?;
    tokio::spawn(connection);
    Ok(client)
}

async fn measure(url: &str) -> Result<Bytes> {
    if let Some(file) = url.strip_prefix("sqlite:") {
        let database = rusqlite::Connection::open(file).map_err(Error::other)?;
        let pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let disk = database.query_row(pages, [], |row| row.get(0)).map_err(Error::other)?;
        return Ok(Bytes { disk, log: None });
    }
    let sql = "SELECT pg_total_relation_size('games') + pg_total_relation_size('player_games') + pg_total_relation_size('own_games'), \
               (pg_current_wal_insert_lsn() - '0/0')::bigint";
    let row = connect(url).await?.query_one(sql, &[]).await.map_err(Error::other)?;
    Ok(Bytes { disk: row.get(0), log: Some(row.get(1)) })
}
