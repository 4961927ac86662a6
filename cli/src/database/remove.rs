//! `assam remove`.

use assam_api::app::{App, Limits, StoreError};
use assam_proofs::signed::Keyring;
use assam_record::game::GameId;
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::process::output::{Failure, print};

/// Arguments of `assam remove`.
#[derive(Args)]
pub struct RemoveArgs {
    /// The id of the game, 32 hex digits
    id: String,
    /// Why, in a line of at most 500 characters; anyone who asks for the game is told it
    #[arg(long, value_name = "TEXT", value_parser = reason)]
    reason: String,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// The longest reason, in characters.
const LONGEST: usize = 500;

/// Hides a game.
pub fn run(args: &RemoveArgs) -> Result<(), Failure> {
    let id: GameId =
        args.id.parse().map_err(|_| format!("{:?} is no id of a game: 32 hex digits", args.id))?;
    actix_web::rt::System::new().block_on(async {
        let store = database::open_existing(&args.database)?;
        store.admin.migrate().await?;
        let app = App::new(store.clone(), Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())?;
        match app.take_down(id, &args.reason).await {
            Ok(true) => print("the game is hidden: whoever asks for it is told the reason\n"),
            Ok(false) => print("the game was hidden before: its reason stays\n"),
            Err(StoreError::NotFound) => Err(format!("there is no game {id}").into()),
            Err(error) => Err(error.into()),
        }
    })
}

fn reason(text: &str) -> Result<String, String> {
    let text = text.trim();
    if text.is_empty() || text.chars().count() > LONGEST || text.chars().any(char::is_control) {
        return Err(format!("a reason is a line of at most {LONGEST} characters"));
    }
    Ok(text.to_owned())
}
