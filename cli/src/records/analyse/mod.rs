//! `assam analyse`: accounts for luck and errors in records.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use assam_referee::{AnyRecord, Depth, Setup};
use clap::Args;
use indicatif::ProgressBar;

use crate::process::input::Source;
use crate::process::look::{ColorArgs, Look};
use crate::process::output::{is_broken_pipe, say, say_failed};
use crate::process::progress;
use crate::records::diagnosis;
use crate::records::parallel_records::{ParallelRecords, RecordChunk, ResultSink};

mod analysed;
mod text;

use analysed::Analysed;

/// Bytes of records in each piece of work: a record or two, as each takes a while.
const ENOUGH: usize = 1024;

#[derive(Args)]
pub struct AnalyseArgs {
    /// Files of records. A folder means all `*.mkn` files in it and its subfolders, and `-` means standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Judge as deep as this merchant decides, such as merchant-8. It makes no errors on purpose
    #[arg(long, value_name = "MERCHANT")]
    judge: Option<Depth>,
    /// The number of positions that the judge searches for a decision. Default: 2400
    #[arg(long, value_name = "N", conflicts_with = "judge", value_parser = clap::value_parser!(u64).range(0..=1_000_000))]
    nodes: Option<u64>,
    /// Show every move, not only the luckiest ones and the errors
    #[arg(long, conflicts_with = "json")]
    all: bool,
    /// Print JSON: one object per line for every record
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// The result for a chunk of records: what to print, and what was refused.
#[derive(Default)]
struct AnalysedChunk {
    text: String,
    refused: Vec<String>,
}

/// The settings of all chunks.
#[derive(Clone, Copy)]
struct Teller {
    depth: Depth,
    shows_all: bool,
    is_json: bool,
    look: Look,
}

/// Prints the accounts in the order of the records.
struct Printer {
    progress: ProgressBar,
    has_refused: bool,
    has_unreadable: bool,
}

/// Analyses, and prints the accounts.
pub fn run(args: &AnalyseArgs) -> ExitCode {
    match analyse(args) {
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

fn analyse(args: &AnalyseArgs) -> io::Result<ExitCode> {
    let mut printer = Printer { progress: ProgressBar::hidden(), has_refused: false, has_unreadable: false };
    let sources = Source::of_all(&args.files, |name, error| printer.unreadable(name, error))?;
    printer.progress = progress::of_sources(&sources);
    let progress = printer.progress.clone();
    let teller = Teller {
        depth: args.judge.or(args.nodes.map(Depth::Nodes)).unwrap_or_default(),
        shows_all: args.all,
        is_json: args.json,
        look: args.color.of_stderr(),
    };
    let pool = ParallelRecords::start(ENOUGH, move |chunk| teller.tell(&chunk));
    pool.work_through(&sources, &progress, &mut printer)?;
    progress.finish_and_clear();
    Ok(match (printer.has_unreadable, printer.has_refused) {
        (true, _) => ExitCode::from(2),
        (false, true) => ExitCode::FAILURE,
        (false, false) => ExitCode::SUCCESS,
    })
}

impl Teller {
    fn tell(self, chunk: &RecordChunk) -> AnalysedChunk {
        let mut told = AnalysedChunk::default();
        for given in chunk.records() {
            let record = AnyRecord::read(given.piece.bytes);
            if let Err(error) = &record.verdict {
                told.refused.push(diagnosis::render(&chunk.source, given.piece, error, self.look));
                continue;
            }
            let Some(setup) = &record.setup else { continue };
            match self.depth.nodes(setup.ruleset()) {
                Ok(nodes) => {
                    self.tell_one(&mut told.text, &chunk.source, given.number, &record, setup, nodes)
                }
                Err(why) => told.refused.push(format!("{} {}: {why}", chunk.source, given.number)),
            }
        }
        told
    }

    fn tell_one(
        self,
        out: &mut String,
        source: &str,
        number: u64,
        record: &AnyRecord,
        setup: &Setup,
        nodes: u64,
    ) {
        let Some(account) = record.account(nodes) else { return };
        let players = (1..=setup.seats()).map(|seat| {
            let tag = format!("seat{seat}");
            record.tags.iter().find(|(name, _)| *name == tag).map(|(_, value)| value.as_str())
        });
        let analysed = Analysed {
            source,
            record: number,
            setup: setup.line(),
            nodes,
            players: players.collect(),
            account: &account,
        };
        if self.is_json {
            // It has string keys only, so this cannot fail.
            out.push_str(&serde_json::to_string(&analysed).unwrap_or_default());
            out.push('\n');
        } else {
            text::write(out, &analysed, self.shows_all);
        }
    }
}

impl ResultSink<AnalysedChunk> for Printer {
    type Error = io::Error;

    fn take(&mut self, AnalysedChunk { text, refused }: AnalysedChunk) -> io::Result<()> {
        self.has_refused |= !refused.is_empty();
        self.progress.suspend(|| {
            refused.iter().for_each(|diagnosis| say(diagnosis.trim_end()));
            let mut out = io::stdout().lock();
            out.write_all(text.as_bytes())?;
            out.flush()
        })
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
