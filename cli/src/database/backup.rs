//! `assam backup`: writes and verifies a backup.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_api::backup::{self, Backup};
use clap::Args;
use tempfile::NamedTempFile;

use crate::database::restore::{status, verified};
use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, amount, print, say};
use crate::process::output_file::{NewFile, temporary};
use crate::process::output_path::FilePurpose;

#[derive(Args)]
pub struct BackupArgs {
    /// The backup file, which only its owner can read, or `-` for standard output.
    ///
    /// A complete new backup replaces an earlier one. Any other existing file is left alone.
    file: PathBuf,
    /// Do not verify the games
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// A backup being written.
enum NewBackup {
    /// A temporary file that is copied to standard output.
    Piped(NamedTempFile),
    /// A file that moves into place at the end.
    File(NewFile),
}

impl NewBackup {
    fn path(&self) -> &Path {
        match self {
            Self::Piped(new) => new.path(),
            Self::File(new) => new.path(),
        }
    }
}

/// Writes a backup, and verifies it.
pub fn run(args: &BackupArgs) -> ExitCode {
    status(actix_web::rt::System::new().block_on(back_up(args)))
}

/// Returns whether every game is sound, as far as they were verified.
async fn back_up(args: &BackupArgs) -> Result<bool, Failure> {
    let file = args.file.as_path();
    let made = match file == Path::new("-") {
        true => NewBackup::Piped(temporary()?),
        // Readable by its owner only, like the database.
        false => {
            let made = NewFile::begin_private(file, FilePurpose::Backup, &args.database.files());
            NewBackup::File(made.map_err(|error| format!("{}: {error}", file.display()))?)
        }
    };
    let store = database::open_existing(&args.database)?;
    backup::write(&store, made.path()).await?;
    let backup = Backup::open(made.path()).await?;
    let verified = if args.no_verify { None } else { Some(verified(&backup)?) };
    let games = backup.games()?;
    drop(backup);
    let bytes = made.path().metadata()?.len();
    let is_piped = matches!(made, NewBackup::Piped(_));
    match made {
        NewBackup::Piped(new) => {
            let mut out = io::stdout().lock();
            io::copy(&mut File::open(new.path())?, &mut out)?;
            out.flush()?;
        }
        NewBackup::File(new) => new.keep().map_err(|error| format!("{}: {error}", file.display()))?,
    }
    let told = match &verified {
        Some(verified) if verified.unsound.is_empty() => {
            format!("verified with {}", amount(verified.plies, "ply", "plies"))
        }
        Some(verified) => format!("{} of them not sound", verified.unsound.len()),
        None => "not verified".to_owned(),
    };
    let told = format!("{}, {told}, {} kB", amount(games, "game", "games"), bytes / 1000);
    if is_piped {
        say(&told)
    } else {
        print(&format!("{told}\n"))?
    }
    Ok(verified.is_none_or(|verified| verified.unsound.is_empty()))
}
