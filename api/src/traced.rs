//! Trace spans of what a request waits for. They are only made if a subscriber wants them.

use tracing::{Level, Span, span_enabled};

/// The target of every trace span. Their level is the lowest, so that only a full log has them.
pub const TARGET: &str = "trace";

/// Returns whether traces are wanted now.
fn is_traced() -> bool {
    span_enabled!(target: TARGET, Level::TRACE)
}

/// Begins to plan a change.
pub fn plan() -> Span {
    tracing::trace_span!(target: TARGET, "plan")
}

/// A change on its way to the store, if traced.
#[derive(Default)]
pub struct Journey(Option<Box<Spans>>);

struct Spans {
    /// Until its outcome is known.
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
