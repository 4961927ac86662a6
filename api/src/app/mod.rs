//! The application: everything that can be done with games, each as one function with a typed error. Nothing here knows
//! HTTP.
//!
//! A request that changes a game goes through `Door::change` or `Door::add` (`door.rs`), the one door through which every
//! log grows.

use std::io;
use std::sync::Arc;

use crate::store::Store;
pub use crate::store::{Among, ListQuery, SortBy, StoreError};

mod access;
mod aside;
mod create;
mod door;
mod import;
mod leave;
mod listed;
mod live;
mod names;
mod ply;
mod read;
mod replace_secret;
mod seats;
mod submission;
mod submit;
mod withdraw;
mod writer;

pub use access::Caller;
use aside::Aside;
pub use create::{CreateError, NewGame, Repeatable};
use door::Door;
pub use door::Limits;
pub use import::ImportError;
pub use listed::{GameStanding, ListOrder, ListPlace, Summary, SummaryPage};
pub use live::LiveGame;
pub use names::check_name;
pub use ply::{HeadCondition, Illegal, SubmitError, Wrote};
pub use read::{NotStarted, ReadError};
pub use replace_secret::ReplaceSecretError;
pub use seats::{RenameError, TakeSeatError, Taking};
pub use submission::{Leaving, NoSubmission, Submission};
pub use withdraw::WithdrawError;

/// The application, on a store.
pub struct App {
    door: Door,
    aside: Aside,
}

impl App {
    /// Puts the application on a store.
    ///
    /// # Errors
    /// Of the operating system, where a thread cannot be started.
    pub fn on(store: Arc<dyn Store>, limits: Limits) -> io::Result<Self> {
        Ok(Self { door: Door::to(store, limits), aside: Aside::start(limits.queue)? })
    }

    /// Does work that takes longer than that on a single game, such as a list, where games do not wait for it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub async fn run_aside<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.aside.run(work).await
    }
}
