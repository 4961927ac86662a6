//! Arguments about services that are reached over HTTP.

use clap::Args;
use ureq::http::Uri;

/// Arguments about services that are reached over HTTP.
#[derive(Args, Clone, Copy)]
pub struct RemoteArgs {
    /// With `--url`: how many seconds may pass in which the service neither sends nor receives anything, 1 to
    /// 86400
    #[arg(long, default_value_t = 30, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86400))]
    pub idle_timeout: u64,
}

/// Returns whether a URL names a server. It may have a path.
pub fn is_usable(url: &str) -> bool {
    let Ok(uri) = url.parse::<Uri>() else { return false };
    let (Some("http" | "https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return false };
    // After the host, only a port may follow.
    let is_port = authority.as_str().ends_with(authority.host()) || authority.port_u16().is_some();
    is_port && !authority.host().is_empty() && !url.contains(['?', '#'])
}
