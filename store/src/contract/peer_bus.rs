//! What processes on one database tell each other. None may rely on it.

use std::future::pending;

use assam_record::game::GameId;
use assam_rules::Seats;
use async_trait::async_trait;

use super::StoreError;

/// Something that is heard of other processes on the same database.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PeerMessage {
    /// From now on everything is heard, as long as the connection lasts.
    Listening,
    /// Another process is there. One that has come wants to hear who else is.
    Process {
        /// Whether it has come.
        is_new: bool,
    },
    /// These games have changed.
    Changed(Vec<ChangedGame>),
    /// The feed for lobbies has new entries.
    Fed,
    /// These seats are connected, and want it to be known.
    Present(Vec<PresentIn>),
}

/// Seats of a game that are connected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PresentIn {
    /// The game.
    pub id: GameId,
    /// The seats.
    pub seats: Seats,
}

/// A game that has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedGame {
    /// The game.
    pub id: GameId,
    /// Whether its seats have changed, too: it may have started, or have other holders.
    pub is_seated: bool,
}

/// A database through which processes can tell each other what they changed; by default, one where they cannot.
#[async_trait]
pub trait PeerBus: Send + Sync {
    /// Returns whether other processes can be told something at all.
    fn reaches_peers(&self) -> bool {
        false
    }

    /// Returns how often other processes are known to have changed something, where that is noticed: while it is the same, they have not.
    fn changes_by_others(&self) -> Option<u64> {
        None
    }

    /// Tells other processes that games have changed.
    ///
    /// # Errors
    /// Where that fails, or takes too long.
    async fn announce_changes(&self, _games: &[ChangedGame]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Tells other processes that the feed for lobbies has new entries.
    ///
    /// # Errors
    /// Where that fails, or takes too long.
    async fn announce_feed(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Tells other processes that this one is there, and asks them whether they are.
    ///
    /// # Errors
    /// Where that fails, or takes too long.
    async fn announce_process(&self, _is_new: bool) -> Result<(), StoreError> {
        Ok(())
    }

    /// Tells other processes which seats are connected here.
    ///
    /// # Errors
    /// Where that fails, or takes too long.
    async fn announce_presence(&self, _here: &[PresentIn]) -> Result<(), StoreError> {
        Ok(())
    }

    /// Hears what other processes tell, until that fails; returns why.
    async fn listen(&self, _heard: &(dyn Fn(PeerMessage) + Send + Sync)) -> StoreError {
        pending().await
    }
}
