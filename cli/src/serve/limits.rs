//! What clients of `assam serve` may do.

use std::net::IpAddr;

use assam_api::http::{LimitSettings, Rates, SetRate, TrustedProxies};
use clap::Args;
use ipnet::IpNet;

/// Files that are no connections: databases, logs, and what waits to be read.
const OTHER_FILES: u64 = 256;
/// How many connections there may be where the system sets no limit on files.
const MANY: u64 = 1 << 20;

/// Arguments about what clients may do.
#[derive(Args, Clone)]
pub struct LimitArgs {
    /// How often one secret may do something, as moves=20/s:200 (20 a second, 200 at once) or reads=off; four times as often from
    /// one address. GET /v1/limits has all of them
    #[arg(long, env = "ASSAM_RATE", value_name = "BUCKET=RATE", value_delimiter = ',')]
    rate: Vec<SetRate>,
    /// Set no limits on what clients do
    #[arg(long, env = "ASSAM_NO_LIMITS", conflicts_with_all = ["rate", "bulk_at_once", "connections"])]
    no_limits: bool,
    /// Proxies whose X-Forwarded-For names the client, as addresses with or without a prefix length; what they ask in nobody's
    /// name is not counted
    #[arg(long, env = "ASSAM_TRUSTED_PROXIES", value_name = "NETWORK", value_delimiter = ',', value_parser = network, default_value = "127.0.0.0/8,::1")]
    trusted_proxies: Vec<IpNet>,
    /// How many requests about many records one address may have under way; 0 for any number
    #[arg(long, env = "ASSAM_BULK_AT_ONCE", default_value_t = 4, value_name = "N")]
    bulk_at_once: u32,
    /// How many connections one address may have, unless it is a trusted proxy (more are closed), and how many streams and requests that wait; 0 for any
    /// number
    #[arg(long, env = "ASSAM_CONNECTIONS", default_value_t = 256, value_name = "N")]
    connections: u32,
}

impl LimitArgs {
    /// Returns what clients may do.
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

/// Raises the limit on open files as far as the system allows, and returns how many connections there may be then.
pub fn connections() -> usize {
    // Where it cannot be raised, it stays as it is; where it cannot be known, there is none.
    let files = rlimit::increase_nofile_limit(MANY).unwrap_or(MANY);
    files.saturating_sub(OTHER_FILES).clamp(1, MANY).try_into().unwrap_or(usize::MAX)
}

/// Reads a network, or an address, which is a network of its own.
fn network(text: &str) -> Result<IpNet, String> {
    let read = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    read.map_err(|_| {
        "a network is an address with a prefix length, such as 10.0.0.0/8, or an address".to_owned()
    })
}
