//! `assam validate`: replays every record of files, folders and standard input through the rules.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use assam_notation::Piece;
use assam_referee::{Verdict, verdict};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use crate::color::ColorArgs;
use crate::diagnosis;
use crate::output::say;
use crate::records::{Source, Unreadable, for_each_record};

mod row;
mod tally;

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
}

/// The format of a report.
enum Format {
    /// For people: the refused records, each with the line where it broke.
    Text {
        /// Whether good records are listed too.
        verbose: bool,
        colored: bool,
    },
    /// For machines: one JSON object per line, for every record.
    Json,
}

/// Judges every record, and reports on each.
pub fn run(args: &ValidateArgs) -> ExitCode {
    let mut report = Report::new(args);
    let mut tally = Tally::default();
    let result = judge_all(args, &mut report, &mut tally).and_then(|()| report.summary(&tally));
    report.progress.finish_and_clear();
    let status = match result {
        // A reader that closes the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => UNREADABLE,
        Err(error) => {
            say(&format!("assam: standard output: {error}"));
            UNREADABLE
        }
        Ok(()) if tally.unreadable > 0 => UNREADABLE,
        Ok(()) if tally.refused > 0 => REFUSED,
        Ok(()) => ALL_GOOD,
    };
    ExitCode::from(status)
}

fn judge_all(args: &ValidateArgs, report: &mut Report, tally: &mut Tally) -> io::Result<()> {
    let mut sources = Vec::new();
    for found in args.files.iter().flat_map(|path| Source::all(path)) {
        match found {
            Ok(source) => sources.push(source),
            Err(Unreadable { name, error }) => report.unreadable(&name, &error, tally)?,
        }
    }
    report.measure(&sources);
    for source in &sources {
        tally.sources += 1;
        let name = source.name();
        let input = source.open().map_err(NotValidated::Unreadable);
        let judged = input.and_then(|input| {
            let mut number = 0;
            for_each_record(report.progress.wrap_read(input), |piece| {
                number += 1;
                report.record(&name, number, piece, tally).map_err(NotValidated::Unwritable)
            })
        });
        match judged {
            Ok(()) => {}
            Err(NotValidated::Unreadable(error)) => report.unreadable(&name, &error, tally)?,
            Err(NotValidated::Unwritable(error)) => return Err(error),
        }
    }
    Ok(())
}

impl Report {
    fn new(args: &ValidateArgs) -> Self {
        let format = if args.json {
            Format::Json
        } else {
            Format::Text { verbose: args.verbose, colored: args.color.of_stdout() }
        };
        Self { out: BufWriter::new(io::stdout()), progress: ProgressBar::hidden(), format }
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

    fn record(&mut self, source: &str, number: u64, piece: Piece<'_>, tally: &mut Tally) -> io::Result<()> {
        let verdict = verdict(piece.bytes);
        match verdict.error {
            None => {
                tally.good += 1;
                tally.masked += u64::from(verdict.masked);
            }
            Some(_) => tally.refused += 1,
        }
        let told = match &self.format {
            Format::Json => Row::record(source, number, piece, &verdict).line(),
            Format::Text { verbose, colored } => match &verdict.error {
                Some(error) => diagnosis::render(source, piece, error, *colored),
                None if *verbose => good_line(source, piece, &verdict),
                None => return Ok(()),
            },
        };
        self.tell(&told)
    }

    fn unreadable(&mut self, source: &str, error: &io::Error, tally: &mut Tally) -> io::Result<()> {
        tally.unreadable += 1;
        match self.format {
            Format::Json => self.tell(&Row::Unreadable { source, reason: error.to_string() }.line()),
            Format::Text { .. } => {
                self.progress.suspend(|| say(&format!("assam: {source}: {error}")));
                Ok(())
            }
        }
    }

    fn summary(&mut self, tally: &Tally) -> io::Result<()> {
        self.progress.finish_and_clear();
        let told = match self.format {
            Format::Json => Row::summary(tally).line(),
            Format::Text { .. } => {
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

fn good_line(source: &str, piece: Piece<'_>, verdict: &Verdict) -> String {
    let good = if verdict.masked { "good as far as visible" } else { "good" };
    format!("{source}:{}: {good}, {} plies, {}\n", piece.line, verdict.ply, verdict.marker)
}
