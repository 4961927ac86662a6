//! `assam export`: writes the public games of a database or a service.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use actix_web::rt::System;
use assam_api::bulk::NotHeard;
use assam_api::http::{Export, ExportTaker, ExportedProof};
use assam_notation::Splitter;
use assam_proofs::proof::verify;
use assam_record::beacon::KnownBeacons;
use assam_record::game::GameId;
use assam_referee::verdict;
use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, Error, ValueEnum, ValueHint};
use form_urlencoded::Serializer;
use indicatif::ProgressBar;
use serde::Deserialize;
use serde_json::Value;

use crate::archive::transfer::{self, NotTransferred, PlaceArgs};
use crate::database;
use crate::keys::KeyArgs;
use crate::process::input::printable;
use crate::process::output::say;
use crate::process::output_file::Output;
use crate::process::progress;
use crate::records::setup::ruleset_names;
use crate::remote::Remote;

#[derive(Args)]
pub struct ExportArgs {
    /// The output format
    #[arg(long, value_enum, default_value_t = ExportForm::Mkn, value_name = "FORM")]
    form: ExportForm,
    /// With `--form ndjson`: include the state after every ply
    #[arg(long)]
    states: bool,
    /// With `--form ndjson`: write the proof of each game instead. When exported from a database, proofs
    /// contain signed receipts if the key is available
    #[arg(long)]
    proofs: bool,
    /// Only games with this status: `running`, `finished` or `aborted`. Separate several with commas. By
    /// default, games that are over
    #[arg(long, value_name = "STATUS", value_parser = Suggested(vec!["running", "finished", "aborted"]), hide_possible_values = true)]
    status: Option<String>,
    /// Only games of this rule set
    #[arg(long, value_name = "NAME", value_parser = Suggested(ruleset_names()))]
    ruleset: Option<String>,
    /// Only games in which the player with this public id, 20 hex digits, holds a seat
    #[arg(long, value_name = "ID")]
    player: Option<String>,
    /// Only imported games (`true`), or only games that were not imported (`false`)
    #[arg(long, value_name = "BOOLEAN")]
    imported: Option<bool>,
    /// Only games at or after this time (RFC 3339), by the time that `--sort` names
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only games before this time (RFC 3339), by the time that `--sort` names
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// Order games by when they were `created` (the default) or `finished`, oldest first
    #[arg(long, value_name = "ORDER", value_parser = Suggested(vec!["created", "finished"]), hide_possible_values = true)]
    sort: Option<String>,
    /// Only games after the one with this id
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// The maximum number of games, by default all
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// The file to write, by default standard output (`-`)
    #[arg(long, short, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// From a database: how old, in seconds, a game must be, 0 to 3600, because a service may still be
    /// writing newer ones
    #[arg(long, env = "ASSAM_EXPORT_DELAY", default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    export_delay: u64,
    #[command(flatten)]
    place: PlaceArgs,
    #[command(flatten)]
    keys: KeyArgs,
}

/// A form of records.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq)]
enum ExportForm {
    /// MKN in file form, with an empty line between games
    Mkn,
    /// One JSON object per line, for each game
    Ndjson,
}

/// Bytes of a response that are read at a time.
const CHUNK: usize = 64 * 1024;

struct Exporter {
    out: BufWriter<Output>,
    games: u64,
    progress: ProgressBar,
    failure: Option<io::Error>,
}

/// Checks the games that a service delivers, as `assam validate` and `assam verify` do, and counts them.
struct Delivery {
    games: u64,
    form: DeliveryForm,
}

/// The form of a delivery, with the bytes that are not checked yet.
enum DeliveryForm {
    Records(Splitter),
    Games(Vec<u8>),
    Proofs(Vec<u8>),
}

/// A line with a game, as far as it was checked.
#[derive(Deserialize)]
struct GameLine {
    #[serde(rename = "id")]
    _id: GameId,
    record: String,
}

pub fn run(args: &ExportArgs) -> ExitCode {
    match export(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.exit(),
    }
}

fn export(args: &ExportArgs) -> Result<(), NotTransferred> {
    if args.proofs && args.form != ExportForm::Ndjson {
        return Err(NotTransferred::Refused("--proofs requires --form ndjson".to_owned()));
    }
    let query = args.query();
    let mut inputs = args.place.database.files();
    inputs.extend(args.keys.named_file());
    let named = |error: io::Error| match &args.output {
        Some(file) => NotTransferred::Failed(format!("{}: {error}", printable(file))),
        None => error.into(),
    };
    let out = BufWriter::new(Output::open(args.output.as_deref(), &inputs).map_err(named)?);
    let mut exporter = Exporter { out, games: 0, progress: ProgressBar::hidden(), failure: None };
    match &args.place.url {
        Some(url) => exporter.read_service(&Remote::at(url, args.place.remote)?, args, &query)?,
        None => System::new().block_on(exporter.read_database(args, &query))?,
    }
    exporter.finish()
}

impl ExportArgs {
    /// Returns the query of the HTTP interface.
    fn query(&self) -> String {
        let mut query = Serializer::new(String::new());
        for (name, value) in [
            ("status", &self.status),
            ("ruleset", &self.ruleset),
            ("player", &self.player),
            ("since", &self.since),
            ("until", &self.until),
            ("sort", &self.sort),
            ("after", &self.after),
            ("imported", &self.imported.map(|imported| imported.to_string())),
            ("limit", &self.limit.map(|limit| limit.to_string())),
            ("states", &self.states.then(|| "true".to_owned())),
            ("proofs", &self.proofs.then(|| "true".to_owned())),
        ] {
            if let Some(value) = value {
                query.append_pair(name, value);
            }
        }
        query.finish()
    }
}

impl Exporter {
    async fn read_database(&mut self, args: &ExportArgs, query: &str) -> Result<(), NotTransferred> {
        let database = &args.place.database;
        let keys = args.proofs.then_some((&args.keys, database));
        let store = database::open_to_export(database)?;
        let app = transfer::open(store.clone(), keys).await?;
        let settle = Duration::from_secs(args.export_delay);
        let export = Export::new(&app, query, args.form == ExportForm::Ndjson, settle).await?;
        if progress::is_shown() {
            self.show_progress(export.count(&app).await?);
        }
        let written = export.write_to(&app, self).await;
        match self.failure.take() {
            Some(error) => Err(error.into()),
            None => Ok(written?),
        }
    }

    fn read_service(
        &mut self,
        remote: &Remote,
        args: &ExportArgs,
        query: &str,
    ) -> Result<(), NotTransferred> {
        let count = || {
            let count = remote.get(&format!("/v1/export/count?{query}"), "application/json")?;
            let count: Value = serde_json::from_reader(count).map_err(io::Error::from)?;
            let other = || {
                NotTransferred::Failed(
                    "the server sent no count of games: it is not an Assam service".to_owned(),
                )
            };
            count["games"].as_u64().ok_or_else(other)
        };
        if progress::is_shown() {
            self.show_progress(count()?);
        }
        let (media_type, form) = match args.form {
            ExportForm::Mkn => ("text/plain", DeliveryForm::Records(Splitter::new())),
            ExportForm::Ndjson if args.proofs => ("application/x-ndjson", DeliveryForm::Proofs(Vec::new())),
            ExportForm::Ndjson => ("application/x-ndjson", DeliveryForm::Games(Vec::new())),
        };
        let mut body = remote.get(&format!("/v1/export?{query}"), media_type)?;
        let mut delivery = Delivery { games: 0, form };
        let mut buffer = vec![0; CHUNK];
        while let count @ 1.. = body.read(&mut buffer)? {
            delivery.add(&buffer[..count])?;
            self.write(&buffer[..count], delivery.games)?;
        }
        self.games = delivery.finish()?;
        // Servers of other kinds may also send nothing.
        if self.games == 0 {
            count()?;
        }
        Ok(())
    }

    fn show_progress(&mut self, games: u64) {
        self.progress = progress::shown(ProgressBar::new(games), "{wide_bar} {pos}/{len} games, {eta} left");
    }

    /// Writes a text, which brings the number of games to `games`.
    fn write(&mut self, text: &[u8], games: u64) -> io::Result<()> {
        self.games = games;
        self.progress.set_position(games);
        self.out.write_all(text)
    }

    fn finish(mut self) -> Result<(), NotTransferred> {
        self.progress.finish_and_clear();
        let games = self.games;
        self.out.flush()?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.keep()?;
        say(&format!("{games} game{}", if games == 1 { "" } else { "s" }));
        Ok(())
    }
}

impl ExportTaker for Exporter {
    async fn take(&mut self, text: &[u8]) -> Result<(), NotHeard> {
        self.write(text, self.games + 1).map_err(|error| {
            self.failure = Some(error);
            NotHeard
        })
    }
}

impl Delivery {
    /// Checks the games that end within these bytes.
    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let games = &mut self.games;
        match &mut self.form {
            DeliveryForm::Records(splitter) => {
                splitter.feed(bytes, |piece| counted(games, judged(piece.bytes)))
            }
            DeliveryForm::Games(line) => each_line(line, bytes, |line| counted(games, game(line))),
            DeliveryForm::Proofs(line) => each_line(line, bytes, |line| counted(games, proof(line))),
        }
    }

    /// Checks the rest, and returns the number of games.
    fn finish(mut self) -> io::Result<u64> {
        let games = &mut self.games;
        match self.form {
            DeliveryForm::Records(splitter) => {
                splitter.finish(|piece| counted(games, judged(piece.bytes)))?;
            }
            DeliveryForm::Games(line) | DeliveryForm::Proofs(line) if line.is_empty() => {}
            DeliveryForm::Games(_) | DeliveryForm::Proofs(_) => {
                counted(games, Err("its line is cut off".to_owned()))?;
            }
        }
        Ok(self.games)
    }
}

/// Passes on every line that ends within these bytes.
fn each_line(
    line: &mut Vec<u8>,
    bytes: &[u8],
    mut each: impl FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    for part in bytes.split_inclusive(|byte| *byte == b'\n') {
        line.extend_from_slice(part);
        if line.ends_with(b"\n") {
            each(line)?;
            line.clear();
        }
    }
    Ok(())
}

fn game(line: &[u8]) -> Result<(), String> {
    let game: GameLine = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    judged(game.record.as_bytes())
}

fn proof(line: &[u8]) -> Result<(), String> {
    let exported: ExportedProof = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    match verify(&exported.proof, &KnownBeacons::default()) {
        Ok(_) => Ok(()),
        Err(fault) => Err(fault.to_string()),
    }
}

fn judged(record: &[u8]) -> Result<(), String> {
    verdict(record).error.map_or(Ok(()), |error| Err(error.to_string()))
}

/// Counts a good game.
fn counted(games: &mut u64, judged: Result<(), String>) -> io::Result<()> {
    judged.map_err(|why| io::Error::other(format!("the text after {games} games is not a game: {why}")))?;
    *games += 1;
    Ok(())
}

/// Takes any text, since the service checks it, and suggests these values in help and completions.
#[derive(Clone)]
struct Suggested(Vec<&'static str>);

impl TypedValueParser for Suggested {
    type Value = String;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(cmd, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}
