//! Counting what clients do.

use std::hash::Hash;
use std::num::NonZeroU32;
use std::time::Duration;

use actix_web::dev::RequestHead;
use assam_record::game::GameId;
use assam_store::counted::Total;
use governor::clock::{Clock as _, MonotonicClock};
use governor::middleware::NoOpMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{InsufficientCapacity, RateLimiter};

use super::at_once::{AtOnce, Held};
use super::bucket::{Bucket, Rates};
use super::client::{Network, TrustedProxies, secret_key};
use super::rate::Rate;
use super::refusal::{TooMany, TooManyAtOnce, Whose};

/// How many times what one secret may do is done from one network: several people may share an address.
pub const SECRETS_OF_A_NETWORK: u32 = 4;
/// How many times the join codes that one secret may try are tried for one game.
pub const CODES_OF_A_GAME: u32 = 10;

/// How many secrets are counted; where there are more, made up to fill the memory, addresses alone are.
const MANY_SECRETS: usize = 100_000;

/// What clients may do.
#[derive(Clone, Debug)]
pub struct LimitSettings {
    /// How often one secret may do something.
    pub rates: Rates,
    /// Proxies whose `X-Forwarded-For` is believed.
    pub trusted_proxies: TrustedProxies,
    /// How many requests about many records one network may have under way; 0 for any number.
    pub bulk_at_once: u32,
    /// How many connections one network may have, unless it is a trusted proxy; 0 for any number.
    pub connections: u32,
}

impl LimitSettings {
    /// Anything, as often as wanted.
    pub const NONE: Self = Self {
        rates: Rates::NONE,
        trusted_proxies: TrustedProxies(Vec::new()),
        bulk_at_once: 0,
        connections: 0,
    };
}

type Gcra<K> = RateLimiter<K, HashMapStateStore<K>, MonotonicClock, NoOpMiddleware<std::time::Instant>>;

/// What is counted for one bucket.
struct Counters {
    secret: (Rate, Gcra<u64>),
    network: (Rate, Gcra<Network>),
    game: (Rate, Gcra<GameId>),
}

/// Counts what clients do. Workers share it.
pub struct Limiter {
    settings: LimitSettings,
    counters: [Option<Counters>; Bucket::ALL.len()],
    bulk: AtOnce,
    connections: AtOnce,
    /// Streams and requests that wait: behind a trusted proxy, nobody counts whose connections they keep.
    streams: AtOnce,
    refused: [Total; Bucket::ALL.len()],
    refused_bulk: Total,
    refused_connections: Total,
    refused_streams: Total,
}

/// Who sends a request; nobody whom anything is counted for, where a trusted proxy asks for itself.
#[derive(Clone, Copy, Default, Debug)]
pub struct Client {
    network: Option<Network>,
    secret: Option<u64>,
}

impl Limiter {
    /// Returns a limiter that has counted nothing.
    pub fn new(settings: LimitSettings) -> Self {
        let counters = Bucket::ALL.map(|bucket| settings.rates.of(bucket).map(Counters::new));
        let [bulk, connections, streams] =
            [settings.bulk_at_once, settings.connections, settings.connections].map(AtOnce::new);
        let [refused_bulk, refused_connections, refused_streams] = Default::default();
        let refused = Default::default();
        Self {
            settings,
            counters,
            bulk,
            connections,
            streams,
            refused,
            refused_bulk,
            refused_connections,
            refused_streams,
        }
    }

    /// Notes that a client was told that it is too much.
    pub fn note_refused(&self, bucket: Bucket) {
        self.refused[bucket as usize].add(1);
    }

    /// Returns how often each limit was met, and something refused.
    pub fn refused(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let buckets = Bucket::ALL.map(Bucket::name).into_iter().zip(&self.refused);
        let at_once = [
            ("bulk_at_once", &self.refused_bulk),
            ("connections", &self.refused_connections),
            ("streams", &self.refused_streams),
        ];
        buckets.chain(at_once).map(|(limit, count)| (limit, count.get()))
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &LimitSettings {
        &self.settings
    }

    /// Returns who sends a request.
    pub fn client(&self, head: &RequestHead) -> Client {
        let client = self.settings.trusted_proxies.client_of(head, head.peer_addr);
        client.map_or_else(Client::default, |client| Client {
            network: Some(Network::from_address(client)),
            secret: secret_key(head),
        })
    }

    /// Counts something that a client does.
    ///
    /// # Errors
    /// Where it is too much.
    pub fn count(&self, client: Client, bucket: Bucket) -> Result<(), TooMany> {
        self.count_many(client, bucket, NonZeroU32::MIN)
    }

    /// Counts something that a client does several times at once.
    ///
    /// # Errors
    /// Where it is too much.
    pub fn count_many(&self, client: Client, bucket: Bucket, times: NonZeroU32) -> Result<(), TooMany> {
        let Some(counters) = &self.counters[bucket as usize] else { return Ok(()) };
        let secret = client.secret.filter(|_| counters.secret.1.len() < MANY_SECRETS);
        // The secret first: who sends too much with it takes nothing from others at the same address.
        let of_secret = secret.map_or(Ok(()), |secret| check(&counters.secret, &secret, times));
        of_secret.map_err(|wait| TooMany { bucket, rate: counters.secret.0, of: Whose::Secret, wait })?;
        let of_network = client.network.map_or(Ok(()), |network| check(&counters.network, &network, times));
        of_network.map_err(|wait| TooMany { bucket, rate: counters.network.0, of: Whose::Network, wait })
    }

    /// Counts a join code that a client tries for a game.
    ///
    /// # Errors
    /// Where they are too many, of this client or for this game.
    pub fn count_code(&self, client: Client, game: GameId) -> Result<(), TooMany> {
        let bucket = Bucket::JoinCodes;
        self.count(client, bucket)?;
        let Some(counters) = &self.counters[bucket as usize] else { return Ok(()) };
        check(&counters.game, &game, NonZeroU32::MIN).map_err(|wait| TooMany {
            bucket,
            rate: counters.game.0,
            of: Whose::Game,
            wait,
        })
    }

    /// Takes a place for a request about many records.
    ///
    /// # Errors
    /// Where its network has as many under way as it may.
    pub fn bulk_place(&self, client: Client) -> Result<Held, TooManyAtOnce> {
        match client.network {
            None => Ok(Held::default()),
            Some(network) => self.bulk.place(network).ok_or_else(|| {
                self.refused_bulk.add(1);
                TooManyAtOnce::Bulk(self.settings.bulk_at_once)
            }),
        }
    }

    /// Takes a place for a stream, or for a request that waits.
    ///
    /// # Errors
    /// Where its network has as many as it may have connections.
    pub fn stream_place(&self, client: Client) -> Result<Held, TooManyAtOnce> {
        match client.network {
            None => Ok(Held::default()),
            Some(network) => self.streams.place(network).ok_or_else(|| {
                self.refused_streams.add(1);
                TooManyAtOnce::Streams(self.settings.connections)
            }),
        }
    }

    /// Takes a place for a connection; none where its network has as many as it may.
    pub fn connection_place(&self, peer: std::net::IpAddr) -> Option<Held> {
        if self.settings.trusted_proxies.have(peer) {
            return Some(Held::default());
        }
        let place = self.connections.place(Network::from_address(peer));
        if place.is_none() {
            self.refused_connections.add(1);
        }
        place
    }

    /// Forgets clients that have done nothing for so long that they may do everything again.
    pub fn forget(&self) {
        for Counters { secret, network, game } in self.counters.iter().flatten() {
            secret.1.retain_recent();
            network.1.retain_recent();
            game.1.retain_recent();
            secret.1.shrink_to_fit();
            network.1.shrink_to_fit();
            game.1.shrink_to_fit();
        }
    }
}

impl Counters {
    fn new(rate: Rate) -> Self {
        let [network, game] = [SECRETS_OF_A_NETWORK, CODES_OF_A_GAME].map(|factor| rate.times(factor));
        Self {
            secret: (rate, counter(rate)),
            network: (network, counter(network)),
            game: (game, counter(game)),
        }
    }
}

fn counter<K: Clone + Eq + Hash>(rate: Rate) -> Gcra<K> {
    RateLimiter::new(rate.quota(), HashMapStateStore::default(), MonotonicClock)
}

/// Counts something; more than may be done at once counts as that much.
fn check<K: Clone + Eq + Hash>(
    (rate, counter): &(Rate, Gcra<K>),
    key: &K,
    times: NonZeroU32,
) -> Result<(), Duration> {
    match counter.check_key_n(key, times.min(rate.burst)) {
        Ok(counted) => counted.map_err(|until| until.wait_time_from(counter.clock().now())),
        // A rate never has a smaller capacity than its burst.
        Err(InsufficientCapacity(_)) => Ok(()),
    }
}
