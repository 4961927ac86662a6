//! `assam key`: the keys with which the service signs.

use assam_proofs::signed::{BadKey, PublishedKey, SigningKey};
use assam_record::clock::{self, now};
use clap::{Args, Subcommand};
use jiff::SignedDuration;

use crate::database::{self, DatabaseArgs};
use crate::keys::{KeyArgs, KeysFound, append_line};
use crate::process::output::{Failure, print};

/// Arguments of `assam key`.
#[derive(Args)]
pub struct KeyCommand {
    #[command(subcommand)]
    what: KeyAction,
}

#[derive(Subcommand)]
enum KeyAction {
    /// Print a new key: for ASSAM_KEYS, or a line of a --key-file
    ///
    /// Whoever has it can sign as the service: keep it secret.
    New(NewArgs),
    /// Sign with another key soon, and keep the ones before it for what they signed
    ///
    /// Services that run take the new key over by themselves where it is in their --key-file; where it is in ASSAM_KEYS, start them
    /// again before it signs. Where the newest of the keys is not known to the database yet, that becomes the next one.
    Rotate(RotateArgs),
    /// List the keys that the database knows, the oldest first, as GET /v1/keys does
    List(DatabaseArgs),
}

#[derive(Args)]
struct NewArgs {
    /// The name of the key, by which others tell whose it is: a domain name of yours, and a path. Without it, a name is drawn
    #[arg(long, value_name = "NAME", value_parser = name)]
    name: Option<String>,
}

#[derive(Args)]
struct RotateArgs {
    /// The number of seconds until the new key signs: services that run look for new keys every 15
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(i64).range(0..=86400))]
    after: i64,
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// Does what was asked.
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
        // The last rotation broke off, or the operator put it there.
        Some(newest) => newest.clone(),
        None => {
            let Some(file) = place.file(database)? else {
                return Err("the newest key in ASSAM_KEYS is known: put another one behind it, which `assam key new` prints".into());
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
        return Err("a service keeps the name of its keys: the next one has another".into());
    }
    // The first key of all signs at once: nobody has another.
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
