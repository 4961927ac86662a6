//! Waiting for a game to change, for clients that follow it without a stream, and for plies that were shown elsewhere.

use std::sync::Arc;
use std::time::Duration;

use assam_record::game::GameId;
use tokio::time::{Instant, timeout_at};

use super::since::Since;
use crate::app::{App, CachedGame, Caller, Follower};
use crate::http::server::closing::Closing;
use crate::problem::Problem;

/// For how long at most a stream waits for the ply that it goes on after.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

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
) -> Result<Arc<CachedGame>, Problem> {
    let mut follower = app.follow(caller, id).await?;
    let is_wanted = |game: &CachedGame| {
        let head = game.info.head;
        let is_behind = app.only_reads() && Since::is_beyond(since, head);
        game.info.is_over() || Since::is_past(since, head) && !is_behind
    };
    wait_until(&mut follower, is_wanted, time, closing).await
}

/// What came of waiting for a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlaceAwaited {
    /// There was nothing to wait for.
    No,
    /// It came, or did not come in time.
    Yes,
    /// The service ends, and it has not come: whoever waits for it is shown nothing older here.
    ServiceEnds,
}

/// Waits, where the database is only read, until a game that is not over has the ply after which a client goes on, who may have been shown it elsewhere;
/// for five seconds at most, and not while the service ends.
///
/// # Errors
/// Where the caller may not see the game any longer.
pub async fn wait_for_place(
    app: &App,
    follower: &mut Follower,
    since: Since,
    closing: &Closing,
) -> Result<PlaceAwaited, Problem> {
    let is_there = |game: &CachedGame| game.info.is_over() || !Since::is_beyond(Some(since), game.info.head);
    if !app.only_reads() || is_there(&*follower.game()?) {
        return Ok(PlaceAwaited::No);
    }
    let game = wait_until(follower, is_there, ARRIVES_WITHIN, closing).await?;
    let service_ends = !is_there(&game) && *closing.listen().borrow();
    Ok(if service_ends { PlaceAwaited::ServiceEnds } else { PlaceAwaited::Yes })
}

/// Waits until a game is as it is wanted; at most for some time, and not while the service ends. Returns it as it is then.
async fn wait_until(
    follower: &mut Follower,
    is_wanted: impl Fn(&CachedGame) -> bool,
    time: Duration,
    closing: &Closing,
) -> Result<Arc<CachedGame>, Problem> {
    let (mut closing, end) = (closing.listen(), Instant::now() + time);
    loop {
        let game = follower.game()?;
        if is_wanted(&game) {
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
