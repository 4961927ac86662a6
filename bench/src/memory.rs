//! What running games take in memory.

use std::io::{Error, Result};

use tokio::task::JoinSet;

use crate::connection::Connection;
use crate::load::{Load as _, Step};
use crate::player::Player;
use crate::service::Service;

/// How many clients play.
const CLIENTS: u64 = 64;
/// How many times a move is made in each game.
const ROUNDS: usize = 4;

/// Starts so many games, makes moves in all of them in turns, and prints how much memory the service takes meanwhile.
///
/// # Errors
/// Where the service fails.
pub async fn print(store: &str, service: &Service, games: u64) -> Result<()> {
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
    for round in 1..=ROUNDS {
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
