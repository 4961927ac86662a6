//! `assam convert`: writes records in another form.

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use assam_notation::Piece;
use assam_referee::AnyRecord;
use clap::{Args, ValueEnum};

use crate::color::ColorArgs;
use crate::diagnosis;
use crate::output::say;
use crate::plies::Plies;
use crate::records::{Source, Unreadable, for_each_record, printable};

mod json;
mod output;

use output::Output;

/// Arguments of `assam convert`.
#[derive(Args)]
pub struct ConvertArgs {
    /// Files of records; a folder stands for every `*.mkn` file in and below it, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The form to write
    #[arg(long, value_enum, value_name = "FORM")]
    to: Form,
    /// The file to write; standard output by default
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// With `--to svg`: the ply after which to draw the position, 0 for the start; the last ply by default
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    #[command(flatten)]
    color: ColorArgs,
}

/// The form of the output.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// MKN with all words on one line, without tags
    Canonical,
    /// MKN with tags and one line per turn
    File,
    /// One JSON object per record, each on a line of its own, with the state after every ply
    Json,
    /// One position line per ply, with a blank line between records
    Positions,
    /// A picture of one position of one record
    Svg,
}

/// Why conversion stops.
enum NotConverted {
    /// This source cannot be read any further; the next one can.
    Unreadable(io::Error),
    /// The output cannot be written.
    Unwritable(io::Error),
    /// The requested output cannot be made.
    Impossible(String),
}

impl From<io::Error> for NotConverted {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// A conversion under way.
struct Converter<'a> {
    args: &'a ConvertArgs,
    out: BufWriter<Output>,
    /// How many good records were read.
    count: u64,
    has_refused: bool,
    has_unreadable: bool,
    /// The picture, held back until it is known that there is only one record.
    picture: Option<String>,
}

/// Converts every record.
pub fn run(args: &ConvertArgs) -> ExitCode {
    match convert(args) {
        Ok(status) => status,
        // A reader that closes the pipe has seen enough.
        Err(NotConverted::Unwritable(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(2)
        }
        Err(NotConverted::Unwritable(error) | NotConverted::Unreadable(error)) => {
            let name = args.output.as_deref().map(printable);
            say(&format!("assam: {}: {error}", name.as_deref().unwrap_or("standard output")));
            ExitCode::from(2)
        }
        Err(NotConverted::Impossible(why)) => {
            say(&format!("assam: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn convert(args: &ConvertArgs) -> Result<ExitCode, NotConverted> {
    if args.ply.is_some() && args.to != Form::Svg {
        say("assam: --ply requires `--to svg`");
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
    let out = BufWriter::new(Output::open(args.output.as_deref()).map_err(NotConverted::Unwritable)?);
    let mut converter = Converter { args, out, count: 0, has_refused: false, has_unreadable, picture: None };
    for source in &sources {
        converter.convert(source)?;
    }
    converter.finish()
}

impl Converter<'_> {
    fn convert(&mut self, source: &Source) -> Result<(), NotConverted> {
        let name = source.name();
        let input = source.open().map_err(NotConverted::Unreadable);
        match input.and_then(|input| for_each_record(input, |piece| self.record(&name, piece))) {
            Err(NotConverted::Unreadable(error)) => {
                self.has_unreadable = true;
                say(&format!("assam: {name}: {error}"));
                Ok(())
            }
            other => other,
        }
    }

    fn record(&mut self, source: &str, piece: Piece<'_>) -> Result<(), NotConverted> {
        let record = AnyRecord::read(piece.bytes);
        if let Err(error) = &record.verdict {
            self.has_refused = true;
            say(diagnosis::render(source, piece, error, self.args.color.of_stderr()).trim_end());
            return Ok(());
        }
        self.count += 1;
        self.write(source, piece, &record)
    }

    fn write(&mut self, source: &str, piece: Piece<'_>, record: &AnyRecord) -> Result<(), NotConverted> {
        let Some(mut plies) = Plies::of(record) else { return Ok(()) };
        match self.args.to {
            Form::Canonical => self.record_text(&record.canonical()),
            Form::File => self.record_text(&record.file_form()),
            Form::Json => json::write(&mut self.out, record, plies).map_err(NotConverted::Unwritable),
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

    /// Writes text, after a blank line if anything was written before.
    fn record_text(&mut self, text: &str) -> Result<(), NotConverted> {
        let blank: &[u8] = if self.count > 1 { b"\n" } else { b"" };
        self.out
            .write_all(blank)
            .and_then(|()| self.out.write_all(text.as_bytes()))
            .map_err(NotConverted::Unwritable)
    }

    fn picture(&mut self, source: &str, piece: Piece<'_>, mut plies: Plies) -> Result<(), NotConverted> {
        if self.picture.is_some() {
            let why = format!("{source}:{}: a picture shows one record, and this is the second", piece.line);
            return Err(NotConverted::Impossible(why));
        }
        let wanted = self.args.ply;
        while wanted.is_none_or(|ply| plies.moment().ply < ply) && plies.advance() {}
        let last = plies.moment().ply;
        if let Some(ply) = wanted.filter(|&ply| ply != last) {
            return Err(NotConverted::Impossible(format!(
                "{source}: there is no ply {ply}: the last one is {last}"
            )));
        }
        self.picture = Some(plies.table().svg(plies.moment()));
        Ok(())
    }

    fn finish(mut self) -> Result<ExitCode, NotConverted> {
        let picture = self.picture.take().unwrap_or_default();
        self.out.write_all(picture.as_bytes()).map_err(NotConverted::Unwritable)?;
        let out = self.out.into_inner().map_err(|error| NotConverted::Unwritable(error.into_error()))?;
        // If no record was good, the previous contents stay.
        if self.count > 0 {
            out.keep().map_err(NotConverted::Unwritable)?;
        }
        Ok(match (self.has_unreadable, self.has_refused) {
            (true, _) => ExitCode::from(2),
            (false, true) => ExitCode::FAILURE,
            (false, false) => ExitCode::SUCCESS,
        })
    }
}
