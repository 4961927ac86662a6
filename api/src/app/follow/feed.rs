//! The feed for lobbies: what happens to public games, but for their moves. Whoever changes a game notes it in the same transaction; a
//! position is given to it afterwards, here, and never in a change's way.

use std::sync::Arc;
use std::time::Duration;

use assam_record::clock::now;
use assam_record::feed::{FeedKind, FeedNews, FeedPlace, PlacedNews};
use assam_record::game::{Bytes32, Visibility};
use futures_util::future::try_join_all;
use jiff::{SignedDuration, Timestamp};
use tokio::sync::watch;
use tokio::time::Instant;

use super::feed_board::SharedNews;
use crate::app::background::repeat;
use crate::app::{App, StoreError, Summary};

/// How many entries get positions at once, at most.
const BATCH: u32 = 256;
/// How many entries are told at once, at most.
const PAGE: usize = 100;
/// For how long entries are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);
/// How long to wait before looking for older ones again.
const FORGETTING: Duration = Duration::from_secs(60);

/// Somebody who follows the feed.
pub struct FeedFollower {
    newest: watch::Receiver<FeedPlace>,
    /// Everything up to this place was told; none where there is no such place.
    at: Option<FeedPlace>,
    /// How far there is something to tell, where that is known.
    goal: Option<FeedPlace>,
}

/// A place from which somebody wants to go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedCursor {
    /// The position of the last entry that they have.
    pub position: u64,
    /// Its mark, if they know it.
    pub mark: Option<Bytes32>,
}

/// What a follower of the feed is told next.
pub enum FeedPart {
    /// These entries, and whether that is everything so far.
    Entries(Vec<Arc<SharedNews>>, bool),
    /// There is no place where the follower is, or not any more: it goes on from the head.
    Reset,
}

impl App {
    /// Gives positions to changes of public games, and sends them to followers of the feed. It never returns.
    pub async fn keep_feed(self: Arc<Self>) {
        let mut forgot: Option<Instant> = None;
        repeat("the feed of games goes on later", async || {
            self.game_writer.feed().wait(self.game_writer.outbox().is_listening()).await;
            let is_to_read = self.reads.is_to_read();
            if !is_to_read {
                self.place_feed().await?;
            }
            self.look_at_feed().await?;
            if !is_to_read && forgot.is_none_or(|at| at.elapsed() >= FORGETTING) {
                forgot = Some(Instant::now());
                self.forget_feed().await?;
            }
            Ok::<_, StoreError>(Duration::ZERO)
        })
        .await;
    }

    /// Gives positions to whatever waits.
    ///
    /// # Errors
    /// Of the store.
    pub async fn place_feed(self: &Arc<Self>) -> Result<(), StoreError> {
        let mut is_placed = false;
        loop {
            let app = Arc::clone(self);
            match self.run_service_write(async move { app.feed.place_feed(BATCH).await }).await? {
                Ok(Some(0)) => break,
                // Another process gives positions, and may not have seen what this one wrote.
                Ok(None) | Err(StoreError::Conflict) => {
                    self.game_writer.feed().note();
                    break;
                }
                Ok(Some(placed)) => {
                    is_placed = true;
                    // What came meanwhile gathers for the next time.
                    if placed < BATCH as usize {
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        if is_placed && self.game_writer.outbox().has_peers() {
            // They look for themselves where it fails.
            let _ = self.peers.announce_feed().await;
        }
        Ok(())
    }

    /// Forgets what is older than entries are kept.
    async fn forget_feed(self: &Arc<Self>) -> Result<(), StoreError> {
        let before = now().saturating_sub(KEPT).unwrap_or(Timestamp::MIN);
        let app = Arc::clone(self);
        self.run_service_write(async move {
            while app.feed.forget_feed(before).await? {}
            Ok(())
        })
        .await?
    }

    /// Looks how far the feed is, if somebody follows it.
    async fn look_at_feed(&self) -> Result<(), StoreError> {
        let board = self.game_writer.feed();
        while board.is_followed() {
            let known = board.newest();
            let head = self.feed.feed_head().await?;
            if head == known {
                break;
            }
            match self.feed_page(known).await? {
                Some(page) => board.tell(page),
                // The database was restored.
                None => board.begin_at(head),
            }
        }
        Ok(())
    }

    /// Returns the entries after a place, some of them where there are many; none where there is no such place, or not any more.
    async fn feed_page(&self, after: FeedPlace) -> Result<Option<Vec<Arc<SharedNews>>>, StoreError> {
        loop {
            let page = self.feed.feed_entries(after.position + 1, PAGE as u32).await?;
            if let Some(first) = page.first() {
                let follows = after.next(&first.news) == first.place;
                return if follows { Ok(Some(self.shared(page).await?)) } else { Ok(None) };
            }
            let head = self.feed.feed_head().await?;
            if head.position <= after.position {
                return Ok((head == after).then(Vec::new));
            }
        }
    }

    /// Reads the games of entries as they stand now.
    async fn shared(&self, page: Vec<PlacedNews>) -> Result<Vec<Arc<SharedNews>>, StoreError> {
        let shared = page.into_iter().map(|placed| async move {
            let game = self.told_game(&placed.news).await?;
            Ok(SharedNews::new(placed, game))
        });
        try_join_all(shared).await
    }

    /// Returns the game that an entry is about, if everybody may list it now.
    async fn told_game(&self, news: &FeedNews) -> Result<Option<Summary>, StoreError> {
        if news.kind == FeedKind::Removed {
            return Ok(None);
        }
        let game = match self.game_writer.load(news.game).await {
            // Lists leave it out, too.
            Err(StoreError::Unreadable { .. }) => None,
            game => game?,
        };
        let Some(game) = game else { return Ok(None) };
        if game.info.visibility != Visibility::Public || game.info.removed.is_some() {
            return Ok(None);
        }
        Ok(Summary::from_game(&game)
            .inspect_err(|damaged| tracing::warn!("the feed leaves a game out: {damaged}"))
            .ok())
    }

    /// Follows the feed from a place on, or from its head.
    ///
    /// # Errors
    /// Of the store.
    pub async fn follow_feed(&self, from: Option<FeedCursor>) -> Result<FeedFollower, StoreError> {
        let board = self.game_writer.feed();
        if !board.is_followed() {
            let head = self.feed.feed_head().await?;
            // Somebody else may have begun meanwhile. Nothing is awaited between this and listening: who hangs up may never go on.
            if !board.is_followed() {
                board.begin_at(head);
            }
        }
        // Followed before it is read: no entry is missed between the two.
        let newest = board.listen();
        let head = self.feed.feed_head().await?;
        let at = match from {
            None => Some(head),
            Some(FeedCursor { position, mark: Some(mark) }) => Some(FeedPlace { position, mark }),
            Some(FeedCursor { position: 0, mark: None }) => Some(FeedPlace::BEGINNING),
            Some(FeedCursor { position, mark: None }) => {
                let entries = self.feed.feed_entries(position, 1).await?;
                entries.first().map(|entry| entry.place).filter(|place| place.position == position)
            }
        };
        Ok(FeedFollower { newest, at, goal: Some(head) })
    }

    /// Returns what a follower of the feed is told next.
    ///
    /// # Errors
    /// Of the store.
    pub async fn feed_after(&self, follower: &mut FeedFollower) -> Result<FeedPart, StoreError> {
        let newest = *follower.newest.borrow_and_update();
        let (goal, is_catching_up) = match follower.goal.take() {
            Some(goal) => (goal, true),
            None => (newest, false),
        };
        let page = match follower.at {
            // What came since the goal was set is told next: nobody is woken for it again.
            Some(at) if at == goal => {
                return Ok(FeedPart::Entries(Vec::new(), newest.position <= at.position));
            }
            // What all are told together was read a moment ago; whoever comes later is shown games as they stand then.
            Some(at) => match self.game_writer.feed().after(at).filter(|_| !is_catching_up) {
                Some(page) => Some(page),
                None => self.feed_page(at).await?,
            },
            None => None,
        };
        let Some(page) = page else {
            let head = self.feed.feed_head().await?;
            (follower.at, follower.goal) = (Some(head), Some(head));
            return Ok(FeedPart::Reset);
        };
        let is_all = page.len() < PAGE;
        follower.at = page.last().map(|last| last.placed.place).or(follower.at);
        follower.goal = Some(goal).filter(|_| !is_all);
        Ok(FeedPart::Entries(page, is_all))
    }
}

impl FeedFollower {
    /// Waits until there may be something to tell.
    pub async fn changed(&mut self) {
        // The sender lives as long as the application.
        let _ = self.newest.changed().await;
    }

    /// Returns up to where everything was told.
    pub fn at(&self) -> FeedPlace {
        self.at.unwrap_or(FeedPlace::BEGINNING)
    }
}
