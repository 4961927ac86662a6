//! Answers of the service.

use serde_json::Value;
use ureq::http::{HeaderMap, HeaderName, HeaderValue};

/// The host name in requests.
pub(super) const HOST: &str = "assam.example";

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
    /// The body as text, with replacements for invalid UTF-8.
    pub(crate) text: String,
}

impl Answer {
    /// Returns the body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Returns a header.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns every header except time and request id, in a fixed order.
    pub(crate) fn all_headers(&self) -> Vec<(String, String)> {
        self.headers_but(&["date", "x-request-id"])
    }

    pub(super) fn headers_but(&self, left_out: &[&str]) -> Vec<(String, String)> {
        let read = |(name, value): (&HeaderName, &HeaderValue)| {
            (name.to_string(), value.to_str().unwrap().to_owned())
        };
        let mut headers: Vec<(String, String)> = self.headers.iter().map(read).collect();
        headers.retain(|(name, _)| !left_out.contains(&name.as_str()));
        headers.sort();
        headers
    }

    /// Returns the `code` of a problem, after checking its media type, status and texts.
    pub(crate) fn problem(&self) -> String {
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{}", self.text);
        let problem = self.json();
        let code = problem["code"].as_str().unwrap().to_owned();
        assert_eq!(problem["status"], self.status, "{}", self.text);
        assert_eq!(problem["type"], format!("http://{HOST}/v1/problems/{code}"));
        assert!(problem["instance"].is_string() && problem["title"].is_string(), "{}", self.text);
        assert!(!problem["detail"].as_str().unwrap().is_empty());
        code
    }
}
