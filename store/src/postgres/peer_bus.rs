//! Notifications between processes on one database, mainly about changed games. They are sent after the
//! change, on a separate connection, and may get lost, so every follower also polls its game.

use std::time::{Duration, Instant};

use assam_record::entropy;
use assam_record::hex::digits;
use assam_rules::Seat;
use deadpool_postgres::Pool;
use futures_util::{StreamExt as _, stream};
use tokio::time::timeout;
use tokio_postgres::AsyncMessage;

use super::connection::servers::Servers;
use super::connection::session::{pool, session};
use super::error::PostgresFault;
use crate::health::database_fault::DatabaseError as _;
use crate::{ChangedGame, PeerMessage, PresentIn, StoreError};

/// The channel, in SQL. A database may have several services, each in a separate schema.
const CHANNEL: &str = "'assam_games_' || current_schema()::regnamespace::oid";
/// The message that the feed for lobbies has new entries.
const FED: &str = "feed";
/// The message of a new process. Existing processes reply to it, and announce themselves now and then.
const COME: &str = "come";
const THERE: &str = "there";
/// The prefix of connected seats.
const PRESENT: &str = "here ";
/// The suffix of a game whose seats have changed.
const SEATED: &str = "+";
/// Games in one message, which has space for 8000 bytes.
const MOST: usize = 200;
/// How long a notification may take. Nothing important depends on it.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a connection may be silent before a check.
const SILENCE: Duration = Duration::from_secs(5);
/// Notifications need not survive a crash.
const LIGHT: &str = "-c synchronous_commit=off -c statement_timeout=1s";

/// Sends and receives notifications.
pub(super) struct PostgresPeerBus {
    servers: Servers,
    telling: Pool,
    /// Distinguishes this process from the others.
    sender: String,
}

impl PostgresPeerBus {
    /// Prepares connections. The first use connects.
    ///
    /// # Errors
    /// As [`pool`].
    pub(super) fn new(servers: &Servers) -> Result<Self, StoreError> {
        let telling = pool(servers, LIGHT, 1)?;
        let servers = servers.with(|config| {
            config.keepalives_idle(SILENCE).keepalives_interval(SILENCE).keepalives_retries(2);
        });
        Ok(Self { servers, telling, sender: digits(entropy::process_id()) })
    }

    /// Announces changed games to the other processes.
    ///
    /// # Errors
    /// Database errors, and if it takes too long.
    pub(super) async fn tell(&self, games: &[ChangedGame]) -> Result<(), StoreError> {
        let text = |games: &[ChangedGame]| games.iter().map(write).collect::<Vec<_>>().join(" ");
        self.tell_each(games.chunks(MOST).map(text)).await
    }

    /// Announces new entries of the feed for lobbies to the other processes.
    ///
    /// # Errors
    /// As [`PostgresPeerBus::tell`].
    pub(super) async fn announce_feed(&self) -> Result<(), StoreError> {
        self.tell_each([FED.to_owned()]).await
    }

    /// Announces this process to the others.
    ///
    /// # Errors
    /// As [`PostgresPeerBus::tell`].
    pub(super) async fn announce_process(&self, is_new: bool) -> Result<(), StoreError> {
        self.tell_each([(if is_new { COME } else { THERE }).to_owned()]).await
    }

    /// Announces the seats that are connected here to the other processes.
    ///
    /// # Errors
    /// As [`PostgresPeerBus::tell`].
    pub(super) async fn announce_presence(&self, here: &[PresentIn]) -> Result<(), StoreError> {
        let text = |here: &[PresentIn]| {
            let here: Vec<String> = here.iter().map(write_present).collect();
            format!("{PRESENT}{}", here.join(" "))
        };
        self.tell_each(here.chunks(MOST).map(text)).await
    }

    async fn tell_each(
        &self,
        texts: impl IntoIterator<Item = String, IntoIter: Send> + Send,
    ) -> Result<(), StoreError> {
        let texts = texts.into_iter();
        let telling = async {
            let session = session(&self.telling).await?;
            let notify = session.prepare_cached(&format!("SELECT pg_notify({CHANNEL}, $1)")).await?;
            for text in texts {
                let message = format!("{} {text}", self.sender);
                session.query(&notify, &[&message]).await?;
            }
            Ok::<_, PostgresFault>(())
        };
        let told = timeout(PATIENCE, telling).await;
        Ok(told.map_err(|_| StoreError::Unavailable("no response in time".to_owned()))??)
    }

    /// Receives notifications until the connection fails or is given up.
    pub(super) async fn listen(&self, heard: &(dyn Fn(PeerMessage) + Send + Sync)) -> StoreError {
        let listening = async { Err::<(), _>(PostgresFault::Store(self.listen_on_one(heard).await)) };
        let ended = self.servers.meanwhile(Instant::now(), listening).await;
        ended.map_or_else(StoreError::from, |()| {
            StoreError::Unavailable("the connection has ended".to_owned())
        })
    }

    async fn listen_on_one(&self, heard: &(dyn Fn(PeerMessage) + Send + Sync)) -> StoreError {
        let lost = |error: tokio_postgres::Error| StoreError::Unavailable(error.describe());
        let (client, mut connection) = match self.servers.begin().await {
            Ok(connected) => connected,
            Err(error) => return lost(error),
        };
        let mut messages = stream::poll_fn(move |context| connection.poll_message(context));
        let listening = async {
            let channel: String = client.query_one(&format!("SELECT {CHANNEL}"), &[]).await?.try_get(0)?;
            client.batch_execute(&format!("LISTEN {channel}")).await
        };
        tokio::pin!(listening);
        let mut is_listening = false;
        loop {
            tokio::select! {
                listens = &mut listening, if !is_listening => match listens {
                    Ok(()) => {
                        is_listening = true;
                        heard(PeerMessage::Listening);
                    }
                    Err(error) => return lost(error),
                },
                message = messages.next() => match message {
                    Some(Ok(AsyncMessage::Notification(told))) => {
                        let (sender, text) = told.payload().split_once(' ').unwrap_or_default();
                        if sender != self.sender {
                            heard(read(text));
                        }
                    }
                    Some(Ok(_)) => {}
                    Some(Err(error)) => return lost(error),
                    None => return StoreError::Unavailable("the connection has ended".to_owned()),
                },
            }
        }
    }
}

fn read(text: &str) -> PeerMessage {
    if let Some(here) = text.strip_prefix(PRESENT) {
        return PeerMessage::Present(here.split(' ').filter_map(read_present).collect());
    }
    match text {
        FED => PeerMessage::Fed,
        COME => PeerMessage::Process { is_new: true },
        THERE => PeerMessage::Process { is_new: false },
        games => PeerMessage::Changed(games.split(' ').filter_map(read_game).collect()),
    }
}

fn write_present(PresentIn { id, seats }: &PresentIn) -> String {
    let seats: String = seats.iter().map(|seat| seat.letter()).collect();
    format!("{id}:{seats}")
}

fn read_present(text: &str) -> Option<PresentIn> {
    let (id, seats) = text.split_once(':')?;
    let seats: Vec<Seat> = seats.chars().map(Seat::from_letter).collect::<Option<_>>()?;
    Some(PresentIn { id: id.parse().ok()?, seats: seats.into_iter().take(Seat::MAX.into()).collect() })
}

fn write(ChangedGame { id, is_seated }: &ChangedGame) -> String {
    format!("{id}{}", if *is_seated { SEATED } else { "" })
}

fn read_game(text: &str) -> Option<ChangedGame> {
    let (id, is_seated) = text.strip_suffix(SEATED).map_or((text, false), |id| (id, true));
    Some(ChangedGame { id: id.parse().ok()?, is_seated })
}
