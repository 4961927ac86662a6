//! `assam serve`: what only a process needs that serves.

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

/// Arguments of `assam serve`.
#[derive(Args, Clone)]
pub struct ServeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    #[command(flatten)]
    keys: KeyArgs,
    /// The address or name, and the port to listen on; port 0 takes a free one. Or `unix:` and the path of a socket, for a proxy on
    /// this machine. May be repeated, or with spaces between them in the environment. Not used where the process is given sockets, as by
    /// systemd's `.socket` (`LISTEN_FDS`)
    #[arg(
        long,
        env = "ASSAM_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS",
        value_delimiter = ' '
    )]
    listen: Vec<String>,
    /// The address and the port to serve metrics on, at `/metrics`, in the format of Prometheus; without it, nowhere. They are for
    /// the operator: not for an address that clients reach
    #[arg(long, env = "ASSAM_METRICS_LISTEN", value_name = "ADDRESS")]
    metrics_listen: Option<String>,
    /// The number of threads that serve requests; 0 for one per core
    #[arg(long, env = "ASSAM_WORKERS", default_value_t = 0, value_name = "N")]
    workers: usize,
    /// The number of changes that may wait to be written, of lists (256 at most), and of requests about many records (32 at most); more are refused with
    /// 503
    #[arg(long, env = "ASSAM_QUEUE", default_value_t = 4096, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    queue: u32,
    /// The memory for what is kept to answer faster, in MiB: half of it for games, half for responses; 0 keeps nothing
    #[arg(long, env = "ASSAM_CACHE", default_value_t = 64, value_name = "MIB")]
    cache: u32,
    #[command(flatten)]
    witnesses: WitnessSettings,
    #[command(flatten)]
    beacons: BeaconArgs,
    /// How long a game may wait for its seats to be taken, and for its beacon, before it is removed, such as 720h or 90m; 0s for ever
    #[arg(long, env = "ASSAM_OPEN_GAME_TTL", default_value = "720h", value_name = "DURATION", value_parser = duration)]
    open_game_ttl: SignedDuration,
    #[command(flatten)]
    log: LogArgs,
    #[cfg(feature = "traces")]
    #[command(flatten)]
    traces: crate::serve::traces::TraceArgs,
    /// The number of seconds that a body may take to arrive; a longer one must come at 1 KiB a second
    #[arg(long, env = "ASSAM_BODY_TIMEOUT", default_value_t = 20, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    body_timeout: u64,
    /// The number of seconds that an export waits with games that are that new: none is missed that is still being written
    #[arg(long, env = "ASSAM_EXPORT_DELAY", default_value_t = 3, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    export_delay: u64,
    #[command(flatten)]
    limits: LimitArgs,
    /// Only read the database, which may be a standby of PostgreSQL, or a file that another process writes, or nobody can; what would
    /// change something is refused with 503
    #[arg(long, env = "ASSAM_READ_ONLY")]
    read_only: bool,
    /// Serve the interface alone, without the pages for people
    #[arg(long, env = "ASSAM_NO_PAGES")]
    no_pages: bool,
    /// The number of seconds that running requests have to finish after SIGTERM
    #[arg(long, env = "ASSAM_SHUTDOWN_TIMEOUT", default_value_t = 4, value_name = "SECONDS")]
    shutdown_timeout: u64,
}

impl ServeArgs {
    /// Starts to send traces, if they are wanted, and the program was built with them.
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
        return Err("the clock of this machine shows a time before 1970 or after 9999, which HTTP cannot show: set it".into());
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
            tracing::warn!("the database is only read: whatever would change something is refused");
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
        // Whoever reads it may end the service at once: the server listens for signals from its first turn on.
        let announced = async {
            tokio::task::yield_now().await;
            print(&told)
        };
        tokio::try_join!(served, announced)?;
        if let Err(error) = store.close() {
            tracing::warn!("the log of writes stays beside the SQLite file, and has a part of it: {error}");
        }
        Ok(())
    })
}

#[cfg(not(unix))]
fn survive_full_files() -> io::Result<()> {
    Ok(())
}

/// Lets a write fail that makes a file larger than the system allows, instead of ending the program.
#[cfg(unix)]
fn survive_full_files() -> io::Result<()> {
    use rustix::process::Signal;
    use tokio::signal::unix::{SignalKind, signal};
    // It stays caught when this is dropped.
    drop(signal(SignalKind::from_raw(Signal::XFSZ.as_raw()))?);
    Ok(())
}

/// Reads a duration in hours, minutes and seconds, such as `1h30m`.
fn duration(text: &str) -> Result<SignedDuration, String> {
    match text.parse::<SignedDuration>() {
        Ok(duration) if !duration.is_negative() => Ok(duration),
        _ => Err("a duration is hours, minutes and seconds, such as 720h or 1h30m".to_owned()),
    }
}
