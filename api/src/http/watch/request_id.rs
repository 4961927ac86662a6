//! Request ids, which connect a response, its log lines and its trace.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use actix_web::dev::RequestHead;
use actix_web::http::header::{HeaderName, HeaderValue};
use assam_record::entropy::process_id;
use base16ct::lower;

/// The header with the id, in requests and responses.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
/// The longest id that a client or proxy may choose.
const LONGEST: usize = 64;

/// The id of a request.
#[derive(Clone, Debug)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id that came with a request, or a new one.
    pub fn from_head(head: &RequestHead) -> Self {
        let sent = head.headers().get(&X_REQUEST_ID).filter(|sent| is_one(sent.as_bytes()));
        sent.cloned().map_or_else(Self::new, Self)
    }

    /// Returns a unique id: the id of the process, and a number.
    fn new() -> Self {
        static PROCESS: LazyLock<[u8; 6]> = LazyLock::new(process_id);
        static NUMBERS: AtomicU64 = AtomicU64::new(1);
        let mut text = [0; 24];
        let (process, number) = text.split_at_mut(12);
        // Neither can fail, with two digits for each byte.
        let _ = lower::encode(&*PROCESS, process);
        let next = NUMBERS.fetch_add(1, Ordering::Relaxed).to_be_bytes();
        let _ = lower::encode(&next[2..], number);
        Self(HeaderValue::from_bytes(&text).unwrap_or(HeaderValue::from_static("-")))
    }

    /// Returns the id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    /// Returns the id as a header value.
    pub fn into_header(self) -> HeaderValue {
        self.0
    }
}

fn is_one(sent: &[u8]) -> bool {
    let may_stand = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    (1..=LONGEST).contains(&sent.len()) && sent.iter().all(may_stand)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_short_ids_of_plain_letters_are_taken() {
        let longest = "x".repeat(LONGEST);
        for good in ["a", "0f8fad5b-d9cb-469f-a165-708f67d64b2a", "A.b_c-9", &longest] {
            assert!(is_one(good.as_bytes()), "{good}");
        }
        for bad in ["", "a b", "a\u{e4}", "a\"b", "a/b", &format!("{longest}x")] {
            assert!(!is_one(bad.as_bytes()), "{bad}");
        }
    }

    #[test]
    fn no_two_new_ones_are_the_same() {
        let (one, other) = (RequestId::new(), RequestId::new());
        assert_ne!(one.as_str(), other.as_str());
        assert_eq!(one.as_str().len(), 24);
        assert!(is_one(one.as_str().as_bytes()));
    }
}
