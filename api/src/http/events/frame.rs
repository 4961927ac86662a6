//! The framing of messages: server-sent events, or JSON lines.

use bytes::{BufMut as _, BytesMut};

use crate::http::response::reply::NDJSON;

/// The media type of server-sent events.
pub const SSE: &str = "text/event-stream";

/// The form of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventForm {
    /// Server-sent events.
    Events,
    /// One JSON object per line.
    Lines,
}

impl EventForm {
    /// Returns the form for a media type.
    pub fn from_media_type(media_type: &str) -> Self {
        if media_type == NDJSON { Self::Lines } else { Self::Events }
    }

    /// Writes a message. Clients resume at its id. An empty id resets theirs, and none leaves it unchanged.
    pub fn write(self, out: &mut BytesMut, text: &[u8], id: Option<&str>) {
        match self {
            Self::Events => {
                if let Some(id) = id {
                    out.put_slice(b"id: ");
                    out.put_slice(id.as_bytes());
                    out.put_slice(b"\n");
                }
                out.put_slice(b"data: ");
                out.put_slice(text);
                out.put_slice(b"\n\n");
            }
            Self::Lines => {
                out.put_slice(text);
                out.put_slice(b"\n");
            }
        }
    }

    /// Writes the reconnection delay for browsers, in milliseconds. Lines have a message for it instead.
    pub fn write_retry(self, out: &mut BytesMut, milliseconds: u32) {
        if self == Self::Events {
            out.put_slice(format!("retry: {milliseconds}\n\n").as_bytes());
        }
    }
}
