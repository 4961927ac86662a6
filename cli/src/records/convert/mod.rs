//! `assam convert`: writes records in another form.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use assam_referee::Depth;
use clap::{Args, ValueEnum, ValueHint};
use indicatif::ProgressBar;

use crate::process::input::{Source, printable};
use crate::process::look::ColorArgs;
use crate::process::output::{say, say_failed};
use crate::process::output_file::Output;
use crate::records::parallel_records::{ParallelRecords, ResultSink};
use crate::records::sheet::{PlyDetail, Sheet};

mod destination;
mod json;
mod made;
mod picture;
#[cfg(feature = "png")]
mod png;

use destination::Destination;
use made::{Converted, Made, Spent, Target};
use picture::NotConverted;
use picture::{PictureArgs, PictureKind};

#[derive(Args)]
pub struct ConvertArgs {
    /// Files of records. A folder means all `*.mkn` files in it and its subfolders, and `-` means standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// The file to write, by default standard output (`-`)
    #[arg(long, short, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// With `--to json`: leave out the states
    #[arg(long)]
    no_states: bool,
    /// With `--to plies.csv` or `--to plies.parquet`: add the Marrakech board as 49 numbers, and a mask of
    /// the legal moves
    #[arg(long)]
    board: bool,
    /// With tables: fill the columns of luck and errors, as this merchant judges them
    #[arg(long, value_name = "MERCHANT")]
    judge: Option<Depth>,
    #[command(flatten)]
    picture: PictureArgs,
    #[command(flatten)]
    color: ColorArgs,
}

/// The output format.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// MKN with all words on one line, without tags
    Canonical,
    /// MKN with tags and one line per turn
    File,
    /// One JSON object per line, for each record, with the state after every ply unless `--no-states`
    Json,
    /// One position line per ply, with a blank line between records
    Positions,
    /// A picture of one position of one record
    Svg,
    /// The same picture as PNG
    #[cfg(feature = "png")]
    Png,
    /// A row for each game, as CSV
    #[value(name = "games.csv")]
    GamesCsv,
    /// A row for each ply, as CSV
    #[value(name = "plies.csv")]
    PliesCsv,
    /// A row for each game, as Parquet
    #[cfg(feature = "parquet")]
    #[value(name = "games.parquet")]
    GamesParquet,
    /// A row for each ply, as Parquet
    #[cfg(feature = "parquet")]
    #[value(name = "plies.parquet")]
    PliesParquet,
}

/// The goal of a conversion: all records in a form, or a picture of one.
enum Goal {
    Records(Target),
    Picture(PictureKind),
}

/// Bytes of records in each piece of work. Smaller, because converted records can be large.
const ENOUGH: usize = 16 * 1024;
const LITTLE: usize = 2 * 1024;

/// A conversion in progress.
struct Converter {
    out: Destination<Output>,
    target: Target,
    spent: Spent,
    /// Good records that were read.
    count: u64,
    has_refused: bool,
    has_unreadable: bool,
}

/// Converts every record.
pub fn run(args: &ConvertArgs) -> ExitCode {
    // Huge pages would use three times the memory for the states of a game, and be no faster.
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::disable_transparent_huge_pages(true);
    match convert(args) {
        Ok(status) => status,
        // A reader that closes the pipe has seen enough.
        Err(NotConverted::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(NotConverted::Unwritable(error)) => {
            let name = args.output.as_deref().map(printable);
            say_failed(&format!("{}: {error}", name.as_deref().unwrap_or("standard output")));
            ExitCode::from(2)
        }
        Err(NotConverted::Impossible(why)) => {
            say_failed(&why);
            ExitCode::FAILURE
        }
    }
}

fn convert(args: &ConvertArgs) -> Result<ExitCode, NotConverted> {
    let target = args.target();
    let of_picture = args.picture.given().filter(|_| matches!(target, Goal::Records(_)));
    let of_json = (args.no_states && args.to != Form::Json).then_some("--no-states requires `--to json`");
    let is_plies = matches!(target, Goal::Records(target) if target.is_of_plies());
    let of_plies =
        (args.board && !is_plies).then_some("--board requires `--to plies.csv` or `plies.parquet`");
    let is_table = matches!(target, Goal::Records(target) if target.is_table());
    let of_judge =
        (args.judge.is_some() && !is_table).then_some("--judge requires a table, such as `--to games.csv`");
    let wrong = of_picture.map(|name| format!("{name} requires `--to svg` or another picture"));
    if let Some(wrong) = wrong.or(of_json.or(of_plies).or(of_judge).map(str::to_owned)) {
        say_failed(&wrong);
        return Ok(ExitCode::from(2));
    }
    let mut has_unreadable = false;
    let sources = Source::of_all(&args.files, |name, error| {
        has_unreadable = true;
        say_failed(&format!("{name}: {error}"));
        Ok::<_, NotConverted>(())
    })?;
    let target = match target {
        Goal::Picture(_) if has_unreadable => return Ok(ExitCode::from(2)),
        Goal::Picture(kind) => {
            return args.picture.draw(kind, &sources, args.output.as_deref(), args.color.of_stderr());
        }
        Goal::Records(target) => target,
    };
    let out = Output::open(args.output.as_deref(), &Source::paths(&sources))?;
    let out = Destination::begin(target, out)?;
    let spent = Spent::default();
    let of_workers = spent.clone();
    let mut converter = Converter { out, target, spent, count: 0, has_refused: false, has_unreadable };
    let look = args.color.of_stderr();
    let enough = if matches!(target, Target::Json { has_states: true }) { LITTLE } else { ENOUGH };
    let judge = args.judge;
    ParallelRecords::start(enough, move |chunk| Converted::new(target, judge, look, &chunk, &of_workers))
        .work_through(&sources, &ProgressBar::hidden(), &mut converter)?;
    converter.finish()
}

impl ConvertArgs {
    const fn ply_detail(&self) -> PlyDetail {
        if self.board { PlyDetail::Board } else { PlyDetail::Position }
    }

    const fn target(&self) -> Goal {
        let target = match self.to {
            Form::Canonical => Target::Canonical,
            Form::File => Target::File,
            Form::Json => Target::Json { has_states: !self.no_states },
            Form::Positions => Target::Positions,
            Form::Svg => return Goal::Picture(PictureKind::Svg),
            #[cfg(feature = "png")]
            Form::Png => return Goal::Picture(PictureKind::Png),
            Form::GamesCsv => Target::Csv(Sheet::Games),
            Form::PliesCsv => Target::Csv(Sheet::Plies(self.ply_detail())),
            #[cfg(feature = "parquet")]
            Form::GamesParquet => Target::Parquet(Sheet::Games),
            #[cfg(feature = "parquet")]
            Form::PliesParquet => Target::Parquet(Sheet::Plies(self.ply_detail())),
        };
        Goal::Records(target)
    }
}

impl ResultSink<Converted> for Converter {
    type Error = NotConverted;

    fn take(&mut self, Converted { good, refused, made }: Converted) -> Result<(), NotConverted> {
        self.has_refused |= !refused.is_empty();
        refused.iter().for_each(|diagnosis| say(diagnosis.trim_end()));
        let is_first = self.count == 0;
        self.count += good;
        match made {
            Made::Text(text) => {
                let begin = usize::from(is_first && self.target.is_separated());
                self.out.text(text.get(begin..).unwrap_or_default())?;
                self.spent.give(text);
            }
            #[cfg(feature = "parquet")]
            Made::Rows(rows) => self.out.rows(&rows)?,
        }
        Ok(())
    }

    fn unreadable(&mut self, source: &str, error: &io::Error) -> Result<(), NotConverted> {
        self.has_unreadable = true;
        say_failed(&format!("{source}: {error}"));
        Ok(())
    }

    fn flush(&mut self) -> Result<(), NotConverted> {
        Ok(self.out.flush()?)
    }
}

impl Converter {
    fn finish(self) -> Result<ExitCode, NotConverted> {
        let out = self.out.finish()?;
        // If no record was good, the previous contents stay.
        if self.count > 0 {
            out.keep()?;
        }
        Ok(match (self.has_unreadable, self.has_refused) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::FAILURE,
            (false, false) => ExitCode::SUCCESS,
        })
    }
}
