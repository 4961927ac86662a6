//! `assam restore`.

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

/// Arguments of `assam restore`.
#[derive(Args)]
pub struct RestoreArgs {
    /// The backup; `-` for standard input
    file: PathBuf,
    /// Verify the backup, and restore nothing
    #[arg(long)]
    check: bool,
    /// Restore games that are not sound, too, as they are
    #[arg(long, conflicts_with = "check")]
    keep_damaged: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// How many games that are not sound are named.
const NAMED: usize = 20;

/// Verifies a backup, and restores it into a database without games.
pub fn run(args: &RestoreArgs) -> ExitCode {
    status(actix_web::rt::System::new().block_on(restore(args)))
}

/// Returns the exit status: 0 where all went well, 1 where it did not, 2 where it could not be done.
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
            say("nothing was restored; `--keep-damaged` restores them as they are");
        }
        return Ok(false);
    }
    if args.check {
        print(&format!("{all}, {replayed}; nothing was restored\n"))?;
        return Ok(true);
    }
    let store = migrated(args).await;
    let named_by = named("--database", "ASSAM_DATABASE");
    let store = store.map_err(|error| format!("cannot restore into this {named_by}: {error}"))?;
    if !backup.restore(&store).await? {
        say("the database has games already: nothing was restored; a backup goes into an empty database");
        return Ok(false);
    }
    print(&format!("{all} restored, {replayed}\n"))?;
    if !store.reads.signing_keys().await?.is_empty() {
        say(
            "keys that sign receipts are not in a backup: put the key file in its place before the service starts",
        );
    }
    Ok(true)
}

/// Opens a database, and brings it up to date.
async fn migrated(args: &RestoreArgs) -> Result<OpenDatabase, Failure> {
    let store = database::open_for(&args.database, std::slice::from_ref(&args.file))?;
    store.admin.migrate().await?;
    Ok(store)
}

/// Opens a backup; `-` is one that comes from standard input.
async fn open(file: &Path) -> Result<Backup, Failure> {
    if file != Path::new("-") {
        // Says why it cannot be read, which SQLite does not.
        file_access::open(file)?;
        return Ok(Backup::open(file).await?);
    }
    let mut piped = temporary()?;
    io::copy(&mut io::stdin().lock(), &mut piped)?;
    Ok(Backup::open(piped.path()).await?)
}

/// Verifies a backup on all cores, and names what is not sound.
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
