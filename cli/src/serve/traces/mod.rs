//! Traces of requests: the part of the program that exists with and without the feature `traces`.

use assam_api::http::AdoptSpan;
use tracing_subscriber::Layer;
use tracing_subscriber::registry::Registry;

#[cfg(feature = "traces")]
mod otlp;

#[cfg(feature = "traces")]
pub use otlp::TraceArgs;

/// A layer that takes the spans of traces.
pub type TraceLayer = Box<dyn Layer<Registry> + Send + Sync>;

/// The export of traces. The default exports none.
#[derive(Default)]
pub struct Traces {
    /// Takes the spans.
    pub layer: Option<TraceLayer>,
    /// Makes the trace of a request part of the one that its headers name.
    pub adopt: Option<AdoptSpan>,
    /// Sends the remaining spans.
    pub end: Option<Box<dyn FnOnce()>>,
}

impl Drop for Traces {
    fn drop(&mut self) {
        if let Some(end) = self.end.take() {
            end();
        }
    }
}
