//! Scripts of other origins (the CORS protocol of the Fetch standard). Any origin may send all requests and
//! read the responses, because browsers send nothing here unasked, such as cookies.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::DefaultHeaders;

use super::operations::Path;

/// The headers that scripts may send.
const SENT: &str = "Authorization, Cache-Control, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id, X-Requested-With";
/// The headers that scripts may read.
const READ: &str = "Content-Location, ETag, Ignored-Tags, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
/// How many seconds a browser may remember the answer.
const MAX_AGE: &str = "86400";

/// Returns the headers of every response. They are the same for every origin, so that caches need one copy.
pub fn headers() -> DefaultHeaders {
    DefaultHeaders::new()
        .add((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .add((header::ACCESS_CONTROL_EXPOSE_HEADERS, READ))
}

/// Answers OPTIONS for a documented path with the allowed methods (RFC 9110, section 9.3.7) and, for a
/// browser's preflight, with the headers that scripts may send.
pub fn options(req: &ServiceRequest) -> Option<HttpResponse> {
    let path = (req.method() == Method::OPTIONS).then(|| Path::of_request(req.path()))??;
    let methods = path.methods();
    let mut response = HttpResponse::build(StatusCode::NO_CONTENT);
    response.insert_header((header::ALLOW, methods.as_str()));
    if req.headers().contains_key(header::ACCESS_CONTROL_REQUEST_METHOD) {
        response
            .insert_header((header::ACCESS_CONTROL_ALLOW_METHODS, methods))
            .insert_header((header::ACCESS_CONTROL_ALLOW_HEADERS, SENT))
            .insert_header((header::ACCESS_CONTROL_MAX_AGE, MAX_AGE));
    }
    Some(response.finish())
}
