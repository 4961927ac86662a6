//! Long responses, compressed and sent while they are written.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use actix_web::http::header::{
    ACCEPT_ENCODING, AcceptEncoding, CACHE_CONTROL, CONTENT_ENCODING, ContentEncoding, Encoding, Header as _,
    HeaderValue, VARY,
};
use actix_web::{HttpRequest, HttpResponse};
use async_compression::tokio::write::{GzipEncoder, ZstdEncoder};
use futures_util::{StreamExt as _, stream};
use tokio::io::{AsyncWrite, AsyncWriteExt as _, duplex};
use tokio::time::timeout;
use tokio_util::io::ReaderStream;

use crate::bulk::NotHeard;
use crate::http::response::finished::CHANGING;

/// The bytes written ahead of what is sent.
const AHEAD: usize = 128 * 1024;
/// The bytes that a client has to take within [`SILENCE`].
const PART: usize = 16 * 1024;
/// How long a client may take nothing before the response is given up.
const SILENCE: Duration = Duration::from_secs(30);

/// The writing side of a response. If it is dropped before its end, so is the connection, which the client
/// notices.
pub struct Outgoing {
    to: Pin<Box<dyn AsyncWrite + Send>>,
    is_whole: Arc<AtomicBool>,
}

impl Outgoing {
    /// Returns a response and its writing side. It is compressed if that is allowed and the client prefers
    /// it.
    pub fn response(
        req: &HttpRequest,
        media_type: &'static str,
        may_be_packed: bool,
    ) -> (Self, HttpResponse) {
        let (sender, receiver) = duplex(AHEAD);
        let is_whole = Arc::new(AtomicBool::new(false));
        let mut response = HttpResponse::Ok();
        response
            .content_type(media_type)
            .insert_header((CACHE_CONTROL, HeaderValue::from_static(CHANGING)))
            .insert_header((VARY, HeaderValue::from_static("Accept, Accept-Encoding, Authorization")));
        let preferred = preferred(req).filter(|_| may_be_packed);
        let to: Pin<Box<dyn AsyncWrite + Send>> = match preferred {
            Some(Encoding::Known(ContentEncoding::Gzip)) => Box::pin(GzipEncoder::new(sender)),
            Some(Encoding::Known(ContentEncoding::Zstd)) => Box::pin(ZstdEncoder::new(sender)),
            _ => Box::pin(sender),
        };
        if let Some(Encoding::Known(packing)) = preferred {
            response.insert_header((CONTENT_ENCODING, packing.as_str()));
        }
        let end = stream::iter([Arc::clone(&is_whole)]);
        let broke_off = |is_whole: Arc<AtomicBool>| async move {
            (!is_whole.load(Ordering::Acquire)).then(|| Err(io::Error::from(io::ErrorKind::BrokenPipe)))
        };
        let pieces = ReaderStream::new(receiver).chain(end.filter_map(broke_off));
        (Self { to, is_whole }, response.streaming(Box::pin(pieces)))
    }

    /// Sends the next bytes, once the client has taken most of the previous ones.
    ///
    /// # Errors
    /// If the client takes nothing any more.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<(), NotHeard> {
        for part in bytes.chunks(PART) {
            let written = timeout(SILENCE, self.to.write_all(part)).await;
            written.map_err(|_| NotHeard)?.map_err(|_| NotHeard)?;
        }
        Ok(())
    }

    /// Ends the response.
    ///
    /// # Errors
    /// If the client takes nothing any more.
    pub async fn finish(mut self) -> Result<(), NotHeard> {
        self.is_whole.fetch_or(true, Ordering::Release);
        let ended = timeout(SILENCE, self.to.shutdown()).await;
        ended.map_err(|_| NotHeard)?.map_err(|_| NotHeard)
    }
}

/// Returns the compression that a client prefers, if any.
fn preferred(req: &HttpRequest) -> Option<Encoding> {
    let offered = [Encoding::identity(), Encoding::gzip(), Encoding::zstd()];
    let accepted = req.headers().contains_key(ACCEPT_ENCODING).then(|| AcceptEncoding::parse(req).ok());
    accepted.flatten()?.negotiate(offered.iter()).filter(|encoding| *encoding != Encoding::identity())
}
