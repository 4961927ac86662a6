//! Looking after games that are followed here and may change elsewhere: other processes write, too.
//!
//! What they tell makes it fast. What is true is read: a message may be lost, and none is trusted.

use std::sync::Arc;
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::{ChangedGame, Heard, StoreError, Version};
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
        self.door.hub().len()
    }

    /// Tells other processes what changes here, and followers of games here what changes there. It never returns.
    pub async fn keep_following(self: Arc<Self>) {
        let tell = join3(self.keep_telling(), self.keep_speaking(), self.keep_presence());
        let look = join(self.keep_looking(), self.keep_looking_at_doubtful_games());
        join3(look, self.keep_listening(), tell).await;
    }

    /// Looks again and again how the games stand that are followed here.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
    async fn keep_looking(&self) {
        let mut seen = None;
        loop {
            let pause = if self.door.news().is_heard() { LISTENING } else { DEAF };
            let followed = u32::try_from(self.followed_games()).unwrap_or(u32::MAX);
            tokio::time::sleep(pause.max(EACH.saturating_mul(followed))).await;
            let changes = self.door.reads().changes_by_others();
            if changes.is_none() || changes != seen {
                let is_done = self.look_at(self.door.hub().versions()).await;
                seen = changes.filter(|_| is_done);
            }
        }
    }

    /// Looks again and again whether games have changed of which that is not known.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
    async fn keep_looking_at_doubtful_games(&self) {
        let doubtful = self.door.doubtful();
        loop {
            let games = doubtful.to_look_at();
            if games.is_empty() {
                doubtful.noted().await;
            }
            join_all(games.into_iter().map(|id| self.look_at_doubtful(id))).await;
            tokio::time::sleep(LISTENING).await;
        }
    }

    /// Tells those who hold seats of a game what it shows that was not known. What fails is looked at again.
    async fn look_at_doubtful(&self, id: GameId) {
        let Ok(Some(Version { revision, .. })) = self.door.reads().version(id).await else { return };
        if self.door.doubtful().shows(id, revision) && self.meet(id).await.is_ok() {
            self.door.news().note(ChangedGame { id, is_seated: true });
            self.door.doubtful().told(id, revision);
        }
    }

    /// Listens to what other processes tell, again and again.
    #[expect(clippy::disallowed_methods, reason = "before it listens again")]
    async fn keep_listening(&self) {
        let (noted, mut changed) = mpsc::unbounded_channel();
        let hear = async {
            loop {
                let hear = |heard| {
                    let news = self.door.news();
                    if heard != Heard::Listening {
                        news.meet();
                    }
                    match heard {
                        Heard::Listening => {
                            news.hears(true);
                            news.speak(true);
                        }
                        Heard::Process { is_new: true } => news.speak(false),
                        Heard::Process { is_new: false } => {}
                        Heard::Fed => self.door.feed().note(),
                        Heard::Present(here) => {
                            here.iter().for_each(|here| self.door.hub().hear_present(here));
                        }
                        // Whoever takes them is beside this.
                        Heard::Changed(games) => drop(noted.send(games)),
                    }
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
                // Where it fails, it is looked at again like all others.
                let _ = self.look_at(self.door.hub().versions_of(&ids)).await;
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

    /// Tells other processes what has changed here: at once what comes alone, and together what gathers after that.
    #[expect(clippy::disallowed_methods, reason = "while more gathers")]
    async fn keep_telling(&self) {
        if !self.door.reads().has_news() {
            return;
        }
        loop {
            let games = self.door.news().take().await;
            if self.door.news().has_others() {
                // They look for themselves where it fails.
                let _ = self.door.reads().tell_of(&games).await;
            }
            tokio::time::sleep(GATHERING).await;
        }
    }

    /// Tells other processes that this one is there: when it has come, when another one has, and now and then.
    async fn keep_speaking(&self) {
        if !self.door.reads().has_news() {
            return;
        }
        let mut beats = interval(BEAT);
        loop {
            let is_new = tokio::select! {
                _ = beats.tick() => false,
                is_new = self.door.news().must_speak() => is_new,
            };
            // They are told again soon.
            let _ = self.door.reads().tell_of_process(is_new).await;
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

    /// Tells those who hold seats of a game that these have changed.
    async fn meet(&self, id: GameId) -> Result<(), StoreError> {
        if let Some(game) = self.door.load(id).await? {
            self.door.own().seated(&game.info);
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
        if self.door.reads().version(id).await? != known {
            // Its followers are told by the door.
            self.door.load(id).await?;
        }
        Ok(())
    }
}
