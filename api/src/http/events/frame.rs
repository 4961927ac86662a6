//! How messages stand in a stream: as server-sent events, or one a line.

use bytes::{BufMut as _, BytesMut};

use crate::http::response::reply::NDJSON;

/// The media type of server-sent events.
pub const SSE: &str = "text/event-stream";

/// The form of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventForm {
    /// Server-sent events.
    Events,
    /// One JSON object a line.
    Lines,
}

impl EventForm {
    /// Returns the form with a media type.
    pub fn from_media_type(media_type: &str) -> Self {
        if media_type == NDJSON { Self::Lines } else { Self::Events }
    }

    /// Writes a message. Its id is where a client resumes that has it; an empty one says that it resumes from nothing, none leaves that
    /// as it was.
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

    /// Writes after how many milliseconds a browser connects again; in lines, a message says it.
    pub fn write_retry(self, out: &mut BytesMut, milliseconds: u32) {
        if self == Self::Events {
            out.put_slice(format!("retry: {milliseconds}\n\n").as_bytes());
        }
    }
}
