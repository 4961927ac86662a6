//! What processes on one database tell each other: which games have changed. It is told after the change, on a connection of its own, and may
//! get lost: whoever follows a game looks at it now and then.

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

/// The channel, in SQL: a database may have several services, each in a schema of its own.
const CHANNEL: &str = "'assam_games_' || current_schema()::regnamespace::oid";
/// What is told when the feed for lobbies has new entries.
const FED: &str = "feed";
/// What a process tells that has come, and what others answer, and tell now and then.
const COME: &str = "come";
const THERE: &str = "there";
/// What stands before seats that are connected.
const PRESENT: &str = "here ";
/// What stands after a game whose seats have changed.
const SEATED: &str = "+";
/// How many games are named in one message, which has room for 8000 bytes.
const MOST: usize = 200;
/// How long it may take to tell something: nothing that matters hangs on it.
const PATIENCE: Duration = Duration::from_secs(1);
/// How long a connection may be silent before it is looked at whether it is there.
const SILENCE: Duration = Duration::from_secs(5);
/// What is told need not outlive a crash.
const LIGHT: &str = "-c synchronous_commit=off -c statement_timeout=1s";

/// What one process tells the others, and hears of them.
pub(super) struct PostgresPeerBus {
    servers: Servers,
    telling: Pool,
    /// Tells this process from the others.
    sender: String,
}

impl PostgresPeerBus {
    /// Prepares connections; the first use connects.
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

    /// Tells the other processes that games have changed.
    ///
    /// # Errors
    /// Of the database; where it takes too long.
    pub(super) async fn tell(&self, games: &[ChangedGame]) -> Result<(), StoreError> {
        let text = |games: &[ChangedGame]| games.iter().map(write).collect::<Vec<_>>().join(" ");
        self.tell_each(games.chunks(MOST).map(text)).await
    }

    /// Tells the other processes that the feed for lobbies has new entries.
    ///
    /// # Errors
    /// As [`PostgresPeerBus::tell`].
    pub(super) async fn announce_feed(&self) -> Result<(), StoreError> {
        self.tell_each([FED.to_owned()]).await
    }

    /// Tells the other processes that this one is there.
    ///
    /// # Errors
    /// As [`PostgresPeerBus::tell`].
    pub(super) async fn announce_process(&self, is_new: bool) -> Result<(), StoreError> {
        self.tell_each([(if is_new { COME } else { THERE }).to_owned()]).await
    }

    /// Tells the other processes which seats are connected here.
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

    /// Hears what other processes tell, until the connection fails or is given up.
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
