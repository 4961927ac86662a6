//! Traces of requests: what of them the program keeps, with the feature `traces` and without.

use assam_api::http::AdoptSpan;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::Registry;

#[cfg(feature = "traces")]
mod otlp;

#[cfg(feature = "traces")]
pub use otlp::TraceArgs;

/// What takes the spans of traces.
pub type TraceLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The way of traces out of the program; none by default.
#[derive(Default)]
pub struct Traces {
    /// What takes the spans.
    pub layer: Option<TraceLayer>,
    /// What makes the trace of a request part of the one that it names.
    pub adopt: Option<AdoptSpan>,
    /// What sends those that are left.
    pub end: Option<Box<dyn FnOnce()>>,
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}
