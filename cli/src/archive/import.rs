//! `assam import`: adds finished records to a database or a service.

use std::env;
use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use actix_web::rt::{System, SystemRunner};
use assam_api::app::App;
use assam_api::bulk::{Cut, ImportOutcome, ImportSummary, ReadRecord};
use assam_notation::Piece;
use assam_record::game::GameId;
use assam_record::secret::Secret;
use assam_referee::AnyRecord;
use clap::Args;
use futures_util::future::try_join_all;
use indicatif::ProgressBar;
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::archive::transfer::{self, NotTransferred, PlaceArgs};
use crate::database;
use crate::process::input::{Source, escaped};
use crate::process::look::{ColorArgs, Look};
use crate::process::output::{say, say_failed};
use crate::process::progress;
use crate::records::diagnosis;
use crate::records::parallel_records::{ParallelRecords, RecordChunk, ResultSink};
use crate::remote::{Remote, SECRET};

#[derive(Args)]
pub struct ImportArgs {
    /// Files of records. A folder means all `*.mkn` files in it and its subfolders, and `-` means standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON: one object per line for each record, and a final one with the counts
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    color: ColorArgs,
}

/// Bytes of records that are imported together.
const ENOUGH: usize = 128 * 1024;

/// Records that were read, for a database.
type ReadChunk = (RecordChunk, Vec<ReadRecord>);

/// The destination of records.
enum Keeper {
    Database(Box<App>),
    Service(Remote),
}

struct Importer {
    system: SystemRunner,
    place: Keeper,
    out: BufWriter<io::Stdout>,
    progress: ProgressBar,
    is_json: bool,
    look: Look,
    summary: ImportSummary,
    has_unreadable: bool,
}

pub fn run(args: &ImportArgs) -> ExitCode {
    import(args).unwrap_or_else(|error| error.exit())
}

fn import(args: &ImportArgs) -> Result<ExitCode, NotTransferred> {
    let system = System::new();
    let owner = env::var(SECRET).ok().filter(|secret| !secret.is_empty()).map(|secret| {
        let wrong = || NotTransferred::Refused(format!("{SECRET} must be 64 lower-case hex digits"));
        Secret::read(&secret).map(|secret| secret.hash()).ok_or_else(wrong)
    });
    let owner = owner.transpose()?;
    let mut store = None;
    let place = match &args.place.url {
        Some(url) => Keeper::Service(Remote::at(url, args.place.remote)?),
        None => {
            // The database file is complete when this function ends.
            let store = store.insert(database::open_for(&args.place.database, &args.files)?);
            Keeper::Database(Box::new(system.block_on(transfer::open((**store).clone(), None))?))
        }
    };
    let is_read_here = matches!(place, Keeper::Database(_));
    let mut importer = Importer {
        system,
        place,
        out: BufWriter::new(io::stdout()),
        progress: ProgressBar::hidden(),
        is_json: args.json,
        look: args.color.of_stderr(),
        summary: ImportSummary::default(),
        has_unreadable: false,
    };
    let sources = Source::of_all(&args.files, |name, error| importer.unreadable(name, error))?;
    importer.progress = progress::of_sources(&sources);
    let pool = ParallelRecords::start(ENOUGH, move |chunk: RecordChunk| {
        let read = |given: crate::records::parallel_records::ChunkRecord<'_>| {
            ReadRecord::new(&Cut::new(given.piece), owner)
        };
        let read = if is_read_here { chunk.records().map(read).collect() } else { Vec::new() };
        (chunk, read)
    });
    let progress = importer.progress.clone();
    pool.work_through(&sources, &progress, &mut importer)?;
    importer.finish()
}

impl Keeper {
    /// Imports records, and reports on each as the service does.
    fn import(
        &self,
        system: &SystemRunner,
        (chunk, read): &mut ReadChunk,
    ) -> Result<Vec<Value>, NotTransferred> {
        match self {
            Self::Database(app) => {
                let numbers: Vec<u64> = chunk.records().map(|given| given.number).collect();
                let added = read.drain(..).zip(numbers).map(|(read, number)| read.added(app, number));
                let rows = system.block_on(try_join_all(added))?;
                // Rows have string keys only, so this cannot fail.
                Ok(rows.iter().map(|row| serde_json::to_value(row).unwrap_or_default()).collect())
            }
            Self::Service(remote) => {
                let mut lines = remote.import(chunk.bytes())?;
                let last = lines.pop().unwrap_or_default();
                if last["kind"] != "summary" {
                    let why = last["detail"].as_str().unwrap_or("the response was cut off");
                    return Err(NotTransferred::Failed(why.to_owned()));
                }
                let is_row = |line: &Value| {
                    ImportOutcome::deserialize(&line["outcome"]).is_ok_and(|outcome| {
                        outcome == ImportOutcome::Refused || GameId::deserialize(&line["game"]).is_ok()
                    })
                };
                if lines.len() > chunk.records().count() || !lines.iter().all(is_row) {
                    let why = "this is not the response of an Assam service: it needs one line per record";
                    return Err(NotTransferred::Failed(why.to_owned()));
                }
                for (line, given) in lines.iter_mut().zip(chunk.records()) {
                    // An error names a line of the request.
                    let before = line["line"].as_u64().unwrap_or(1);
                    if let Some(at) = line["error"]["line"].as_u64() {
                        line["error"]["line"] = json!(at - before + given.piece.line);
                    }
                    (line["number"], line["line"]) = (json!(given.number), json!(given.piece.line));
                }
                Ok(lines)
            }
        }
    }
}

impl Importer {
    fn told(&mut self, source: &str, piece: Piece<'_>, mut row: Value) -> Result<(), NotTransferred> {
        let outcome = ImportOutcome::deserialize(&row["outcome"]);
        let outcome = outcome.map_err(|error| NotTransferred::Failed(error.to_string()))?;
        self.summary.count(outcome);
        if self.is_json {
            (row["kind"], row["source"]) = (json!("record"), json!(source));
            return Ok(writeln!(self.out, "{row}")?);
        }
        if outcome == ImportOutcome::Refused {
            let text = |name: &str| row["error"][name].as_str().unwrap_or_default();
            let diagnosis = match &AnyRecord::read(piece.bytes).verdict {
                Err(error) => diagnosis::render(source, piece, error, self.look),
                Ok(()) => {
                    let (code, detail) = (escaped(text("code")), escaped(text("detail")));
                    format!("error[{code}]: {detail}\n --> {source}:{}\n", piece.line)
                }
            };
            self.progress.suspend(|| say(diagnosis.trim_end()));
            return Ok(());
        }
        let ignored: Vec<&str> =
            row["ignored_tags"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        if !ignored.is_empty() {
            let tags = escaped(&ignored.join(", "));
            self.progress.suspend(|| {
                say(&format!(
                    "assam: {source}:{}: the game keeps the tags of its first import: ignored {tags}",
                    piece.line
                ));
            });
        }
        let id = row["game"].as_str().unwrap_or_default();
        let found = match outcome {
            ImportOutcome::New => "new",
            ImportOutcome::Known | ImportOutcome::Refused => "known",
        };
        let game = match &self.place {
            Keeper::Database(_) => id.to_owned(),
            Keeper::Service(remote) => remote.page_of(id),
        };
        Ok(writeln!(self.out, "{game} {found} {source}:{}", piece.line)?)
    }

    fn finish(mut self) -> Result<ExitCode, NotTransferred> {
        self.progress.finish_and_clear();
        let ImportSummary { records, new, known, refused } = self.summary;
        if self.is_json {
            let mut last = serde_json::to_value(self.summary).unwrap_or_default();
            last["kind"] = json!("summary");
            writeln!(self.out, "{last}")?;
        } else {
            let s = if records == 1 { "" } else { "s" };
            writeln!(self.out, "{records} record{s}: {new} new, {known} known, {refused} refused")?;
        }
        self.out.flush()?;
        Ok(match (self.has_unreadable, refused) {
            (true, _) => ExitCode::from(2),
            (false, 1..) => ExitCode::FAILURE,
            (false, 0) => ExitCode::SUCCESS,
        })
    }
}

impl ResultSink<ReadChunk> for Importer {
    type Error = NotTransferred;

    fn take(&mut self, mut given: ReadChunk) -> Result<(), NotTransferred> {
        let mut rows = self.place.import(&self.system, &mut given)?.into_iter();
        let (chunk, _) = given;
        for record in chunk.records() {
            // A file without records counts as one empty record, which the service does not report.
            let empty = || json!({"number": record.number, "line": 1, "outcome": "refused", "game": null, "ignored_tags": [], "error": null});
            let row = if record.piece.bytes.is_empty() {
                rows.next().unwrap_or_else(empty)
            } else {
                rows.next().ok_or_else(|| NotTransferred::Failed("the service skipped records".to_owned()))?
            };
            self.told(&chunk.source, record.piece, row)?;
        }
        Ok(())
    }

    fn unreadable(&mut self, source: &str, error: &io::Error) -> Result<(), NotTransferred> {
        self.has_unreadable = true;
        self.progress.suspend(|| say_failed(&format!("{source}: {error}")));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), NotTransferred> {
        Ok(self.out.flush()?)
    }
}
