//! SQLite's write-ahead log, into which everything is written first.

use std::fs;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::*;

/// A bit more than twice the size at which the log restarts, in bytes.
const LONG: u64 = 150 << 20;
/// Its remaining size once no reader needs more, in bytes.
const KEPT: u64 = 80 << 20;
/// So many games that the log exceeds both if it does not restart.
const MANY: u32 = 15_000;

fn log_of(backend: &Backend) -> u64 {
    fs::metadata(backend.url().strip_prefix("sqlite:").unwrap().to_owned() + "-wal").unwrap().len()
}

fn reader(backend: &Backend) -> rusqlite::Connection {
    rusqlite::Connection::open(backend.url().strip_prefix("sqlite:").unwrap()).unwrap()
}

fn games(reader: &rusqlite::Connection) -> u32 {
    reader.query_row("SELECT count(*) FROM games", [], |row| row.get(0)).unwrap()
}

/// Writes games with distant ids, a few at a time.
async fn write_games(store: &Database, numbers: Range<u32>) {
    let numbers: Vec<_> = numbers.map(|n| n.wrapping_mul(0x9e37_79b1)).collect();
    for together in numbers.chunks(64) {
        let mut changes: Vec<_> = together.iter().map(|&n| create(&open_game(n))).collect();
        assert!(store.games.write(&mut changes).await.iter().all(Result::is_ok));
    }
}

/// Reads for some milliseconds at a time until stopped, with each read ending only after the other reader has
/// begun its next.
fn read_by_turns(backend: &Backend, begun: [&AtomicU64; 2], stop: &AtomicU64) {
    let connection = reader(backend);
    let [mine, others] = begun;
    while stop.load(Ordering::SeqCst) == 0 {
        connection.execute_batch("BEGIN").unwrap();
        games(&connection);
        let since = Instant::now();
        let seen = others.load(Ordering::SeqCst);
        mine.fetch_add(1, Ordering::SeqCst);
        while since.elapsed() < Duration::from_millis(3)
            || (others.load(Ordering::SeqCst) == seen && stop.load(Ordering::SeqCst) == 0)
        {
            thread::yield_now();
        }
        connection.execute_batch("END").unwrap();
    }
}

#[tokio::test]
async fn where_somebody_always_reads_and_somebody_always_writes_the_log_does_not_grow_for_ever() {
    let backend = &sqlite();
    let store = backend.open().await;
    let [one, other, stop] = [0, 0, 0].map(AtomicU64::new);
    thread::scope(|scope| {
        scope.spawn(|| read_by_turns(backend, [&one, &other], &stop));
        scope.spawn(|| read_by_turns(backend, [&other, &one], &stop));
        let runtime = Runtime::new().unwrap();
        let written = scope.spawn(move || runtime.block_on(write_games(&store, 0..2 * MANY))).join();
        // Also after a failure, or the readers would read for ever.
        stop.store(1, Ordering::SeqCst);
        written.unwrap();
        let log = log_of(backend);
        assert!(log < LONG, "{log} bytes");
    });
}

/// Writes games one by one while another process writes many, and returns the longest time for one.
async fn longest_turn(backend: &Backend, from: u32) -> Duration {
    let (store, little) = (backend.open().await, backend.connect());
    let much = async move { write_games(&store, from..from + MANY).await };
    let much = thread::spawn(|| Runtime::new().unwrap().block_on(much));
    let mut longest = Duration::ZERO;
    for n in (from + MANY..).take_while(|_| !much.is_finished()) {
        let begun = Instant::now();
        write_games(&little, n..n + 1).await;
        longest = longest.max(begun.elapsed());
    }
    much.join().unwrap();
    longest
}

#[tokio::test]
async fn whoever_writes_a_little_gets_a_turn_beside_another_process_that_writes_without_a_pause() {
    let backend = &sqlite();
    let mut turns = Vec::new();
    // SQLite's own waiting takes a second each time, while a machine is rarely busy for that long.
    while turns.iter().all(|turn| *turn > Duration::from_millis(500)) {
        assert!(turns.len() < 3, "{turns:?}");
        turns.push(longest_turn(backend, turns.len() as u32 * 1_000_000).await);
    }
}

#[tokio::test]
async fn whoever_reads_for_long_holds_no_writer_up_and_the_log_is_given_back_afterwards() {
    let backend = &sqlite();
    let store = backend.open().await;
    let reader = reader(backend);
    reader.execute_batch("BEGIN").unwrap();
    assert_eq!(games(&reader), 0);
    write_games(&store, 0..MANY).await;
    assert!(log_of(backend) > KEPT && 2 * log_of(backend) > LONG, "what the tests do is too little");
    assert_eq!(games(&reader), 0, "what is read is of one moment");
    reader.execute_batch("END").unwrap();
    write_games(&store, MANY..2 * MANY).await;
    assert!(log_of(backend) <= KEPT, "{}", log_of(backend));
    assert_eq!(games(&reader), 2 * MANY);
}
