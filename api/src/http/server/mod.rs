//! The server: every route, and the middleware around them.

use std::any::Any;
use std::hint::black_box;
use std::net::{Shutdown, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use actix_web::body::MessageBody;
use actix_web::dev::{Extensions, Server, ServiceRequest, ServiceResponse};
use actix_web::http::header::ETAG;
use actix_web::http::{Method, StatusCode};
use actix_web::middleware::{Next, from_fn};
use actix_web::{
    App as HttpApp, HttpMessage as _, HttpRequest, HttpResponse, HttpServer, ResponseError, guard, web,
};
use socket2::SockRef;
use tokio::net::TcpStream;
use tokio::time::sleep;
use tracing::Instrument as _;
use utoipa_actix_web::AppExt;

use crate::app::App;
use crate::http::document;
use crate::http::games::lists::{SharedPages, SharedRunning};
use crate::http::limits::{LimitSettings, Limiter, count_request};
use crate::http::records::bulk::export::ExportDelay;
use crate::http::reference::openapi::{self, OpenApiText};
use crate::http::reference::pages;
use crate::http::request::BodyPatience;
use crate::http::response::finished::FinishedResponses;
use crate::http::routes::routes;
use crate::http::watch::{AdoptSpan, Connected, RequestId, Watch, Watched, X_REQUEST_ID, metrics_server};
use crate::problem::{Code, Problem};
use closing::{Closing, WasHead};
use connection::{HadLast, IDLE};
use mistyped::HasPages;
use operations::{Path, refuse_unread_query};

pub mod closing;
pub mod connection;
pub mod health;
mod mistyped;
pub mod operations;
mod origins;

/// The settings of the server.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The number of threads that serve requests, 1 or more.
    pub workers: usize,
    /// The approximate memory of the response cache, in bytes.
    pub finished_bytes: u64,
    /// The limits for clients.
    pub limits: LimitSettings,
    /// The maximum number of connections.
    pub connections: usize,
    /// How long a body may take before a speed is expected.
    pub body_patience: Duration,
    /// The age that games must reach before an export includes them.
    pub export_delay: Duration,
    /// Whether to serve the pages for people. Without them, the root leads to the interface's page.
    pub has_pages: bool,
    /// How long running requests may take after SIGTERM, in seconds.
    pub shutdown_seconds: u64,
    /// Makes a request's span the child of the one that the request names. Without it, requests are not
    /// traced.
    pub adopt: Option<AdoptSpan>,
}

/// The sockets to listen on.
#[derive(Default)]
pub struct Listeners {
    /// For clients.
    pub clients: Vec<TcpListener>,
    /// For proxies on the same machine.
    #[cfg(unix)]
    pub sockets: Vec<std::os::unix::net::UnixListener>,
    /// For metrics, which are for the operator.
    pub metrics: Vec<TcpListener>,
}

/// Builds the server on listeners. It runs when awaited, and stops gracefully on SIGTERM and SIGINT. Metrics
/// are served at once.
///
/// # Errors
/// If a listener cannot be used.
pub fn server(listeners: Listeners, app: Arc<App>, settings: ServerSettings) -> std::io::Result<Server> {
    let finished = web::Data::new(FinishedResponses::with_room(settings.finished_bytes));
    let service = web::Data::from(app);
    let pages = web::Data::new(SharedPages::default());
    let running = web::Data::new(SharedRunning::default());
    let text = web::Data::new(OpenApiText::new(document::text()));
    let limiter = web::Data::new(Limiter::new(settings.limits));
    let watch = web::Data::new(Watch::new(&document::document(), settings.adopt));
    let closing = web::Data::new(Closing::default());
    let ending = closing.clone();
    actix_web::rt::spawn(async move { ending.keep_listening().await });
    actix_web::rt::spawn(forget(limiter.clone()));
    if !listeners.metrics.is_empty() {
        let (app, finished, limiter) = (service.clone(), finished.clone(), limiter.clone());
        let watched = Watched { app, finished, limiter, watch: watch.clone() };
        actix_web::rt::spawn(metrics_server(listeners.metrics, watched)?);
    }
    let (counted, watched) = (limiter.clone(), watch.clone());
    let server = HttpServer::new(move || {
        // Each worker makes its own.
        actix_web::rt::spawn(give_memory_back());
        HttpApp::new()
            .app_data(service.clone())
            .app_data(finished.clone())
            .app_data(pages.clone())
            .app_data(running.clone())
            .app_data(text.clone())
            .app_data(limiter.clone())
            .app_data(watch.clone())
            .app_data(closing.clone())
            .app_data(BodyPatience(settings.body_patience))
            .app_data(ExportDelay(settings.export_delay))
            .app_data(HasPages(settings.has_pages))
            .wrap(from_fn(watched_over))
            .wrap(origins::headers())
            .into_utoipa_app()
            // Otherwise `{id}` would match `events`.
            .route("/v1/games/events", web::route().guard(guard::Not(guard::Get())).to(nowhere))
            .configure(routes)
            .into_app()
            .configure(openapi::routes)
            .configure(if settings.has_pages { pages::routes } else { openapi::root })
            .default_service(web::to(nowhere))
    });
    let server = server.on_connect(move |stream, connection| {
        connected(&counted, stream, connection);
        connection.insert(Connected::new(&watched));
        connection.insert(HadLast::default());
    });
    let server = server.max_connections(settings.connections.div_ceil(settings.workers.max(1)));
    let server = server.workers(settings.workers).shutdown_timeout(settings.shutdown_seconds);
    let server = server.client_disconnect_timeout(LINGER);
    let server = server.keep_alive(IDLE);
    // Head and body may leave in two sends. Without this, the second waits until the first is acknowledged.
    let server = server.tcp_nodelay(true);
    let server = listeners.clients.into_iter().try_fold(server, HttpServer::listen)?;
    #[cfg(unix)]
    let server = listeners.sockets.into_iter().try_fold(server, HttpServer::listen_uds)?;
    Ok(server.run())
}

/// How long a client may continue to send a refused body, so that it can read the refusal.
const LINGER: Duration = Duration::from_secs(5);

/// How long a client may take none of the sent bytes.
#[cfg(target_os = "linux")]
const DEAFNESS: Duration = Duration::from_secs(30);

const NOTHING: &str = "there is nothing at this path";

/// Wraps every request: counts it, and gives it an id and, if wanted, a span.
async fn watched_over(
    req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    let Some(watch) = req.app_data::<web::Data<Watch>>().cloned() else {
        return Err(Problem::internal("the server was built without its watch").into());
    };
    let watching = watch.begin(&req);
    let mut response = finish(req, next, &watch, &watching.id).instrument(watching.span()).await?;
    watch.end(&watching, response.request(), response.status());
    response.headers_mut().insert(X_REQUEST_ID, watching.id.into_header());
    connection::announce(&mut response);
    Ok(response)
}

/// Answers a request: OPTIONS itself, and HEAD like GET without a body. Refuses a query that the operation
/// does not read, and completes problems.
async fn finish<B: MessageBody + 'static>(
    mut req: ServiceRequest,
    next: Next<B>,
    watch: &Watch,
    id: &RequestId,
) -> Result<ServiceResponse<impl MessageBody + use<B>>, actix_web::Error> {
    if req.method() == Method::HEAD {
        req.head_mut().method = Method::GET;
        req.extensions_mut().insert(WasHead);
    }
    if let Some(response) = origins::options(&req) {
        return Ok(req.into_response(response).map_into_right_body());
    }
    let admitted = connection::note(&req)
        .and_then(|()| count_request(req.request()))
        .and_then(|()| refuse_unread_query(req.request()));
    let (response, raised) = match admitted {
        Ok(()) => {
            let response = next.call(req).await?;
            let raised = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
            // A response with a tag is one of our pages.
            let is_page = response.headers().contains_key(ETAG);
            let raised = raised.or_else(|| foreign_problem(response.status()).filter(|_| !is_page));
            (response.map_into_left_body(), raised)
        }
        Err(problem) => {
            let status = problem.code.status();
            (req.into_response(HttpResponse::new(status)).map_into_right_body(), Some(problem))
        }
    };
    tracing::debug!(request_id = id.as_str(), status = response.status().as_u16(), "answered");
    let Some(problem) = raised else { return Ok(response) };
    watch.note_problem(problem.code);
    let request = response.request();
    log(&problem, id, request);
    if problem.code == Code::RouteNotFound
        && let Some(page) = mistyped::answer(request)
    {
        return Ok(response.into_response(page).map_into_right_body());
    }
    let told = problem.for_request(request, Some(id.as_str())).error_response();
    Ok(response.into_response(told).map_into_right_body())
}

/// Logs an internal problem as a separate line. The failure of a database is logged when it begins and when
/// it ends.
fn log(problem: &Problem, id: &RequestId, request: &HttpRequest) {
    if problem.code == Code::Internal {
        tracing::error!(request_id = id.as_str(), "{}", problem.log_line());
    }
    if problem.code == Code::Unavailable {
        tracing::debug!(request_id = id.as_str(), "{}", problem.log_line());
        if let Some(app) = request.app_data::<web::Data<App>>() {
            app.database().note_refused();
        }
    }
}

/// Counts a connection of a network, or closes it if there are too many.
fn connected(limiter: &Limiter, stream: &dyn Any, connection: &mut Extensions) {
    let Some(stream) = stream.downcast_ref::<TcpStream>() else { return };
    let Ok(peer) = stream.peer_addr() else { return };
    // A client that takes nothing for that long is gone, even if its system still answers.
    #[cfg(target_os = "linux")]
    if let Err(error) = SockRef::from(stream).set_tcp_user_timeout(Some(DEAFNESS)) {
        tracing::debug!("the limit on unread bytes cannot be set for a connection: {error}");
    }
    match limiter.connection_place(peer.ip()) {
        Some(place) => drop(connection.insert(place)),
        // If that fails, the connection has ended.
        None => drop(SockRef::from(stream).shutdown(Shutdown::Both)),
    }
}

/// Repeatedly forgets clients that have done nothing for long.
#[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
async fn forget(limiter: web::Data<Limiter>) {
    loop {
        sleep(Duration::from_secs(30)).await;
        limiter.forget();
    }
}

/// Returns the problem for a refusal by a library, such as a file that /docs does not have.
fn foreign_problem(status: StatusCode) -> Option<Problem> {
    match status {
        StatusCode::NOT_FOUND => Some(Problem::new(Code::RouteNotFound, NOTHING)),
        status if status.is_client_error() => {
            Some(Problem::new(Code::BadRequest, "the request is malformed"))
        }
        status if status.is_server_error() => Some(Problem::internal(status)),
        _ => None,
    }
}

/// Answers a request without a route: a known path with another method, or an unknown path.
async fn nowhere(req: HttpRequest) -> Result<HttpResponse, Problem> {
    match Path::of_request(req.path()) {
        Some(path) => Err(Problem::method_not_allowed(path.methods())),
        None => {
            let bare = req.path().trim_end_matches('/');
            let is_there = bare != req.path() && Path::of_request(bare).is_some();
            let hint = if is_there { ". Leave out the slash at its end" } else { "" };
            Err(Problem::new(Code::RouteNotFound, format!("{NOTHING}{hint}")))
        }
    }
}

/// How often a thread allocates something, at least.
const PAUSE: Duration = Duration::from_secs(10);
/// The allocated sizes: one for each kind of page that an allocator may have.
const SIZES: [usize; 4] = [64, 4 << 10, 64 << 10, 2 << 20];

/// Lets an allocator that returns memory while it works do so on an idle thread. Never returns.
#[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
async fn give_memory_back() {
    loop {
        tokio::time::sleep(PAUSE).await;
        for size in SIZES {
            drop(black_box(Vec::<u8>::with_capacity(size)));
        }
    }
}
