//! The spans of a request: one for the trace and, inside it, one for the log, each only if wanted.

use actix_web::dev::{RequestHead, ServiceRequest};
use actix_web::http::StatusCode;
use actix_web::http::header::USER_AGENT;
use tracing::field::Empty;
use tracing::{Level, Span, span_enabled};

use super::RequestId;
use crate::traced;

/// The target of the span for log lines.
const LOGGED: &str = "request";

/// Makes a span the child of the span that the request names in its headers.
pub type AdoptSpan = fn(&Span, &RequestHead);

/// The spans of a request.
pub struct RequestSpans {
    traced: Span,
    logged: Span,
}

impl RequestSpans {
    /// Begins the spans of a request. The trace span exists only with `adopt`.
    pub fn begin<'a>(
        req: &ServiceRequest,
        id: &RequestId,
        adopt: Option<AdoptSpan>,
        asked: impl FnOnce() -> (&'a str, &'a str),
    ) -> Self {
        let traced = match adopt {
            Some(adopt) if span_enabled!(target: traced::TARGET, Level::TRACE) => {
                let span = trace(asked(), id);
                adopt(&span, req.head());
                span
            }
            _ => Span::none(),
        };
        let logged =
            if span_enabled!(target: LOGGED, Level::INFO) { log(req, id, &traced) } else { Span::none() };
        Self { traced, logged }
    }

    /// Returns the span to answer the request in.
    pub fn inner(&self) -> Span {
        if self.logged.is_disabled() { self.traced.clone() } else { self.logged.clone() }
    }

    /// Records the response's status.
    pub fn end(&self, status: StatusCode) {
        if self.traced.is_disabled() {
            return;
        }
        self.traced.record("http.response.status_code", status.as_u16());
        if status.is_server_error() {
            self.traced.record("otel.status_code", "ERROR");
        }
    }
}

fn trace((method, route): (&str, &str), id: &RequestId) -> Span {
    tracing::trace_span!(
        target: traced::TARGET,
        parent: None,
        "request",
        otel.name = format!("{method} {route}"),
        otel.kind = "server",
        otel.status_code = Empty,
        http.request.method = method,
        http.route = route,
        http.response.status_code = Empty,
        request.id = id.as_str(),
    )
}

fn log(req: &ServiceRequest, id: &RequestId, parent: &Span) -> Span {
    let asked = req.connection_info();
    let agent = req.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    tracing::info_span!(
        target: LOGGED,
        parent: parent,
        "request",
        request_id = id.as_str(),
        method = req.method().as_str(),
        target = req.uri().path_and_query().map(|target| target.as_str()),
        route = req.match_pattern(),
        client = asked.realip_remote_addr(),
        host = asked.host(),
        agent,
    )
}
