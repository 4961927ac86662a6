//! Spans of traces: what a request waits for. Without a subscriber that wants them, none is made.

use tracing::{Level, Span, span_enabled};

/// The target of every span of a trace; their level is the lowest, so that no log has them that is not to have everything.
pub const TARGET: &str = "trace";

/// Returns whether what happens now is traced.
fn is_traced() -> bool {
    span_enabled!(target: TARGET, Level::TRACE)
}

/// Begins to plan a change.
pub fn plan() -> Span {
    tracing::trace_span!(target: TARGET, "plan")
}

/// A change on its way to the store, if that is traced.
#[derive(Default)]
pub struct Journey(Option<Box<Spans>>);

struct Spans {
    /// Until it is told what became of it.
    whole: Span,
    /// While it waits, then while it is written.
    _part: Span,
}

impl Journey {
    /// Begins to wait.
    pub fn begin() -> Self {
        if !is_traced() {
            return Self::default();
        }
        let whole = tracing::trace_span!(target: TARGET, "append");
        let waiting = tracing::trace_span!(target: TARGET, parent: &whole, "queue");
        Self(Some(Box::new(Spans { whole, _part: waiting })))
    }

    /// Begins to be written, with so many changes together.
    pub fn write(&mut self, changes: usize) {
        if let Some(spans) = &mut self.0 {
            spans._part = tracing::trace_span!(target: TARGET, parent: &spans.whole, "write", changes);
        }
    }
}
