//! `assam serve`.

use std::io::IsTerminal;
use std::net::TcpListener;

use tracing_subscriber::EnvFilter;

use super::{Failure, ServeArgs, database, print};
use crate::http;

/// Serves until SIGTERM or SIGINT.
pub fn run(args: &ServeArgs) -> Result<(), Failure> {
    start_log(args)?;
    actix_web::rt::System::new().block_on(async {
        let listener = TcpListener::bind(args.listen)
            .map_err(|error| format!("cannot listen on {}: {error}", args.listen))?;
        let store = database::open(&args.database)?;
        store.migrate().await?;
        let address = listener.local_addr()?;
        let workers = match args.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            workers => workers,
        };
        let server = http::server(listener, store, workers, args.shutdown_timeout)?;
        print(&format!("Assam listens on http://{address}  (try http://{address}/docs)\n"))?;
        server.await?;
        Ok(())
    })
}

fn start_log(args: &ServeArgs) -> Result<(), Failure> {
    let filter = EnvFilter::try_new(&args.log).map_err(|error| format!("--log: {error}"))?;
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    if args.log_json {
        log.json().init()
    } else {
        log.init()
    }
    Ok(())
}
