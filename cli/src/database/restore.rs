//! `assam restore`: verifies and restores a backup.

use std::io;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use assam_api::backup::{Audited, Backup};
use assam_store::file_access;
use clap::Args;
use indicatif::ProgressBar;

use crate::database::{self, DatabaseArgs, OpenDatabase};
use crate::process::environment::named;
use crate::process::output::{Failure, amount, is_broken_pipe, print, say, say_failed};
use crate::process::output_file::temporary;
use crate::process::progress;

#[derive(Args)]
pub struct RestoreArgs {
    /// The backup file, or `-` for standard input
    file: PathBuf,
    /// Verify the backup without restoring it
    #[arg(long)]
    check: bool,
    /// Also restore damaged games, unchanged
    #[arg(long, conflicts_with = "check")]
    keep_damaged: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The largest number of unsound games that are named.
const NAMED: usize = 20;

/// Verifies a backup, and restores it into a database without games.
pub fn run(args: &RestoreArgs) -> ExitCode {
    status(actix_web::rt::System::new().block_on(restore(args)))
}

/// Returns the exit status: 0 if all went well, 1 if not, 2 if it could not be done.
pub fn status(outcome: Result<bool, Failure>) -> ExitCode {
    match outcome {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            if !is_broken_pipe(&*error) {
                say_failed(&error.to_string());
            }
            ExitCode::from(2)
        }
    }
}

/// Returns whether all went well.
async fn restore(args: &RestoreArgs) -> Result<bool, Failure> {
    let backup = open(&args.file).await.map_err(|error| format!("{}: {error}", args.file.display()))?;
    let Audited { games, plies, unsound } = verified(&backup)?;
    let all = amount(games, "game", "games");
    let replayed = format!("verified with {}", amount(plies, "ply", "plies"));
    if !unsound.is_empty() {
        say(&format!("{} of {games} games are not sound", unsound.len()));
    }
    if !unsound.is_empty() && !args.keep_damaged {
        if !args.check {
            say("nothing was restored: `--keep-damaged` restores them unchanged");
        }
        return Ok(false);
    }
    if args.check {
        print(&format!("{all}, {replayed}, not restored\n"))?;
        return Ok(true);
    }
    let store = migrated(args).await;
    let named_by = named("--database", "ASSAM_DATABASE");
    let store = store.map_err(|error| format!("cannot restore into this {named_by}: {error}"))?;
    if !backup.restore(&store).await? {
        say("nothing was restored: the database already has games, and a backup needs an empty one");
        return Ok(false);
    }
    print(&format!("{all} restored, {replayed}\n"))?;
    if !store.reads.signing_keys().await?.is_empty() {
        say("a backup has no signing keys: put the key file in place before you start the service");
    }
    Ok(true)
}

/// Opens a database, and brings it up to date.
async fn migrated(args: &RestoreArgs) -> Result<OpenDatabase, Failure> {
    let store = database::open_for(&args.database, std::slice::from_ref(&args.file))?;
    store.admin.migrate().await?;
    Ok(store)
}

/// Opens a backup. `-` is standard input.
async fn open(file: &Path) -> Result<Backup, Failure> {
    if file != Path::new("-") {
        // This explains why it cannot be read, which SQLite does not.
        file_access::open(file)?;
        return Ok(Backup::open(file).await?);
    }
    let mut piped = temporary()?;
    io::copy(&mut io::stdin().lock(), &mut piped)?;
    Ok(Backup::open(piped.path()).await?)
}

/// Verifies a backup on all cores, and names unsound games.
pub fn verified(backup: &Backup) -> Result<Audited, Failure> {
    let shown =
        progress::shown(ProgressBar::new(backup.games()?), "{wide_bar} {pos}/{len} verified, {eta} left");
    let found = backup.verify(available_parallelism().unwrap_or(NonZero::<usize>::MIN), &|| shown.inc(1));
    shown.finish_and_clear();
    let found = found?;
    for fault in found.unsound.iter().take(NAMED) {
        say_failed(&fault.to_string());
    }
    if found.unsound.len() > NAMED {
        say_failed(&format!(".. and {} more", found.unsound.len() - NAMED));
    }
    Ok(found)
}
