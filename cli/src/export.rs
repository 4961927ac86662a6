//! `assam export`: writes the public games of a database or a service.

use std::io::{self, BufWriter, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use actix_web::rt::System;
use assam_api::bulk::NotHeard;
use assam_api::http::{Export, ExportTaker};
use assam_notation::{Piece, Splitter};
use clap::{Args, ValueEnum, ValueHint};
use form_urlencoded::Serializer;
use indicatif::ProgressBar;
use serde_json::Value;

use crate::database;
use crate::keys::KeyArgs;
use crate::output::say;
use crate::output_file::Output;
use crate::progress;
use crate::records::printable;
use crate::remote::Remote;
use crate::setup::ruleset_names;
use crate::suggested::Suggested;
use crate::transfer::{self, NotTransferred, PlaceArgs};

/// Arguments of `assam export`. What they mean is said with `GET /v1/export`, which takes the same.
#[derive(Args)]
pub struct ExportArgs {
    /// The form to write
    #[arg(long, value_enum, default_value_t = ExportForm::Mkn, value_name = "FORM")]
    form: ExportForm,
    /// With `--form ndjson`: each game with the state after every ply
    #[arg(long)]
    states: bool,
    /// With `--form ndjson`: the proof of each game in its place. From a database, with its signed receipt where the key is at hand
    #[arg(long)]
    proofs: bool,
    /// Only games with this status: `running`, `finished` or `aborted`, or several with commas; by default those that are over
    #[arg(long, value_name = "STATUS", value_parser = Suggested(vec!["running", "finished", "aborted"]), hide_possible_values = true)]
    status: Option<String>,
    /// Only games of this rule set
    #[arg(long, value_name = "NAME", value_parser = Suggested(ruleset_names()))]
    ruleset: Option<String>,
    /// Only games in which the player with this public id, 20 hex digits, holds a seat
    #[arg(long, value_name = "ID")]
    player: Option<String>,
    /// Only games that were imported (`true`), or only games that were not (`false`)
    #[arg(long, value_name = "BOOLEAN")]
    imported: Option<bool>,
    /// Only games whose time in the order is this one or later, in RFC 3339
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Only games whose time in the order is earlier than this one, in RFC 3339
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// The order, oldest first: by when games were `created` (the default), or `finished`
    #[arg(long, value_name = "ORDER", value_parser = Suggested(vec!["created", "finished"]), hide_possible_values = true)]
    sort: Option<String>,
    /// Only games that come after the one with this id
    #[arg(long, value_name = "ID")]
    after: Option<String>,
    /// The largest number of games; all by default
    #[arg(long, value_name = "N")]
    limit: Option<u32>,
    /// The file to write; standard output (`-`) by default
    #[arg(long, short, value_name = "OUT", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// From a database: the number of seconds to wait with games that are that new, 0 to 3600, so that none is missed that a service
    /// still writes
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
    /// One JSON object per game, each on a line of its own
    Ndjson,
}

/// How much of a response is read at a time, in bytes.
const CHUNK: usize = 64 * 1024;

/// An export under way.
struct Exporter {
    out: BufWriter<Output>,
    games: Counter,
    progress: ProgressBar,
    failure: Option<io::Error>,
}

/// Counts games as they are written, and finds what is no game.
enum Counter {
    Mkn(Splitter, u64),
    Ndjson(Vec<u8>, u64),
}

/// Exports games.
pub fn run(args: &ExportArgs) -> ExitCode {
    match export(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.exit(),
    }
}

fn export(args: &ExportArgs) -> Result<(), NotTransferred> {
    if args.proofs && args.form != ExportForm::Ndjson {
        return Err(NotTransferred::Refused("proofs have one form: --form ndjson".to_owned()));
    }
    let query = args.query();
    let games = match args.form {
        ExportForm::Mkn => Counter::Mkn(Splitter::new(), 0),
        ExportForm::Ndjson => Counter::Ndjson(Vec::new(), 0),
    };
    let mut inputs = args.place.database.files();
    inputs.extend(args.keys.named_file());
    let named = |error: io::Error| match &args.output {
        Some(file) => NotTransferred::Failed(format!("{}: {error}", printable(file))),
        None => error.into(),
    };
    let out = BufWriter::new(Output::open(args.output.as_deref(), &inputs).map_err(named)?);
    let mut exporter = Exporter { out, games, progress: ProgressBar::hidden(), failure: None };
    match &args.place.url {
        Some(url) => exporter.read_service(&Remote::at(url, args.place.remote)?, args.form, &query)?,
        None => System::new().block_on(exporter.read_database(args, &query))?,
    }
    exporter.finish()
}

impl ExportArgs {
    /// Returns the query of the interface.
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
        let store = database::open_existing(database)?;
        let app = transfer::open(Arc::clone(&store), keys).await?;
        let settle = Duration::from_secs(args.export_delay);
        let export = Export::of(&app, query, args.form == ExportForm::Ndjson, settle).await?;
        if progress::is_shown() {
            self.show_progress(export.count(&app).await?);
        }
        let written = export.write_to(&app, self).await;
        match self.failure.take() {
            Some(error) => Err(error.into()),
            None => Ok(written?),
        }
    }

    fn read_service(&mut self, remote: &Remote, form: ExportForm, query: &str) -> Result<(), NotTransferred> {
        if progress::is_shown() {
            let count = remote.get(&format!("/v1/export/count?{query}"), "application/json")?;
            let count: Value = serde_json::from_reader(count).map_err(io::Error::from)?;
            self.show_progress(count["games"].as_u64().unwrap_or_default());
        }
        let media_type = match form {
            ExportForm::Mkn => "text/plain",
            ExportForm::Ndjson => "application/x-ndjson",
        };
        let mut body = remote.get(&format!("/v1/export?{query}"), media_type)?;
        let mut buffer = vec![0; CHUNK];
        while let count @ 1.. = body.read(&mut buffer)? {
            self.write(&buffer[..count])?;
        }
        Ok(())
    }

    fn show_progress(&mut self, games: u64) {
        self.progress = progress::shown(ProgressBar::new(games), "{wide_bar} {pos}/{len} games, {eta} left");
    }

    fn write(&mut self, text: &[u8]) -> io::Result<()> {
        self.progress.set_position(self.games.add(text)?);
        self.out.write_all(text)
    }

    fn finish(mut self) -> Result<(), NotTransferred> {
        self.progress.finish_and_clear();
        let games = self.games.finish()?;
        self.out.flush()?;
        self.out.into_inner().map_err(io::IntoInnerError::into_error)?.keep()?;
        say(&format!("{games} game{}", if games == 1 { "" } else { "s" }));
        Ok(())
    }
}

impl ExportTaker for Exporter {
    async fn take(&mut self, text: &[u8]) -> Result<(), NotHeard> {
        self.write(text).map_err(|error| {
            self.failure = Some(error);
            NotHeard
        })
    }
}

impl Counter {
    /// Counts what comes next, and returns how many games have ended.
    fn add(&mut self, text: &[u8]) -> io::Result<u64> {
        match self {
            Self::Mkn(splitter, games) => {
                splitter.feed(text, |piece| counted(piece, games))?;
                Ok(*games)
            }
            Self::Ndjson(line, games) => {
                for part in text.split_inclusive(|byte| *byte == b'\n') {
                    line.extend_from_slice(part);
                    if line.ends_with(b"\n") {
                        let _: serde_json::Map<String, Value> =
                            serde_json::from_slice(line).map_err(|_| foreign(*games))?;
                        line.clear();
                        *games += 1;
                    }
                }
                Ok(*games)
            }
        }
    }

    /// Returns how many games there were.
    fn finish(self) -> io::Result<u64> {
        match self {
            Self::Mkn(splitter, mut games) => {
                splitter.finish(|piece| counted(piece, &mut games))?;
                Ok(games)
            }
            Self::Ndjson(line, games) if line.is_empty() => Ok(games),
            Self::Ndjson(_, games) => Err(foreign(games)),
        }
    }
}

fn counted(piece: Piece<'_>, games: &mut u64) -> io::Result<()> {
    if !piece.bytes.starts_with(b"MKN/") {
        return Err(foreign(*games));
    }
    *games += 1;
    Ok(())
}

fn foreign(games: u64) -> io::Error {
    io::Error::other(format!("what comes after {games} games is no game"))
}
