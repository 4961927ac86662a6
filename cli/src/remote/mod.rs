//! A client of a service over HTTP, and of its public log.

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
pub mod player;

use args::{RemoteArgs, is_usable};

/// The environment variable with the secret. It is never an argument, which other users of the machine can
/// read.
pub const SECRET: &str = "ASSAM_SECRET";

/// The longest time to connect.
const CONNECT: Duration = Duration::from_secs(10);
/// The longest time for a small response, unless the service may be silent for longer.
const SMALL: Duration = Duration::from_secs(30);

pub struct Remote {
    agent: Agent,
    base: String,
    secret: Option<String>,
    idle: Duration,
    /// The variable that names the proxy, if there is one.
    proxy: Option<&'static str>,
}

pub struct Received {
    body: BodyReader<'static>,
    idle: Duration,
}

impl Remote {
    /// Returns the service at a URL.
    ///
    /// # Errors
    /// If the URL is not usable.
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

    /// Returns the address of a game's page.
    pub fn page_of(&self, game: &str) -> String {
        format!("{}/games/{game}", self.base)
    }

    /// Gets a path in this media type.
    ///
    /// # Errors
    /// If the service refuses, cannot be reached, or sends something else.
    pub fn get(&self, path: &str, media_type: &str) -> Result<Received, NotTransferred> {
        let request = self.agent.get(format!("{}{path}", self.base)).header("Accept", media_type);
        self.received(self.accepted(request.call())?, media_type)
    }

    /// Gets a small response as a whole.
    ///
    /// # Errors
    /// If the service refuses, cannot be reached, sends something else or more than `limit` bytes, or takes
    /// too long.
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

    /// Sends a text, and expects an empty response.
    ///
    /// # Errors
    /// If the service refuses, or cannot be reached.
    pub fn post_text(&self, path: &str, text: &str) -> Result<(), NotTransferred> {
        let request = self.agent.post(format!("{}{path}", self.base)).header("Content-Type", "text/plain");
        match self.accepted(request.send(text))?.status() {
            StatusCode::NO_CONTENT => Ok(()),
            status => Err(foreign(&format!("expected status 204, found {status}"))),
        }
    }

    /// Sends records in order, and returns the response lines.
    ///
    /// # Errors
    /// If the service refuses, or cannot be reached.
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

    /// Returns a response that is not a problem.
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
            (true, None) => format!("the service responded with {status}"),
        };
        let is_refused = status.is_client_error() && problem["code"].is_string();
        Err(if is_refused { NotTransferred::Refused(told) } else { NotTransferred::Failed(told) })
    }

    /// Returns the body of a response that has this media type, and a recognisable end.
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
            return Err(foreign("expected a length or chunks, or a partial response would look complete"));
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
            error => io::Error::new(ErrorKind::UnexpectedEof, format!("the response was cut off: {error}")),
        })
    }
}

/// Returns the HTTP client for a URL, and the variable that names a proxy for it, if there is one.
///
/// # Errors
/// If the proxy is not usable.
pub fn agent(url: &Uri, idle: Duration) -> Result<(Agent, Option<&'static str>), String> {
    // The roots of the system, or of SSL_CERT_FILE.
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier);
    let tls = tls.unversioned_rustls_crypto_provider(provider).build();
    // Redirects are not followed, and a silent service is given up.
    let config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
    let config = config.timeout_connect(Some(CONNECT.min(idle)));
    let config = config.timeout_per_read(Some(idle)).timeout_per_write(Some(idle));
    let (named_by, proxy) = proxy_for(url)?.unzip();
    Ok((config.tls_config(tls).proxy(proxy).build().into(), named_by))
}

/// Returns the error for a response that is not from a service.
fn foreign(why: &str) -> NotTransferred {
    NotTransferred::Failed(format!("this is not the response of an Assam service: {why}"))
}

fn is_timeout(error: &ureq::Error) -> bool {
    if let ureq::Error::Io(error) = error {
        return error.kind() == ErrorKind::TimedOut;
    }
    matches!(error, ureq::Error::Timeout(_))
}

/// Describes why a service did not respond.
fn unreached(error: &ureq::Error, idle: Duration, proxy: Option<&str>) -> String {
    let through = proxy.map(|name| format!(" through the proxy in {name}")).unwrap_or_default();
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
        ": its certificate belongs to an authority (CA:TRUE), but a server needs its own"
    } else if ["UnknownIssuer", "BadSignature", "No CA certificates"].into_iter().any(has) {
        &roots()
    } else if has("not valid for name") || has("NotValidForName") {
        ": the host in --url must be a name in its certificate"
    } else if has("expired") || has("Expired") {
        ": its operator must renew the certificate, unless the clock of this machine is fast"
    } else if has("not valid yet") || has("NotValidYet") {
        ": the clock of this machine is slow, or the certificate is not valid yet"
    } else if has("InvalidContentType") {
        ": it does not use TLS there: try http://"
    } else {
        ""
    };
    format!("the service cannot be reached{through}: {told}{advice}")
}

/// Describes which certificates are trusted, and what is wrong with a file of them.
fn roots() -> String {
    let given = |name| Some((name, PathBuf::from(env::var_os(name)?)));
    let Some((name, path)) = given("SSL_CERT_FILE").or_else(|| given("SSL_CERT_DIR")) else {
        return ": make the system trust its issuer, or set SSL_CERT_FILE to a file with the issuer's certificate".to_owned();
    };
    let wrong = match file_access::open(&path) {
        Err(error) if name == "SSL_CERT_FILE" => format!(": {error}"),
        Ok(file) if !CertificateDer::pem_reader_iter(&file).any(|read| read.is_ok()) => {
            ": it has no certificate in PEM".to_owned()
        }
        Ok(_) | Err(_) => String::new(),
    };
    format!(": {name} is {}, which must contain the certificate of its issuer{wrong}", printable(&path))
}

/// Returns the proxy that the environment names for a URL, and the variable that names it. Reads the
/// variables the way `curl` does: `HTTPS_PROXY` or `http_proxy`, else `ALL_PROXY`, unless `NO_PROXY` contains
/// the host.
///
/// # Errors
/// If an unusable one is named. Messages do not repeat its value, which may contain a password.
fn proxy_for(url: &Uri) -> Result<Option<(&'static str, Proxy)>, String> {
    // `HTTP_PROXY` in capitals could be a request header of a CGI program, so `curl` does not read it either.
    let names: &[&'static str] = match url.scheme_str() == Some("https") {
        true => &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
        false => &["http_proxy", "all_proxy", "ALL_PROXY"],
    };
    let Some((name, value)) = first(names) else { return Ok(None) };
    let wrong = || format!("{name} is not a proxy: it must be http://host:port");
    let whole = if value.contains("://") { value } else { format!("http://{value}") };
    let named = Proxy::new(&whole).ok().filter(|_| is_usable(&whole)).ok_or_else(wrong)?;
    if !matches!(named.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        return Err(format!("{name} is a proxy of an unsupported kind: it must be http://host:port"));
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
