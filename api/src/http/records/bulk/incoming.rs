//! Bulk bodies, decompressed as they arrive.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::{HttpRequest, rt, web};
use async_compression::tokio::bufread::{GzipDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use bytes::Bytes;
use futures_util::stream;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::sync::mpsc;
use tokio_util::io::StreamReader;

use crate::bulk::Bundle;
use crate::http::request::{Arriving, NotArrived, media_type, packing};
use crate::http::response::reply::NDJSON;
use crate::problem::{Code, Problem};

/// The longest uncompressed body, in bytes.
pub const MAX_UNPACKED: u64 = 1 << 30;
/// The bytes decompressed at a time. Their processing occupies a thread for a millisecond or two.
const CHUNK: usize = 16 * 1024;
/// The number of pieces that may wait to be decompressed.
const AHEAD: usize = 4;
/// The largest Zstandard window of a body, as a power of two: 8 MiB (RFC 9659).
const WINDOW: u32 = 23;

const GZIP: &str = "gzip";
const ZSTD: &str = "zstd";

const MKN: &str = "text/plain";

/// A bulk body.
pub struct Incoming {
    /// The arrangement of its records.
    pub bundle: Bundle,
    unpacked: Pin<Box<dyn AsyncRead + Send>>,
    /// The number of bytes received, still compressed.
    came: Arc<AtomicU64>,
    buffer: Box<[u8]>,
    arrived: u64,
}

impl Incoming {
    /// Begins to read a body. It arrives on its request's thread, and may be read on any.
    ///
    /// # Errors
    /// `unsupported_media_type`.
    pub fn from_request(req: &HttpRequest, payload: web::Payload) -> Result<Self, Problem> {
        let bundle = if media_type(req, &[MKN, NDJSON])? == MKN { Bundle::Mkn } else { Bundle::Ndjson };
        let packing = packing(req, &[GZIP, ZSTD])?;
        let (sender, pieces) = mpsc::channel(AHEAD);
        let came = Arc::new(AtomicU64::new(0));
        rt::spawn(pass_on(Arriving::new(req, payload), sender, Arc::clone(&came)));
        let pieces = StreamReader::new(Box::pin(stream::unfold(pieces, |mut pieces| async {
            pieces.recv().await.map(|piece: io::Result<Bytes>| (piece, pieces))
        })));
        let unpacked: Pin<Box<dyn AsyncRead + Send>> = match packing {
            None => Box::pin(pieces),
            Some(GZIP) => {
                let mut decoder = GzipDecoder::new(pieces);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            Some(_) => {
                let mut decoder = ZstdDecoder::with_params(pieces, &[DParameter::window_log_max(WINDOW)]);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
        };
        Ok(Self { bundle, unpacked, came, buffer: vec![0; CHUNK].into(), arrived: 0 })
    }

    /// Returns the number of bytes received since the last call, still compressed.
    pub fn take_came(&self) -> u64 {
        self.came.swap(0, Ordering::Relaxed)
    }

    /// Returns the next piece, empty at the end.
    ///
    /// # Errors
    /// `too_large`, `request_timeout`, and `bad_request` if the body breaks off or cannot be decompressed.
    pub async fn next(&mut self) -> Result<&[u8], Problem> {
        let count = self.unpacked.read(&mut self.buffer).await.map_err(|error| problem(&error))?;
        self.arrived += count as u64;
        if self.arrived > MAX_UNPACKED {
            return Err(Problem::new(Code::TooLarge, format!("the body has more than {MAX_UNPACKED} bytes")));
        }
        Ok(&self.buffer[..count])
    }
}

/// Passes a body on as it arrives, until no one reads it.
async fn pass_on(mut arriving: Arriving, to: mpsc::Sender<io::Result<Bytes>>, came: Arc<AtomicU64>) {
    while let Some(piece) = arriving.next().await {
        let is_last = piece.is_err();
        came.fetch_add(piece.as_ref().map_or(0, |piece| piece.len() as u64), Ordering::Relaxed);
        if to.send(piece.map_err(io::Error::other)).await.is_err() || is_last {
            return;
        }
    }
}

fn problem(error: &io::Error) -> Problem {
    match error.get_ref().and_then(|source| source.downcast_ref::<NotArrived>()) {
        Some(not_arrived) => (*not_arrived).into(),
        None => {
            Problem::new(Code::BadRequest, "the body cannot be decompressed as `Content-Encoding` states")
        }
    }
}
