//! The proxy that the environment names for a URL, as `curl` reads it.

use std::env;

use ureq::http::Uri;
use ureq::{Proxy, ProxyProtocol};

use crate::remote_args::is_usable;

/// Returns the proxy for a URL, if there is one, with the variable that names it: `HTTPS_PROXY` or `http_proxy`, else `ALL_PROXY`, unless
/// `NO_PROXY` has its host.
///
/// # Errors
/// Where one is named that cannot be used. Its value is not repeated: it may hold a password.
pub fn proxy_for(url: &Uri) -> Result<Option<(&'static str, Proxy)>, String> {
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
