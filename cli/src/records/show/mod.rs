//! `assam show`: shows a position of a record in the terminal.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anstream::{AutoStream, ColorChoice};
use assam_notation::Piece;
use assam_referee::judge;
use clap::{Args, ValueHint};

use crate::process::input::Source;
use crate::process::look::ColorArgs;
use crate::process::output::say_failed;
use crate::records::numbered_record::find;
use crate::records::plies::Plies;

mod follow;
mod screen;

use screen::{NotShown, Screen};

#[derive(Args)]
pub struct ShowArgs {
    /// A file of records, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Show the position after this ply, 0 for the start, by default the last
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// The number of the record in the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// Wait for more words, and show each new position, until the end marker.
    ///
    /// A file is read again whenever it changes. After a correction or a replacement, its last position is
    /// shown. An error appears below the position, and following continues. Ctrl-C ends it with status 130.
    #[arg(long, short, conflicts_with = "ply")]
    follow: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// The exit status after Ctrl-C, as in shells: 128 plus the number of the signal.
const INTERRUPTED: u8 = 130;

/// Shows a position, or each position as it comes.
pub fn run(args: &ShowArgs) -> ExitCode {
    let source = Source::one(&args.file);
    let name = source.name();
    let color = if args.color.of_stdout().is_colored { ColorChoice::AlwaysAnsi } else { ColorChoice::Never };
    let out = AutoStream::new(io::stdout(), color);
    let mut screen = Screen { out, name, errors: args.color.of_stderr() };
    let shown = match args.follow {
        true => follow::run(&source, args.record, &mut screen),
        false => show(args, &source, &mut screen),
    };
    match shown {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(NotShown::Missing(what)) => {
            say_failed(&format!("{}: {what}", screen.name));
            ExitCode::FAILURE
        }
        Err(NotShown::Unreadable(error)) => {
            say_failed(&format!("{}: {error}", screen.name));
            ExitCode::from(2)
        }
        Err(NotShown::Interrupted) => ExitCode::from(INTERRUPTED),
        // A reader that closes the pipe has seen enough.
        Err(NotShown::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(NotShown::Unwritable(error)) => {
            say_failed(&format!("standard output: {error}"));
            ExitCode::from(2)
        }
    }
}

/// Shows one position, and returns whether the record is good.
fn show(args: &ShowArgs, source: &Source, screen: &mut Screen) -> Result<bool, NotShown> {
    let found = find(source, args.record)?;
    let record = judge(&found.bytes);
    if let Some(mut plies) = Plies::new(&record) {
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
    screen.refusal(Piece { line: found.line, column: found.column, bytes: &found.bytes }, error);
    Ok(false)
}
