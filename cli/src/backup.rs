//! `assam backup`.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use assam_api::backup::{self, Backup, may_become_backup};
use clap::Args;
use tempfile::NamedTempFile;

use crate::database::{self, DatabaseArgs};
use crate::output::{Failure, amount, print, say};
use crate::restore::{status, verified};

/// Arguments of `assam backup`.
#[derive(Args)]
pub struct BackupArgs {
    /// The file that becomes the backup, readable by its owner only; `-` for standard output
    ///
    /// An earlier backup is replaced once the new one is complete; any other file is left alone.
    file: PathBuf,
    /// Do not verify the games
    #[arg(long)]
    no_verify: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Writes a backup, and verifies it.
pub fn run(args: &BackupArgs) -> ExitCode {
    status(actix_web::rt::System::new().block_on(back_up(args)))
}

/// Returns the file that a path names: a link stays a link to the new backup, also where nothing was there yet.
fn target(path: &Path) -> PathBuf {
    let linked = || Some(path.parent()?.join(fs::read_link(path).ok()?));
    fs::canonicalize(path).ok().or_else(linked).unwrap_or_else(|| path.to_owned())
}

/// Returns whether every game in it is sound, as far as that was asked.
async fn back_up(args: &BackupArgs) -> Result<bool, Failure> {
    let is_piped = args.file == Path::new("-");
    let file = target(&args.file);
    if !is_piped && !may_become_backup(&file) {
        let named = file.display();
        return Err(
            format!("{named} is no earlier backup, or is used as a database: it is left alone").into()
        );
    }
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Readable by its owner only, like the database.
    let new = if is_piped {
        NamedTempFile::new()?
    } else {
        let made = NamedTempFile::new_in(folder);
        made.map_err(|error| format!("cannot write in {}: {}", folder.display(), error.kind()))?
    };
    backup::write(&*database::open_existing(&args.database)?, new.path()).await?;
    let backup = Backup::open(new.path()).await?;
    let verified = if args.no_verify { None } else { Some(verified(&backup)?) };
    let games = backup.games()?;
    drop(backup);
    let bytes = new.path().metadata()?.len();
    if is_piped {
        io::copy(&mut File::open(new.path())?, &mut io::stdout().lock())?;
    } else {
        // On the disk before it replaces the earlier one.
        File::open(new.path())?.sync_all()?;
        new.persist(&file)?;
        if let Some(folder) = fs::canonicalize(&file)?.parent() {
            File::open(folder)?.sync_all()?;
        }
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
