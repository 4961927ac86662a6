//! Measures the size of games on disk, in the write-ahead log and in memory.

use std::io::{Error, Result};
use std::net::SocketAddr;

use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use crate::clients::player::Player;
use crate::clients::reads::play;
use crate::connection::Connection;
use crate::load::{Load as _, Step};
use crate::service::Service;

/// Games that are played at the same time. After each round PostgreSQL may reuse the space of old rows, as it
/// does by itself after a while.
const AT_ONCE: u64 = 64;
/// Rounds of games.
const ROUNDS: u64 = 16;

/// Bytes that a database has written.
struct Bytes {
    /// Tables and indexes.
    disk: i64,
    /// The write-ahead log, if the database reports it.
    log: Option<i64>,
}

/// Plays games, and prints the size of each of their plies, including creation and seats.
///
/// # Errors
/// If the service or the database fails.
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
/// If that fails.
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

/// Clients that play with games held in memory.
const CLIENTS: u64 = 64;
/// Moves in each game.
const MEMORY_ROUNDS: usize = 4;

/// Starts this many games, makes moves in each in turn, and prints the memory of the service.
///
/// # Errors
/// If the service fails.
pub async fn print_memory(store: &str, service: &Service, games: u64) -> Result<()> {
    println!("| {store}, {games} running games | resident memory, MB |");
    println!("| --- | ---: |");
    println!("| before | {:.0} |", service.megabytes()?);
    let mut tables = JoinSet::new();
    for client in 0..CLIENTS {
        let address = service.address;
        tables.spawn_local(async move {
            let mut on = Connection::open(address).await?;
            let mut tables = Vec::new();
            for game in 0..games / CLIENTS {
                let mut player = Player::new(client * games + game);
                player.sit_down(&mut on).await?;
                tables.push(player);
            }
            Ok::<_, Error>((on, tables))
        });
    }
    let mut clients = tables.join_all().await.into_iter().collect::<Result<Vec<_>>>()?;
    println!("| all seats taken | {:.0} |", service.megabytes()?);
    for round in 1..=MEMORY_ROUNDS {
        let mut moves = JoinSet::new();
        for (mut on, mut tables) in clients {
            moves.spawn_local(async move {
                for player in &mut tables {
                    if player.step(&mut on).await? != Step::Counted {
                        return Err(Error::other("a game was over"));
                    }
                }
                Ok::<_, Error>((on, tables))
            });
        }
        clients = moves.join_all().await.into_iter().collect::<Result<Vec<_>>>()?;
        println!("| a move in each, {round} times | {:.0} |", service.megabytes()?);
    }
    println!();
    Ok(())
}
