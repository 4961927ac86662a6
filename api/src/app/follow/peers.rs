//! Updates followed games that other processes may change.
//!
//! Their notifications make this fast. The data is always read, because a message may be lost, and none is
//! trusted.

use std::sync::Arc;
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::{ChangedGame, PeerMessage, StoreError, Version};
use futures_util::future::{join, join_all, join3};
use tokio::sync::mpsc;
use tokio::time::interval;

use crate::app::App;

/// How long a change by another process may stay unseen without notifications.
const DEAF: Duration = Duration::from_millis(100);
/// The same with notifications, because a message may be lost.
const LISTENING: Duration = Duration::from_secs(1);
/// The pause for each game checked, so that checking takes little of the database regardless of their number.
const EACH: Duration = Duration::from_micros(50);
/// How long changes gather after a notification, because notifying of a few costs as much as of many.
const GATHERING: Duration = Duration::from_millis(5);
/// How often other processes are notified that this one is present, and who is connected here. A seat that is
/// no longer connected shows as connected for two to three times that long.
const BEAT: Duration = Duration::from_secs(5);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

impl App {
    /// Returns the number of games followed here.
    pub fn followed_games(&self) -> usize {
        self.game_writer.hub().len()
    }

    /// Notifies other processes of changes here, and followers here of changes elsewhere. Never returns.
    pub async fn keep_following(self: Arc<Self>) {
        let tell = join3(self.keep_telling(), self.keep_announcing(), self.keep_presence());
        let look = join(self.keep_looking(), self.keep_looking_at_unconfirmed_writes());
        join3(look, self.keep_listening(), tell).await;
    }

    /// Repeatedly checks the games that are followed here.
    #[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
    async fn keep_looking(&self) {
        let mut seen = None;
        loop {
            let pause = if self.game_writer.outbox().is_listening() { LISTENING } else { DEAF };
            let followed = u32::try_from(self.followed_games()).unwrap_or(u32::MAX);
            tokio::time::sleep(pause.max(EACH.saturating_mul(followed))).await;
            let changes = self.peers.changes_by_others();
            if changes.is_none() || changes != seen {
                let is_done = self.look_at(self.game_writer.hub().versions()).await;
                seen = changes.filter(|_| is_done);
            }
        }
    }

    /// Repeatedly checks games whose last change is unconfirmed.
    #[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
    async fn keep_looking_at_unconfirmed_writes(&self) {
        let unconfirmed = self.game_writer.unconfirmed();
        loop {
            let games = unconfirmed.to_look_at();
            if games.is_empty() {
                unconfirmed.noted().await;
            }
            join_all(games.into_iter().map(|id| self.look_at_unconfirmed(id))).await;
            tokio::time::sleep(LISTENING).await;
        }
    }

    /// Notifies the seat holders of a game of what was unconfirmed. Failures are retried.
    async fn look_at_unconfirmed(&self, id: GameId) {
        let Ok(Some(Version { revision, .. })) = self.reads.version(id).await else { return };
        if self.game_writer.unconfirmed().shows(id, revision) && self.tell_seat_holders(id).await.is_ok() {
            self.game_writer.outbox().note(ChangedGame { id, is_seated: true });
            self.game_writer.unconfirmed().told(id, revision);
        }
    }

    /// Repeatedly listens to other processes.
    #[expect(clippy::disallowed_methods, reason = "it waits before it listens again")]
    async fn keep_listening(&self) {
        let (noted, mut changed) = mpsc::unbounded_channel();
        let hear = async {
            loop {
                let hear = |heard| {
                    let outbox = self.game_writer.outbox();
                    if heard != PeerMessage::Listening {
                        outbox.peer_seen();
                    }
                    match heard {
                        PeerMessage::Listening => {
                            outbox.set_listening(true);
                            outbox.announce(true);
                        }
                        PeerMessage::Process { is_new: true } => outbox.announce(false),
                        PeerMessage::Process { is_new: false } => {}
                        PeerMessage::Fed => self.game_writer.feed().note(),
                        PeerMessage::Present(here) => {
                            here.iter().for_each(|here| self.game_writer.hub().hear_present(here));
                        }
                        // The receiver runs concurrently.
                        PeerMessage::Changed(games) => drop(noted.send(games)),
                    }
                };
                let why = self.peers.listen(&hear).await;
                self.game_writer.outbox().set_listening(false);
                tracing::debug!("cannot listen to other processes: {why}");
                tokio::time::sleep(PAUSE).await;
            }
        };
        let look = async {
            let mut games = Vec::new();
            while changed.recv_many(&mut games, 256).await > 0 {
                let changed: Vec<ChangedGame> = games.drain(..).flatten().collect();
                let ids: Vec<GameId> = changed.iter().map(|game| game.id).collect();
                // If that fails, the games are checked again like all others.
                let _ = self.look_at(self.game_writer.hub().versions_of(&ids)).await;
                if !self.game_writer.own().is_empty() {
                    let seated = changed.iter().filter(|game| game.is_seated);
                    join_all(seated.map(|game| self.tell_seat_holders(game.id))).await;
                }
            }
        };
        tokio::select! {
            () = hear => {}
            () = look => {}
        }
    }

    /// Notifies other processes of changes here: of a lone change at once, and of those that gather after it
    /// together.
    #[expect(clippy::disallowed_methods, reason = "it waits while more gathers")]
    async fn keep_telling(&self) {
        if !self.peers.reaches_peers() {
            return;
        }
        loop {
            let games = self.game_writer.outbox().take().await;
            if self.game_writer.outbox().has_peers() {
                // If that fails, they look for themselves.
                let _ = self.peers.announce_changes(&games).await;
            }
            tokio::time::sleep(GATHERING).await;
        }
    }

    /// Announces this process to others: when it is new, when another one is, and regularly.
    async fn keep_announcing(&self) {
        if !self.peers.reaches_peers() {
            return;
        }
        let mut beats = interval(BEAT);
        loop {
            let is_new = tokio::select! {
                _ = beats.tick() => false,
                is_new = self.game_writer.outbox().next_announcement() => is_new,
            };
            // The next announcement follows soon.
            let _ = self.peers.announce_process(is_new).await;
        }
    }

    /// Announces to other processes who is connected here, and forgets those who no longer are.
    async fn keep_presence(&self) {
        let mut beats = interval(BEAT);
        loop {
            let here = tokio::select! {
                _ = beats.tick() => {
                    self.game_writer.hub().beat();
                    self.game_writer.hub().present_here()
                }
                entered = self.game_writer.hub().take_entered() => entered,
            };
            if !here.is_empty() {
                // The next announcement follows soon.
                let _ = self.peers.announce_presence(&here).await;
            }
        }
    }

    /// Notifies the seat holders of a game that its seats have changed.
    async fn tell_seat_holders(&self, id: GameId) -> Result<(), StoreError> {
        if let Some(game) = self.game_writer.load(id).await? {
            self.game_writer.own().seated(&game.info);
        }
        Ok(())
    }

    /// Checks the versions of games, and reads those that differ. Concurrent checks of a thread share one
    /// statement. Returns whether nothing failed.
    async fn look_at(&self, known: impl IntoIterator<Item = (GameId, Option<Version>)>) -> bool {
        let looks = known.into_iter().map(|(id, known)| self.look_at_one(id, known));
        join_all(looks).await.iter().all(Result::is_ok)
    }

    /// Checks the version of a game.
    async fn look_at_one(&self, id: GameId, known: Option<Version>) -> Result<(), StoreError> {
        if self.reads.version(id).await? != known {
            // The game writer notifies its followers.
            self.game_writer.load(id).await?;
        }
        Ok(())
    }
}
