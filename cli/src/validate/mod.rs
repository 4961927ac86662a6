//! `assam validate`: replays every record of files, folders and standard input through the rules.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::Arc;

use assam_notation::Piece;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::color::ColorArgs;
use crate::output::say;
use crate::records::{Source, Unreadable};

mod judges;
mod row;
mod tally;

use judges::{Format, Judged, Judges};
use row::Row;
use tally::Tally;

/// Arguments of `assam validate`.
#[derive(Args)]
pub struct ValidateArgs {
    /// Files of records; a folder stands for every `*.mkn` file in and below it, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<std::path::PathBuf>,
    /// Print JSON instead: one object per line for every record, and a last one with the counts
    #[arg(long)]
    json: bool,
    /// List the good records too
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    #[command(flatten)]
    color: ColorArgs,
}

const ALL_GOOD: u8 = 0;
const REFUSED: u8 = 1;
const UNREADABLE: u8 = 2;

/// Why validation stops.
enum NotValidated {
    /// This source cannot be read any further; the next one can.
    Unreadable(io::Error),
    /// The output cannot be written.
    Unwritable(io::Error),
}

impl From<io::Error> for NotValidated {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// The report on all records, written as they are judged.
struct Report {
    out: BufWriter<io::Stdout>,
    progress: ProgressBar,
    format: Format,
    tally: Tally,
}

/// Judges every record, and reports on each.
pub fn run(args: &ValidateArgs) -> ExitCode {
    let mut report = Report::new(args);
    let result = judge_all(args, &mut report).and_then(|()| report.summary());
    report.progress.finish_and_clear();
    let status = match result {
        // A reader that closes the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => UNREADABLE,
        Err(error) => {
            say(&format!("assam: standard output: {error}"));
            UNREADABLE
        }
        Ok(()) if report.tally.unreadable > 0 => UNREADABLE,
        Ok(()) if report.tally.refused > 0 => REFUSED,
        Ok(()) => ALL_GOOD,
    };
    ExitCode::from(status)
}

fn judge_all(args: &ValidateArgs, report: &mut Report) -> io::Result<()> {
    let mut sources = Vec::new();
    for found in args.files.iter().flat_map(|path| Source::all(path)) {
        match found {
            Ok(source) => sources.push(source),
            Err(Unreadable { name, error }) => report.unreadable(&name, &error)?,
        }
    }
    report.measure(&sources);
    let progress = report.progress.clone();
    let mut judges = Judges::start(report.format);
    for source in &sources {
        report.tally.sources += 1;
        let name: Arc<str> = source.name().into();
        let mut number = 0;
        let each = |arrived: Option<Piece<'_>>| {
            let given = match arrived {
                Some(piece) => {
                    number += 1;
                    judges.give(&name, number, piece, |judged| report.judged(&judged))
                }
                None => {
                    let told = judges.finish(|judged| report.judged(&judged));
                    told.and_then(|()| report.out.flush())
                }
            };
            given.map_err(NotValidated::Unwritable)
        };
        let input = source.open().map(|input| progress.wrap_read(input));
        let judged = match input.map_err(NotValidated::Unreadable) {
            Ok(input) => source.each_record(input, each),
            Err(error) => Err(error),
        };
        judges.hand_out(|judged| report.judged(&judged))?;
        match judged {
            Ok(()) => {}
            Err(NotValidated::Unreadable(error)) => {
                judges.finish(|judged| report.judged(&judged))?;
                report.unreadable(&name, &error)?;
            }
            Err(NotValidated::Unwritable(error)) => return Err(error),
        }
    }
    judges.finish(|judged| report.judged(&judged))
}

impl Report {
    fn new(args: &ValidateArgs) -> Self {
        let format = if args.json {
            Format::Json
        } else {
            Format::Text { verbose: args.verbose, colored: args.color.of_stdout() }
        };
        let out = BufWriter::new(io::stdout());
        Self { out, progress: ProgressBar::hidden(), format, tally: Tally::default() }
    }

    /// Shows progress on a terminal: a bar if the total length is known, else a spinner.
    fn measure(&mut self, sources: &[Source]) {
        if !io::stderr().is_terminal() {
            return;
        }
        let length: Option<u64> = sources.iter().map(Source::length).sum();
        let (bar, template) = match length {
            Some(length) => (ProgressBar::new(length), "{wide_bar} {bytes}/{total_bytes}, {eta} left"),
            None => (ProgressBar::no_length(), "{spinner} {bytes}, {bytes_per_sec}"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        self.progress = bar.with_style(style);
    }

    fn judged(&mut self, Judged { told, tally }: &Judged) -> io::Result<()> {
        self.tally.add(tally);
        if told.is_empty() { Ok(()) } else { self.tell(told) }
    }

    fn unreadable(&mut self, source: &str, error: &io::Error) -> io::Result<()> {
        self.tally.unreadable += 1;
        match self.format {
            Format::Json => self.tell(&Row::Unreadable { source, reason: error.to_string() }.line()),
            Format::Text { .. } => {
                self.progress.suspend(|| say(&format!("assam: {source}: {error}")));
                Ok(())
            }
        }
    }

    fn summary(&mut self) -> io::Result<()> {
        self.progress.finish_and_clear();
        let told = match self.format {
            Format::Json => Row::summary(&self.tally).line(),
            Format::Text { .. } => {
                let tally = &self.tally;
                let records = tally.good + tally.refused;
                let s = |count| if count == 1 { "" } else { "s" };
                let masked = match tally.masked {
                    0 => String::new(),
                    masked => format!(" ({masked} as far as visible)"),
                };
                format!(
                    "{records} record{} in {} file{}: {} good{masked}, {} refused\n",
                    s(records),
                    tally.sources,
                    s(tally.sources),
                    tally.good,
                    tally.refused
                )
            }
        };
        self.tell(&told)?;
        self.out.flush()
    }

    fn tell(&mut self, text: &str) -> io::Result<()> {
        if self.progress.is_hidden() {
            return self.out.write_all(text.as_bytes());
        }
        // The bar and the report may share a terminal.
        let out = &mut self.out;
        self.progress.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }
}
