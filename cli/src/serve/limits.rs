//! The limits on clients of `assam serve`.

use std::net::IpAddr;

use assam_api::http::{LimitSettings, Rates, SetRate, TrustedProxies};
use clap::Args;
use ipnet::IpNet;

/// Open files other than connections: databases, logs, and input.
const OTHER_FILES: u64 = 256;
/// The largest number of connections if the system sets no limit on files.
const MANY: u64 = 1 << 20;

/// Arguments for the limits on clients.
#[derive(Args, Clone)]
pub struct LimitArgs {
    /// The rate limit of a bucket for each secret, such as moves=20/s:200 (20 a second, 200 at once) or
    /// reads=off. Each address may send four times as much. Separate several with commas. GET /v1/limits
    /// lists all buckets
    #[arg(long, env = "ASSAM_RATE", value_name = "BUCKET=RATE", value_delimiter = ',')]
    rate: Vec<SetRate>,
    /// Turn off all limits on clients
    #[arg(long, env = "ASSAM_NO_LIMITS", conflicts_with_all = ["rate", "bulk_at_once", "connections"])]
    no_limits: bool,
    /// The proxies whose X-Forwarded-For header is trusted to name the client: addresses, with or without a
    /// prefix length, separated by commas. Their requests without that header are not limited
    #[arg(long, env = "ASSAM_TRUSTED_PROXIES", value_name = "NETWORK", value_delimiter = ',', value_parser = network, default_value = "127.0.0.0/8,::1")]
    trusted_proxies: Vec<IpNet>,
    /// The maximum number of bulk requests that one address may run at the same time. 0 means no limit
    #[arg(long, env = "ASSAM_BULK_AT_ONCE", default_value_t = 4, value_name = "N")]
    bulk_at_once: u32,
    /// How many connections one address may have open, and also how many streams and waiting requests.
    /// Further connections are closed. Connections from trusted proxies are not limited. 0 means no limit
    #[arg(long, env = "ASSAM_CONNECTIONS", default_value_t = 256, value_name = "N")]
    connections: u32,
}

impl LimitArgs {
    /// Returns the limits on clients.
    pub fn settings(&self) -> LimitSettings {
        let trusted_proxies = TrustedProxies(self.trusted_proxies.clone());
        if self.no_limits {
            return LimitSettings { trusted_proxies, ..LimitSettings::NONE };
        }
        LimitSettings {
            rates: Rates::with(&self.rate),
            trusted_proxies,
            bulk_at_once: self.bulk_at_once,
            connections: self.connections,
        }
    }
}

/// Raises the limit on open files as far as the system allows, and returns how many connections that permits.
pub fn connections() -> usize {
    // If the limit cannot be raised, it is unchanged. If it is unknown, there is none.
    let files = rlimit::increase_nofile_limit(MANY).unwrap_or(MANY);
    files.saturating_sub(OTHER_FILES).clamp(1, MANY).try_into().unwrap_or(usize::MAX)
}

/// Reads a network, or an address as a network with one address.
fn network(text: &str) -> Result<IpNet, String> {
    let read = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    read.map_err(|_| "expected a network such as 10.0.0.0/8, or an address".to_owned())
}
