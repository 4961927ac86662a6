//! Looking after games that are followed here and may change elsewhere: other processes write, too.
//!
//! What they tell makes it fast. What is true is read: a message may be lost, and none is trusted.

use std::sync::Arc;
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::{ChangedGame, PeerMessage, StoreError, Version};
use futures_util::future::{join, join_all, join3};
use tokio::sync::mpsc;
use tokio::time::interval;

use crate::app::App;

/// How long a change by another process may stay unseen, where nobody tells of it.
const DEAF: Duration = Duration::from_millis(100);
/// The same where it is told: a message may be lost.
const LISTENING: Duration = Duration::from_secs(1);
/// How long to wait for each game that is looked at: so however many are followed, that takes little of the database.
const EACH: Duration = Duration::from_micros(50);
/// How long changes gather for other processes after some were told: to tell a few costs as much as to tell many.
const GATHERING: Duration = Duration::from_millis(5);
/// How often other processes are told that this one is there, and who is connected here. Whoever is not any more stays connected for two to three times that long.
const BEAT: Duration = Duration::from_secs(5);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

impl App {
    /// Returns how many games are followed here.
    pub fn followed_games(&self) -> usize {
        self.game_writer.hub().len()
    }

    /// Tells other processes what changes here, and followers of games here what changes there. It never returns.
    pub async fn keep_following(self: Arc<Self>) {
        let tell = join3(self.keep_telling(), self.keep_announcing(), self.keep_presence());
        let look = join(self.keep_looking(), self.keep_looking_at_unconfirmed_writes());
        join3(look, self.keep_listening(), tell).await;
    }

    /// Looks again and again how the games stand that are followed here.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
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

    /// Looks again and again whether games have changed of which that is not known.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
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

    /// Tells those who hold seats of a game what it shows that was not known. What fails is looked at again.
    async fn look_at_unconfirmed(&self, id: GameId) {
        let Ok(Some(Version { revision, .. })) = self.reads.version(id).await else { return };
        if self.game_writer.unconfirmed().shows(id, revision) && self.tell_seat_holders(id).await.is_ok() {
            self.game_writer.outbox().note(ChangedGame { id, is_seated: true });
            self.game_writer.unconfirmed().told(id, revision);
        }
    }

    /// Listens to what other processes tell, again and again.
    #[expect(clippy::disallowed_methods, reason = "before it listens again")]
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
                        // Whoever takes them is beside this.
                        PeerMessage::Changed(games) => drop(noted.send(games)),
                    }
                };
                let why = self.peers.listen(&hear).await;
                self.game_writer.outbox().set_listening(false);
                tracing::debug!("other processes are not heard: {why}");
                tokio::time::sleep(PAUSE).await;
            }
        };
        let look = async {
            let mut games = Vec::new();
            while changed.recv_many(&mut games, 256).await > 0 {
                let changed: Vec<ChangedGame> = games.drain(..).flatten().collect();
                let ids: Vec<GameId> = changed.iter().map(|game| game.id).collect();
                // Where it fails, it is looked at again like all others.
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

    /// Tells other processes what has changed here: at once what comes alone, and together what gathers after that.
    #[expect(clippy::disallowed_methods, reason = "while more gathers")]
    async fn keep_telling(&self) {
        if !self.peers.reaches_peers() {
            return;
        }
        loop {
            let games = self.game_writer.outbox().take().await;
            if self.game_writer.outbox().has_peers() {
                // They look for themselves where it fails.
                let _ = self.peers.announce_changes(&games).await;
            }
            tokio::time::sleep(GATHERING).await;
        }
    }

    /// Tells other processes that this one is there: when it has come, when another one has, and now and then.
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
            // They are told again soon.
            let _ = self.peers.announce_process(is_new).await;
        }
    }

    /// Tells other processes who is connected here, and forgets those who are connected no longer.
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
                // They are told again soon.
                let _ = self.peers.announce_presence(&here).await;
            }
        }
    }

    /// Tells those who hold seats of a game that these have changed.
    async fn tell_seat_holders(&self, id: GameId) -> Result<(), StoreError> {
        if let Some(game) = self.game_writer.load(id).await? {
            self.game_writer.own().seated(&game.info);
        }
        Ok(())
    }

    /// Looks how games stand, and reads those that are not as known. What the callers of a thread want at once is read with one statement.
    /// Returns whether nothing failed.
    async fn look_at(&self, known: impl IntoIterator<Item = (GameId, Option<Version>)>) -> bool {
        let looks = known.into_iter().map(|(id, known)| self.look_at_one(id, known));
        join_all(looks).await.iter().all(Result::is_ok)
    }

    /// Looks how a game stands.
    async fn look_at_one(&self, id: GameId, known: Option<Version>) -> Result<(), StoreError> {
        if self.reads.version(id).await? != known {
            // The game writer tells its followers.
            self.game_writer.load(id).await?;
        }
        Ok(())
    }
}
