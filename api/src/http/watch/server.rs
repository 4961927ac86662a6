//! The listener for metrics. It is separate from the clients', because metrics are for the operator.

use std::fmt;
use std::net::TcpListener;

use actix_web::dev::Server;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use actix_web::web::Data;
use actix_web::{App as HttpApp, HttpResponse, HttpServer, ResponseError, web};
use prometheus_client::registry::Registry;

use super::page::{Watched, page};

/// The media type of the page.
const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Builds the metrics server on listeners. It ends with the system that it runs in.
///
/// # Errors
/// If a listener cannot be used.
pub fn metrics_server(listeners: Vec<TcpListener>, watched: Watched) -> std::io::Result<Server> {
    let registry = Data::new(watched.registry());
    let server = HttpServer::new(move || {
        HttpApp::new().app_data(registry.clone()).route("/metrics", web::get().to(metrics))
    });
    let server = server.workers(1).disable_signals();
    Ok(listeners.into_iter().try_fold(server, HttpServer::listen)?.run())
}

/// The page could not be written.
#[derive(Debug)]
struct NoPage(fmt::Error);

impl fmt::Display for NoPage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the metrics cannot be written: {}", self.0)
    }
}

impl ResponseError for NoPage {}

async fn metrics(registry: Data<Registry>) -> Result<HttpResponse, NoPage> {
    let text = page(&registry).map_err(NoPage)?;
    let no_store = (CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(HttpResponse::Ok().content_type(OPENMETRICS).insert_header(no_store).body(text))
}
