//! The sender of a request: an address or network, and a secret.

use std::hash::{BuildHasher as _, RandomState};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::LazyLock;

use actix_web::dev::RequestHead;
use actix_web::http::header::{AUTHORIZATION, X_FORWARDED_FOR};
use ipnet::IpNet;

/// The granularity that tells clients apart: an IPv4 address, or a network of 64 bits. An IPv6 subscriber has
/// at least one of these (RFC 6177).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Network(IpAddr);

impl Network {
    /// Returns the network of an address.
    pub fn from_address(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

/// Proxies whose `X-Forwarded-For` is trusted.
#[derive(Clone, Default, Debug)]
pub struct TrustedProxies(pub Vec<IpNet>);

impl TrustedProxies {
    /// Returns whether one of them has this address.
    pub fn have(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the address of a request's client. If the request comes from one of these proxies, or from a
    /// Unix socket, that is the last address in `X-Forwarded-For` that is not one of these proxies. A Unix
    /// socket has no address, and anyone who can open it is trusted. Other senders' headers are ignored.
    /// Returns none for a proxy's own requests.
    pub fn client_of(&self, head: &RequestHead, peer: Option<SocketAddr>) -> Option<IpAddr> {
        let mut client = peer.map(|peer| peer.ip());
        let is_proxy = |client: Option<IpAddr>| client.is_none_or(|client| self.have(client));
        let fields: Vec<_> = head.headers().get_all(X_FORWARDED_FOR).collect();
        // As bytes, because what a stranger wrote before the proxy's address may not be text.
        for named in fields.iter().rev().flat_map(|field| field.as_bytes().rsplit(|byte| *byte == b',')) {
            if !is_proxy(client) {
                break;
            }
            match address(named.trim_ascii()) {
                Some(address) => client = Some(address),
                None => break,
            }
        }
        client.filter(|client| !self.have(*client))
    }
}

/// Reads an address, which some proxies write with a port.
fn address(named: &[u8]) -> Option<IpAddr> {
    let text = str::from_utf8(named).ok()?;
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    text.trim_matches(['[', ']']).parse().or_else(|_| with_port()).ok()
}

/// Returns a number that identifies the secret of a request while this process runs, or none without a
/// secret.
pub fn secret_key(head: &RequestHead) -> Option<u64> {
    static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
    let sent = head.headers().get(AUTHORIZATION)?;
    // Only the secret: the scheme before it may be in upper case or have more spaces.
    let secret = sent.as_bytes().rsplit(|byte| *byte == b' ').find(|part| !part.is_empty());
    secret.map(|secret| KEYS.hash_one(secret))
}

#[cfg(test)]
mod tests {
    use std::fmt;
    use std::str::FromStr;

    use actix_web::http::header::HeaderValue;
    use actix_web::test::TestRequest;

    use super::*;

    fn read<T: FromStr<Err: fmt::Debug>>(text: &str) -> T {
        text.parse().expect("the text is an address")
    }

    #[test]
    fn the_client_is_the_last_address_that_no_trusted_proxy_has() {
        let proxies = TrustedProxies(vec![read("10.0.0.0/8"), read("::1/128")]);
        let client = |peer: &str, forwarded: &[&str]| {
            let mut req = TestRequest::default();
            for field in forwarded {
                let field = field.replace('?', "\u{ff}");
                let field: Vec<u8> = field.chars().map(|letter| letter as u8).collect();
                let value = HeaderValue::from_bytes(&field).expect("every byte here is allowed in a header");
                req = req.append_header(("X-Forwarded-For", value));
            }
            proxies
                .client_of(req.to_http_request().head(), (peer != "unix").then(|| read(peer)))
                .map_or("nobody".to_owned(), |client| client.to_string())
        };
        // Only trusted proxies are believed.
        assert_eq!(client("192.0.2.1:1", &["198.51.100.9"]), "192.0.2.1");
        assert_eq!(client("10.1.2.3:1", &["198.51.100.9"]), "198.51.100.9");
        assert_eq!(client("[::1]:1", &["198.51.100.9:4711"]), "198.51.100.9");
        assert_eq!(client("[::ffff:10.1.2.3]:1", &["[2001:db8::5]:4711"]), "2001:db8::5");
        assert_eq!(
            client("unix", &["203.0.113.7, 198.51.100.9"]),
            "198.51.100.9",
            "anyone who can open a socket is trusted"
        );
        assert_eq!(client("unix", &[]), "nobody");
        // Everything before the last stranger was written by that stranger.
        assert_eq!(client("10.1.2.3:1", &["203.0.113.7, 198.51.100.9, 10.9.9.9"]), "198.51.100.9");
        assert_eq!(client("10.1.2.3:1", &["203.0.113.7", "198.51.100.9"]), "198.51.100.9");
        assert_eq!(client("10.1.2.3:1", &["?, 198.51.100.9"]), "198.51.100.9", "a byte that is not text");
        // A proxy's own request.
        for own in [&["203.0.113.7, unknown"][..], &["10.1.2.4"], &[]] {
            assert_eq!(client("10.1.2.3:1", own), "nobody");
        }
    }

    #[test]
    fn a_secret_is_the_same_however_its_scheme_is_written() {
        let key = |sent: &str| {
            let req = TestRequest::default().insert_header(("Authorization", sent)).to_http_request();
            secret_key(req.head())
        };
        assert_eq!(key("Bearer abc"), key("bEARER   abc"));
        assert_ne!(key("Bearer abc"), key("Bearer abd"));
    }

    #[test]
    fn a_subscriber_with_many_addresses_is_one_client() {
        let network = |text: &str| Network::from_address(read(text));
        assert_eq!(network("2001:db8:0:1::5"), network("2001:db8:0:1:ffff::"));
        assert_ne!(network("2001:db8:0:1::5"), network("2001:db8:0:2::5"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }
}
