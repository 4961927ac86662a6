//! `assam convert`: records in another form.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use assam_notation::Piece;
use clap::{Args, ValueEnum};

use super::plies::Plies;
use super::records::{Source, Unreadable, for_each_record, printable};
use super::{ColorArgs, diagnosis, say};
use crate::judge::{file_form, judge_record};
use crate::referee::Judgement;

mod json;
mod output;

use output::Output;

/// What to convert.
#[derive(Args)]
pub struct ConvertArgs {
    /// Files of records; a folder stands for every `*.mkn` file in it and below, `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// Where to write it; the standard output where none is given
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// With `svg`: the position after this ply, 0 for the start; the last one where none is given
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    #[command(flatten)]
    color: ColorArgs,
}

/// What records are written as.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// MKN with all words on one line, without tags
    Canonical,
    /// MKN with tags and a line a turn
    File,
    /// A JSON object a record on a line of its own, with the state after every ply
    Json,
    /// A position line a ply, a blank line between two records
    Positions,
    /// A picture of one position of one record
    Svg,
}

/// Why converting stops.
enum Stop {
    /// This source cannot be read on; the next one can.
    Unreadable(io::Error),
    /// Nothing can be written any more.
    Unwritable(io::Error),
    /// What was asked for cannot be had.
    Impossible(String),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Writes records in their new form.
struct Converter<'a> {
    args: &'a ConvertArgs,
    out: BufWriter<Output>,
    /// Records that were read.
    count: u64,
    has_refused: bool,
    has_unreadable: bool,
    /// The one picture, until it is known that there is one record only.
    picture: Option<String>,
}

/// Converts every record.
pub fn run(args: &ConvertArgs) -> ExitCode {
    match convert(args) {
        Ok(status) => status,
        // Whoever closes the pipe has seen enough.
        Err(Stop::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(Stop::Unwritable(error) | Stop::Unreadable(error)) => {
            let name = args.output.as_deref().map(printable);
            say(&format!("assam: {}: {error}", name.as_deref().unwrap_or("standard output")));
            ExitCode::from(2)
        }
        Err(Stop::Impossible(why)) => {
            say(&format!("assam: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn convert(args: &ConvertArgs) -> Result<ExitCode, Stop> {
    if args.ply.is_some() && args.to != Form::Svg {
        say("assam: --ply goes with `--to svg` only");
        return Ok(ExitCode::from(2));
    }
    let mut sources = Vec::new();
    let mut has_unreadable = false;
    for found in args.files.iter().flat_map(|path| Source::all(path)) {
        match found {
            Ok(source) => sources.push(source),
            Err(Unreadable { name, error }) => {
                has_unreadable = true;
                say(&format!("assam: {name}: {error}"));
            }
        }
    }
    let out = BufWriter::new(Output::open(args.output.as_deref()).map_err(Stop::Unwritable)?);
    let mut converter = Converter { args, out, count: 0, has_refused: false, has_unreadable, picture: None };
    for source in &sources {
        converter.convert(source)?;
    }
    converter.finish()
}

impl Converter<'_> {
    fn convert(&mut self, source: &Source) -> Result<(), Stop> {
        let name = source.name();
        let input = source.open().map_err(Stop::Unreadable);
        match input.and_then(|input| for_each_record(input, |piece| self.record(&name, piece))) {
            Err(Stop::Unreadable(error)) => {
                self.has_unreadable = true;
                say(&format!("assam: {name}: {error}"));
                Ok(())
            }
            other => other,
        }
    }

    fn record(&mut self, source: &str, piece: Piece<'_>) -> Result<(), Stop> {
        let judgement = judge_record(piece.bytes);
        if let Err(error) = &judgement.verdict {
            self.has_refused = true;
            say(diagnosis::render(source, piece, error, self.args.color.of_stderr()).trim_end());
            return Ok(());
        }
        self.count += 1;
        self.write(source, piece, &judgement)
    }

    fn write(&mut self, source: &str, piece: Piece<'_>, judgement: &Judgement) -> Result<(), Stop> {
        let Some(mut plies) = Plies::of(judgement) else { return Ok(()) };
        match self.args.to {
            Form::Canonical => self.record_text(&judgement.canonical),
            Form::File => {
                let text = String::from_utf8_lossy(piece.bytes);
                let text = file_form(&text).map_err(|error| Stop::Impossible(error.to_string()))?;
                self.record_text(&text)
            }
            Form::Json => json::write(&mut self.out, judgement, plies).map_err(Stop::Unwritable),
            Form::Positions => {
                let mut lines = String::new();
                loop {
                    lines.extend([plies.table().position_line()]);
                    lines.push('\n');
                    if !plies.advance() {
                        return self.record_text(&lines);
                    }
                }
            }
            Form::Svg => self.picture(source, piece, plies),
        }
    }

    /// Text, with a blank line between it and what was written before.
    fn record_text(&mut self, text: &str) -> Result<(), Stop> {
        let blank: &[u8] = if self.count > 1 { b"\n" } else { b"" };
        self.out.write_all(blank).and_then(|()| self.out.write_all(text.as_bytes())).map_err(Stop::Unwritable)
    }

    fn picture(&mut self, source: &str, piece: Piece<'_>, mut plies: Plies) -> Result<(), Stop> {
        if self.picture.is_some() {
            let why = format!("{source}:{}: a picture shows one record, and this is the second", piece.line);
            return Err(Stop::Impossible(why));
        }
        let wanted = self.args.ply;
        while wanted.is_none_or(|ply| plies.moment().ply < ply) && plies.advance() {}
        let last = plies.moment().ply;
        if let Some(ply) = wanted.filter(|&ply| ply != last) {
            return Err(Stop::Impossible(format!("{source}: there is no ply {ply}: the last one is {last}")));
        }
        self.picture = Some(plies.table().svg(plies.moment()));
        Ok(())
    }

    fn finish(mut self) -> Result<ExitCode, Stop> {
        let picture = self.picture.take().unwrap_or_default();
        self.out.write_all(picture.as_bytes()).map_err(Stop::Unwritable)?;
        let out = self.out.into_inner().map_err(|error| Stop::Unwritable(error.into_error()))?;
        // Where nothing was good, what was there before stays.
        if self.count > 0 {
            out.keep().map_err(Stop::Unwritable)?;
        }
        Ok(match (self.has_unreadable, self.has_refused) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::FAILURE,
            (false, false) => ExitCode::SUCCESS,
        })
    }
}
