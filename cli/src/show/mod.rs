//! `assam show`: shows a position of a record in the terminal.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use assam_notation::Piece;
use assam_referee::judge;
use clap::Args;

use crate::color::ColorArgs;
use crate::output::say;
use crate::plies::Plies;
use crate::records::{Source, for_each_record};

mod follow;
mod screen;

use screen::{NotShown, Screen, no_such_record};

/// Arguments of `assam show`.
#[derive(Args)]
pub struct ShowArgs {
    /// A file of records; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The ply after which to show the position, 0 for the start; the last ply by default
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// The number of the record in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// Wait for more words, and show each new position, until the end marker
    #[arg(long, short, conflicts_with = "ply")]
    follow: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// A record found in a stream.
struct Found {
    /// The line of the stream on which it begins, from 1.
    line: u64,
    bytes: Vec<u8>,
    /// Whether another record follows.
    has_next: bool,
}

/// Shows a position, or each position as it comes.
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
        Ok(false) | Err(NotShown::Found) => ExitCode::FAILURE,
        Err(NotShown::Missing(what)) => {
            say(&format!("assam: {}: {what}", screen.name));
            ExitCode::FAILURE
        }
        Err(NotShown::Unreadable(error)) => {
            say(&format!("assam: {}: {error}", screen.name));
            ExitCode::from(2)
        }
        // A reader that closes the pipe has seen enough.
        Err(NotShown::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(NotShown::Unwritable(error)) => {
            say(&format!("assam: standard output: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Shows one position, and returns whether the record is good.
fn show(args: &ShowArgs, source: &Source, screen: &mut Screen) -> Result<bool, NotShown> {
    let found = find(source, args.record)?;
    let record = judge(&found.bytes);
    if let Some(mut plies) = Plies::of(&record) {
        let reaches = |plies: &Plies| args.ply.is_some_and(|ply| plies.moment().ply >= ply);
        while !reaches(&plies) && plies.advance() {}
        let last = plies.moment().ply;
        if let Some(ply) = args.ply.filter(|&ply| ply > last && record.verdict.is_ok()) {
            return Err(NotShown::Missing(format!("there is no ply {ply}: the last one is {last}")));
        }
        screen.heading(&record, args.record, found.has_next)?;
        screen.position(&plies)?;
    }
    let Err(error) = &record.verdict else { return Ok(true) };
    screen.refusal(Piece { line: found.line, bytes: &found.bytes }, error);
    Ok(false)
}

/// Returns the record with this number, from 1.
fn find(source: &Source, number: u64) -> Result<Found, NotShown> {
    let mut count = 0;
    let mut found: Option<Found> = None;
    let read = for_each_record(source.open()?, |piece| {
        count += 1;
        match &mut found {
            Some(found) => {
                found.has_next = true;
                Err(NotShown::Found)
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
        (Ok(()) | Err(NotShown::Found), Some(found)) => Ok(found),
        (Err(stop), _) => Err(stop),
        (Ok(()), None) => Err(no_such_record(number, count)),
    }
}
