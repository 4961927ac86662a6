//! Requests of a player to a service: with a secret, in JSON, and repeated until they are answered.
//!
//! Repeating is safe for the requests of a player. Moves name their ply, and creations carry a key.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use ureq::Body;
use ureq::http::{Request, Response};

use super::Remote;
use super::args::RemoteArgs;
use crate::archive::transfer::NotTransferred;
use crate::process::input::printable;
use crate::process::output::{Failure, say_failed};

/// The longest pause between two attempts, unless the service asks for more.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);
const JSON: &str = "application/json";
const LINES: &str = "application/x-ndjson";

/// A client of a service with the secret of a player.
///
/// The secret is sent in a header and appears nowhere else.
pub struct PlayerClient {
    remote: Remote,
    /// Whether the service has ever answered. Before that, silence means a wrong address.
    is_known: bool,
    /// Whether the last attempt failed. Only the first failure of several is reported.
    is_down: bool,
}

/// Why a request was not carried out.
#[derive(Debug, thiserror::Error)]
pub enum RequestFailure {
    /// The service refused it with a problem.
    #[error("{}", .0.detail)]
    Refused(RefusedRequest),
    #[error("{0}")]
    Failed(String),
}

/// The problem of a refused request.
#[derive(Debug)]
pub struct RefusedRequest {
    pub status: u16,
    pub code: String,
    pub rule: String,
    pub detail: String,
}

/// How an attempt failed.
enum AttemptFailure {
    Final(RequestFailure),
    /// Another attempt may succeed, at the earliest after this time.
    Passing(String, Duration),
}

/// Growing pauses between attempts.
#[derive(Default)]
pub struct Pauses {
    failures: u32,
}

impl Pauses {
    /// Pauses before the next attempt, at least for `least`. The first pause is empty.
    pub fn pause(&mut self, least: Duration) {
        let growing = match self.failures {
            0 => Duration::ZERO,
            failures => LONGEST_PAUSE.min(Duration::from_millis(500 << failures.min(8))),
        };
        self.failures += 1;
        // With jitter, so that clients do not return all at once.
        let end = Instant::now() + least.max(growing.mul_f64(rand::random_range(0.75..1.25)));
        while let Some(left) = end.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()) {
            thread::park_timeout(left);
        }
    }
}

impl PlayerClient {
    /// Returns a client of the service at a URL, with the secret in a file.
    ///
    /// # Errors
    /// If the URL is not usable, or the file has no secret. Messages do not repeat the contents.
    pub fn new(url: &str, args: RemoteArgs, secret_file: &Path) -> Result<Self, Failure> {
        let name = printable(secret_file);
        let text = fs::read_to_string(secret_file).map_err(|error| format!("{name}: {error}"))?;
        let secret = text.trim();
        let is_hex = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if secret.len() != 64 || !secret.bytes().all(is_hex) {
            return Err(format!("{name}: a secret has 64 lower-case hex digits: openssl rand -hex 32").into());
        }
        let mut remote = Remote::at(url, args).map_err(|error| error.to_string())?;
        remote.secret = Some(secret.to_owned());
        Ok(Self { remote, is_known: false, is_down: false })
    }

    /// Gets JSON.
    ///
    /// # Errors
    /// If the service refuses, or has never answered.
    pub fn get(&mut self, path: &str) -> Result<Value, RequestFailure> {
        let text = self.repeated(|client| client.attempt("GET", path, JSON, None, &[]))?;
        read_json(&text)
    }

    /// Gets a text.
    ///
    /// # Errors
    /// If the service refuses, or has never answered.
    pub fn get_text(&mut self, path: &str) -> Result<String, RequestFailure> {
        self.repeated(|client| client.attempt("GET", path, "text/plain", None, &[]))
    }

    /// Sends JSON, and returns the JSON of the answer.
    ///
    /// # Errors
    /// If the service refuses, or has never answered.
    pub fn send(
        &mut self,
        method: &str,
        path: &str,
        body: &Value,
        headers: &[(&str, &str)],
    ) -> Result<Value, RequestFailure> {
        let text = self.repeated(|client| client.attempt(method, path, JSON, Some(body), headers))?;
        read_json(&text)
    }

    /// Opens a stream of lines of JSON once, without repeating. If the service cannot be reached now, returns the
    /// least time to wait.
    ///
    /// # Errors
    /// If the service refuses, or has never answered.
    pub fn stream(&mut self, path: &str) -> Result<Result<impl BufRead + use<>, Duration>, RequestFailure> {
        let opened = self.request("GET", path, LINES, None, &[]).and_then(|response| {
            self.remote
                .received(response, LINES)
                .map_err(|error| AttemptFailure::Passing(error.to_string(), Duration::ZERO))
        });
        match opened {
            Ok(body) => Ok(Ok(BufReader::new(body))),
            Err(AttemptFailure::Passing(why, least)) if self.is_known => {
                self.report(&why);
                Ok(Err(least))
            }
            Err(AttemptFailure::Passing(why, _)) => Err(RequestFailure::Failed(why)),
            Err(AttemptFailure::Final(failure)) => Err(failure),
        }
    }

    /// Repeats a request until it is answered.
    fn repeated(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<String, AttemptFailure>,
    ) -> Result<String, RequestFailure> {
        let mut pauses = Pauses::default();
        loop {
            match attempt(self) {
                Ok(text) => return Ok(text),
                Err(AttemptFailure::Final(failure)) => return Err(failure),
                Err(AttemptFailure::Passing(why, _)) if !self.is_known => {
                    return Err(RequestFailure::Failed(why));
                }
                Err(AttemptFailure::Passing(why, least)) => {
                    self.report(&why);
                    pauses.pause(least);
                }
            }
        }
    }

    /// Reports that the service does not answer, once.
    fn report(&mut self, why: &str) {
        if !self.is_down {
            say_failed(&format!("{why}: trying again"));
        }
        self.is_down = true;
    }

    fn attempt(
        &mut self,
        method: &str,
        path: &str,
        accept: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Result<String, AttemptFailure> {
        let mut response = self.request(method, path, accept, body, headers)?;
        let text = response.body_mut().read_to_string();
        text.map_err(|error| AttemptFailure::Passing(error.to_string(), Duration::ZERO))
    }

    /// Sends a request once, and returns an answer that is not a problem.
    fn request(
        &mut self,
        method: &str,
        path: &str,
        accept: &str,
        body: Option<&Value>,
        headers: &[(&str, &str)],
    ) -> Result<Response<Body>, AttemptFailure> {
        let secret = self.remote.secret.as_deref().unwrap_or_default();
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.remote.base));
        request = request.header("Accept", accept).header("Authorization", format!("Bearer {secret}"));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let sent = match body {
            Some(body) => {
                let request = request.header("Content-Type", JSON).body(body.to_string());
                request.map(|request| self.remote.agent.run(request))
            }
            None => request.body(()).map(|request| self.remote.agent.run(request)),
        };
        let sent = sent.map_err(|error| AttemptFailure::Final(RequestFailure::Failed(error.to_string())))?;
        let mut response = sent.map_err(|error| {
            let why = super::unreached(&error, self.remote.idle, self.remote.proxy);
            AttemptFailure::Passing(why, Duration::ZERO)
        })?;
        let status = response.status();
        if status.is_success() {
            (self.is_known, self.is_down) = (true, false);
            return Ok(response);
        }
        let seconds =
            response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
        let problem: Value = response.body_mut().read_json().unwrap_or_default();
        let text = |name: &str| problem[name].as_str().unwrap_or_default().to_owned();
        let is_problem = problem["code"].is_string();
        self.is_known |= is_problem;
        let detail = if is_problem { text("detail") } else { format!("the service responded with {status}") };
        if status.is_server_error() || matches!(status.as_u16(), 408 | 429) || (self.is_known && !is_problem)
        {
            return Err(AttemptFailure::Passing(detail, Duration::from_secs(seconds.unwrap_or(0))));
        }
        let refused =
            RefusedRequest { status: status.as_u16(), code: text("code"), rule: text("rule"), detail };
        Err(AttemptFailure::Final(RequestFailure::Refused(refused)))
    }
}

fn read_json(text: &str) -> Result<Value, RequestFailure> {
    let foreign = |_| super::foreign("expected JSON").to_string();
    serde_json::from_str(text).map_err(|error| RequestFailure::Failed(foreign(error)))
}

impl From<NotTransferred> for RequestFailure {
    fn from(error: NotTransferred) -> Self {
        Self::Failed(error.to_string())
    }
}
