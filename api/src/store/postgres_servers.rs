//! The servers of a URL: where it names several, sessions are with whichever of them the URL asks for, and none that hangs holds them up.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use deadpool_postgres::{Connect, Manager};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::Host;
use tokio_postgres::tls::NoTlsStream;
use tokio_postgres::{Client, Config, Connection, Error, NoTls, Socket};

use super::StoreError;
use super::postgres_error::PostgresFault;

/// How long a server may take to begin a session, where there is another one to ask.
const TURN: Duration = Duration::from_millis(1_200);

/// The servers that a URL names, and how sessions with them are set up.
#[derive(Clone)]
pub(super) struct Servers {
    config: Config,
    state: Arc<Begun>,
}

struct Begun {
    /// The place of the server that began a session last.
    current: AtomicUsize,
    /// Since when the sessions are of use.
    since: watch::Sender<Option<Instant>>,
}

impl Servers {
    pub(super) fn of(config: Config) -> Self {
        let state = Begun { current: AtomicUsize::new(0), since: watch::Sender::new(None) };
        Self { config, state: Arc::new(state) }
    }

    /// Returns the servers with other settings of their sessions.
    pub(super) fn with(&self, set: impl FnOnce(&mut Config)) -> Self {
        let mut servers = self.clone();
        set(&mut servers.config);
        servers
    }

    /// Returns whether there are several.
    pub(super) fn are_many(&self) -> bool {
        count(&self.config) > 1
    }

    /// Gives up all sessions that there are.
    pub(super) fn give_up(&self) {
        self.state.since.send_replace(Some(Instant::now()));
    }

    /// Returns whether a session was given up that began then.
    pub(super) fn have_given_up(&self, begun: Instant) -> bool {
        self.state.since.borrow().is_some_and(|since| begun < since)
    }

    /// Does some work, unless the sessions are given up meanwhile.
    ///
    /// # Errors
    /// Of the work; [`StoreError::Unavailable`] where they are given up.
    pub(super) async fn meanwhile<T>(
        &self,
        work: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        let mut since = self.state.since.subscribe();
        tokio::select! {
            outcome = work => outcome,
            _ = since.changed() => Err(PostgresFault::Store(StoreError::Unavailable("it has stopped answering".into()))),
        }
    }

    /// Begins a session with the first server that answers in time as the URL asks, the one that did last before all others.
    ///
    /// # Errors
    /// Of the last one that answered.
    pub(super) async fn begin(&self) -> Result<(Client, Connection<Socket, NoTlsStream>), Error> {
        let (count, first) = (count(&self.config), self.state.current.load(Ordering::Relaxed));
        let mut refused = None;
        if count > 1 {
            for place in (first..first + count).map(|place| place % count) {
                match timeout(TURN, alone(&self.config, place).connect(NoTls)).await {
                    Ok(Ok(begun)) => {
                        self.state.current.store(place, Ordering::Relaxed);
                        return Ok(begun);
                    }
                    Ok(Err(error)) => refused = Some(error),
                    Err(_) => {}
                }
            }
        }
        match refused {
            Some(error) => Err(error),
            // There is one, or none of them answers: the caller knows how long to wait.
            None => self.config.connect(NoTls).await,
        }
    }

    /// Returns what makes sessions for a pool.
    pub(super) fn manager(&self) -> Manager {
        Manager::from_connect(self.config.clone(), self.clone(), <_>::default())
    }
}

impl Connect for Servers {
    fn connect(&self, _: &Config) -> BoxFuture<'_, Result<(Client, JoinHandle<()>), Error>> {
        async {
            let (client, connection) = self.begin().await?;
            Ok((client, tokio::spawn(async { drop(connection.await) })))
        }
        .boxed()
    }
}

/// How many servers it names.
fn count(config: &Config) -> usize {
    config.get_hosts().len().max(config.get_hostaddrs().len())
}

/// Returns the settings with the server at this place alone.
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
