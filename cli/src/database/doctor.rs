//! `assam doctor`: reports on the state of a database.

use std::io;
use std::process::ExitCode;

use assam_store::{Grade, Observation};
use clap::Args;

use crate::database::{self, DatabaseArgs};
use crate::keys::KeyArgs;
use crate::process::output::{Failure, ended, print, say_failed};

#[derive(Args)]
pub struct DoctorArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// Print JSON: a list of observations, each with a `grade` (good, notable or bad), a `subject` and a
    /// `text`
    #[arg(long)]
    json: bool,
}

/// Prints the observations about a database.
pub fn run(args: &DoctorArgs) -> ExitCode {
    let found = match look(args) {
        Ok(found) => found,
        Err(failure) => {
            say_failed(&failure.to_string());
            return ExitCode::from(2);
        }
    };
    let is_bad = found.iter().any(|found| found.grade == Grade::Bad);
    match text(&found, args.json).and_then(|text| print(&text)) {
        Ok(()) if is_bad => ExitCode::FAILURE,
        outcome => ended(outcome, say_failed),
    }
}

fn look(args: &DoctorArgs) -> Result<Vec<Observation>, Failure> {
    actix_web::rt::System::new().block_on(async {
        let store = database::open_to_read(&args.database)?;
        let mut found = store.admin.check_up().await?;
        // A database without tables has no keys either, and its missing tables are already reported.
        if let Ok(of_keys) = args.keys.check_up(&args.database, &store).await {
            found.push(of_keys);
        }
        Ok(found)
    })
}

fn text(found: &[Observation], is_json: bool) -> Result<String, Failure> {
    if is_json {
        return Ok(serde_json::to_string(found).map_err(io::Error::from)? + "\n");
    }
    let line = |found: &Observation| {
        let grade = match found.grade {
            Grade::Good => "good",
            Grade::Notable => "note",
            Grade::Bad => "BAD",
        };
        format!("{grade:<6}{:<14}{}\n", found.subject, found.text)
    };
    Ok(found.iter().map(line).collect())
}
