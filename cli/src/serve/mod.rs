//! `assam serve`: everything that only a serving process needs.

use std::io;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use assam_api::app::{App, BackgroundSettings, Limits};
use assam_api::http::{self, ServerSettings};
use clap::Args;
use jiff::SignedDuration;

use crate::database::{self, DatabaseArgs};
use crate::keys::{KeyArgs, KeysFound};
use crate::process::output::{Failure, ended, print};
use crate::proofs::beacons::BeaconArgs;

mod limits;
mod listen;
mod log;
mod traces;
mod witnesses;

use limits::LimitArgs;
use log::LogArgs;
use traces::Traces;
use witnesses::WitnessSettings;

#[derive(Args, Clone)]
pub struct ServeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// The address or host name and port to listen on, or `unix:` and the path of a socket for a proxy on the
    /// same machine. With port 0, the system chooses a free port. May be repeated. Separate several in the
    /// variable with spaces. Ignored if the process inherits sockets, for example from a systemd `.socket`
    /// (`LISTEN_FDS`)
    #[arg(
        long,
        env = "ASSAM_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS",
        value_delimiter = ' '
    )]
    listen: Vec<String>,
    /// The address and port on which to serve Prometheus metrics, at `/metrics`. Without it, none are served.
    /// Metrics are for operators: choose an address that clients cannot reach
    #[arg(long, env = "ASSAM_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<String>,
    /// The number of threads that serve requests. 0 means one per core
    #[arg(long, env = "ASSAM_WORKERS", default_value_t = 0, value_name = "N")]
    workers: usize,
    /// The maximum number of queued writes. Also caps queued lists (at most 256) and bulk requests (at most
    /// 32). Further requests are refused with 503
    #[arg(long, env = "ASSAM_QUEUE", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queue: u32,
    /// The memory for cached games and responses, in MiB, half for each. 0 turns the cache off
    #[arg(long, env = "ASSAM_CACHE", default_value_t = 64, value_name = "MIB")]
    cache: u32,
    #[command(flatten)]
    witnesses: WitnessSettings,
    #[command(flatten)]
    beacons: BeaconArgs,
    /// How long a game may wait for players and its beacon before it is removed, such as 720h or 90m. With
    /// 0s, it is never removed
    #[arg(long, env = "ASSAM_OPEN_GAME_TTL", default_value = "720h", value_name = "DURATION", value_parser = duration)]
    open_game_ttl: SignedDuration,
    #[command(flatten)]
    log: LogArgs,
    #[cfg(feature = "traces")]
    #[command(flatten)]
    traces: crate::serve::traces::TraceArgs,
    /// The number of seconds within which a request body must arrive. It may take longer if it arrives at 1
    /// KiB a second or faster
    #[arg(long, env = "ASSAM_BODY_TIMEOUT", default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    body_timeout: u64,
    /// How old, in seconds, a game must be before it is exported, so that exports do not miss games that are
    /// still being written
    #[arg(long, env = "ASSAM_EXPORT_DELAY", default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    export_delay: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Only read the database, and refuse changes with 503. Use this with a PostgreSQL standby, a file that
    /// another process is writing to, or a file that is not writable
    #[arg(long, env = "ASSAM_READ_ONLY")]
    read_only: bool,
    /// Serve only the HTTP interface, without the web pages
    #[arg(long, env = "ASSAM_NO_PAGES")]
    no_pages: bool,
    /// How many seconds running requests have to finish after SIGTERM
    #[arg(long, env = "ASSAM_SHUTDOWN_TIMEOUT", default_value_t = 4, value_name = "SECONDS")]
    shutdown_timeout: u64,
}

impl ServeArgs {
    /// Starts to send traces if requested, and if the program was built with them.
    fn traces(&self) -> Result<Traces, Failure> {
        #[cfg(feature = "traces")]
        return self.traces.start();
        #[cfg(not(feature = "traces"))]
        Ok(Traces::default())
    }
}

/// Serves until SIGTERM or SIGINT.
pub fn run(args: &ServeArgs) -> ExitCode {
    ended(serve(args), |why| args.log.say_failed(why))
}

fn serve(args: &ServeArgs) -> Result<(), Failure> {
    if !assam_record::clock::is_set() {
        return Err("the clock of this machine shows a time before 1970 or after 9999, which HTTP cannot express: set it".into());
    }
    let mut traces = args.traces()?;
    args.log.start(traces.layer.take())?;
    actix_web::rt::System::new().block_on(async {
        survive_full_files()?;
        let beacons = args.beacons.known()?;
        let (policy, witness_urls) = args.witnesses.known()?;
        let listeners = listen::listeners(&args.listen, args.metrics_listen.as_deref())?;
        let store = if args.read_only {
            database::open_to_read(&args.database)?
        } else {
            database::open(&args.database)?
        };
        store.admin.migrate().await?;
        let is_to_read = store.reads.is_to_read();
        let told = listen::told(&listeners)?;
        let half = u64::from(args.cache) << 19;
        let kept = Limits { queue: args.queue as usize, kept_bytes: half };
        let workers = match args.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        };
        let keyring = if is_to_read {
            args.keys.open_to_read(&args.database, &store).await?
        } else {
            args.keys.open(&args.database, &store).await?
        };
        let has_keys = keyring.is_complete();
        args.witnesses.check_log(&policy, &keyring)?;
        let app = App::new(store.clone(), kept, keyring)?
            .with_witnesses(policy, witness_urls)
            .with_beacons(beacons);
        let app = Arc::new(app);
        if is_to_read {
            tracing::warn!("the database is read-only: changes are refused");
        }
        let (keys, database) = (args.keys.clone(), args.database.clone());
        let keys_at_hand = move || match keys.find(&database) {
            Ok(KeysFound::Keys(keys)) => Ok(keys),
            Ok(KeysFound::NoFile(file)) => Err(format!("{} is missing", file.display())),
            Err(error) => Err(error.to_string()),
        };
        app.start_background_tasks(BackgroundSettings {
            post: witnesses::poster(),
            keys_at_hand: (!is_to_read || has_keys).then_some(keys_at_hand),
            open_game_ttl: args.open_game_ttl,
        });
        let settings = ServerSettings {
            workers,
            finished_bytes: half,
            limits: args.limits.settings(),
            connections: limits::connections(),
            body_patience: Duration::from_secs(args.body_timeout),
            export_delay: Duration::from_secs(args.export_delay),
            has_pages: !args.no_pages,
            shutdown_seconds: args.shutdown_timeout,
            adopt: traces.adopt,
        };
        let server = http::server(listeners, Arc::clone(&app), settings)?;
        let served = async { Ok::<_, Failure>(server.await?) };
        // A reader of these lines may stop the service at once, and the server handles signals only from its
        // first turn on.
        let announced = async {
            tokio::task::yield_now().await;
            print(&told)
        };
        tokio::try_join!(served, announced)?;
        if let Err(error) = store.close() {
            tracing::warn!(
                "some changes stay in the write-ahead log next to the SQLite file, which needs it: {error}"
            );
        }
        Ok(())
    })
}

#[cfg(not(unix))]
fn survive_full_files() -> io::Result<()> {
    Ok(())
}

/// Makes a write fail if it exceeds the file size limit of the system, instead of ending the program.
#[cfg(unix)]
fn survive_full_files() -> io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    // The signal stays caught after this drop.
    drop(signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?);
    Ok(())
}

/// Reads a duration in hours, minutes and seconds, such as `1h30m`.
fn duration(text: &str) -> Result<SignedDuration, String> {
    match text.parse::<SignedDuration>() {
        Ok(duration) if !duration.is_negative() => Ok(duration),
        _ => Err("expected hours, minutes and seconds, such as 720h or 1h30m".to_owned()),
    }
}
