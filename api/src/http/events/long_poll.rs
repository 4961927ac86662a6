//! Long polls: waiting for a game to change, and for plies that the client saw elsewhere.

use std::sync::Arc;
use std::time::Duration;

use assam_record::game::GameId;
use tokio::time::{Instant, timeout_at};

use super::since::Since;
use crate::app::{App, CachedGame, Caller, Follower};
use crate::http::server::closing::Closing;
use crate::problem::Problem;

/// How long a stream waits at most for the ply that it resumes after.
const ARRIVES_WITHIN: Duration = Duration::from_secs(5);

/// Marks a request that waited, whose duration therefore is no measure of the service.
pub struct HasWaited;

/// Waits until a game differs from what a client has, or is over, for a limited time and not while the
/// service ends. Returns the game of that moment. A read-only process, whose database may lag, also waits for
/// plies that it does not have yet.
///
/// # Errors
/// If the caller may not see the game, or no longer.
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

/// The outcome of waiting for a place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum PlaceAwaited {
    /// There was no need to wait.
    No,
    /// The place arrived, or the time ran out.
    Yes,
    /// The service ends before the place arrived. The client must not be shown anything older.
    ServiceEnds,
}

/// Waits, if the database is read-only, until a running game has the ply that a client resumes after. The
/// client may have seen it in another process. Waits five seconds at most, and not while the service ends.
///
/// # Errors
/// If the caller may no longer see the game.
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

/// Waits until a game meets a condition, for a limited time and not while the service ends. Returns the game
/// of that moment.
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
