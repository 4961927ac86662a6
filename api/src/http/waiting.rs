//! Waiting for a game to change, for clients that follow it without a stream.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

use super::closing::Closing;
use super::since::Since;
use crate::app::{App, Caller, LiveGame};
use crate::game::GameId;
use crate::problem::Problem;

/// Marks a request that waited: how long it took says nothing about the service.
pub struct HasWaited;

/// Waits until a game differs from what a client has, or is over; at most for some time, and not while the service ends. Where the database is
/// only read, it may be behind the one that the client had it from: plies that are not there yet are waited for, too. Returns the game as it is
/// then.
///
/// # Errors
/// Where the caller may not see the game, or not any longer.
pub async fn wait_for_change(
    app: &App,
    caller: &Caller,
    id: GameId,
    since: Option<Since>,
    time: Duration,
    closing: &Closing,
) -> Result<Arc<LiveGame>, Problem> {
    let mut follower = app.follow(caller, id).await?;
    let (mut closing, end) = (closing.listen(), Instant::now() + time);
    loop {
        let game = follower.game()?;
        let head = game.info.head;
        let is_behind = app.only_reads() && Since::is_beyond(since, head);
        if game.info.is_over() || Since::is_past(since, head) && !is_behind {
            return Ok(game);
        }
        let changed = async {
            tokio::select! {
                Ok(_) = closing.wait_for(|closing| *closing) => false,
                () = follower.changed() => true,
            }
        };
        if !timeout_at(end, changed).await.unwrap_or(false) {
            return Ok(game);
        }
    }
}
