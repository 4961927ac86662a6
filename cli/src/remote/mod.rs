//! A service that is reached over HTTP, and its public log.

use std::env;
use std::io::{self, BufRead as _, BufReader, ErrorKind, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use assam_store::file_access;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::Value;
use ureq::http::{Response, StatusCode, Uri, header};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, Body, BodyReader, Proxy, ProxyProtocol, Timeout};

use crate::archive::transfer::NotTransferred;
use crate::process::input::printable;

pub mod args;
pub mod log_tiles;

use args::{RemoteArgs, is_usable};

/// The variable of the environment that holds the secret, which is never an argument: others can read those.
pub const SECRET: &str = "ASSAM_SECRET";

/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(10);
/// How long a small response may take as a whole, unless the service may be silent for longer.
const SMALL: Duration = Duration::from_secs(30);

/// A service.
pub struct Remote {
    agent: Agent,
    base: String,
    secret: Option<String>,
    idle: Duration,
    /// The variable that names the proxy, if there is one.
    proxy: Option<&'static str>,
}

/// The body of a response.
pub struct Received {
    body: BodyReader<'static>,
    idle: Duration,
}

impl Remote {
    /// Returns the service at a URL.
    ///
    /// # Errors
    /// Where the URL is none that can be used.
    pub fn at(url: &str, args: RemoteArgs) -> Result<Self, NotTransferred> {
        let uri = url.parse().ok().filter(|_| is_usable(url)).ok_or_else(|| {
            let why = "--url must be http://host:port or https://host, with a port of at most 65535 and no `?` or `#`";
            NotTransferred::Failed(why.to_owned())
        })?;
        let idle = Duration::from_secs(args.idle_timeout);
        let (agent, named_by) = agent(&uri, idle).map_err(NotTransferred::Refused)?;
        let secret = env::var(SECRET).ok().filter(|secret| !secret.is_empty());
        Ok(Self { agent, base: url.trim_end_matches('/').to_owned(), secret, idle, proxy: named_by })
    }

    /// Returns the address of the page of a game.
    pub fn page_of(&self, game: &str) -> String {
        format!("{}/games/{game}", self.base)
    }

    /// Gets what a path names, in this media type.
    ///
    /// # Errors
    /// Where the service refuses, cannot be reached, or sends something else.
    pub fn get(&self, path: &str, media_type: &str) -> Result<Received, NotTransferred> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept", media_type);
        self.received(self.accepted(request.call())?, media_type)
    }

    /// Gets something small as a whole.
    ///
    /// # Errors
    /// Where the service refuses, cannot be reached, sends something else or more than that, or takes too long.
    pub fn get_small(&self, path: &str, media_type: &str, limit: u64) -> Result<Vec<u8>, NotTransferred> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept", media_type);
        let request = request.config().timeout_global(Some(SMALL.max(self.idle))).build();
        let mut bytes = Vec::new();
        let body = self.received(self.accepted(request.call())?, media_type)?;
        body.take(limit + 1).read_to_end(&mut bytes)?;
        match bytes.len() as u64 > limit {
            true => Err(NotTransferred::Refused(format!("{path} has more than {limit} bytes"))),
            false => Ok(bytes),
        }
    }

    /// Sends a text, to which nothing is answered.
    ///
    /// # Errors
    /// Where the service refuses, or cannot be reached.
    pub fn post_text(&self, path: &str, text: &str) -> Result<(), NotTransferred> {
        let request = self.agent.post(format!("{}{path}", self.base)).header("Content-Type", "text/plain");
        match self.accepted(request.send(text))?.status() {
            StatusCode::NO_CONTENT => Ok(()),
            status => Err(foreign(&format!("expected status 204, found {status}"))),
        }
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
        let answer = self.received(self.accepted(request.send(records))?, "application/x-ndjson")?;
        let lines = BufReader::new(answer).lines().map(|line| Ok(serde_json::from_str(&line?)?));
        lines.collect::<io::Result<_>>().map_err(NotTransferred::from)
    }

    /// Returns a response that is no problem.
    fn accepted(
        &self,
        answer: Result<Response<Body>, ureq::Error>,
    ) -> Result<Response<Body>, NotTransferred> {
        let mut answer =
            answer.map_err(|error| NotTransferred::Failed(unreached(&error, self.idle, self.proxy)))?;
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
        let is_refused = status.is_client_error() && problem["code"].is_string();
        Err(if is_refused { NotTransferred::Refused(told) } else { NotTransferred::Failed(told) })
    }

    /// Returns the body of a response that is of this media type, and whose end can be told.
    fn received(&self, answer: Response<Body>, media_type: &str) -> Result<Received, NotTransferred> {
        let header =
            |name| answer.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let found = header(header::CONTENT_TYPE).split(';').next().unwrap_or_default().trim().to_owned();
        if !found.eq_ignore_ascii_case(media_type) {
            let found = if found.is_empty() { "none" } else { &found };
            return Err(foreign(&format!("expected the media type {media_type}, found {found}")));
        }
        let is_chunked = header(header::TRANSFER_ENCODING).to_ascii_lowercase().contains("chunked");
        if !is_chunked && header(header::CONTENT_LENGTH).is_empty() {
            return Err(foreign(
                "expected a length or chunks, by which a whole response is told from a part",
            ));
        }
        Ok(Received { body: answer.into_body().into_reader(), idle: self.idle })
    }
}

impl Read for Received {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.body.read(buffer).map_err(|error| match ureq::Error::from(error) {
            error if is_timeout(&error) => {
                io::Error::new(ErrorKind::TimedOut, unreached(&error, self.idle, None))
            }
            error => io::Error::new(ErrorKind::UnexpectedEof, format!("the response broke off: {error}")),
        })
    }
}

/// Returns what reaches a URL, and the variable that names a proxy for that, if there is one.
///
/// # Errors
/// Where the proxy is none that can be used.
pub fn agent(url: &Uri, idle: Duration) -> Result<(Agent, Option<&'static str>), String> {
    // The roots of the system, or those of SSL_CERT_FILE.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
    let tls = tls.unversioned_rustls_crypto_provider(provider).build();
    // No redirect is followed, and a service that stays silent is given up.
    let config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let config = config.timeout_connect(Some(CONNECT.min(idle)));
    let config = config.timeout_per_read(Some(idle)).timeout_per_write(Some(idle));
    let (named_by, proxy) = proxy_for(url)?.unzip();
    Ok((config.tls_config(tls).proxy(proxy).build().into(), named_by))
}

/// Says that an answer does not come from a service.
fn foreign(why: &str) -> NotTransferred {
    NotTransferred::Failed(format!("the answer is not that of an Assam service: {why}"))
}

fn is_timeout(error: &ureq::Error) -> bool {
    if let ureq::Error::Io(error) = error {
        return error.kind() == ErrorKind::TimedOut;
    }
    matches!(error, ureq::Error::Timeout(_))
}

/// Says why a service did not answer.
fn unreached(error: &ureq::Error, idle: Duration, proxy: Option<&str>) -> String {
    let through = proxy.map(|name| format!(" through the proxy that {name} names")).unwrap_or_default();
    if let ureq::Error::Timeout(Timeout::Connect | Timeout::Resolve) = error {
        return format!("the service cannot be reached{through} within {} s", CONNECT.min(idle).as_secs());
    }
    if let ureq::Error::Timeout(Timeout::Global) = error {
        return format!("the response took longer than {} s", SMALL.max(idle).as_secs());
    }
    if is_timeout(error) {
        return format!("the service was silent for {} s (--idle-timeout)", idle.as_secs());
    }
    let told = error.to_string();
    let has = |text| told.contains(text);
    let advice = if has("CaUsedAsEndEntity") {
        "; its certificate is that of an authority (CA:TRUE), and a server needs another one"
    } else if ["UnknownIssuer", "BadSignature", "No CA certificates"].into_iter().any(has) {
        &roots()
    } else if has("not valid for name") || has("NotValidForName") {
        "; the host in --url must be a name of its certificate"
    } else if has("expired") || has("Expired") {
        "; its operator has to renew its certificate, unless the clock of this machine is fast"
    } else if has("not valid yet") || has("NotValidYet") {
        "; the clock of this machine is slow, or its operator has to wait"
    } else if has("InvalidContentType") {
        "; it does not speak TLS there: try http://"
    } else {
        ""
    };
    format!("the service cannot be reached{through}: {told}{advice}")
}

/// Says which certificates are trusted, and what is wrong with a file of them.
fn roots() -> String {
    let given = |name| Some((name, PathBuf::from(env::var_os(name)?)));
    let Some((name, path)) = given("SSL_CERT_FILE").or_else(|| given("SSL_CERT_DIR")) else {
        return "; the system has to trust its issuer, or SSL_CERT_FILE names a file with the issuer's certificate".to_owned();
    };
    let wrong = match file_access::open(&path) {
        Err(error) if name == "SSL_CERT_FILE" => format!(": {error}"),
        Ok(file) if !CertificateDer::pem_reader_iter(&file).any(|read| read.is_ok()) => {
            ": it has no certificate in PEM".to_owned()
        }
        Ok(_) | Err(_) => String::new(),
    };
    format!("; {name} is {}, which must have the certificate of its issuer{wrong}", printable(&path))
}

/// Returns the proxy that the environment names for a URL, as `curl` reads it, if there is one, with the variable that names it: `HTTPS_PROXY` or `http_proxy`, else `ALL_PROXY`, unless
/// `NO_PROXY` has its host.
///
/// # Errors
/// Where one is named that cannot be used. Its value is not repeated: it may hold a password.
fn proxy_for(url: &Uri) -> Result<Option<(&'static str, Proxy)>, String> {
    // HTTP_PROXY in capitals could be a header of a request to a CGI program, which curl does not read either.
    let names: &[&'static str] = match url.scheme_str() == Some("https") {
        true => &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        false => &["http_proxy", "all_proxy", "ALL_PROXY"],
    };
    let Some((name, value)) = first(names) else { return Ok(None) };
    let wrong = || format!("{name} names no proxy: it must be http://host:port");
    let whole = if value.contains("://") { value } else { format!("http://{value}") };
    let named = Proxy::new(&whole).ok().filter(|_| is_usable(&whole)).ok_or_else(wrong)?;
    if !matches!(named.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        return Err(format!("{name} names a proxy that is not used: it must be http://host:port"));
    }
    let mut proxy = Proxy::builder(named.protocol()).host(named.host()).port(named.port());
    if let Some(user) = named.username() {
        proxy = proxy.username(user);
    }
    if let Some(password) = named.password() {
        proxy = proxy.password(password);
    }
    let (_, without) = first(&["no_proxy", "NO_PROXY"]).unwrap_or_default();
    for host in without.split([',', ' ']).filter(|host| !host.is_empty()) {
        proxy = proxy.no_proxy(host);
    }
    let proxy = proxy.build().map_err(|_| wrong())?;
    Ok((!proxy.is_no_proxy(url)).then_some((name, proxy)))
}

/// Returns the first variable that is set, and its value.
fn first<'a>(names: &[&'a str]) -> Option<(&'a str, String)> {
    names.iter().find_map(|name| Some((*name, env::var(name).ok().filter(|value| !value.is_empty())?)))
}
