//! How long a connection stays open, and for which requests (RFC 9112, sections 9.3 to 9.6).

use std::cell::Cell;
use std::time::Duration;

use actix_web::HttpMessage as _;
use actix_web::body::{BodySize, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::header::{CONTENT_LENGTH, HeaderName, HeaderValue, TRANSFER_ENCODING};
use actix_web::http::{ConnectionType, Version};

use crate::problem::{Code, Problem};

/// How long an idle connection stays open, approximately, because the server checks its clock twice a second.
pub const IDLE: Duration = Duration::from_secs(5);
/// The shorter time announced to clients, so that no request begins while the connection closes.
const ANNOUNCED: HeaderValue = HeaderValue::from_static("timeout=4");
const KEEP_ALIVE: HeaderName = HeaderName::from_static("keep-alive");

/// Marks a request whose body was read to its end.
pub struct WholeBody;

/// Whether the last request of a connection has arrived: the one with `Connection: close`.
#[derive(Default)]
pub struct HadLast(Cell<bool>);

/// Records whether a request is the last one of its connection.
///
/// # Errors
/// `bad_request` if the last one came before: "MUST NOT process any further requests received on that
/// connection" (RFC 9112, section 9.6).
pub fn note(req: &ServiceRequest) -> Result<(), Problem> {
    let Some(last) = req.conn_data::<HadLast>() else { return Ok(()) };
    if last.0.get() {
        return Err(Problem::new(Code::BadRequest, "the previous request had Connection: close"));
    }
    last.0.set(req.head().connection_type() == ConnectionType::Close);
    Ok(())
}

/// Announces how long the connection stays open. HTTP/1.0 has no chunks, so a body of unknown length ends
/// with its connection (RFC 9112, section 6.3).
pub fn announce(response: &mut ServiceResponse<impl MessageBody>) {
    let asked = response.request().head();
    let has_ended = response.request().conn_data::<HadLast>().is_some_and(|last| last.0.get());
    let has_body = [CONTENT_LENGTH, TRANSFER_ENCODING].iter().any(|name| asked.headers().contains_key(name));
    let has_no_chunks = asked.version < Version::HTTP_11;
    // The connection ends if bytes of a body are left unread.
    let is_read = !has_body || response.request().extensions().get::<WholeBody>().is_some();
    let is_stream = response.response().body().size() == BodySize::Stream;
    let head = response.response_mut().head_mut();
    head.no_chunking(has_no_chunks && is_stream);
    if has_ended || has_no_chunks && is_stream {
        head.set_connection_type(ConnectionType::Close);
    } else if is_read && head.connection_type() == ConnectionType::KeepAlive {
        head.headers_mut().insert(KEEP_ALIVE, ANNOUNCED);
    }
}
