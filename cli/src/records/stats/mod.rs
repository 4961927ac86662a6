//! `assam stats`: computes statistics of records.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{fs, io};

use assam_referee::{AnyRecord, Depth};
use assam_store::file_access::explained;
use clap::{Args, ValueHint};
use indicatif::ProgressBar;

use crate::process::input::{Source, printable};
use crate::process::look::{ColorArgs, Look};
use crate::process::output::{is_broken_pipe, print, say, say_failed};
use crate::process::output_file::Output;
use crate::process::progress;
use crate::records::diagnosis;
use crate::records::parallel_records::{ParallelRecords, RecordChunk, ResultSink};

mod group;
mod plot;
mod report;
mod tally;

use group::{Group, Groups};

#[derive(Args)]
pub struct StatsArgs {
    /// Files of records. A folder means all `*.mkn` files in it and its subfolders, and `-` means standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON: one object per line for every rule set and number of seats
    #[arg(long)]
    json: bool,
    /// Write a plot for every rule set and number of seats into this folder, as SVG
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    svg: Option<PathBuf>,
    /// Count luck and errors too, as this merchant judges them
    #[arg(long, value_name = "MERCHANT")]
    judge: Option<Depth>,
    #[command(flatten)]
    color: ColorArgs,
}

/// Bytes of records in each piece of work.
const ENOUGH: usize = 64 * 1024;

/// The result for a chunk of records.
struct Counted {
    groups: Groups,
    /// The diagnoses of refused records.
    refused: Vec<String>,
}

/// All counts.
struct Census {
    /// The files that were read.
    inputs: Vec<PathBuf>,
    groups: Groups,
    progress: ProgressBar,
    has_refused: bool,
    has_unreadable: bool,
}

/// Counts, and prints the statistics.
pub fn run(args: &StatsArgs) -> ExitCode {
    match count(args).and_then(|census| census.tell(args)) {
        Ok(status) => status,
        Err(error) => {
            // A reader that closes the pipe has seen enough.
            if !is_broken_pipe(&error) {
                say_failed(&error.to_string());
            }
            ExitCode::from(2)
        }
    }
}

fn count(args: &StatsArgs) -> io::Result<Census> {
    let progress = ProgressBar::hidden();
    let mut census = Census {
        inputs: Vec::new(),
        groups: Groups::new(),
        progress,
        has_refused: false,
        has_unreadable: false,
    };
    let sources = Source::of_all(&args.files, |name, error| census.unreadable(name, error))?;
    census.progress = progress::of_sources(&sources);
    census.inputs = Source::paths(&sources);
    let (progress, look) = (census.progress.clone(), args.color.of_stderr());
    let judge = args.judge;
    let pool = ParallelRecords::start(ENOUGH, move |chunk| Counted::new(judge, look, &chunk));
    pool.work_through(&sources, &progress, &mut census)?;
    progress.finish_and_clear();
    Ok(census)
}

impl Counted {
    fn new(judge: Option<Depth>, look: Look, chunk: &RecordChunk) -> Self {
        let mut counted = Self { groups: Groups::new(), refused: Vec::new() };
        for given in chunk.records() {
            let record = AnyRecord::read(given.piece.bytes);
            match &record.verdict {
                Ok(()) => Group::add(&mut counted.groups, (&chunk.source, given), &record, judge),
                Err(error) => {
                    counted.refused.push(diagnosis::render(&chunk.source, given.piece, error, look));
                }
            }
        }
        counted
    }
}

impl ResultSink<Counted> for Census {
    type Error = io::Error;

    fn take(&mut self, Counted { groups, refused }: Counted) -> io::Result<()> {
        self.has_refused |= !refused.is_empty();
        self.progress.suspend(|| refused.iter().for_each(|diagnosis| say(diagnosis.trim_end())));
        Group::merge(&mut self.groups, groups);
        Ok(())
    }

    fn unreadable(&mut self, source: &str, error: &io::Error) -> io::Result<()> {
        self.has_unreadable = true;
        self.progress.suspend(|| say_failed(&format!("{source}: {error}")));
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Census {
    fn tell(&self, args: &StatsArgs) -> io::Result<ExitCode> {
        if let Some(folder) = &args.svg {
            self.plot(folder)
                .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", printable(folder))))?;
        }
        let told = if args.json { report::json(&self.groups) } else { report::text(&self.groups) };
        print(&told).map_err(|error| match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error.to_string()),
        })?;
        Ok(match (self.has_unreadable, self.has_refused) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::FAILURE,
            (false, false) => ExitCode::SUCCESS,
        })
    }

    fn plot(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder).map_err(|error| explained(folder, error))?;
        for (&name, group) in &self.groups {
            let (ruleset, seats) = name;
            let file = format!("{}-{seats}-seats.svg", ruleset.replace('/', "-"));
            Output::write_file(&folder.join(file), plot::svg(name, group).as_bytes(), &self.inputs)?;
        }
        Ok(())
    }
}
