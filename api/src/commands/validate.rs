//! `assam validate`: every record of some files, replayed.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_notation::{Piece, Splitter};

use super::say;
use crate::http::judge;

const ALL_GOOD: u8 = 0;
const REFUSED: u8 = 1;
const UNREADABLE: u8 = 2;

/// Counts of records.
#[derive(Default)]
struct Tally {
    good: u64,
    refused: u64,
}

/// Judges every record of these files, and says what became of each.
pub fn run(files: &[PathBuf]) -> ExitCode {
    let mut tally = Tally::default();
    let mut out = BufWriter::new(io::stdout().lock());
    let mut status = ALL_GOOD;
    for path in files {
        if let Err(error) = judge_file(path, &mut tally, &mut out) {
            if error.kind() == io::ErrorKind::BrokenPipe {
                return ExitCode::from(UNREADABLE);
            }
            say(&format!("assam: {}: {error}", path.display()));
            status = UNREADABLE;
        }
    }
    let summary = format!("{} good, {} refused\n", tally.good, tally.refused);
    if out.write_all(summary.as_bytes()).and_then(|()| out.flush()).is_err() {
        status = UNREADABLE;
    }
    if status == ALL_GOOD && tally.refused > 0 {
        status = REFUSED;
    }
    ExitCode::from(status)
}

fn judge_file(path: &Path, tally: &mut Tally, out: &mut impl Write) -> io::Result<()> {
    let is_stdin = path == Path::new("-");
    let mut input: Box<dyn Read> = if is_stdin { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let name = if is_stdin { "standard input".to_owned() } else { path.display().to_string() };
    let before = tally.good + tally.refused;
    let mut splitter = Splitter::new();
    let mut buffer = vec![0; 64 * 1024];
    loop {
        match input.read(&mut buffer)? {
            0 => break,
            read => splitter.feed(&buffer[..read], |piece| judge_piece(&name, piece, tally, out))?,
        }
    }
    splitter.finish(|piece| judge_piece(&name, piece, tally, out))?;
    if tally.good + tally.refused == before {
        tally.refused += 1;
        writeln!(out, "{name}:1:1: missing_marker: there is no record in it")?;
    }
    Ok(())
}

fn judge_piece(name: &str, piece: Piece<'_>, tally: &mut Tally, out: &mut impl Write) -> io::Result<()> {
    let judgement = judge(piece.bytes);
    match judgement.verdict {
        Ok(()) => {
            tally.good += 1;
            let table = judgement.table.as_deref();
            let plies = table.map_or(0, |table| table.ply());
            let marker = table.map(|table| table.marker()).unwrap_or_default();
            writeln!(out, "{name}:{}: ok: {plies} plies, {marker}", piece.line)
        }
        Err(error) => {
            tally.refused += 1;
            let line = piece.line + u64::from(error.place.line) - 1;
            write!(
                out,
                "{name}:{line}:{}: {} ({}): {}",
                error.place.column,
                error.code.as_str(),
                error.rule,
                error.detail
            )?;
            if let Some(ply) = error.place.ply {
                write!(out, " [ply {ply}]")?;
            }
            match error.expected {
                Some(expected) => writeln!(out, "; expected {expected}"),
                None => writeln!(out),
            }
        }
    }
}
