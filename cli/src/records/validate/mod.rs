//! `assam validate`: replays every record of files, folders and standard input through the rules.

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::Args;
use indicatif::ProgressBar;

use crate::process::input::Source;
use crate::process::look::ColorArgs;
use crate::process::output::say_failed;
use crate::process::progress;
use crate::records::parallel_records::{ParallelRecords, ResultSink};

mod judged;

use judged::{Format, Judged, Row, Tally};

#[derive(Args)]
pub struct ValidateArgs {
    /// Files of records. A folder means all `*.mkn` files in it and its subfolders, and `-` means standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<std::path::PathBuf>,
    /// Print JSON: one object per line for each record, and a final one with the counts
    #[arg(long)]
    json: bool,
    /// Also list the valid records
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    #[command(flatten)]
    color: ColorArgs,
}

const ALL_GOOD: u8 = 0;
const REFUSED: u8 = 1;
const UNREADABLE: u8 = 2;

/// Bytes of records in each piece of work. Smaller, because each record can have a long report.
const ENOUGH: usize = 64 * 1024;
const LITTLE: usize = 16 * 1024;

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
            say_failed(&format!("standard output: {error}"));
            UNREADABLE
        }
        Ok(()) if report.tally.unreadable > 0 => UNREADABLE,
        Ok(()) if report.tally.refused > 0 => REFUSED,
        Ok(()) => ALL_GOOD,
    };
    ExitCode::from(status)
}

fn judge_all(args: &ValidateArgs, report: &mut Report) -> io::Result<()> {
    let sources = Source::of_all(&args.files, |name, error| report.unreadable(name, error))?;
    report.progress = progress::of_sources(&sources);
    report.tally.sources = sources.len() as u64;
    let format = report.format;
    let progress = report.progress.clone();
    let enough = if matches!(format, Format::Json) { LITTLE } else { ENOUGH };
    ParallelRecords::start(enough, move |chunk| Judged::new(format, &chunk))
        .work_through(&sources, &progress, report)
}

impl ResultSink<Judged> for Report {
    type Error = io::Error;

    fn take(&mut self, Judged { told, tally }: Judged) -> io::Result<()> {
        self.tally.add(&tally);
        if told.is_empty() { Ok(()) } else { self.tell(&told) }
    }

    fn unreadable(&mut self, source: &str, error: &io::Error) -> io::Result<()> {
        self.tally.unreadable += 1;
        match self.format {
            Format::Json => self.tell(&Row::Unreadable { source, reason: error.to_string() }.line()),
            Format::Text { .. } => {
                self.progress.suspend(|| say_failed(&format!("{source}: {error}")));
                Ok(())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Report {
    fn new(args: &ValidateArgs) -> Self {
        let format = if args.json {
            Format::Json
        } else {
            Format::Text { verbose: args.verbose, look: args.color.of_stdout() }
        };
        let out = BufWriter::new(io::stdout());
        Self { out, progress: ProgressBar::hidden(), format, tally: Tally::default() }
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
                let unreadable = match tally.unreadable {
                    0 => String::new(),
                    unreadable => format!(", unreadable files: {unreadable}"),
                };
                format!(
                    "{records} record{} in {} file{}: {} good{masked}, {} refused{unreadable}\n",
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
