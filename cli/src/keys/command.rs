//! `assam key`: creates, rotates and lists the keys that sign receipts.

use assam_proofs::signed::{BadKey, PublishedKey, SigningKey};
use assam_record::clock::{self, now};
use clap::{Args, Subcommand};
use jiff::SignedDuration;

use crate::database::{self, DatabaseArgs};
use crate::keys::{KeyArgs, KeysFound, append_line};
use crate::process::output::{Failure, print};

#[derive(Args)]
pub struct KeyCommand {
    #[command(subcommand)]
    what: KeyAction,
}

#[derive(Subcommand)]
enum KeyAction {
    /// Print a new key, for ASSAM_KEYS or as a line in a --key-file
    ///
    /// Keep it secret: anyone who has it can sign as the service.
    New(NewArgs),
    /// Rotate to a new key, and keep the older ones to verify what they signed
    ///
    /// Running services load a new key from their --key-file without a restart. With ASSAM_KEYS, restart them
    /// before the new key starts to sign. If the newest key is not in the database yet, that key becomes the
    /// next one.
    Rotate(RotateArgs),
    /// List the keys in the database, oldest first, as GET /v1/keys does
    List(DatabaseArgs),
}

#[derive(Args)]
struct NewArgs {
    /// The name of the key, so that others can recognise its owner: a domain name that you own and a path.
    /// Without it, the name is random
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
}

#[derive(Args)]
struct RotateArgs {
    /// How many seconds pass before the new key starts to sign. Running services look for new keys every 15
    /// seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(i64).range(0..=86400))]
    after: i64,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// Runs the action.
pub fn run(args: &KeyCommand) -> Result<(), Failure> {
    match &args.what {
        KeyAction::New(args) => {
            let key = match &args.name {
                Some(name) => SigningKey::named(name)?,
                None => SigningKey::made()?,
            };
            print(&format!("{}\n", key.secret_text()))
        }
        KeyAction::Rotate(args) => actix_web::rt::System::new().block_on(rotate(args)),
        KeyAction::List(database) => actix_web::rt::System::new().block_on(list(database)),
    }
}

async fn list(database: &DatabaseArgs) -> Result<(), Failure> {
    let store = database::open_existing(database)?;
    let keys = store.reads.signing_keys().await?;
    let lines: String =
        keys.iter().map(|PublishedKey { key, since }| format!("{key}  since {since:.3}\n")).collect();
    print(&lines)
}

async fn rotate(RotateArgs { after, database, keys: place }: &RotateArgs) -> Result<(), Failure> {
    let store = database::open_existing(database)?;
    store.admin.migrate().await?;
    let history = store.reads.signing_keys().await?;
    let is_known = |key: &SigningKey| history.iter().any(|known| known.key == *key.verifying_key());
    let found = place.find(database)?;
    let at_hand = match &found {
        KeysFound::Keys(keys) => keys.as_slice(),
        KeysFound::NoFile(_) => &[],
    };
    let next = match at_hand.last().filter(|newest| !is_known(newest)) {
        // The last rotation was interrupted, or the operator added the key.
        Some(newest) => newest.clone(),
        None => {
            let Some(file) = place.file(database)? else {
                return Err("the database already knows the newest key in ASSAM_KEYS: append the output of `assam key new` to it".into());
            };
            let next = match history.last() {
                Some(known) => SigningKey::named(known.key.name())?,
                None => SigningKey::made()?,
            };
            append_line(&file, at_hand, &next).map_err(|error| format!("{}: {error}", file.display()))?;
            next
        }
    };
    let key = next.verifying_key();
    if history.last().is_some_and(|known| known.key.name() != key.name()) {
        return Err("all keys of a service need the same name: the next key has another one".into());
    }
    // The first key signs at once, since no other process signs yet.
    let after = if history.is_empty() { 0 } else { *after };
    let since = now()
        .saturating_add(SignedDuration::from_secs(after))
        .map_or(clock::last(), |since| since.min(clock::last()));
    store.admin.add_signing_key(&PublishedKey { key: key.clone(), since }, false).await?;
    print(&format!("{key}  since {since:.3}\n"))
}

fn name(text: &str) -> Result<String, BadKey> {
    SigningKey::new(text, &[0; 32]).map(|_| text.to_owned())
}
