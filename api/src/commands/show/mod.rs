//! `assam show`: a position of a record in the terminal.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use assam_notation::{Error, Piece};
use clap::Args;

use super::plies::Plies;
use super::records::{Source, for_each_record};
use super::{ColorArgs, diagnosis, say};
use crate::judge::judge;
use crate::picture::terminal::{WIDTH, wrap};
use crate::referee::Judgement;

mod follow;

/// What to show.
#[derive(Args)]
pub struct ShowArgs {
    /// A file of records; `-` is the standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The position after this ply, 0 for the start; the last one where none is given
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// Which record of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// Wait for more words, and show each new position, until the end marker
    #[arg(long, short, conflicts_with = "ply")]
    follow: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// Why showing ends before its time.
enum Stop {
    /// The source cannot be read.
    Unreadable(io::Error),
    /// Nothing can be told any more.
    Unwritable(io::Error),
    /// There is no such record, or no such ply.
    Missing(String),
    /// All that is wanted was read.
    Found,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Where positions are shown.
struct Screen {
    out: AutoStream<io::Stdout>,
    /// The name of the source.
    name: String,
    colored_errors: bool,
}

/// A record out of a stream.
struct Found {
    /// Line of the stream on which it begins, from 1.
    line: u64,
    bytes: Vec<u8>,
    /// Does another one follow?
    has_next: bool,
}

/// Shows a position, or each as it comes.
pub fn run(args: &ShowArgs) -> ExitCode {
    let source = Source::one(&args.file);
    let name = source.name();
    let color = if args.color.of_stdout() { ColorChoice::AlwaysAnsi } else { ColorChoice::Never };
    let out = AutoStream::new(io::stdout(), color);
    let mut screen = Screen { out, name, colored_errors: args.color.of_stderr() };
    let shown = match args.follow {
        true => follow::run(&source, args.record, &mut screen),
        false => show(args, &source, &mut screen),
    };
    match shown {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(Stop::Found) => ExitCode::FAILURE,
        Err(Stop::Missing(what)) => {
            say(&format!("assam: {}: {what}", screen.name));
            ExitCode::FAILURE
        }
        Err(Stop::Unreadable(error)) => {
            say(&format!("assam: {}: {error}", screen.name));
            ExitCode::from(2)
        }
        // Whoever closes the pipe has seen enough.
        Err(Stop::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(Stop::Unwritable(error)) => {
            say(&format!("assam: standard output: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Shows one position: is the record good?
fn show(args: &ShowArgs, source: &Source, screen: &mut Screen) -> Result<bool, Stop> {
    let found = find(source, args.record)?;
    let judgement = judge(&found.bytes);
    if let Some(mut plies) = Plies::of(&judgement) {
        let reaches = |plies: &Plies| args.ply.is_some_and(|ply| plies.moment().ply >= ply);
        while !reaches(&plies) && plies.advance() {}
        let last = plies.moment().ply;
        if let Some(ply) = args.ply.filter(|&ply| ply > last && judgement.verdict.is_ok()) {
            return Err(Stop::Missing(format!("there is no ply {ply}: the last one is {last}")));
        }
        screen.heading(&judgement, args.record, found.has_next)?;
        screen.position(&plies)?;
    }
    let Err(error) = &judgement.verdict else { return Ok(true) };
    screen.refusal(Piece { line: found.line, bytes: &found.bytes }, error);
    Ok(false)
}

/// The record with this number, from 1.
fn find(source: &Source, number: u64) -> Result<Found, Stop> {
    let mut count = 0;
    let mut found: Option<Found> = None;
    let read = for_each_record(source.open()?, |piece| {
        count += 1;
        match &mut found {
            Some(found) => {
                found.has_next = true;
                Err(Stop::Found)
            }
            None => {
                let is_it = count == number;
                found =
                    is_it.then(|| Found { line: piece.line, bytes: piece.bytes.to_vec(), has_next: false });
                Ok(())
            }
        }
    });
    match (read, found) {
        (Ok(()) | Err(Stop::Found), Some(found)) => Ok(found),
        (Err(stop), _) => Err(stop),
        (Ok(()), None) => Err(no_such_record(number, count)),
    }
}

fn no_such_record(number: u64, count: u64) -> Stop {
    Stop::Missing(format!("there is no record {number}: the last one is {count}"))
}

impl Screen {
    /// Rule set and options, and which of several records this is.
    fn heading(&mut self, judgement: &Judgement, number: u64, has_next: bool) -> Result<(), Stop> {
        let setup_line = judgement.setup_line.as_deref().unwrap_or_default();
        let settings = setup_line.split(" position=").next().unwrap_or_default();
        let mut heading = settings.strip_prefix("MKN/1 ").unwrap_or(settings).to_owned();
        if number > 1 || has_next {
            heading.push_str(&format!(" (record {number}"));
            heading.push_str(if has_next { "; --record shows others)" } else { ")" });
        }
        let heading: String = wrap(&heading, WIDTH).iter().map(|line| format!("{line}\n")).collect();
        self.tell(&heading)
    }

    fn position(&mut self, plies: &Plies) -> Result<(), Stop> {
        self.tell(&format!("\n{}", plies.table().screen(plies.moment())))
    }

    fn refusal(&self, piece: Piece<'_>, error: &Error) {
        let told = diagnosis::render(&self.name, piece, error, self.colored_errors);
        say(told.trim_end());
    }

    fn tell(&mut self, text: &str) -> Result<(), Stop> {
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush()).map_err(Stop::Unwritable)
    }
}
