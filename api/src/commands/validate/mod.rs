//! `assam validate`: every record of files, folders and the standard input, replayed through the rules.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

use assam_notation::Piece;
use indicatif::{ProgressBar, ProgressStyle};

use super::records::{Source, Unreadable, for_each_record};
use super::{ValidateArgs, diagnosis, say};
use crate::judge::verdict;
use crate::referee::Verdict;

mod row;

use row::Row;

const ALL_GOOD: u8 = 0;
const REFUSED: u8 = 1;
const UNREADABLE: u8 = 2;

/// Counts of records and of what they came from.
#[derive(Default)]
struct Tally {
    sources: u64,
    unreadable: u64,
    good: u64,
    /// Of the good ones, those that are good as far as can be seen.
    masked: u64,
    refused: u64,
}

/// Why validating stops.
enum Stop {
    /// This source cannot be read on; the next one can.
    Unreadable(io::Error),
    /// Nothing can be told any more.
    Unwritable(io::Error),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Tells what became of each record.
struct Report {
    out: BufWriter<io::Stdout>,
    progress: ProgressBar,
    format: Format,
}

/// How a report looks.
enum Format {
    /// For people: refused records, with the line they broke in.
    Text {
        /// Good records too.
        verbose: bool,
        colored: bool,
    },
    /// For machines: a JSON object a line, for every record.
    Json,
}

/// Judges every record, and says what became of each.
pub fn run(args: &ValidateArgs) -> ExitCode {
    let mut report = Report::new(args);
    let mut tally = Tally::default();
    let result = judge_all(args, &mut report, &mut tally).and_then(|()| report.summary(&tally));
    report.progress.finish_and_clear();
    let status = match result {
        // Whoever closes the pipe has seen enough.
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
        let input = source.open().map_err(Stop::Unreadable);
        let judged = input.and_then(|input| {
            let mut number = 0;
            for_each_record(report.progress.wrap_read(input), |piece| {
                number += 1;
                report.record(&name, number, piece, tally).map_err(Stop::Unwritable)
            })
        });
        match judged {
            Ok(()) => {}
            Err(Stop::Unreadable(error)) => report.unreadable(&name, &error, tally)?,
            Err(Stop::Unwritable(error)) => return Err(error),
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

    /// Shows a bar on a terminal, where there is something to measure it by.
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
