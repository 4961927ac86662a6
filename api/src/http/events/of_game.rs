//! The content of a game's stream.

use actix_web::web::Data;
use assam_record::game::Head;

use super::message::{GameMessage, text_of};
use super::since::{id, id_of_end};
use super::stream::{EventSource, Frames, Progress};
use crate::app::{App, Caller, Ended, Follower, Notice};
use crate::counted::StreamEnd;
use crate::problem::Problem;

/// A game as a caller follows it.
pub struct GameSource {
    app: Data<App>,
    follower: Follower,
    caller: Caller,
    /// The last head sent.
    head: Option<Head>,
    /// Whether the client was caught up at least once.
    is_caught_up: bool,
}

impl GameSource {
    /// Creates the source for a follower.
    pub const fn new(app: Data<App>, follower: Follower, caller: Caller) -> Self {
        Self { app, follower, caller, head: None, is_caught_up: false }
    }

    fn end(&self, to: &mut Frames, ended: Ended) -> Result<StreamEnd, Problem> {
        match ended {
            Ended::Over(game) => {
                let message = GameMessage::over(&game, &self.caller)?;
                say(to, &message, game.info.head.map(id_of_end).as_deref());
                return Ok(StreamEnd::Over);
            }
            Ended::Gone(why) => say(to, &GameMessage::gone(why), None),
            Ended::SeatLost(seat) => say(to, &GameMessage::seat_lost(seat), None),
        }
        Ok(StreamEnd::Gone)
    }
}

impl EventSource for GameSource {
    async fn changed(&mut self) {
        self.follower.changed().await;
    }

    /// Writes everything between the client's place and the current head.
    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem> {
        let (is_live, mut plies, mut told) = (self.is_caught_up, 0, Progress::All);
        for notice in self.follower.catch_up()? {
            match notice {
                Notice::Reset(head) => say(to, &GameMessage::reset(head), None),
                Notice::Snapshot(game) => {
                    self.head = game.info.head;
                    let message = GameMessage::snapshot(&game, &self.caller)?;
                    say(to, &message, Some(&self.head.map(id).unwrap_or_default()));
                }
                Notice::Seats(game) => say(to, &GameMessage::seats(&game, &self.caller), None),
                Notice::Ply(shared) => {
                    self.head = Some(shared.ply.head);
                    to.say(text_of(&shared), Some(&id(shared.ply.head)));
                    plies += 1;
                }
                Notice::CaughtUp(head) => {
                    self.head = head;
                    say(to, &GameMessage::caught_up(head), None);
                }
                Notice::Clock(clock) => say(to, &GameMessage::clock(&clock), None),
                Notice::Present(seats) => say(to, &GameMessage::presence(seats), None),
                Notice::End(ended) => told = Progress::Last(self.end(to, ended)?),
            }
        }
        if is_live && plies > 0 {
            self.app.counts().streams.lag.count(plies);
        }
        self.is_caught_up = true;
        Ok(told)
    }

    fn say_alive(&self, to: &mut Frames) {
        say(to, &GameMessage::heartbeat(self.head), None);
    }

    fn closing(retry: u32) -> String {
        GameMessage::closing(retry).text()
    }
}

fn say(to: &mut Frames, message: &GameMessage, id: Option<&str>) {
    to.say(message.text().as_bytes(), id);
}
