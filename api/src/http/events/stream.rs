//! A stream of events, written as fast as it is read: nothing waits in it but what was begun.

use std::time::Duration;

use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse, HttpResponseBuilder};
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, stream};
use tokio::sync::watch;
use tokio::task::yield_now;
use tokio::time::{Instant, timeout_at};

use super::frame::EventForm;
use crate::app::App;
use crate::counted::StreamEnd;
use crate::http::closing::{Closing, WasHead};
use crate::http::limits::Held;
use crate::problem::Problem;

/// After how long without a message a stream says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// After how many milliseconds to connect again where the service ends.
const RETRY: u32 = 1000;

/// What a stream tells of.
pub trait Tells: Sized + 'static {
    /// Waits until there may be something to tell.
    async fn changed(&mut self);

    /// Writes what is to be told next.
    ///
    /// # Errors
    /// Where something cannot be read.
    async fn catch_up(&mut self, to: &mut Frames) -> Result<ToldSoFar, Problem>;

    /// Says that the stream is alive.
    fn say_alive(&self, to: &mut Frames);

    /// Returns the text that says that the service ends, and after how many milliseconds to connect again.
    fn closing(retry: u32) -> String;
}

/// How far a client was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ToldSoFar {
    /// It has everything.
    All,
    /// There is more at once.
    Part,
    /// There was the last thing.
    Last(StreamEnd),
}

/// Messages as they are sent.
pub struct Frames {
    form: EventForm,
    out: BytesMut,
}

impl Frames {
    /// Writes a message; for its id, see [`EventForm::write`].
    pub fn say(&mut self, text: &[u8], id: Option<&str>) {
        self.form.write(&mut self.out, text, id);
    }

    fn take(&mut self) -> Bytes {
        self.out.split().freeze()
    }
}

/// A stream that is being written.
pub struct EventStream<S> {
    app: Data<App>,
    source: S,
    /// What is written, and not sent yet.
    frames: Frames,
    /// Its place among those of its client.
    _place: Held,
    /// Whether the service ends.
    closing: watch::Receiver<bool>,
    stage: Stage,
    /// Whether it goes on once its client has everything.
    follows: bool,
    /// Why it ends, where nothing else is known.
    end: StreamEnd,
    /// When something was sent last.
    sent: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    GoesOn,
    Waits,
    Ended,
}

/// Why a stream goes on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    Changed,
    MoreToTell,
    Alive,
    Closing,
}

impl<S: Tells> EventStream<S> {
    /// Begins a stream, in a place among those of its client.
    pub fn of(app: Data<App>, source: S, form: EventForm, place: Held, closing: &Closing) -> Self {
        app.counts().streams.open.up();
        let frames = Frames { form, out: BytesMut::new() };
        let (stage, end, sent) = (Stage::GoesOn, StreamEnd::Client, Instant::now());
        let closing = closing.listen();
        Self { app, source, frames, _place: place, closing, stage, follows: true, end, sent }
    }

    /// Answers a request with it: as long as there is something to follow, or, where that is not wanted, up to now. What is told first is
    /// read before the response begins, so that a failure is told as such.
    ///
    /// # Errors
    /// Where that cannot be read.
    pub async fn answer(
        mut self,
        req: &HttpRequest,
        mut response: HttpResponseBuilder,
        follows: bool,
    ) -> Result<HttpResponse, Problem> {
        self.go_on().await?;
        // What is read for its headers alone has an end.
        self.follows = follows && req.extensions().get::<WasHead>().is_none();
        if self.follows {
            // With the stream ends its connection: a server that stops waits for none.
            response.force_close();
        } else if self.stage != Stage::GoesOn {
            // That is all of it, and so its length is known.
            if self.stage == Stage::Waits {
                self.end = StreamEnd::CaughtUp;
            }
            return Ok(response.body(self.frames.out.split().freeze()));
        }
        Ok(response.streaming(Box::pin(self.into_body())))
    }

    /// Writes what is to be told next.
    async fn go_on(&mut self) -> Result<(), Problem> {
        match self.source.catch_up(&mut self.frames).await {
            Ok(ToldSoFar::All) => self.stage = Stage::Waits,
            Ok(ToldSoFar::Part) => self.stage = Stage::GoesOn,
            Ok(ToldSoFar::Last(end)) => (self.stage, self.end) = (Stage::Ended, end),
            Err(problem) => {
                (self.stage, self.end) = (Stage::Ended, StreamEnd::Failed);
                return Err(problem);
            }
        }
        Ok(())
    }

    /// Writes what is to be told next; who is told much waits for a turn after each part.
    async fn go_on_in_turn(&mut self, woken: Woken) -> Result<(), Problem> {
        if woken == Woken::Changed {
            return self.go_on().await;
        }
        yield_now().await;
        let app = self.app.clone();
        let _turn = app.turn().await;
        self.go_on().await
    }

    /// Returns its body.
    fn into_body(self) -> impl Stream<Item = Result<Bytes, Error>> {
        stream::unfold(self, |mut stream| async {
            let part = stream.next().await?;
            Some((part.map_err(Into::into), stream))
        })
    }

    /// Returns what is written next; none at the end.
    async fn next(&mut self) -> Option<Result<Bytes, Problem>> {
        while self.frames.out.is_empty() {
            let woken = match self.stage {
                Stage::Ended => return None,
                Stage::GoesOn => Woken::MoreToTell,
                Stage::Waits if !self.follows => {
                    self.end = StreamEnd::CaughtUp;
                    return None;
                }
                Stage::Waits => self.wait().await,
            };
            match woken {
                Woken::Changed | Woken::MoreToTell => {
                    if let Err(problem) = self.go_on_in_turn(woken).await {
                        tracing::error!("a stream breaks off: {}", problem.log_line());
                        self.frames.out.clear();
                        return Some(Err(problem));
                    }
                }
                Woken::Alive => self.source.say_alive(&mut self.frames),
                Woken::Closing => {
                    self.frames.form.write_retry(&mut self.frames.out, RETRY);
                    self.frames.say(S::closing(RETRY).as_bytes(), None);
                    (self.stage, self.end) = (Stage::Ended, StreamEnd::Closing);
                }
            }
        }
        self.sent = Instant::now();
        Some(Ok(self.frames.take()))
    }

    async fn wait(&mut self) -> Woken {
        let (source, closing) = (&mut self.source, &mut self.closing);
        let woken = async {
            tokio::select! {
                biased;
                // It fails where nothing is left that could end.
                Ok(_) = closing.wait_for(|closing| *closing) => Woken::Closing,
                () = source.changed() => Woken::Changed,
            }
        };
        timeout_at(self.sent + HEARTBEAT, woken).await.unwrap_or(Woken::Alive)
    }
}

impl<S> Drop for EventStream<S> {
    fn drop(&mut self) {
        self.app.counts().streams.end(self.end);
    }
}
