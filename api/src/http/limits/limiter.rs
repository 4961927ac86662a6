//! Counts what clients do, and refuses what exceeds a limit.

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

/// How often a network may do what one secret may do once. Several people may share an address.
pub const SECRETS_OF_A_NETWORK: u32 = 4;
/// How often join codes may be tried for a game, relative to one secret.
pub const CODES_OF_A_GAME: u32 = 10;

/// The number of secrets counted. Beyond it, because they may be made up to fill the memory, only addresses
/// are counted.
const MANY_SECRETS: usize = 100_000;

/// The limits for clients.
#[derive(Clone, Debug)]
pub struct LimitSettings {
    /// The rates for one secret.
    pub rates: Rates,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
    /// The bulk requests that one network may have in progress, or 0 for any number.
    pub bulk_at_once: u32,
    /// The connections of one network that is not a trusted proxy, or 0 for any number.
    pub connections: u32,
}

impl LimitSettings {
    /// No limits.
    pub const NONE: Self = Self {
        rates: Rates::NONE,
        trusted_proxies: TrustedProxies(Vec::new()),
        bulk_at_once: 0,
        connections: 0,
    };
}

type Gcra<K> = RateLimiter<K, HashMapStateStore<K>, MonotonicClock, NoOpMiddleware<std::time::Instant>>;

/// The counters of one bucket.
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
    /// Streams and waiting requests. Behind a trusted proxy, connections cannot be counted by client.
    streams: AtOnce,
    refused: [Total; Bucket::ALL.len()],
    refused_bulk: Total,
    refused_connections: Total,
    refused_streams: Total,
}

/// The sender of a request. Nothing is counted for a trusted proxy's own requests.
#[derive(Clone, Copy, Default, Debug)]
pub struct Client {
    network: Option<Network>,
    secret: Option<u64>,
}

impl Limiter {
    /// Returns an empty limiter.
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

    /// Counts a refusal.
    pub fn note_refused(&self, bucket: Bucket) {
        self.refused[bucket as usize].add(1);
    }

    /// Returns how often each limit refused something.
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

    /// Returns the sender of a request.
    pub fn client(&self, head: &RequestHead) -> Client {
        let client = self.settings.trusted_proxies.client_of(head, head.peer_addr);
        client.map_or_else(Client::default, |client| Client {
            network: Some(Network::from_address(client)),
            secret: secret_key(head),
        })
    }

    /// Counts one action of a client.
    ///
    /// # Errors
    /// If it exceeds the rate.
    pub fn count(&self, client: Client, bucket: Bucket) -> Result<(), TooMany> {
        self.count_many(client, bucket, NonZeroU32::MIN)
    }

    /// Counts several actions of a client at once.
    ///
    /// # Errors
    /// If they exceed the rate.
    pub fn count_many(&self, client: Client, bucket: Bucket, times: NonZeroU32) -> Result<(), TooMany> {
        let Some(counters) = &self.counters[bucket as usize] else { return Ok(()) };
        let secret = client.secret.filter(|_| counters.secret.1.len() < MANY_SECRETS);
        // The secret comes first, so that its excess takes nothing from others at the same address.
        let of_secret = secret.map_or(Ok(()), |secret| check(&counters.secret, &secret, times));
        of_secret.map_err(|wait| TooMany { bucket, rate: counters.secret.0, of: Whose::Secret, wait })?;
        let of_network = client.network.map_or(Ok(()), |network| check(&counters.network, &network, times));
        of_network.map_err(|wait| TooMany { bucket, rate: counters.network.0, of: Whose::Network, wait })
    }

    /// Counts a join code that a client tries for a game.
    ///
    /// # Errors
    /// If the client, or the game, exceeds the rate.
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

    /// Takes a place for a bulk request.
    ///
    /// # Errors
    /// If its network already has the maximum in progress.
    pub fn bulk_place(&self, client: Client) -> Result<Held, TooManyAtOnce> {
        match client.network {
            None => Ok(Held::default()),
            Some(network) => self.bulk.place(network).ok_or_else(|| {
                self.refused_bulk.add(1);
                TooManyAtOnce::Bulk(self.settings.bulk_at_once)
            }),
        }
    }

    /// Takes a place for a stream or a waiting request.
    ///
    /// # Errors
    /// If its network already has as many as it may have connections.
    pub fn stream_place(&self, client: Client) -> Result<Held, TooManyAtOnce> {
        match client.network {
            None => Ok(Held::default()),
            Some(network) => self.streams.place(network).ok_or_else(|| {
                self.refused_streams.add(1);
                TooManyAtOnce::Streams(self.settings.connections)
            }),
        }
    }

    /// Takes a place for a connection, or none if its network already has the maximum.
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

    /// Forgets clients whose limits are all full again.
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

/// Counts actions. More than the burst counts as the burst.
fn check<K: Clone + Eq + Hash>(
    (rate, counter): &(Rate, Gcra<K>),
    key: &K,
    times: NonZeroU32,
) -> Result<(), Duration> {
    match counter.check_key_n(key, times.min(rate.burst)) {
        Ok(counted) => counted.map_err(|until| until.wait_time_from(counter.clock().now())),
        // The capacity of a rate is never below its burst.
        Err(InsufficientCapacity(_)) => Ok(()),
    }
}
