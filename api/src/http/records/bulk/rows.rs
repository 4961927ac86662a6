//! Responses of JSON lines, sent while they are written.

use std::io;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use bytes::Bytes;
use futures_util::{Stream, stream};
use serde::Serialize;

use crate::bulk::{NotHeard, Spool};
use crate::http::response::reply::NDJSON;

/// The writing side of a response, which ends when this is dropped.
pub struct Rows {
    spool: Arc<Spool>,
    /// Lines that are not sent yet.
    gathered: Vec<u8>,
}

/// The bytes of lines gathered before they are sent.
const MUCH: usize = 32 * 1024;

/// The reading side.
struct Listener(Arc<Spool>);

impl Rows {
    /// Returns a response and its writing side.
    pub fn response() -> (Self, HttpResponse) {
        let spool = Arc::new(Spool::default());
        let response = HttpResponse::Ok()
            .content_type(NDJSON)
            .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
            .streaming(Listener(Arc::clone(&spool)).pieces());
        (Self { spool, gathered: Vec::new() }, response)
    }

    /// Records received bytes of the body, which raise the number of bytes that may wait to be read.
    pub fn came(&self, bytes: u64) {
        self.spool.came(bytes);
    }

    /// Returns whether the added lines should be sent before more are added.
    pub const fn is_much(&self) -> bool {
        self.gathered.len() > MUCH
    }

    /// Sends the added lines, and waits until the client has read everything or stops reading.
    ///
    /// # Errors
    /// If the client is gone.
    pub async fn end(mut self) -> Result<(), NotHeard> {
        self.send().await?;
        self.spool.finish();
        self.spool.drained().await
    }

    /// Adds a line.
    pub fn add(&mut self, row: &impl Serialize) {
        // Keys are strings, so serialization cannot fail.
        if serde_json::to_writer(&mut self.gathered, row).is_ok() {
            self.gathered.push(b'\n');
        }
    }

    /// Sends the added lines.
    ///
    /// # Errors
    /// If the client is gone.
    pub async fn send(&mut self) -> Result<(), NotHeard> {
        self.spool.write(&self.gathered).await?;
        self.gathered.clear();
        Ok(())
    }
}

impl Drop for Rows {
    fn drop(&mut self) {
        self.spool.finish();
    }
}

impl Listener {
    fn pieces(self) -> impl Stream<Item = io::Result<Bytes>> {
        stream::unfold(self, |listener| async { Some((listener.0.read().await?, listener)) })
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.0.stop_reading();
    }
}
