//! The log of `assam serve`, written to standard error as text or as JSON.

use std::io::{self, IsTerminal};
use std::panic;

use clap::Args;
use tracing::Subscriber;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer, fmt, registry};

use crate::process::environment::named;
use crate::process::output::{Failure, say_failed};
use crate::serve::traces::TraceLayer;

/// Arguments of the log.
#[derive(Args, Clone)]
pub struct LogArgs {
    /// The log filter: a level (error, warn, info, debug or trace), or directives such as `info,assam=debug`
    #[arg(long, env = "ASSAM_LOG", default_value = "warn,assam=info", value_name = "FILTER")]
    log: String,
    /// Log as JSON, one line per event
    #[arg(long, env = "ASSAM_LOG_JSON")]
    log_json: bool,
}

/// Added to filters without debug and trace: actix-http logs malformed requests as errors, but they are
/// errors of clients.
const NOT_OURS: &str = "actix_http=off";

impl LogArgs {
    /// Starts the log, and passes the spans of traces to a layer.
    ///
    /// # Errors
    /// If the filter cannot be read.
    pub fn start(&self, traces: Option<TraceLayer>) -> Result<(), Failure> {
        let mut filter = EnvFilter::try_new(&self.log).map_err(|error| {
            format!(
                "{} is {:?}: {error}: write a level or directives, such as `info,assam=debug`",
                named("--log", "ASSAM_LOG"),
                self.log
            )
        })?;
        if filter.max_level_hint() <= Some(LevelFilter::INFO) {
            filter = filter.add_directive(NOT_OURS.parse()?);
        }
        match traces {
            Some(traces) => registry().with(traces).with(self.lines().with_filter(filter)).init(),
            // The filter applies to everything, so that events below it cost nothing, including those of
            // libraries at each statement.
            None => registry().with(filter).with(self.lines()).init(),
        }
        if self.log_json {
            panic::set_hook(Box::new(|panic| say_as_json(&panic.to_string())));
        }
        Ok(())
    }

    fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> Box<dyn Layer<S> + Send + Sync> {
        let lines = fmt::layer().with_writer(io::stderr).with_ansi(io::stderr().is_terminal());
        if self.log_json { lines.json().boxed() } else { lines.boxed() }
    }

    /// Reports why the program ends, regardless of the filter.
    pub fn say_failed(&self, why: &str) {
        if self.log_json { say_as_json(why) } else { say_failed(why) }
    }
}

/// Writes a line in the format of the log, regardless of the filter.
fn say_as_json(message: &str) {
    let log = tracing_subscriber::fmt().json().with_writer(io::stderr).finish();
    tracing::subscriber::with_default(log, || tracing::error!(target: "assam", "{message}"));
}
