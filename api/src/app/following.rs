//! Looking after games that are followed here and may change elsewhere: other processes write, too.
//!
//! What they tell makes it fast. What is true is read: a message may be lost, and none is trusted.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::{join_all, join4};
use tokio::sync::mpsc;
use tokio::time::interval;

use super::App;
use crate::game::GameId;
use crate::store::{ChangedGame, Heard, Version};

/// How long a change by another process may stay unseen, where nobody tells of it.
const DEAF: Duration = Duration::from_millis(100);
/// The same where it is told: a message may be lost.
const LISTENING: Duration = Duration::from_secs(1);
/// How long to wait for each game that is looked at: so however many are followed, that takes little of the database.
const EACH: Duration = Duration::from_micros(50);
/// How often other processes are told who is connected here. Whoever is not any more stays connected for two to three times that long.
const BEAT: Duration = Duration::from_secs(5);
/// How long to wait before listening again.
const PAUSE: Duration = Duration::from_millis(500);

impl App {
    /// Returns how many games are followed here.
    pub fn followed_games(&self) -> usize {
        self.door.hub().len()
    }

    /// Tells other processes what changes here, and followers of games here what changes there. It never returns.
    pub async fn keep_following(self: Arc<Self>) {
        join4(self.keep_looking(), self.keep_listening(), self.keep_telling(), self.keep_presence()).await;
    }

    /// Looks again and again how the games stand that are followed here.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
    async fn keep_looking(&self) {
        loop {
            let pause = if self.door.news().is_heard() { LISTENING } else { DEAF };
            let followed = u32::try_from(self.followed_games()).unwrap_or(u32::MAX);
            tokio::time::sleep(pause.max(EACH.saturating_mul(followed))).await;
            self.look_at(self.door.hub().versions()).await;
        }
    }

    /// Listens to what other processes tell, again and again.
    #[expect(clippy::disallowed_methods, reason = "before it listens again")]
    async fn keep_listening(&self) {
        let (noted, mut changed) = mpsc::unbounded_channel();
        let hear = async {
            loop {
                let hear = |heard| match heard {
                    Heard::Listening => self.door.news().hears(true),
                    Heard::Fed => self.door.feed().note(),
                    Heard::Present(here) => here.iter().for_each(|here| self.door.hub().hear_present(here)),
                    // Whoever takes them is beside this.
                    Heard::Changed(games) => drop(noted.send(games)),
                };
                let why = self.door.reads().hear(&hear).await;
                self.door.news().hears(false);
                tracing::debug!("other processes are not heard: {why}");
                tokio::time::sleep(PAUSE).await;
            }
        };
        let look = async {
            let mut games = Vec::new();
            while changed.recv_many(&mut games, 256).await > 0 {
                let changed: Vec<ChangedGame> = games.drain(..).flatten().collect();
                let ids: Vec<GameId> = changed.iter().map(|game| game.id).collect();
                self.look_at(self.door.hub().versions_of(&ids)).await;
                if !self.door.own().is_empty() {
                    let seated = changed.iter().filter(|game| game.is_seated);
                    join_all(seated.map(|game| self.meet(game.id))).await;
                }
            }
        };
        tokio::select! {
            () = hear => {}
            () = look => {}
        }
    }

    /// Tells other processes what has changed here: what gathers while something is told is told together.
    async fn keep_telling(&self) {
        if !self.door.reads().has_news() {
            return;
        }
        loop {
            let games = self.door.news().take().await;
            // They look for themselves where it fails.
            let _ = self.door.reads().tell_of(&games).await;
        }
    }

    /// Tells other processes who is connected here, and forgets those who are connected no longer.
    async fn keep_presence(&self) {
        let mut beats = interval(BEAT);
        loop {
            let here = tokio::select! {
                _ = beats.tick() => {
                    self.door.hub().beat();
                    self.door.hub().present_here()
                }
                entered = self.door.hub().take_entered() => entered,
            };
            if !here.is_empty() {
                // They are told again soon.
                let _ = self.door.reads().tell_of_presence(&here).await;
            }
        }
    }

    /// Tells those who hold seats of a game that another process has changed these.
    async fn meet(&self, id: GameId) {
        if let Ok(Some(game)) = self.door.load(id).await {
            self.door.own().seated(&game.info);
        }
    }

    /// Looks how games stand, and reads those that are not as known. What the callers of a thread want at once is read with one statement.
    async fn look_at(&self, known: impl IntoIterator<Item = (GameId, Option<Version>)>) {
        join_all(known.into_iter().map(|(id, known)| self.look_at_one(id, known))).await;
    }

    /// Looks how a game stands. What fails is tried again soon.
    async fn look_at_one(&self, id: GameId, known: Option<Version>) {
        let Ok(now) = self.door.reads().version(id).await else { return };
        if now != known {
            // Its followers are told by the door.
            let _ = self.door.load(id).await;
        }
    }
}
