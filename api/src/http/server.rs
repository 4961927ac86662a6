//! The server: every route, and the middleware around them.

use std::net::TcpListener;
use std::time::Duration;

use actix_cors::Cors;
use actix_web::body::MessageBody;
use actix_web::dev::{ResourceDef, Server, ServiceRequest, ServiceResponse};
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::{Compress, DefaultHeaders, Next, from_fn};
use actix_web::{App as HttpApp, HttpMessage, HttpRequest, HttpResponse, HttpServer, ResponseError, web};
use tracing::{Level, Span, span_enabled};
use tracing_actix_web::{DefaultRootSpanBuilder, RequestId, RootSpanBuilder, TracingLogger};
use utoipa_actix_web::AppExt;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::document;
use super::finished::{FinishedResponses, IDENTITY};
use super::openapi::OpenApiText;
use super::routes::routes;
use crate::app::App;
use crate::problem::{Code, Problem};

/// Builds the server on a listener; it runs when it is awaited, and stops gracefully on SIGTERM and SIGINT. Responses that
/// are kept as they were sent take about so many bytes of memory.
///
/// # Errors
/// Where the listener cannot be used.
pub fn server(
    listener: TcpListener,
    app: App,
    finished_bytes: u64,
    workers: usize,
    shutdown_seconds: u64,
) -> std::io::Result<Server> {
    let finished = web::Data::new(FinishedResponses::with_room(finished_bytes));
    let service = web::Data::new(app);
    let text = web::Data::new(OpenApiText(document::text()));
    let methods = web::Data::new(Methods::of(&document::document()));
    let server = HttpServer::new(move || {
        HttpApp::new()
            .app_data(service.clone())
            .app_data(finished.clone())
            .app_data(text.clone())
            .app_data(methods.clone())
            .wrap(Compress::default())
            .wrap(from_fn(finish))
            .wrap(cors())
            .wrap(DefaultHeaders::new().add((header::ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED)))
            .wrap(TracingLogger::<SpanIfWanted>::new())
            .into_utoipa_app()
            .configure(routes)
            .into_app()
            .service(web::redirect("/", "/docs/"))
            .service(web::redirect("/docs", "/docs/"))
            .service(SwaggerUi::new("/docs/{_:.*}").config(Config::from("/openapi.json")))
            .default_service(web::to(nowhere))
    });
    let server = server.workers(workers).shutdown_timeout(shutdown_seconds).client_disconnect_timeout(LINGER);
    // Head and body may leave in two sends: without this, the second one waits until the first is acknowledged.
    let server = server.tcp_nodelay(true);
    Ok(server.listen(listener)?.run())
}

/// How long a client may go on sending a body that was refused, so that it gets to read the refusal.
const LINGER: Duration = Duration::from_secs(5);

/// The headers that scripts of other origins may read. Not left to the CORS middleware, which shuffles its list.
const EXPOSED: &str = "ETag, Link, Location, Retry-After";

const NOTHING: &str = "there is nothing at this path";

fn cors() -> Cors {
    Cors::default()
        .allow_any_origin()
        // `*` for every origin, so that caches need not keep one response per origin.
        .send_wildcard()
        .disable_vary_header()
        .allow_any_method()
        .allow_any_header()
        .max_age(86_400)
}

/// The span of a request, only where the filter of the log admits it: to name its route, the router has to find it once more.
struct SpanIfWanted;

impl RootSpanBuilder for SpanIfWanted {
    fn on_request_start(request: &ServiceRequest) -> Span {
        if span_enabled!(target: "tracing_actix_web", Level::INFO) {
            DefaultRootSpanBuilder::on_request_start(request)
        } else {
            Span::none()
        }
    }

    fn on_request_end<B: MessageBody>(span: Span, outcome: &Result<ServiceResponse<B>, actix_web::Error>) {
        if !span.is_disabled() {
            DefaultRootSpanBuilder::on_request_end(span, outcome);
        }
    }
}

/// Wraps every request: answers HEAD like GET without a body, and adds the request's path and id to problems.
async fn finish(
    mut req: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<impl MessageBody>, actix_web::Error> {
    if req.method() == Method::HEAD {
        req.head_mut().method = Method::GET;
    }
    let mut response = next.call(req).await?;
    if response.headers().get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding == IDENTITY) {
        response.headers_mut().remove(header::CONTENT_ENCODING);
    }
    tracing::debug!(status = response.status().as_u16(), "answered");
    let raised = response.response().error().and_then(|error| error.as_error::<Problem>()).cloned();
    let Some(problem) = raised.or_else(|| foreign_problem(response.status())) else {
        return Ok(response.map_into_left_body());
    };
    let request = response.request();
    let id = request.extensions().get::<RequestId>().map(ToString::to_string);
    if let Some(line) = problem.log_line() {
        // Its span has the id too, but a log of errors alone has no spans.
        tracing::error!(request_id = id, "{line}");
    }
    let told = problem.for_request(request.path(), id.as_deref()).error_response();
    Ok(response.into_response(told).map_into_right_body())
}

/// Returns the problem for a refusal by a library, such as a file that /docs does not have.
fn foreign_problem(status: StatusCode) -> Option<Problem> {
    match status {
        StatusCode::NOT_FOUND => Some(Problem::new(Code::RouteNotFound, NOTHING)),
        StatusCode::NOT_ACCEPTABLE => {
            Some(Problem::new(Code::NotAcceptable, "Accept-Encoding allows neither gzip nor the plain body"))
        }
        status if status.is_client_error() => {
            Some(Problem::new(Code::BadRequest, "the request is malformed"))
        }
        status if status.is_server_error() => Some(Problem::internal(status)),
        _ => None,
    }
}

/// The methods of each documented path.
struct Methods(Vec<(ResourceDef, String)>);

impl Methods {
    fn of(document: &utoipa::openapi::OpenApi) -> Self {
        let methods = |item: &utoipa::openapi::PathItem| {
            let mut methods = Vec::new();
            for (name, operation) in [
                ("GET, HEAD", &item.get),
                ("POST", &item.post),
                ("PUT", &item.put),
                ("PATCH", &item.patch),
                ("DELETE", &item.delete),
            ] {
                if operation.is_some() {
                    methods.push(name);
                }
            }
            methods.join(", ")
        };
        Self(
            document
                .paths
                .paths
                .iter()
                .map(|(path, item)| (ResourceDef::new(path.as_str()), methods(item)))
                .collect(),
        )
    }
}

/// Answers a request that no route takes: a known path with another method, or an unknown path.
async fn nowhere(req: HttpRequest, methods: web::Data<Methods>) -> Result<HttpResponse, Problem> {
    match methods.0.iter().find(|(path, _)| path.is_match(req.path())) {
        Some((_, allowed)) => Err(Problem::method_not_allowed(allowed.clone())),
        None => Err(Problem::new(Code::RouteNotFound, NOTHING)),
    }
}
