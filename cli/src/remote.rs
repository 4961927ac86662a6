//! A service that is reached over HTTP.

use std::env;
use std::io::{self, BufRead as _, BufReader, Read};

use serde_json::Value;
use ureq::http::Response;
use ureq::{Agent, Body};

use crate::transfer::NotTransferred;

/// The variable of the environment that holds the secret, which is never an argument: others can read those.
pub const SECRET: &str = "ASSAM_SECRET";

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
        let agent = Agent::config_builder().http_status_as_error(false).build().into();
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
