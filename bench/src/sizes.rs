//! What games take on the disk and in the write-ahead log.

use std::io::{Error, Result};

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio_postgres::NoTls;

use crate::connection::Connection;
use crate::reads::play;

/// How many games are played.
const GAMES: usize = 64;

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
pub async fn print(store: &str, url: &str, on: &mut Connection) -> Result<()> {
    println!("| {store}, {GAMES} games | plies a game | bytes a ply | in the write-ahead log |");
    println!("| --- | ---: | ---: | ---: |");
    let mut random = SmallRng::seed_from_u64(11);
    for (name, ruleset, seats, last) in [
        ("Marrakech for three, 20 plies", "marrakech/1", 3, 20),
        ("Marrakech for three, to the end", "marrakech/1", 3, u32::MAX),
        ("Marrakesh, 290 plies or to the end", "marrakesh/1", 2, 290),
    ] {
        let before = measure(url).await?;
        let mut plies = 0;
        for _ in 0..GAMES {
            plies += play(on, &mut random, ruleset, seats, last).await?.0.1;
        }
        let after = measure(url).await?;
        let each = |bytes: i64| bytes as f64 / f64::from(plies);
        let log = before.log.zip(after.log).map(|(before, after)| format!("{:.0}", each(after - before)));
        println!(
            "| {name} | {:.0} | {:.1} | {} |",
            f64::from(plies) / GAMES as f64,
            each(after.disk - before.disk),
            log.unwrap_or_default()
        );
    }
    println!();
    Ok(())
}

async fn measure(url: &str) -> Result<Bytes> {
    if let Some(file) = url.strip_prefix("sqlite:") {
        let database = rusqlite::Connection::open(file).map_err(Error::other)?;
        let pages = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
        let disk = database.query_row(pages, [], |row| row.get(0)).map_err(Error::other)?;
        return Ok(Bytes { disk, log: None });
    }
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.map_err(Error::other)?;
    let connection = tokio::spawn(connection);
    let sql = "SELECT pg_total_relation_size('games') + pg_total_relation_size('player_games'), \
               (pg_current_wal_insert_lsn() - '0/0')::bigint";
    let row = client.query_one(sql, &[]).await.map_err(Error::other)?;
    let bytes = Bytes { disk: row.get(0), log: Some(row.get(1)) };
    drop(client);
    connection.await.map_err(Error::other)?.map_err(Error::other)?;
    Ok(bytes)
}
