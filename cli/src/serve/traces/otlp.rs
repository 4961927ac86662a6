//! Traces of requests, sent to a collector by OTLP over HTTP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::dev::RequestHead;
use actix_web::http::header::HeaderMap;
use async_trait::async_trait;
use bytes::Bytes;
use clap::Args;
use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::{HttpClient, HttpError, Request, Response};
use opentelemetry_otlp::{SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;
use tracing_subscriber::Layer as _;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::Traces;
use crate::process::environment::named;
use crate::process::output::Failure;
use crate::remote::args::is_usable;

/// Arguments of traces.
#[derive(Args, Clone)]
pub struct TraceArgs {
    /// The OTLP collector that gets traces of requests, such as `http://127.0.0.1:4318`. Without it, nothing is
    /// traced
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT", hide_env_values = true, value_name = "URL")]
    traces: Option<String>,
    /// The share of requests to trace, 0 to 1, if the client does not decide it (`traceparent`)
    #[arg(long, env = "ASSAM_TRACES_SAMPLE", default_value_t = 0.1, value_name = "RATIO", value_parser = ratio)]
    traces_sample: f64,
}

/// How long the collector may take.
const PATIENCE: Duration = Duration::from_secs(10);

impl TraceArgs {
    /// Starts to send traces if requested.
    ///
    /// # Errors
    /// If the address of the collector is not usable.
    pub fn start(&self) -> Result<Traces, Failure> {
        let Some(collector) = &self.traces else { return Ok(Traces::default()) };
        // Errors do not repeat the value, which may contain a password.
        if !collector.starts_with("http://") || !is_usable(collector) {
            let named_by = named("--traces", "OTEL_EXPORTER_OTLP_ENDPOINT");
            return Err(format!(
                "{named_by} must be the http:// address of a collector, such as http://127.0.0.1:4318"
            )
            .into());
        }
        let agent =
            ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false).build();
        let exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Courier { agent: agent.into(), is_lost: AtomicBool::new(false) })
            .with_endpoint(format!("{}/v1/traces", collector.trim_end_matches('/')))
            .build()?;
        let version = KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
        let provider = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(self.traces_sample))))
            .with_resource(Resource::builder().with_service_name("assam").with_attribute(version).build())
            .build();
        let layer = tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("assam"))
            .with_location(false)
            .with_target(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_filter(Targets::new().with_target("trace", LevelFilter::TRACE));
        // Spans that cannot be sent are lost.
        let end = move || drop(provider.shutdown());
        Ok(Traces { layer: Some(Box::new(layer)), adopt: Some(adopt), end: Some(Box::new(end)) })
    }
}

/// Makes the span of a request the child of the one that its headers name (W3C Trace Context).
fn adopt(span: &Span, head: &RequestHead) {
    if head.headers().contains_key("traceparent") {
        let named = TraceContextPropagator::new().extract(&Sent(head.headers()));
        // A span that is not recorded has no parent either.
        let _ = span.set_parent(named);
    }
}

/// The headers of a request.
struct Sent<'a>(&'a HeaderMap);

impl Extractor for Sent<'_> {
    fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

/// Sends the traces, on the thread that gathers them.
#[derive(Debug)]
struct Courier {
    agent: ureq::Agent,
    /// Whether the collector refused the last ones.
    is_lost: AtomicBool,
}

#[async_trait]
impl HttpClient for Courier {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        let sent = self.send(request);
        let refusal = match &sent {
            Ok(response) if response.status().is_success() => None,
            Ok(response) => Some(response.status().to_string()),
            Err(error) => Some(error.to_string()),
        };
        let was_lost = self.is_lost.swap(refusal.is_some(), Ordering::Relaxed);
        if let Some(refusal) = refusal.filter(|_| !was_lost) {
            tracing::warn!("the collector refuses traces: {refusal}");
        }
        Ok(sent?)
    }
}

impl Courier {
    fn send(&self, request: Request<Bytes>) -> Result<Response<Bytes>, ureq::Error> {
        let (head, body) = request.into_parts();
        let (head, mut body) = self.agent.run(Request::from_parts(head, &*body))?.into_parts();
        Ok(Response::from_parts(head, body.read_to_vec()?.into()))
    }
}

/// Reads a share.
fn ratio(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}
