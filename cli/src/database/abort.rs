//! `assam abort`: ends running games and removes open ones.

use std::collections::HashSet;

use assam_api::app::{App, Limits, StoreError, SubmitError};
use assam_proofs::signed::Keyring;
use assam_record::game::GameId;
use assam_record::hex::Hex;
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, amount, print, say};

#[derive(Args)]
pub struct AbortArgs {
    /// The ids of the games, 32 hex digits each
    #[arg(required_unless_present_any = ["running", "open"])]
    ids: Vec<GameId>,
    /// End every running game
    #[arg(long, conflicts_with = "ids")]
    running: bool,
    /// Remove every game that has not started
    #[arg(long, conflicts_with = "ids")]
    open: bool,
    /// Do not change this game. May be repeated
    #[arg(long, value_name = "ID", conflicts_with = "ids")]
    keep: Vec<GameId>,
    /// List the games without changing them
    #[arg(long, conflicts_with = "ids")]
    dry_run: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Ends running games without a result, and removes games that have not started.
pub fn run(args: &AbortArgs) -> Result<(), Failure> {
    actix_web::rt::System::new().block_on(async {
        let store = database::open_existing(&args.database)?;
        store.admin.migrate().await?;
        let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())?;
        let mut ids = args.ids.clone();
        if args.running {
            ids.extend(running(&app).await?);
        }
        let mut open = if args.open { app.open_games().await? } else { Vec::new() };
        keep(&app, &args.keep, [&mut ids, &mut open]).await?;
        if args.dry_run {
            return ids.iter().chain(&open).try_for_each(|id| print(&format!("{id}\n")));
        }
        let (mut aborted, mut removed) = (0, 0);
        for id in ids {
            let is_aborted = match app.abort(id).await {
                Ok(is_aborted) => is_aborted,
                Err(SubmitError::Store(StoreError::NotFound)) => {
                    return Err(format!("there is no game {id}").into());
                }
                Err(error) => return Err(format!("game {id}: {error}").into()),
            };
            aborted += told(id, is_aborted, "was already over")?;
        }
        for id in open {
            let is_removed = app.remove_open(id).await.map_err(|error| format!("game {id}: {error}"))?;
            removed += told(id, is_removed, "has started or is gone")?;
        }
        if args.running || !args.open {
            say(&format!("{} aborted", amount(aborted, "game", "games")));
        }
        if args.open {
            say(&format!("{} removed that had not started", amount(removed, "game", "games")));
        }
        Ok(())
    })
}

/// Prints the outcome for a game, and returns the number of games that were changed.
fn told(id: GameId, is_done: bool, why_not: &str) -> Result<u64, Failure> {
    if is_done {
        print(&format!("{id}\n"))?;
    } else {
        say(&format!("game {id} {why_not}: it is unchanged"));
    }
    Ok(u64::from(is_done))
}

async fn running(app: &App) -> Result<Vec<GameId>, Failure> {
    let (mut ids, mut last) = (Vec::new(), Hex([0; 16]));
    loop {
        let found = app.running_after(last).await?;
        let Some(end) = found.last() else { return Ok(ids) };
        last = *end;
        ids.extend(found);
    }
}

/// Removes the games to keep from these lists.
///
/// # Errors
/// If a game to keep does not exist: its id may be mistyped.
async fn keep(app: &App, keep: &[GameId], ids: [&mut Vec<GameId>; 2]) -> Result<(), Failure> {
    for id in keep {
        if !app.has_game(*id).await? {
            return Err(format!("--keep {id}: there is no game with this id, so no game was changed").into());
        }
    }
    let kept: HashSet<&GameId> = keep.iter().collect();
    ids.into_iter().for_each(|ids| ids.retain(|id| !kept.contains(id)));
    Ok(())
}
