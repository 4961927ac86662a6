//! Monitoring of requests: ids, spans and counts.

use std::time::Instant;

use actix_web::dev::ServiceRequest;
use actix_web::http::StatusCode;
use actix_web::web::Data;
use actix_web::{HttpMessage as _, HttpRequest};
use assam_store::counted::{Gauge, Total};
use requests::RequestCounts;
use span::RequestSpans;
use utoipa::openapi::OpenApi;

use crate::http::events::long_poll::HasWaited;
use crate::problem::Code;

mod page;
mod process;
mod request_id;
mod requests;
mod server;
mod span;
mod text;

pub use page::Watched;
pub use request_id::{RequestId, X_REQUEST_ID};
pub use server::metrics_server;
pub use span::AdoptSpan;

/// The counts of requests and connections.
pub struct Watch {
    requests: RequestCounts,
    problems: [Total; Code::ALL.len()],
    connections: Gauge,
    adopt: Option<AdoptSpan>,
}

/// A connection, counted until it is dropped.
pub struct Connected(Data<Watch>);

/// A request in progress.
pub struct Watching {
    began: Instant,
    method: usize,
    spans: RequestSpans,
    /// Its id.
    pub id: RequestId,
}

impl Watch {
    /// Monitors requests for the operations of a document. Requests are traced only with `adopt`, which makes
    /// their spans children of the spans that they name.
    pub fn new(document: &OpenApi, adopt: Option<AdoptSpan>) -> Self {
        Self {
            requests: RequestCounts::new(document),
            problems: std::array::from_fn(|_| Total::default()),
            connections: Gauge::default(),
            adopt,
        }
    }

    /// Begins to monitor a request.
    pub fn begin(&self, req: &ServiceRequest) -> Watching {
        let method = requests::method(req.method());
        let id = RequestId::from_head(req.head());
        // The route is not known yet.
        let asked =
            || (requests::METHODS[method], self.requests.template(self.requests.route(req.request())));
        let spans = RequestSpans::begin(req, &id, self.adopt, asked);
        Watching { began: Instant::now(), method, spans, id }
    }

    /// Counts a refused request.
    pub fn note_problem(&self, code: Code) {
        self.problems[code as usize].add(1);
    }

    /// Counts a response.
    pub fn end(&self, watching: &Watching, req: &HttpRequest, status: StatusCode) {
        let Watching { began, method, spans, .. } = watching;
        // A client that chose to wait says nothing about the service's speed.
        let took = req.extensions().get::<HasWaited>().is_none().then(|| began.elapsed());
        self.requests.count(self.requests.route(req), *method, status, took);
        spans.end(status);
    }
}

impl Watching {
    /// Returns the span to answer the request in.
    pub fn span(&self) -> tracing::Span {
        self.spans.inner()
    }
}

impl Connected {
    /// Counts a connection.
    pub fn new(watch: &Data<Watch>) -> Self {
        watch.connections.up();
        Self(watch.clone())
    }
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.0.connections.down();
    }
}
