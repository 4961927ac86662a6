//! Responses of one JSON object a line, written while they are sent.

use std::io;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::{CACHE_CONTROL, HeaderValue};
use bytes::Bytes;
use futures_util::{Stream, stream};
use serde::Serialize;

use crate::bulk::{NotHeard, Spool};
use crate::http::response::reply::NDJSON;

/// The writing side of a response. It ends with this.
pub struct Rows {
    spool: Arc<Spool>,
    /// Lines that are not written yet.
    gathered: Vec<u8>,
}

/// How many bytes of lines are gathered before they are sent.
const MUCH: usize = 32 * 1024;

/// The reading side.
struct Listener(Arc<Spool>);

impl Rows {
    /// Returns a response, and what writes it.
    pub fn response() -> (Self, HttpResponse) {
        let spool = Arc::new(Spool::default());
        let response = HttpResponse::Ok()
            .content_type(NDJSON)
            .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
            .streaming(Listener(Arc::clone(&spool)).pieces());
        (Self { spool, gathered: Vec::new() }, response)
    }

    /// Notes that so many bytes of the body came, which is how much more may wait to be read.
    pub fn came(&self, bytes: u64) {
        self.spool.came(bytes);
    }

    /// Returns whether so much was added that it should be sent before more is.
    pub const fn is_much(&self) -> bool {
        self.gathered.len() > MUCH
    }

    /// Sends the lines that were added, and waits until the client has read everything, or reads nothing any more.
    ///
    /// # Errors
    /// Where nobody reads any more.
    pub async fn end(mut self) -> Result<(), NotHeard> {
        self.send().await?;
        self.spool.finish();
        self.spool.drained().await
    }

    /// Adds a line.
    pub fn add(&mut self, row: &impl Serialize) {
        // Rows have string keys only, and nothing that fails.
        if serde_json::to_writer(&mut self.gathered, row).is_ok() {
            self.gathered.push(b'\n');
        }
    }

    /// Sends the lines that were added.
    ///
    /// # Errors
    /// Where nobody reads them any more.
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
