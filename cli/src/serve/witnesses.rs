//! The witnesses of the public log that `assam serve` knows, and its requests to them.

use std::collections::HashMap;
use std::io::Read as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use assam_proofs::public_log::WitnessAnswer;
use assam_proofs::signed::{Keyring, Policy, WitnessKey};
use assam_store::file_access::explained;
use clap::{Args, ValueHint};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use ureq::Agent;
use ureq::http::{Uri, header};

use crate::process::input::printable;
use crate::remote;
use crate::remote::args::is_usable;

/// How long a witness may take to respond.
const PATIENCE: Duration = Duration::from_secs(5);
/// The limit for a response of a witness, in bytes. No response comes near it.
const LIMIT: u64 = 64 * 1024;

/// Arguments of witnesses.
#[derive(Args, Clone)]
pub struct WitnessSettings {
    /// The public key, as `assam witness` prints it, of a witness that may cosign the public log of games.
    /// May be repeated. Separate several in the variable with spaces
    #[arg(long, env = "ASSAM_WITNESS", value_name = "KEY", value_delimiter = ' ')]
    witness: Vec<WitnessKey>,
    /// The submission prefix of a witness to which the service sends checkpoints of the public log
    /// (c2sp.org/tlog-witness): `http://host:port` or `https://host/path`. Requires the key of that witness,
    /// from `--witness` or the policy. May be repeated. Separate several in the variable with spaces
    #[arg(long, env = "ASSAM_WITNESS_URL", value_name = "URL", value_delimiter = ' ', value_parser = url, value_hint = ValueHint::Url)]
    witness_url: Vec<String>,
    /// A policy file (c2sp.org/tlog-policy) that names the witnesses, the addresses to send checkpoints to,
    /// and which witnesses must cosign. Without a policy, one cosignature from any witness is enough
    #[arg(long, env = "ASSAM_WITNESS_POLICY", value_name = "FILE", value_hint = ValueHint::FilePath)]
    witness_policy: Option<PathBuf>,
}

impl WitnessSettings {
    /// Returns the policy of the witnesses, and further addresses of theirs.
    ///
    /// # Errors
    /// If the file is not a policy, or an address has no key.
    pub fn known(&self) -> Result<(Policy, Vec<String>), String> {
        let policy = match &self.witness_policy {
            None => Policy::any_of(self.witness.iter().cloned()),
            Some(file) => {
                let name = printable(file);
                let read = fs::read(file).map_err(|error| format!("{name}: {}", explained(file, error)))?;
                let mut policy = Policy::read(&read).map_err(|error| format!("{name}: {error}"))?;
                let wrong = policy.witnesses().iter().filter_map(|one| url(one.url.as_ref()?).err()).next();
                if let Some(why) = wrong {
                    return Err(format!("{name}: {why}"));
                }
                self.witness.iter().for_each(|key| policy.admit(key.clone()));
                policy
            }
        };
        if policy.witnesses().is_empty() && !self.witness_url.is_empty() {
            let why = "--witness-url needs the key of the witness to recognise its cosignatures: pass --witness KEY or --witness-policy FILE";
            return Err(why.to_owned());
        }
        Ok((policy, self.witness_url.clone()))
    }

    /// Checks that a policy that names logs names this one.
    ///
    /// # Errors
    /// If it does not.
    pub fn check_log(&self, policy: &Policy, keyring: &Keyring) -> Result<(), String> {
        let history = keyring.history();
        let is_named = history.iter().any(|known| policy.logs().contains(&known.key));
        match (&self.witness_policy, history.last()) {
            (Some(file), Some(newest)) if !policy.logs().is_empty() && !is_named => Err(format!(
                "{}: its log lines name other logs: add `log {}`, or remove the log lines",
                printable(file),
                newest.key
            )),
            _ => Ok(()),
        }
    }
}

/// Returns a function that sends a body to a URL on a separate thread, which nothing waits for, not even the
/// end of the service.
pub fn poster() -> impl AsyncFn(String, String) -> Result<WitnessAnswer, String> {
    let agents: Arc<Mutex<HashMap<String, Agent>>> = Arc::default();
    async move |url, body| {
        let (agents, (answers, answer)) = (Arc::clone(&agents), oneshot::channel());
        let asking = move || {
            // The caller may have stopped waiting.
            let _ = answers.send(agent(&agents, &url).and_then(|agent| posted(&agent, &url, &body)));
        };
        let thread = thread::Builder::new().name("witness".to_owned());
        thread.spawn(asking).map_err(|error| error.to_string())?;
        answer.await.unwrap_or_else(|_| Err("the request was abandoned".to_owned()))
    }
}

/// Returns the agent with the connections to a URL.
fn agent(agents: &Mutex<HashMap<String, Agent>>, url: &str) -> Result<Agent, String> {
    let mut agents = agents.lock();
    if let Some(agent) = agents.get(url) {
        return Ok(agent.clone());
    }
    let uri: Uri = url.parse().map_err(|error| format!("{error}"))?;
    let (agent, _) = remote::agent(&uri, PATIENCE)?;
    agents.insert(url.to_owned(), agent.clone());
    Ok(agent)
}

fn posted(agent: &Agent, url: &str, body: &str) -> Result<WitnessAnswer, String> {
    let request = agent.post(url).header(header::CONTENT_TYPE, "text/plain; charset=utf-8");
    let sent = request.config().timeout_global(Some(PATIENCE)).build().send(body);
    let answer = sent.map_err(|error| format!("it cannot be reached: {error}"))?;
    let status = answer.status().as_u16();
    let media_type = answer.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let media_type = media_type.and_then(|value| value.split(';').next()).unwrap_or_default();
    let media_type = media_type.trim().to_ascii_lowercase();
    let mut bytes = Vec::new();
    let read = answer.into_body().into_reader().take(LIMIT).read_to_end(&mut bytes);
    read.map_err(|error| format!("its response was cut off: {error}"))?;
    let body = String::from_utf8(bytes).map_err(|_| "its response is not UTF-8".to_owned())?;
    Ok(WitnessAnswer { status, media_type, body })
}

/// Reads the address of a witness.
fn url(text: &str) -> Result<String, String> {
    // Logs and metrics show the address.
    if is_usable(text) && !text.contains('@') {
        return Ok(text.trim_end_matches('/').to_owned());
    }
    Err("expected the URL of a witness, http://host:port or https://host/path, without user, `?` or `#`"
        .to_owned())
}
