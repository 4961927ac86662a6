//! Scripts of other origins (the CORS protocol of the Fetch standard): any of them may ask for everything and read it, as
//! nothing here is sent by browsers on their own, such as cookies.

use actix_web::HttpResponse;
use actix_web::dev::ServiceRequest;
use actix_web::http::{Method, StatusCode, header};
use actix_web::middleware::DefaultHeaders;

use super::operations::Path;

/// The headers that scripts may send.
const SENT: &str = "Authorization, Cache-Control, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id, X-Requested-With";
/// The headers that scripts may read.
const READ: &str = "Content-Location, ETag, Ignored-Tags, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id";
/// For how many seconds a browser need not ask again.
const MAX_AGE: &str = "86400";

/// Returns what stands in every response. For every origin the same, so that caches need not keep one for each.
pub fn headers() -> DefaultHeaders {
    DefaultHeaders::new()
        .add((header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"))
        .add((header::ACCESS_CONTROL_EXPOSE_HEADERS, READ))
}

/// Answers OPTIONS for a documented path: which methods it allows (RFC 9110, section 9.3.7), and to a browser that asks
/// before its script may send a request, what the script may send.
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
