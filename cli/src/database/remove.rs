//! `assam remove`: hides a game.

use assam_api::app::{App, Limits, StoreError};
use assam_proofs::signed::Keyring;
use assam_record::game::GameId;
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, print};

#[derive(Args)]
pub struct RemoveArgs {
    /// The id of the game, 32 hex digits
    id: String,
    /// The reason to return to requests for the game: one line of at most 500 characters
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The longest reason, in characters.
const LONGEST: usize = 500;

pub fn run(args: &RemoveArgs) -> Result<(), Failure> {
    let id: GameId = args
        .id
        .parse()
        .map_err(|_| format!("{:?} is not the id of a game, which has 32 hex digits", args.id))?;
    actix_web::rt::System::new().block_on(async {
        let store = database::open_existing(&args.database)?;
        store.admin.migrate().await?;
        let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())?;
        match app.take_down(id, &args.reason).await {
            Ok(true) => print("the game is hidden: requests for it get the reason\n"),
            Ok(false) => print("the game was already hidden: its reason is unchanged\n"),
            Err(StoreError::NotFound) => Err(format!("there is no game {id}").into()),
            Err(error) => Err(error.into()),
        }
    })
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(format!("a reason is one line of at most {LONGEST} characters"));
    }
    Ok(text.to_owned())
}
