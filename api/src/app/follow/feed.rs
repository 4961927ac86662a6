//! The lobby feed: the events of public games except moves. A change records its events in the same
//! transaction. Their positions are assigned here afterwards, so changes never wait for them.

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

/// The maximum number of entries that get positions at once.
const BATCH: u32 = 256;
/// The maximum number of entries sent at once.
const PAGE: usize = 100;
/// How long entries are kept.
const KEPT: SignedDuration = SignedDuration::from_hours(7 * 24);
/// The interval of searches for older entries.
const FORGETTING: Duration = Duration::from_secs(60);

/// A follower of the feed.
pub struct FeedFollower {
    newest: watch::Receiver<FeedPlace>,
    /// Everything up to this place was sent. None if there is no such place.
    at: Option<FeedPlace>,
    /// How far there is something to send, if known.
    goal: Option<FeedPlace>,
}

/// A place to resume from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedCursor {
    /// The position of the client's last entry.
    pub position: u64,
    /// Its mark, if the client knows it.
    pub mark: Option<Bytes32>,
}

/// The next part for a follower of the feed.
pub enum FeedPart {
    /// Entries, and whether these are all so far.
    Entries(Vec<Arc<SharedNews>>, bool),
    /// The follower's place does not exist, or no longer. It continues from the head.
    Reset,
}

impl App {
    /// Assigns positions to changes of public games, and sends them to followers of the feed. Never returns.
    pub async fn keep_feed(self: Arc<Self>) {
        let mut forgot: Option<Instant> = None;
        repeat("the feed of games cannot be extended yet", async || {
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

    /// Assigns positions to everything that waits.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn place_feed(self: &Arc<Self>) -> Result<(), StoreError> {
        let mut is_placed = false;
        loop {
            let app = Arc::clone(self);
            match self.run_service_write(async move { app.feed.place_feed(BATCH).await }).await? {
                Ok(Some(0)) => break,
                // Another process assigns positions, and may not have seen what this one wrote.
                Ok(None) | Err(StoreError::Conflict) => {
                    self.game_writer.feed().note();
                    break;
                }
                Ok(Some(placed)) => {
                    is_placed = true;
                    // Newer entries gather for the next time.
                    if placed < BATCH as usize {
                        break;
                    }
                }
                Err(error) => return Err(error),
            }
        }
        if is_placed && self.game_writer.outbox().has_peers() {
            // If that fails, other processes look for themselves.
            let _ = self.peers.announce_feed().await;
        }
        Ok(())
    }

    /// Deletes entries older than the retention.
    async fn forget_feed(self: &Arc<Self>) -> Result<(), StoreError> {
        let before = now().saturating_sub(KEPT).unwrap_or(Timestamp::MIN);
        let app = Arc::clone(self);
        self.run_service_write(async move {
            while app.feed.forget_feed(before).await? {}
            Ok(())
        })
        .await?
    }

    /// Reads how far the feed is, if it is followed.
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

    /// Returns the next entries after a place, at most a page. Returns none if the place does not exist, or
    /// no longer.
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

    /// Reads the current games of entries.
    async fn shared(&self, page: Vec<PlacedNews>) -> Result<Vec<Arc<SharedNews>>, StoreError> {
        let shared = page.into_iter().map(|placed| async move {
            let game = self.told_game(&placed.news).await?;
            Ok(SharedNews::new(placed, game))
        });
        try_join_all(shared).await
    }

    /// Returns the game of an entry, if it is currently listed publicly.
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
            .inspect_err(|damaged| tracing::warn!("the feed omits a damaged game: {damaged}"))
            .ok())
    }

    /// Follows the feed from a place, or from its head.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn follow_feed(&self, from: Option<FeedCursor>) -> Result<FeedFollower, StoreError> {
        let board = self.game_writer.feed();
        if !board.is_followed() {
            let head = self.feed.feed_head().await?;
            // Another follower may have begun since. There is no await between this and listening, so that no
            // follower stops here.
            if !board.is_followed() {
                board.begin_at(head);
            }
        }
        // Listening begins before reading, so no entry is missed in between.
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

    /// Returns the next part for a follower of the feed.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn feed_after(&self, follower: &mut FeedFollower) -> Result<FeedPart, StoreError> {
        let newest = *follower.newest.borrow_and_update();
        let (goal, is_catching_up) = match follower.goal.take() {
            Some(goal) => (goal, true),
            None => (newest, false),
        };
        let page = match follower.at {
            // What came since the goal was set follows, without another notification.
            Some(at) if at == goal => {
                return Ok(FeedPart::Entries(Vec::new(), newest.position <= at.position));
            }
            // Shared entries were read a moment ago. Later followers get the current games.
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
    /// Waits until there may be something to send.
    pub async fn changed(&mut self) {
        // The sender lives as long as the application.
        let _ = self.newest.changed().await;
    }

    /// Returns the place up to which everything was sent.
    pub fn at(&self) -> FeedPlace {
        self.at.unwrap_or(FeedPlace::BEGINNING)
    }
}
