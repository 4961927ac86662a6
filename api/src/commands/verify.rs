//! `assam verify`: the heads and the chance of games, recomputed from their proofs.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_rules::Turn;
use clap::Args;

use super::records::{Source, escaped};
use super::say;
use crate::digits::Hex;
use crate::game::Head;
use crate::judge::judge_record;
use crate::proof::{Fault, Proof, Verified, verify};

/// What to verify.
#[derive(Args)]
pub struct VerifyArgs {
    /// Files of proofs, one each; `-` is the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A record in MKN that must have the same words, as far as both go and show them
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// A head that you kept, 64 hex digits: it must be one of the chain's; any number of them
    #[arg(long, value_name = "HASH")]
    head: Vec<Hex<32>>,
}

/// In bytes. No proof of any game is nearly as long.
const LIMIT: u64 = 16 * 1024 * 1024;

/// Why a proof is not verified.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// It cannot be read, or nothing can be told any more.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is longer than any.
    #[error("no proof has more than {LIMIT} bytes")]
    TooLong,
    /// It is no JSON, or not that of a proof.
    #[error("not a proof: {0}")]
    Json(#[from] serde_json::Error),
    /// Something in it is wrong.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A head that was kept is none of its heads.
    #[error("head: expected one of the {heads} of this game, found {kept}")]
    NoSuchHead { heads: usize, kept: Hex<32> },
    /// The record that it is held against is refused.
    #[error("{name}: {error}")]
    Record { name: String, error: String },
}

/// Verifies every proof.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let mut status = 0;
    for file in &args.files {
        let source = Source::one(file);
        if let Err(failure) = one(args, &source) {
            // Whoever closes the pipe has seen enough.
            if !matches!(&failure, Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe) {
                say(&format!("assam: {}: {}", source.name(), escaped(&failure.to_string())));
            }
            status = status.max(failure.status());
        }
    }
    ExitCode::from(status)
}

impl Failure {
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

fn one(args: &VerifyArgs, source: &Source) -> Result<(), Failure> {
    let proof: Proof = serde_json::from_slice(&read(source)?)?;
    let verified = verify(&proof)?;
    let kept = args.head.iter().map(|kept| {
        let found = verified.heads.iter().rev().find(|head| head.hash == kept.0).copied();
        found.ok_or(Failure::NoSuchHead { heads: verified.heads.len(), kept: *kept })
    });
    let kept: Vec<Head> = kept.collect::<Result<_, Failure>>()?;
    let same = match &args.against {
        Some(file) => Some(against(file, &proof, &verified)?),
        None => None,
    };
    let mut out = io::stdout().lock();
    writeln!(out, "{}: game {}, {}", source.name(), proof.game, proof.setup)?;
    match same {
        Some(Some(ply)) => writeln!(out, "  verified: the record has the same words, up to ply {ply}.")?,
        Some(None) => writeln!(out, "  verified: the record has the same setup, and no word yet.")?,
        None => {}
    }
    for sentence in verified.sentences(&proof, &kept) {
        writeln!(out, "  {sentence}")?;
    }
    Ok(())
}

fn read(source: &Source) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    source.open()?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT { Err(Failure::TooLong) } else { Ok(bytes) }
}

/// Holds a proof against a record: the last ply that both have.
fn against(file: &Path, proof: &Proof, verified: &Verified) -> Result<Option<u32>, Failure> {
    let source = Source::one(file);
    let of_record = |error: String| Failure::Record { name: source.name(), error };
    let judgement = judge_record(&read(&source).map_err(|error| of_record(error.to_string()))?);
    judgement.verdict.map_err(|error| of_record(error.to_string()))?;
    let is_over = judgement.table.is_some_and(|table| match table.turn() {
        Turn::Over | Turn::Aborted => true,
        Turn::Player(_) | Turn::Chance => false,
    });
    let setup = judgement.setup_line.unwrap_or_default();
    Ok(verified.agrees(proof, &setup, &judgement.words, is_over)?)
}
