//! Reads the games of a source on a separate thread, and watches for the signals that stop an audit.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use assam_record::game::GameId;
use tokio::runtime::Builder;

use super::examine::AuditGame;
use super::source::Supply;
use crate::archive::transfer::NotTransferred;
use crate::process::input::for_each_record;
use crate::process::signals::Signals;
use crate::remote::Remote;

/// Games that may be read ahead.
const AHEAD: usize = 16;
/// The longest line with a proof, in bytes. No proof of any game comes near it.
const LONGEST: u64 = 16 * 1024 * 1024;
/// The query to a service: all games that have words.
const QUERY: &str = "proofs=true&status=running,finished,aborted";

/// The next message of a source.
pub enum Fed {
    Game(AuditGame),
    /// There are no more games.
    End,
    /// The source cannot be read any further.
    Broken(String),
    /// A signal stops the audit.
    Stop,
}

/// Games that are being read.
pub struct Feed {
    pub fed: Receiver<Fed>,
    /// The thread that reads the copy of a database, and removes it.
    reader: Option<JoinHandle<()>>,
}

/// The game from which reading begins.
#[derive(Clone, Copy)]
pub struct ReadFrom {
    /// Games that were examined before.
    pub done: u64,
    /// The last of them.
    pub last: Option<GameId>,
}

/// The receiver of the games is gone.
struct NotTaken;

/// Reads the games of a source after these, in order.
pub fn feed(supply: Supply, from: ReadFrom) -> Feed {
    let (sender, fed) = sync_channel(AHEAD);
    stop_at_signals(sender.clone());
    let has_copy = matches!(supply, Supply::Games(_));
    let reader = thread::spawn(move || {
        let last = match read(supply, from, &sender) {
            Ok(()) => Fed::End,
            Err(why) => Fed::Broken(why),
        };
        // If the receiver is gone, the audit is over.
        drop(sender.send(last));
    });
    Feed { fed, reader: has_copy.then_some(reader) }
}

impl Feed {
    /// Ends reading, and removes the copy of a database.
    pub fn end(self) {
        drop(self.fed);
        if let Some(reader) = self.reader {
            drop(reader.join());
        }
    }
}

/// Returns the path of a service's export, or of its count.
pub fn service_path(what: &str) -> String {
    format!("{what}?{QUERY}")
}

fn read(supply: Supply, from: ReadFrom, to: &SyncSender<Fed>) -> Result<(), String> {
    let send = |given| to.send(Fed::Game(given)).map_err(|_| NotTaken);
    match supply {
        Supply::Games(backup) => {
            let read = backup.each_game(from.last, |id, game| {
                // If the receiver is gone, the audit is over.
                match send(AuditGame::Stored(id, Box::new(game))) {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(NotTaken) => ControlFlow::Break(()),
                }
            });
            read.map_err(|error| error.to_string())
        }
        Supply::Lines(input) => lines(input, 1, from.done, send).map_err(|error| error.to_string()),
        Supply::Service(remote) => {
            let body = exported(&remote, from.last).map_err(|error| match error {
                NotTransferred::Refused(why) | NotTransferred::Failed(why) => why,
                NotTransferred::NotHeard => "the service cut off the response".to_owned(),
            })?;
            let broke_off = |error| format!("the service cut off the response: {error}");
            lines(body, from.done + 1, 0, send).map_err(broke_off)
        }
        Supply::Records(input) => {
            let mut number = 0;
            for_each_record(input, |piece| {
                number += 1;
                if number <= from.done {
                    return Ok(());
                }
                let record = AuditGame::Record(number, piece.line, piece.bytes.to_vec());
                send(record).map_err(|NotTaken| io::Error::from(io::ErrorKind::BrokenPipe))
            })
            .map_err(|error| error.to_string())
        }
    }
}

/// Requests the games of a service after this one.
fn exported(remote: &Remote, after: Option<GameId>) -> Result<impl Read + use<>, NotTransferred> {
    let after = after.map(|id| format!("&after={id}")).unwrap_or_default();
    remote.get(&(service_path("/v1/export") + &after), "application/x-ndjson")
}

/// Reads lines that are not blank, and numbers all lines from this number on. The first `skipped` are not
/// sent.
fn lines(
    input: impl Read,
    first: u64,
    skipped: u64,
    send: impl Fn(AuditGame) -> Result<(), NotTaken>,
) -> io::Result<()> {
    let mut input = BufReader::with_capacity(64 * 1024, input);
    let mut given = 0;
    for number in first.. {
        let Some(line) = next_line(&mut input)? else { break };
        if line.as_ref().is_some_and(|line| line.trim_ascii().is_empty()) {
            continue;
        }
        given += 1;
        if given > skipped && send(AuditGame::Line(number, line)).is_err() {
            break;
        }
    }
    Ok(())
}

/// Reads a line, or returns none at the end. The bytes of a line that is too long are dropped.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Option<Vec<u8>>>> {
    let mut line = Vec::new();
    let mut is_too_long = false;
    loop {
        let count = input.by_ref().take(LONGEST).read_until(b'\n', &mut line)?;
        if line.ends_with(b"\n") || count == 0 {
            let is_end = line.is_empty() && !is_too_long;
            return Ok((!is_end).then(|| (!is_too_long).then_some(line)));
        }
        if count as u64 == LONGEST {
            is_too_long = true;
            line.clear();
        }
    }
}

/// Reports Ctrl-C and SIGTERM.
fn stop_at_signals(to: SyncSender<Fed>) {
    thread::spawn(move || {
        let Ok(runtime) = Builder::new_current_thread().enable_io().build() else { return };
        runtime.block_on(async {
            let Ok(signals) = Signals::listen() else { return };
            signals.come().await;
            drop(to.send(Fed::Stop));
        });
    });
}
