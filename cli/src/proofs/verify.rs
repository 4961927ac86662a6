//! `assam verify`: verifies the heads and the chance of games from their proofs.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_proofs::proof::{Fault, Proof, Verified, verify};
use assam_proofs::signed::{VerifyingKey, WitnessKey};
use assam_record::beacon::KnownBeacons;
use assam_record::game::Head;
use assam_record::hex::Hex;
use assam_referee::AnyRecord;
use clap::{Args, ValueHint};

use crate::process::input::{Source, escaped};
use crate::process::output::{say, say_failed};
use crate::process::pool::WorkerPool;
use crate::proofs::beacons::BeaconArgs;
use crate::proofs::inclusion;
use crate::proofs::receipts::{self, KeptReceipt, NotKept};

#[derive(Args, Clone)]
pub struct VerifyArgs {
    /// Files with one proof each, or `-` for standard input
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    /// A record in MKN. It must contain the same words wherever both the record and the proof show them
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    against: Option<PathBuf>,
    /// A head that you kept, as 64 hex digits. It must be a head of the game. May be repeated
    #[arg(long, value_name = "HASH")]
    head: Vec<Hex<32>>,
    /// The commitment that you saw before you sent entropy, as 64 hex digits. It must be the game's
    /// commitment
    #[arg(long, value_name = "HASH")]
    commitment: Option<Hex<32>>,
    /// The entropy that you sent, as 64 hex digits. It must be that of a seat in the game
    #[arg(long, value_name = "HEX")]
    entropy: Option<Hex<32>>,
    /// A receipt that the game must agree with: a signed note, or the JSON response to a move or to taking a
    /// seat. May be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    receipt: Vec<PathBuf>,
    /// The response of GET /v1/games/{id}/inclusion. The game must be in the public log, unchanged
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    inclusion: Option<PathBuf>,
    /// The key of a witness that must have cosigned the checkpoint of --inclusion. May be repeated
    #[arg(long, value_name = "KEY", requires = "inclusion")]
    witness: Vec<WitnessKey>,
    /// A key of the service, as GET /v1/keys lists it. It must have signed the receipts, the end of the game
    /// and the checkpoint of the log. May be repeated
    #[arg(long, value_name = "KEY")]
    key: Vec<VerifyingKey>,
    #[command(flatten)]
    beacons: BeaconArgs,
}

/// The limit for a proof, in bytes. No proof of any game comes near it.
const LIMIT: u64 = 16 * 1024 * 1024;

/// Why a proof is not verified.
#[derive(Debug, thiserror::Error)]
enum NotVerified {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("too long for a proof, which has at most {LIMIT} bytes")]
    TooLong,
    #[error("not a proof: {0}")]
    Json(#[from] serde_json::Error),
    #[error("this is a record, not a proof: fetch the proof from /v1/games/{{id}}/proof")]
    IsRecord,
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("head: expected one of the {heads} of this game, found {kept}")]
    NoSuchHead { heads: usize, kept: Hex<32> },
    #[error("commitment: expected {shown}, which you were shown, found {found}")]
    OtherCommitment { shown: Hex<32>, found: String },
    #[error("entropy: expected {0}, which you sent, in one of the seats, found it in none")]
    NoSuchEntropy(Hex<32>),
    #[error(transparent)]
    Receipt(#[from] NotKept),
    #[error("{0}")]
    NotIncluded(String),
    #[error("{name}: {error}")]
    Record { name: String, error: String },
}

/// Verifies every proof.
pub fn run(args: &VerifyArgs) -> ExitCode {
    let mut status = 0;
    let beacons = match args.beacons.known() {
        Ok(beacons) => beacons,
        Err(error) => {
            say_failed(&error);
            return ExitCode::from(2);
        }
    };
    match verify_all(args, beacons, &mut status) {
        Ok(()) => ExitCode::from(status),
        // A reader that closes the pipe has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(error) => {
            say_failed(&format!("standard output: {error}"));
            ExitCode::from(2)
        }
    }
}

fn verify_all(args: &VerifyArgs, beacons: KnownBeacons, status: &mut u8) -> io::Result<()> {
    let of_worker = args.clone();
    let mut pool = WorkerPool::start(move |source: Source| (one(&of_worker, &beacons, &source), source));
    let mut out = io::stdout().lock();
    let mut tell = |(verified, source): (Result<String, NotVerified>, Source)| match verified {
        Ok(told) => out.write_all(told.as_bytes()),
        Err(failure) => {
            say_failed(&format!("{}: {}", source.name(), escaped(&failure.to_string())));
            if let NotVerified::Receipt(NotKept { both: Some(both), .. }) = &failure {
                say(&both.to_string());
            }
            *status = failure.status().max(*status);
            Ok(())
        }
    };
    for file in &args.files {
        pool.hand_out(Source::one(file), &mut tell)?;
    }
    pool.finish(tell)
}

impl NotVerified {
    fn status(&self) -> u8 {
        match self {
            Self::Io(_) => 2,
            Self::TooLong
            | Self::Json(_)
            | Self::IsRecord
            | Self::Fault(_)
            | Self::NoSuchHead { .. }
            | Self::OtherCommitment { .. }
            | Self::NoSuchEntropy(_)
            | Self::Receipt(_)
            | Self::NotIncluded(_)
            | Self::Record { .. } => 1,
        }
    }
}

/// Verifies a proof, and returns a report.
fn one(args: &VerifyArgs, beacons: &KnownBeacons, source: &Source) -> Result<String, NotVerified> {
    let text = read(source)?;
    if text.starts_with(b"MKN/") {
        return Err(NotVerified::IsRecord);
    }
    let proof: Proof = serde_json::from_slice(&text)?;
    let verified = verify(&proof, beacons)?;
    let kept = args.head.iter().map(|kept| {
        let found = verified.heads.iter().rev().find(|head| head.hash == kept.0).copied();
        found.ok_or(NotVerified::NoSuchHead { heads: verified.heads.len(), kept: *kept })
    });
    let kept: Vec<Head> = kept.collect::<Result<_, NotVerified>>()?;
    if let Some(shown) = args.commitment.filter(|shown| proof.commitment != Some(*shown)) {
        let found = proof.commitment.map_or_else(|| "none".to_owned(), |found| found.to_string());
        return Err(NotVerified::OtherCommitment { shown, found });
    }
    let of_seat = |sent: Hex<32>| {
        let seat = proof.seats.iter().find(|seat| seat.entropy == Some(sent)).map(|seat| seat.seat);
        seat.ok_or(NotVerified::NoSuchEntropy(sent))
    };
    let own = args.entropy.map(of_seat).transpose()?;
    let kept_receipts =
        args.receipt.iter().map(|file| KeptReceipt::read(file)).collect::<Result<Vec<_>, _>>()?;
    let receipts = receipts::hold(&proof, &verified.heads, &kept_receipts, &args.key, beacons)?;
    let included = match &args.inclusion {
        Some(file) => inclusion::hold(&proof, &verified.heads, file, &args.key, &args.witness)
            .map_err(NotVerified::NotIncluded)?,
        None => Vec::new(),
    };
    let same = match &args.against {
        Some(file) => Some(against(file, &proof, &verified)?),
        None => None,
    };
    let mut told = format!("{}: game {}, {}\n", source.name(), proof.game, proof.setup);
    match same {
        Some(Some(ply)) => {
            told.push_str(&format!("  verified: the record has the same words, up to ply {ply}.\n"));
        }
        Some(None) => told.push_str("  verified: the record has the same setup, and no words yet.\n"),
        None => {}
    }
    if args.commitment.is_some() {
        told.push_str("  verified: the commitment is the one that you were shown.\n");
    }
    if let Some(seat) = own {
        told.push_str(&format!("  verified: seat {seat} has the entropy that you sent.\n"));
    }
    let (kept_to, open): (Vec<String>, Vec<String>) =
        receipts.into_iter().chain(included).partition(|sentence| sentence.starts_with("verified"));
    let is_unchosen = kept_to.iter().any(|sentence| sentence.ends_with("no one could choose the chance."));
    let others = verified.sentences(&proof, &kept).into_iter();
    let others =
        others.filter(|sentence| !(is_unchosen && sentence.contains("that no one chose the chance")));
    let sentences = kept_to.into_iter().chain(others).chain(open);
    told.extend(sentences.map(|sentence| format!("  {sentence}\n")));
    if args.commitment.is_none() && kept_receipts.is_empty() && !proof.imported {
        told.push_str(
            "  not verified: that the service committed before any entropy came (pass a receipt with --receipt).\n",
        );
    }
    Ok(told)
}

/// Reads a file of at most the length of a proof.
fn read(source: &Source) -> Result<Vec<u8>, NotVerified> {
    let mut bytes = Vec::new();
    source.open()?.take(LIMIT + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LIMIT { Err(NotVerified::TooLong) } else { Ok(bytes) }
}

/// Compares a proof with a record, and returns the last ply of both.
fn against(file: &Path, proof: &Proof, verified: &Verified) -> Result<Option<u32>, NotVerified> {
    let source = Source::one(file);
    let of_record = |error: String| NotVerified::Record { name: source.name(), error };
    let record = AnyRecord::read(&read(&source).map_err(|error| of_record(error.to_string()))?);
    record.verdict.map_err(|error| of_record(error.to_string()))?;
    let is_over = record.table.is_some_and(|table| table.turn().is_end());
    let setup = record.setup.as_ref().map(|setup| setup.line()).unwrap_or_default();
    Ok(verified.agrees(proof, setup, &record.words, is_over)?)
}
