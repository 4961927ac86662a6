//! The servers of a URL. If it names several, sessions are with the one that the URL prefers, and a server
//! that hangs holds up none of them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use deadpool_postgres::{Connect, Manager};
use futures_util::future::BoxFuture;
use futures_util::{FutureExt as _, StreamExt as _, stream};
use tokio::runtime::Handle;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::timeout;
use tokio_postgres::config::{Host, TargetSessionAttrs};
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{AsyncMessage, Client, Config, Connection, Error, NoTls, Socket};

use crate::StoreError;
use crate::postgres::error::PostgresFault;

/// How long it may take to begin a session with one server.
const CONNECT: Duration = Duration::from_secs(3);
/// How long a server may take to begin a session if there is another one.
const TURN: Duration = Duration::from_millis(1_200);
/// The beginning of the warning with which Citus commits a change although a server with games of it is lost.
/// When that server returns, it commits its prepared part as soon as Citus asks it to. Until then it shows,
/// and locks, the previous state.
const HALF_COMMITTED: &str = "failed to commit transaction on ";

/// The servers that a URL names, and the settings of their sessions.
#[derive(Clone)]
pub(in crate::postgres) struct Servers {
    /// Shared, since every user of a session also has the servers.
    config: Arc<Config>,
    is_to_read: bool,
    /// The runtime that drives sessions. If none, each is driven by the runtime that begins it.
    home: Option<Handle>,
    state: Arc<Begun>,
}

struct Begun {
    /// The index of the server that is tried first.
    first: AtomicUsize,
    /// The index of the server that has the sessions.
    serving: AtomicUsize,
    /// When the oldest valid session may have begun.
    since: watch::Sender<Option<Instant>>,
    /// Changes that only some of the servers committed.
    half_committed: AtomicU64,
}

impl Servers {
    /// Returns the servers of a URL. Unless they are only read, one of them must accept changes.
    ///
    /// # Errors
    /// [`StoreError::Backend`] if there are not as many addresses as names, or neither one port nor one for
    /// each.
    pub(in crate::postgres) fn new(mut config: Config, is_to_read: bool) -> Result<Self, StoreError> {
        let count = count(&config);
        let lengths = [config.get_hosts().len(), config.get_hostaddrs().len()];
        let ports = config.get_ports().len();
        if lengths.iter().any(|length| *length > 0 && *length != count) || ports > 1 && ports != count {
            return Err(StoreError::Backend(
                "the Postgres URL has unequal numbers of hosts, addresses or ports".into(),
            ));
        }
        if count > 1 && !is_to_read && config.get_target_session_attrs() == TargetSessionAttrs::Any {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let state = Begun {
            first: AtomicUsize::new(0),
            serving: AtomicUsize::new(0),
            since: watch::Sender::new(None),
            half_committed: AtomicU64::new(0),
        };
        Ok(Self { config: Arc::new(config), is_to_read, home: None, state: Arc::new(state) })
    }

    /// Returns how long it may take to begin a session.
    pub(in crate::postgres) fn patience(&self) -> Duration {
        (1..count(&self.config)).fold(CONNECT, |patience, _| patience + TURN)
    }

    /// Returns whether sessions are read-only.
    pub(in crate::postgres) const fn are_to_read(&self) -> bool {
        self.is_to_read
    }

    /// Returns the servers with other settings for their sessions.
    pub(in crate::postgres) fn with(&self, set: impl FnOnce(&mut Config)) -> Self {
        let mut servers = self.clone();
        set(Arc::make_mut(&mut servers.config));
        servers
    }

    /// Returns the servers for sessions that several threads use in turn. The current runtime drives them, if
    /// there is one: a thread of low priority would delay all others.
    pub(in crate::postgres) fn driven_by_current_runtime(&self) -> Self {
        Self { home: Handle::try_current().ok(), ..self.clone() }
    }

    pub(in crate::postgres) fn are_many(&self) -> bool {
        count(&self.config) > 1
    }

    /// Gives up all existing sessions.
    fn give_up(&self) {
        self.state.since.send_replace(Some(Instant::now()));
    }

    /// Returns whether a session that began at this time was given up.
    pub(in crate::postgres) fn have_given_up(&self, begun: Instant) -> bool {
        self.state.since.borrow().is_some_and(|since| begun < since)
    }

    /// Runs work with a session that began at this time, unless the session is given up.
    ///
    /// # Errors
    /// The errors of the work, and [`StoreError::Unavailable`] if the session is given up.
    pub(in crate::postgres) async fn meanwhile<T>(
        &self,
        begun: Instant,
        work: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        let mut since = self.state.since.subscribe();
        if self.have_given_up(begun) {
            since.mark_changed();
        }
        tokio::select! {
            outcome = work => outcome,
            _ = since.changed() => Err(PostgresFault::Store(StoreError::Unavailable("it has stopped responding".into()))),
        }
    }

    /// Makes a change, and makes sure that every server has committed it.
    ///
    /// # Errors
    /// The errors of the change, and [`StoreError::Unavailable`] if a server may not have committed it yet.
    pub(in crate::postgres) async fn committed<T>(
        &self,
        change: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        let half_committed = || self.state.half_committed.load(Ordering::Relaxed);
        let before = half_committed();
        let outcome = change.await?;
        if half_committed() == before {
            return Ok(outcome);
        }
        // Includes changes of other sessions. A client that repeats the change finds it.
        Err(PostgresFault::Store(StoreError::Unavailable("one of its servers has yet to commit".into())))
    }

    /// Begins a session with the first server that responds in time and matches the URL, trying the last
    /// successful one before all others. If it is another one than before, all sessions with that one are
    /// given up. Without a response, it tries again and again.
    ///
    /// # Errors
    /// The error of the last server that responded.
    pub(in crate::postgres) async fn begin(
        &self,
    ) -> Result<(Client, Connection<Socket, NoTlsStream>), Error> {
        let (count, state) = (count(&self.config), &self.state);
        if count < 2 {
            return self.config.connect(NoTls).await;
        }
        loop {
            let (first, mut refused) = (state.first.load(Ordering::Relaxed), None);
            for place in (first..first + count).map(|place| place % count) {
                match timeout(TURN, alone(&self.config, place).connect(NoTls)).await {
                    Ok(Ok(begun)) => {
                        state.first.store(place, Ordering::Relaxed);
                        if state.serving.swap(place, Ordering::Relaxed) != place {
                            self.give_up();
                        }
                        return Ok(begun);
                    }
                    Ok(Err(error)) => refused = Some(error),
                    Err(_) => state.first.store((place + 1) % count, Ordering::Relaxed),
                }
            }
            if let Some(error) = refused {
                return Err(error);
            }
        }
    }

    /// Returns the manager of sessions for a pool.
    pub(in crate::postgres) fn manager(&self) -> Manager {
        Manager::from_connect((*self.config).clone(), self.clone(), <_>::default())
    }
}

impl Connect for Servers {
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), Error>> {
        let begin = |servers: Self| async move {
            let (client, connection) = servers.begin().await?;
            Ok((client, tokio::spawn(drive(connection, servers.state))))
        };
        async move {
            // A socket belongs to the runtime that opened it. If the caller stops waiting, the attempt to
            // begin a session is dropped.
            let mut at_home = JoinSet::new();
            if let Some(home) = &self.home {
                at_home.spawn_on(begin(self.clone()), home);
            }
            match at_home.join_next().await {
                Some(Ok(begun)) => begun,
                // That runtime is gone.
                Some(Err(_)) | None => begin(self.clone()).await,
            }
        }
        .boxed()
    }
}

/// Drives a session to its end. Notices about a change come before its outcome.
async fn drive(mut connection: Connection<Socket, NoTlsStream>, state: Arc<Begun>) {
    let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
    while let Some(Ok(message)) = messages.next().await {
        if let AsyncMessage::Notice(notice) = message
            && notice.message().starts_with(HALF_COMMITTED)
        {
            state.half_committed.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn count(config: &Config) -> usize {
    config.get_hosts().len().max(config.get_hostaddrs().len())
}

/// Returns the settings with only the server at this index.
fn alone(config: &Config, place: usize) -> Config {
    let mut one = Config::new();
    match config.get_hosts().get(place) {
        Some(Host::Tcp(name)) => drop(one.host(name)),
        #[cfg(unix)]
        Some(Host::Unix(path)) => drop(one.host_path(path)),
        None => {}
    }
    if let Some(address) = config.get_hostaddrs().get(place) {
        one.hostaddr(*address);
    }
    let ports = config.get_ports();
    if let Some(port) = ports.get(place).or(ports.first()) {
        one.port(*port);
    }
    set(&mut one, config.get_user(), Config::user);
    set(&mut one, config.get_password(), Config::password);
    set(&mut one, config.get_dbname(), Config::dbname);
    set(&mut one, config.get_options(), Config::options);
    set(&mut one, config.get_application_name(), Config::application_name);
    set(&mut one, config.get_connect_timeout().copied(), Config::connect_timeout);
    set(&mut one, config.get_tcp_user_timeout().copied(), Config::tcp_user_timeout);
    set(&mut one, config.get_keepalives_interval(), Config::keepalives_interval);
    set(&mut one, config.get_keepalives_retries(), Config::keepalives_retries);
    one.ssl_mode(config.get_ssl_mode())
        .ssl_negotiation(config.get_ssl_negotiation())
        .keepalives(config.get_keepalives())
        .keepalives_idle(config.get_keepalives_idle())
        .target_session_attrs(config.get_target_session_attrs())
        .channel_binding(config.get_channel_binding());
    one
}

fn set<T>(config: &mut Config, value: Option<T>, set: impl FnOnce(&mut Config, T) -> &mut Config) {
    if let Some(value) = value {
        set(config, value);
    }
}
