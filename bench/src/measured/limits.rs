//! The limits of the machine: the same durable work with nothing around it.

use std::io::{Error, Result};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, params};
use tokio::sync::oneshot;

use crate::load::Measured;

/// Measures durable inserts of one row with pgbench.
///
/// # Errors
/// If pgbench does not run.
pub fn pgbench(programs: &Path, url: &str, clients: usize, during: Duration) -> Result<f64> {
    let folder = tempfile::tempdir()?;
    let script = folder.path().join("insert.sql");
    std::fs::write(
        &script,
        "\\set game random(1, 100000)\n\\set ply random(1, 90)\n\
         INSERT INTO bench_insert (game, ply, word) VALUES (:game, :ply, 'N+3');\n",
    )?;
    let threads = clients.min(2).to_string();
    let output = Command::new(programs.join("pgbench"))
        .args(["--no-vacuum", "--protocol=prepared", "--jobs", &threads, "--client", &clients.to_string()])
        .args(["--time", &during.as_secs().max(1).to_string(), "--file"])
        .arg(&script)
        .arg(url)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let rate = text.lines().find_map(|line| line.strip_prefix("tps = ")?.split(' ').next()?.parse().ok());
    rate.ok_or_else(|| Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
}

/// Measures conditional appends to logs in an SQLite file by one thread, which commits everything in its
/// queue together. Each caller waits until its append is on disk.
///
/// # Errors
/// If SQLite fails.
pub async fn sqlite(folder: &Path, callers: usize, during: Duration) -> Result<Measured> {
    let file = folder.join(format!("raw-{callers}-{:?}.db", Instant::now()));
    let (sender, receiver) = mpsc::channel::<Append>();
    let writer = thread::spawn(move || write(&file, callers, &receiver));
    let end = Instant::now() + during;
    let callers: Vec<_> = (0..callers)
        .map(|game| {
            let sender = sender.clone();
            tokio::task::spawn_local(async move {
                let mut micros = Vec::new();
                for ply in 0_u32.. {
                    let begun = Instant::now();
                    if begun >= end {
                        break;
                    }
                    let (done, is_done) = oneshot::channel();
                    sender.send(Append { game, ply, done }).map_err(Error::other)?;
                    is_done.await.map_err(Error::other)?;
                    micros.push(begun.elapsed().as_micros() as u32);
                }
                Ok::<_, Error>(micros)
            })
        })
        .collect();
    drop(sender);
    let mut micros = Vec::new();
    for caller in callers {
        micros.extend(caller.await.map_err(Error::other)??);
    }
    micros.sort_unstable();
    writer.join().map_err(|_| Error::other("the writer panicked"))?.map_err(Error::other)?;
    Ok(Measured { rate: micros.len() as f64 / during.as_secs_f64(), micros })
}

struct Append {
    game: usize,
    ply: u32,
    done: oneshot::Sender<()>,
}

fn write(file: &Path, games: usize, queue: &mpsc::Receiver<Append>) -> rusqlite::Result<()> {
    let connection = Connection::open(file)?;
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.execute_batch(
        "CREATE TABLE games (id INTEGER PRIMARY KEY, ply INTEGER, head BLOB, log TEXT) STRICT",
    )?;
    for game in 0..games {
        connection.execute("INSERT INTO games VALUES (?, 0, x'00', '')", [game as i64])?;
    }
    let mut append =
        connection.prepare("UPDATE games SET ply = ?, head = ?, log = ? || log WHERE id = ? AND ply = ?")?;
    let mut batch = Vec::new();
    while let Ok(first) = queue.recv() {
        batch.push(first);
        batch.extend(queue.try_iter().take(255));
        let transaction = connection.unchecked_transaction()?;
        for Append { game, ply, .. } in &batch {
            // The same average length as the log of a game in the service.
            let word = if ply % 90 == 0 { "" } else { "d6e6~12 " };
            let changed = append.execute(params![ply + 1, [7_u8; 32], word, *game as i64, ply])?;
            debug_assert_eq!(changed, 1);
        }
        transaction.commit()?;
        for Append { done, .. } in batch.drain(..) {
            let _ = done.send(());
        }
    }
    Ok(())
}
