//! `assam convert --to svg` and `--to png`: one position of one record as a picture.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use assam_notation::Piece;
#[cfg(feature = "png")]
use assam_notation::StrayCharacter;
use assam_referee::AnyRecord;
use assam_referee::picture::{PictureForm, Theme};
use clap::{Args, ValueEnum};

#[cfg(feature = "png")]
use super::png;
use crate::process::input::Source;
use crate::process::look::Look;
use crate::process::output::{say, say_failed};
use crate::process::output_file::Output;
use crate::records::diagnosis;
use crate::records::numbered_record::{NotFound, find, no_such_record};
use crate::records::plies::Plies;

/// Why conversion stops.
pub enum NotConverted {
    Unwritable(io::Error),
    /// The requested output is not possible.
    Impossible(String),
}

impl From<io::Error> for NotConverted {
    fn from(error: io::Error) -> Self {
        Self::Unwritable(error)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PictureKind {
    Svg,
    #[cfg(feature = "png")]
    Png,
}

/// Arguments of a picture.
#[derive(Args)]
#[command(next_help_heading = "Pictures")]
pub struct PictureArgs {
    /// The number of the record in the file, from 1. Not needed for a file with one record
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    record: Option<u64>,
    /// Draw the position after this ply, 0 for the start, by default the last
    #[arg(long, value_name = "N")]
    ply: Option<u32>,
    /// Draw only the board with its labels, without the panel next to it
    #[arg(long)]
    board_only: bool,
    /// The width in pixels. Below 560, the panel is below the board
    #[arg(long, value_name = "PX", value_parser = clap::value_parser!(u32).range(1..=8192))]
    width: Option<u32>,
    /// The colours. By default, an SVG follows the preference of its reader, and a PNG is light
    #[arg(long, value_enum, value_name = "THEME")]
    theme: Option<ThemeArg>,
    /// Mark the legal decisions of the seat to move
    #[arg(long)]
    legal: bool,
    /// Write the names of the seats from the tags of the record (the default)
    #[arg(long, overrides_with = "no_names")]
    names: bool,
    /// Write no names
    #[arg(long, overrides_with = "names")]
    no_names: bool,
}

/// The colours of a picture.
#[derive(ValueEnum, Clone, Copy)]
enum ThemeArg {
    Auto,
    Light,
    Dark,
}

impl PictureArgs {
    /// Returns the name of a picture argument that was given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.record.is_some(), "--record"),
            (self.ply.is_some(), "--ply"),
            (self.board_only, "--board-only"),
            (self.width.is_some(), "--width"),
            (self.theme.is_some(), "--theme"),
            (self.legal, "--legal"),
            (self.names, "--names"),
            (self.no_names, "--no-names"),
        ];
        given.into_iter().find_map(|(is_given, name)| is_given.then_some(name))
    }

    /// Draws the picture of a record of the only source.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn draw(
        &self,
        kind: PictureKind,
        sources: &[Source],
        output: Option<&Path>,
        errors: Look,
    ) -> Result<ExitCode, NotConverted> {
        let [source] = sources else {
            return Err(NotConverted::Impossible("a picture shows one record: name one file".to_owned()));
        };
        let name = source.name();
        let found = match find(source, self.record.unwrap_or(1)) {
            Ok(found) => found,
            Err(NotFound::Unreadable(error)) => {
                say_failed(&format!("{name}: {error}"));
                return Ok(ExitCode::from(2));
            }
            Err(NotFound::Beyond { number, count }) => {
                return Err(NotConverted::Impossible(format!("{name}: {}", no_such_record(number, count))));
            }
        };
        if self.record.is_none() && found.has_next {
            let why = format!(
                "{name}: a picture shows one record, but this file has several: choose one with --record"
            );
            return Err(NotConverted::Impossible(why));
        }
        let record = AnyRecord::read(&found.bytes);
        if let Err(error) = &record.verdict {
            let piece = Piece { line: found.line, column: found.column, bytes: &found.bytes };
            say(diagnosis::render(&name, piece, error, errors).trim_end());
            return Ok(ExitCode::FAILURE);
        }
        let Some(plies) = Plies::new(&record) else { return Ok(ExitCode::FAILURE) };
        let svg = svg(plies, self.ply, &self.form(&record, kind))
            .map_err(|why| NotConverted::Impossible(format!("{name}: {why}")))?;
        let bytes = match kind {
            PictureKind::Svg => svg.into_bytes(),
            #[cfg(feature = "png")]
            PictureKind::Png => {
                let drawn = png::of(&svg).map_err(|why| NotConverted::Impossible(why.to_string()))?;
                if !drawn.missing.is_empty() {
                    say(&lacks(&drawn));
                }
                drawn.bytes
            }
        };
        let mut out = Output::open(output, &Source::paths(sources))?;
        out.write_all(&bytes)?;
        out.keep()?;
        Ok(ExitCode::SUCCESS)
    }

    fn form(&self, record: &AnyRecord, kind: PictureKind) -> PictureForm {
        PictureForm {
            board_only: self.board_only,
            theme: match self.theme {
                #[cfg(feature = "png")]
                None | Some(ThemeArg::Auto) if kind == PictureKind::Png => Theme::Light,
                None | Some(ThemeArg::Auto) => Theme::Auto,
                Some(ThemeArg::Light) => Theme::Light,
                Some(ThemeArg::Dark) => Theme::Dark,
            },
            width: self.width,
            marks_legal: self.legal,
            names: if self.no_names { Vec::new() } else { names(record) },
        }
    }
}

/// Describes which characters a picture lacks.
#[cfg(feature = "png")]
fn lacks(drawn: &png::Drawn) -> String {
    let named = drawn.missing.iter().map(|&character| {
        // Isolated, because some are written from right to left.
        format!("\u{2068}{character}\u{2069} ({})", StrayCharacter { offset: 0, character })
    });
    format!(
        "assam: the picture lacks {}, which no font of this system has: install one that does (on Debian, `apt install fonts-noto`), \
         or write SVG with `--to svg`",
        named.collect::<Vec<_>>().join(", ")
    )
}

/// Returns the names of the seats in the tags of a record.
fn names(record: &AnyRecord) -> Vec<String> {
    let seats = record.table.as_ref().map_or(0, |table| table.score().scores.len());
    let name = |seat: usize| {
        let tag = format!("seat{seat}");
        record.tags.iter().find(|(name, _)| *name == tag).map(|(_, value)| value.clone()).unwrap_or_default()
    };
    (1..=seats).map(name).collect()
}

/// Draws the position after a ply, by default the last one.
fn svg(mut plies: Plies, wanted: Option<u32>, form: &PictureForm) -> Result<String, String> {
    while wanted.is_none_or(|ply| plies.moment().ply < ply) && plies.advance() {}
    let last = plies.moment().ply;
    match wanted.filter(|&ply| ply != last) {
        Some(ply) => Err(format!("there is no ply {ply}: the last one is {last}")),
        None => Ok(plies.table().svg(plies.moment(), form)),
    }
}
