//! `assam witness`: checks that the public log of a service only grows, and cosigns it.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_proofs::public_log::{Tree, verify_consistency};
use assam_proofs::signed::{CosigningKey, Note, VerifyingKey};
use assam_store::file_access::explained;
use clap::{Args, ValueHint};

use crate::archive::transfer::NotTransferred;
use crate::keys;
use crate::process::output::{ended, print, say_failed};
use crate::process::output_path::{FilePurpose, OutputPath};
use crate::remote::Remote;
use crate::remote::args::RemoteArgs;
use crate::remote::log_tiles::{self, Fetched};

#[derive(Args)]
pub struct WitnessArgs {
    /// The file with the key of the witness, created if missing. Anyone who can read the file can cosign as
    /// this witness
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    key_file: PathBuf,
    /// The name for a new key: a web address that you control, without `https://`
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// The service whose log to watch: `http://host:port` or `https://host`. Without it, only the public key
    /// of the witness is printed
    #[arg(long, value_name = "URL", requires_all = ["log_key", "state"])]
    url: Option<String>,
    /// A key of the service, as GET /v1/keys lists it. May be repeated
    #[arg(long, value_name = "KEY")]
    log_key: Vec<VerifyingKey>,
    /// The file that keeps the last cosigned checkpoint. Use a separate file for each service, and never
    /// remove it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    state: Option<PathBuf>,
    /// Deliver the cosignature to the service. Its operator must have configured this witness
    #[arg(long, requires = "url")]
    deliver: bool,
    #[command(flatten)]
    remote: RemoteArgs,
}

/// Why nothing is cosigned.
#[derive(Debug, thiserror::Error)]
enum NotCosigned {
    #[error("{}: {error}", file.display())]
    File { file: PathBuf, error: String },
    #[error("{0}")]
    Log(#[from] NotTransferred),
    #[error(
        "the fetched tiles do not lead to the root of the checkpoint: this proves nothing about the log, so try again"
    )]
    Tiles,
    #[error("the state belongs to the log {watched}, but this one is {found}")]
    Other { watched: String, found: String },
    #[error("REFUSED: {why}. Keep both checkpoints, which the service signed:\n\n{cosigned}\n{found}")]
    Forked { why: String, cosigned: String, found: String },
}

impl NotCosigned {
    const fn status(&self) -> u8 {
        match self {
            Self::Log(NotTransferred::Refused(_)) | Self::Other { .. } | Self::Forked { .. } => 1,
            Self::File { .. } | Self::Tiles | Self::Log(_) => 2,
        }
    }
}

/// Cosigns the log, or prints the key.
pub fn run(args: &WitnessArgs) -> ExitCode {
    match witness(args) {
        Ok(told) => ended(print(&told), say_failed),
        Err(error) => {
            say_failed(&error.to_string());
            ExitCode::from(error.status())
        }
    }
}

fn of_file<E: ToString>(file: &Path) -> impl FnOnce(E) -> NotCosigned {
    let file = file.to_owned();
    move |error| NotCosigned::File { file, error: error.to_string() }
}

fn witness(args: &WitnessArgs) -> Result<String, NotCosigned> {
    let key = key(args)?;
    let (Some(url), Some(state)) = (&args.url, &args.state) else {
        return Ok(format!("{}\n", key.witness_key()));
    };
    // Two witnesses with one state must not run at once: each would cosign what the other does not know.
    let beside = with_ending(state, ".lock");
    let inputs = [args.key_file.clone()];
    OutputPath::new(state, FilePurpose::Output, &inputs).map_err(of_file(state))?;
    OutputPath::new(&beside, FilePurpose::Output, &inputs).map_err(of_file(&beside))?;
    let lock = File::options().create(true).write(true).truncate(false).open(&beside);
    let lock = lock.map_err(|error| of_file(&beside)(explained(&beside, error)))?;
    lock.try_lock().map_err(|_| of_file(state)("another witness is using it"))?;
    let last = match fs::read_to_string(state) {
        Ok(note) => Some(Fetched::read(note, &[]).map_err(of_file(state))?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(of_file(state)(explained(state, error))),
    };
    let remote = Remote::at(url, args.remote)?;
    let found = log_tiles::checkpoint(&remote, &args.log_key)?;
    let mut tree = Tree::of_size(found.checkpoint.head.size);
    let root = log_tiles::ask(&remote, &mut tree, |tree| tree.root_at(found.checkpoint.head.size))?;
    if root != found.checkpoint.head.root {
        return Err(NotCosigned::Tiles);
    }
    if let Some(last) = &last {
        check(&remote, &mut tree, last, &found)?;
    }
    let cosigned = cosigned(&key, &found.note).map_err(NotTransferred::Refused)?;
    // Save it before it can be published.
    keys::replace(state, &cosigned, FilePurpose::Output, &inputs).map_err(of_file(state))?;
    if args.deliver {
        remote.post_text("/log/cosignatures", &cosigned)?;
    }
    Ok(cosigned)
}

/// Checks that the log begins with the cosigned entries.
fn check(remote: &Remote, tree: &mut Tree, last: &Fetched, found: &Fetched) -> Result<(), NotCosigned> {
    let (was, is) = (&last.checkpoint, &found.checkpoint);
    if was.origin != is.origin {
        return Err(NotCosigned::Other { watched: was.origin.clone(), found: is.origin.clone() });
    }
    let forked =
        |why: String| NotCosigned::Forked { why, cosigned: last.note.clone(), found: found.note.clone() };
    let (before, after) = (was.head.size, is.head.size);
    if after < before {
        return Err(forked(format!("the log was rolled back, from {before} entries to {after}")));
    }
    let path = log_tiles::ask(remote, tree, |tree| tree.consistency(before))?;
    verify_consistency(&was.head, &is.head, &path)
        .map_err(|_| forked(format!("the first {before} entries are not the cosigned ones")))
}

/// Adds the line of a key to a note, or replaces it.
fn cosigned(key: &CosigningKey, note: &str) -> Result<String, String> {
    let read = Note::read(note).map_err(|error| error.to_string())?;
    let line = key.cosign(read.text, assam_record::clock::now());
    let own = key.witness_key().line_of(&read).unwrap_or_default();
    Ok(note.replace(&own, "") + &line)
}

fn key(args: &WitnessArgs) -> Result<CosigningKey, NotCosigned> {
    let file = args.key_file.as_path();
    match fs::read_to_string(file) {
        Ok(text) => text.trim_end().parse().map_err(of_file(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let name = args
                .name
                .as_deref()
                .ok_or_else(|| of_file(file)("there is no key: create one with --name NAME"))?;
            let key = CosigningKey::named(name).map_err(of_file(file))?;
            keys::create(file, &format!("{}\n", key.secret_text()), FilePurpose::Output)
                .map_err(of_file(file))?;
            Ok(key)
        }
        Err(error) => Err(of_file(file)(explained(file, error))),
    }
}

fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
