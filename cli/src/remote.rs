//! A service that is reached over HTTP.

use std::env;
use std::io::{self, BufRead as _, BufReader, Read};
use std::time::Duration;

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::transfer::NotTransferred;

/// The variable of the environment that holds the secret, which is never an argument: others can read those.
pub const SECRET: &str = "ASSAM_SECRET";

/// How long it may take to connect, and until a response begins.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_secs(60);
/// How long a small response may take as a whole.
const SMALL: Duration = Duration::from_secs(30);

/// A service.
pub struct Remote {
    agent: Agent,
    base: String,
    secret: Option<String>,
}

impl Remote {
    /// Returns the service at a URL.
    ///
    /// # Errors
    /// Where the URL is none that can be used.
    pub fn at(url: &str) -> Result<Self, NotTransferred> {
        if !url.starts_with("http://") {
            let why = "--url must be http://host:port: what is encrypted goes through a proxy of yours";
            return Err(NotTransferred::Refused(why.to_owned()));
        }
        // Nobody is sent elsewhere, and nobody waits for a service that says nothing.
        let config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let config = config.timeout_connect(Some(CONNECT)).timeout_recv_response(Some(ANSWER));
        let agent = config.build().into();
        let secret = env::var(SECRET).ok().filter(|secret| !secret.is_empty());
        Ok(Self { agent, base: url.trim_end_matches('/').to_owned(), secret })
    }

    /// Gets what a path names, in this media type.
    ///
    /// # Errors
    /// Where the service refuses, or cannot be reached.
    pub fn get(&self, path: &str, media_type: &str) -> Result<impl Read + use<>, NotTransferred> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept", media_type);
        Ok(accepted(request.call())?.into_body().into_reader())
    }

    /// Gets something small as a whole.
    ///
    /// # Errors
    /// Where the service refuses, cannot be reached, sends more than that, or takes too long.
    pub fn get_small(&self, path: &str, media_type: &str, limit: u64) -> Result<Vec<u8>, NotTransferred> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept", media_type);
        let request = request.config().timeout_global(Some(SMALL)).build();
        let mut bytes = Vec::new();
        let body = accepted(request.call())?.into_body().into_reader();
        body.take(limit + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > limit {
            true => Err(NotTransferred::Refused(format!("{path} has more than {limit} bytes"))),
            false => Ok(bytes),
        }
    }

    /// Sends a text.
    ///
    /// # Errors
    /// Where the service refuses, or cannot be reached.
    pub fn post_text(&self, path: &str, text: &str) -> Result<(), NotTransferred> {
        let request = self.agent.post(format!("{}{path}", self.base)).header("Content-Type", "text/plain");
        accepted(request.send(text)).map(drop)
    }

    /// Sends records, one after another, and returns the lines that come back.
    ///
    /// # Errors
    /// Where the service refuses, or cannot be reached.
    pub fn import(&self, records: &[u8]) -> Result<Vec<Value>, NotTransferred> {
        let request =
            self.agent.post(format!("{}/v1/imports/bulk", self.base)).header("Content-Type", "text/plain");
        let request = match &self.secret {
            Some(secret) => request.header("Authorization", format!("Bearer {secret}")),
            None => request,
        };
        let answer = BufReader::new(accepted(request.send(records))?.into_body().into_reader());
        let lines = answer.lines().map(|line| Ok(serde_json::from_str(&line?)?));
        lines.collect::<io::Result<_>>().map_err(NotTransferred::from)
    }
}

/// Returns a response that is no problem.
fn accepted(answer: Result<Response<Body>, ureq::Error>) -> Result<Response<Body>, NotTransferred> {
    let unreached = |error| NotTransferred::Failed(format!("the service cannot be reached: {error}"));
    let mut answer = answer.map_err(unreached)?;
    let status = answer.status();
    if status.is_success() {
        return Ok(answer);
    }
    let problem: Value = answer.body_mut().read_json().unwrap_or_default();
    let flaws = problem["errors"].as_array().into_iter().flatten().map(|flaw| {
        let text = |name: &str| flaw[name].as_str().unwrap_or_default();
        format!("{} {}", text("parameter"), text("detail"))
    });
    let flaws: Vec<String> = flaws.collect();
    let told = match (flaws.is_empty(), problem["detail"].as_str()) {
        (false, _) => flaws.join("; "),
        (true, Some(detail)) => detail.to_owned(),
        (true, None) => format!("the service answered {status}"),
    };
    Err(if status.is_client_error() { NotTransferred::Refused(told) } else { NotTransferred::Failed(told) })
}
