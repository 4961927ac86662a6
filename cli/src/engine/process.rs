//! An external program that speaks the engine protocol, seen from its controller.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use super::protocol::{BEST_MOVE, Go, HELLO, HELLO_OK, IS_READY, LEGAL, LONGEST, READY_OK, SEED, quoted};
use crate::remote::SECRET;

/// Lines that a program may be ahead of its controller.
const AHEAD: usize = 1024;

/// A running program. It ends when this value is dropped.
pub struct EngineProcess {
    child: Child,
    input: ChildStdin,
    lines: Receiver<io::Result<String>>,
    limit: Duration,
    takes_seed: bool,
}

/// Why a program failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineFailure {
    #[error("the command is empty")]
    NoCommand,
    #[error("{0} cannot be started: {1}")]
    NotStarted(String, io::Error),
    #[error("it has ended")]
    Ended,
    #[error("it did not answer {0} within {1} s")]
    Silent(&'static str, u64),
    #[error("it answered {0} with {1}")]
    Refused(&'static str, String),
}

impl EngineProcess {
    /// Starts a program and shakes hands. The command is split at spaces, and no shell runs it. `limit` is the
    /// longest time for any answer.
    ///
    /// # Errors
    /// If it cannot be started, or does not answer as an engine.
    pub fn start(command: &str, limit: Duration) -> Result<Self, EngineFailure> {
        let mut words = command.split_whitespace();
        let name = words.next().ok_or(EngineFailure::NoCommand)?;
        let mut program = Command::new(name);
        // Secrets are not meant for engines.
        program.args(words).env_remove(SECRET).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = program.spawn().map_err(|error| EngineFailure::NotStarted(name.to_owned(), error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(EngineFailure::Ended);
        };
        let (told, lines) = sync_channel(AHEAD);
        thread::spawn(move || read_lines(output, &told));
        let mut engine = Self { child, input, lines, limit, takes_seed: false };
        let asked = engine.ask(HELLO)?;
        loop {
            let line = engine.next_line(HELLO, asked)?;
            engine.takes_seed |= option_name(&line) == Some(SEED);
            if line == HELLO_OK {
                return Ok(engine);
            }
        }
    }

    /// Sets an option, and waits until the program is ready.
    ///
    /// # Errors
    /// If the program fails.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), EngineFailure> {
        self.send(&format!("setoption name {name} value {value}"))?;
        self.wait_until_ready("isready after setoption")
    }

    /// Begins a game. A program that draws does so from the seed.
    ///
    /// # Errors
    /// If the program fails.
    pub fn new_game(&mut self, setup: &str, seed: u64) -> Result<(), EngineFailure> {
        if self.takes_seed {
            self.set(SEED, &seed.to_string())?;
        }
        self.send(&format!("newgame {setup}"))?;
        self.wait_until_ready("isready after newgame")
    }

    /// Returns the decision of the program in a position.
    ///
    /// # Errors
    /// If the program fails, or its decision is not among the legal ones.
    pub fn decide(&mut self, position: &str, go: &Go<'_>) -> Result<String, EngineFailure> {
        self.send(&format!("position {position}"))?;
        let asked = self.ask(&go.to_string())?;
        loop {
            let line = self.next_line("go", asked)?;
            let Some(decision) = line.strip_prefix(BEST_MOVE).filter(|rest| rest.starts_with(' ')) else {
                refuse_error("go", &line)?;
                continue;
            };
            let decision = decision.trim();
            if go.legal.as_ref().is_none_or(|legal| legal.contains(&decision)) {
                return Ok(decision.to_owned());
            }
            let legal = go.legal.as_deref().unwrap_or_default().join(" ");
            let text = format!("{}, but {LEGAL} are {legal}, in position {position}", quoted(&line));
            return Err(EngineFailure::Refused("go", text));
        }
    }

    fn wait_until_ready(&mut self, after: &'static str) -> Result<(), EngineFailure> {
        let asked = self.ask(IS_READY)?;
        loop {
            match self.next_line(after, asked)? {
                line if line == READY_OK => return Ok(()),
                line => refuse_error(after, &line)?,
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), EngineFailure> {
        let sent = writeln!(self.input, "{line}").and_then(|()| self.input.flush());
        sent.map_err(|_| EngineFailure::Ended)
    }

    /// Sends a line that it has to answer, and returns the time.
    fn ask(&mut self, line: &str) -> Result<Instant, EngineFailure> {
        self.send(line)?;
        Ok(Instant::now())
    }

    /// Returns its next line. `request` is what it answers.
    fn next_line(&mut self, request: &'static str, asked: Instant) -> Result<String, EngineFailure> {
        match self.lines.recv_timeout(self.limit.saturating_sub(asked.elapsed())) {
            Ok(Ok(line)) => Ok(line),
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => Err(EngineFailure::Ended),
            Err(RecvTimeoutError::Timeout) => Err(EngineFailure::Silent(request, self.limit.as_secs())),
        }
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        // A program that ignores both is killed.
        let _ = self.send("quit");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Passes on the lines of a program until it ends.
fn read_lines(output: ChildStdout, told: &SyncSender<io::Result<String>>) {
    let mut output = BufReader::new(output);
    loop {
        let mut bytes = Vec::new();
        let read = output.by_ref().take(LONGEST as u64).read_until(b'\n', &mut bytes);
        let line = read.and_then(|read| match (read, bytes.last()) {
            (LONGEST, last) if last != Some(&b'\n') => Err(ErrorKind::InvalidData.into()),
            _ => String::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData.into()),
        });
        let is_over = line.as_ref().map_or(true, String::is_empty);
        let is_heard = told.send(line.map(|line| line.trim().to_owned())).is_ok();
        if is_over || !is_heard {
            return;
        }
    }
}

/// Returns the name of an option that a line offers.
fn option_name(line: &str) -> Option<&str> {
    line.strip_prefix("option name ")?.split(" type ").next()
}

/// Returns the error in a line. Other lines, such as `info`, are for people.
fn refuse_error(request: &'static str, line: &str) -> Result<(), EngineFailure> {
    match line.split_whitespace().next() {
        Some("error") => Err(EngineFailure::Refused(request, line.to_owned())),
        Some(_) | None => Ok(()),
    }
}
