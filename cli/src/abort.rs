//! `assam abort`.

use std::collections::HashSet;

use assam_api::app::{App, Limits, StoreError, SubmitError};
use assam_api::game::GameId;
use assam_api::hex::Hex;
use assam_api::signed::Keyring;
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::output::{Failure, amount, print, say};

/// Arguments of `assam abort`.
#[derive(Args)]
pub struct AbortArgs {
    /// The ids of games, 32 hex digits each
    #[arg(required_unless_present = "running")]
    ids: Vec<GameId>,
    /// Every game that is running
    #[arg(long, conflicts_with = "ids")]
    running: bool,
    /// A game that goes on; may be repeated
    #[arg(long, value_name = "ID", requires = "running")]
    keep: Vec<GameId>,
    /// Name the games, and abort none
    #[arg(long, requires = "running")]
    dry_run: bool,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// Ends running games without a result.
pub fn run(args: &AbortArgs) -> Result<(), Failure> {
    actix_web::rt::System::new().block_on(async {
        let store = database::open_existing(&args.database)?;
        store.migrate().await?;
        let app = App::on(store, Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())?;
        let ids = if args.running { running(&app, &args.keep).await? } else { args.ids.clone() };
        let mut aborted = 0;
        for id in ids {
            if args.dry_run {
                print(&format!("{id}\n"))?;
                continue;
            }
            match app.abort(id).await {
                Ok(true) => {
                    aborted += 1;
                    print(&format!("{id}\n"))?;
                }
                Ok(false) => say(&format!("game {id} was over: it stays as it is")),
                Err(SubmitError::Store(StoreError::NotFound)) => {
                    return Err(format!("there is no game {id}").into());
                }
                Err(error) => return Err(format!("game {id}: {error}").into()),
            }
        }
        if !args.dry_run {
            say(&format!("{} aborted", amount(aborted, "game", "games")));
        }
        Ok(())
    })
}

/// Returns the running games, without those that are kept.
///
/// # Errors
/// Where there is no game that is to be kept: somebody may have mistyped its id.
async fn running(app: &App, keep: &[GameId]) -> Result<Vec<GameId>, Failure> {
    let mut missing: HashSet<&GameId> = keep.iter().collect();
    let kept = missing.clone();
    let (mut ids, mut last) = (Vec::new(), Hex([0; 16]));
    loop {
        let found = app.running_after(last).await?;
        let Some(end) = found.last() else { break };
        last = *end;
        missing.retain(|id| !found.contains(id));
        ids.extend(found.into_iter().filter(|id| !kept.contains(id)));
    }
    for id in missing {
        if !app.has_game(*id).await? {
            return Err(format!("--keep {id}: there is no game with this id; no game was aborted").into());
        }
    }
    Ok(ids)
}
