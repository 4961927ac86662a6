//! `assam verify`: recomputes the heads and the chance of games from their proofs.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_api::game::Head;
use assam_api::hex::Hex;
use assam_api::proof::{Fault, Proof, Verified, verify};
use assam_referee::AnyRecord;
use clap::Args;

use crate::output::say;
use crate::records::{Source, escaped};

/// Arguments of `assam verify`.
#[derive(Args)]
pub struct VerifyArgs {
    /// Files with one proof each; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A record in MKN that must have the same words, in everything that both show
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// A head that you kept, as 64 hex digits: it must be a head of the game; may be repeated
    #[arg(long, value_name = "HASH")]
    head: Vec<Hex<32>>,
}

/// The limit for a proof, in bytes. No proof of any game comes near it.
const LIMIT: u64 = 16 * 1024 * 1024;

/// Why a proof is not verified.
#[derive(Debug, thiserror::Error)]
enum NotVerified {
    /// It cannot be read, or the output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is longer than any proof can be.
    #[error("no proof has more than {LIMIT} bytes")]
    TooLong,
    /// It is not JSON, or not a proof.
    #[error("not a proof: {0}")]
    Json(#[from] serde_json::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A head that was kept is not one of its heads.
    #[error("head: expected one of the {heads} of this game, found {kept}")]
    NoSuchHead { heads: usize, kept: Hex<32> },
    /// The record that it is compared with is refused.
    #[error("{name}: {error}")]
    Record { name: String, error: String },
}

/// Verifies every proof.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let mut status = 0;
    for file in &args.files {
        let source = Source::one(file);
        if let Err(failure) = one(args, &source) {
            // A reader that closes the pipe has seen enough.
            if !matches!(&failure, NotVerified::Io(error) if error.kind() == io::ErrorKind::BrokenPipe) {
                say(&format!("assam: {}: {}", source.name(), escaped(&failure.to_string())));
            }
            status = status.max(failure.status());
        }
    }
    ExitCode::from(status)
}

impl NotVerified {
    fn status(&self) -> u8 {
        match self {
            Self::Io(_) => 2,
            Self::TooLong
            | Self::Json(_)
            | Self::Fault(_)
            | Self::NoSuchHead { .. }
            | Self::Record { .. } => 1,
        }
    }
}

fn one(args: &VerifyArgs, source: &Source) -> Result<(), NotVerified> {
    let proof: Proof = serde_json::from_slice(&read(source)?)?;
    let verified = verify(&proof)?;
    let kept = args.head.iter().map(|kept| {
        let found = verified.heads.iter().rev().find(|head| head.hash == kept.0).copied();
        found.ok_or(NotVerified::NoSuchHead { heads: verified.heads.len(), kept: *kept })
    });
    let kept: Vec<Head> = kept.collect::<Result<_, NotVerified>>()?;
    let same = match &args.against {
        Some(file) => Some(against(file, &proof, &verified)?),
        None => None,
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{}: game {}, {}", source.name(), proof.game, proof.setup)?;
    match same {
        Some(Some(ply)) => writeln!(out, "  verified: the record has the same words, up to ply {ply}.")?,
        Some(None) => writeln!(out, "  verified: the record has the same setup, and no words yet.")?,
        None => {}
    }
    for sentence in verified.sentences(&proof, &kept) {
        writeln!(out, "  {sentence}")?;
    }
    Ok(())
}

fn read(source: &Source) -> Result<Vec<u8>, NotVerified> {
    let mut bytes = Vec::new();
    source.open()?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT { Err(NotVerified::TooLong) } else { Ok(bytes) }
}

/// Compares a proof with a record, and returns the last ply that both have.
fn against(file: &Path, proof: &Proof, verified: &Verified) -> Result<Option<u32>, NotVerified> {
    let source = Source::one(file);
    let of_record = |error: String| NotVerified::Record { name: source.name(), error };
    let record = AnyRecord::read(&read(&source).map_err(|error| of_record(error.to_string()))?);
    record.verdict.map_err(|error| of_record(error.to_string()))?;
    let is_over = record.table.is_some_and(|table| table.turn().is_end());
    let setup = record.setup.as_ref().map(|setup| setup.line()).unwrap_or_default();
    Ok(verified.agrees(proof, setup, &record.words, is_over)?)
}
