//! An event stream, written as fast as the client reads it. It never queues more than the message it has
//! begun.

use std::future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::time::Duration;

use actix_web::web::Data;
use actix_web::{Error, HttpMessage as _, HttpRequest, HttpResponse, HttpResponseBuilder};
use assam_record::game::GameId;
use bytes::{Bytes, BytesMut};
use futures_util::{Stream, stream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout_at};

use super::frame::EventForm;
use crate::app::{App, interrupted};
use crate::counted::StreamEnd;
use crate::http::limits::Held;
use crate::http::server::closing::{Closing, WasHead};
use crate::problem::Problem;

/// The longest silence before a stream sends a heartbeat.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// The interval of the two heartbeats to a client that may be gone. The system notices with the first, the
/// service with the second.
const CHECK: Duration = Duration::from_millis(400);
const CHECKS: u8 = 2;
/// The reconnection delay when the service ends, in milliseconds.
const RETRY: u32 = 1000;

/// The content of a stream.
pub trait EventSource: Sized + 'static {
    /// Waits until there may be something to send.
    async fn changed(&mut self);

    /// Writes what is to be sent next.
    ///
    /// # Errors
    /// If something cannot be read.
    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem>;

    /// Writes a heartbeat.
    fn say_alive(&self, to: &mut Frames);

    /// Returns the message that the service ends, with the reconnection delay in milliseconds.
    fn closing(retry: u32) -> String;
}

/// How much was sent to a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
    /// Everything.
    All,
    /// A part, with more to follow at once.
    Part,
    /// The last message.
    Last(StreamEnd),
}

/// Messages in their framing.
pub struct Frames {
    form: EventForm,
    out: BytesMut,
    /// The game that messages are about, if the stream has several.
    game: Option<GameId>,
}

impl Frames {
    /// Writes a message. For its id, see [`EventForm::write`]. In a stream of several games it comes with its
    /// game, and without an id.
    pub fn say(&mut self, text: &[u8], id: Option<&str>) {
        let Some(game) = self.game else { return self.form.write(&mut self.out, text, id) };
        let text = [format!("{{\"game_id\":\"{game}\",\"message\":").as_bytes(), text, b"}"].concat();
        self.form.write(&mut self.out, &text, None);
    }

    /// Returns the frames for messages about one of several games.
    pub const fn of_game(&mut self, game: GameId) -> &mut Self {
        self.game = Some(game);
        self
    }

    /// Returns the frames for messages about a stream of several games.
    pub const fn of_stream(&mut self) -> &mut Self {
        self.game = None;
        self
    }

    fn take(&mut self) -> Bytes {
        self.out.split().freeze()
    }
}

/// A stream in the making.
pub struct EventStream<S> {
    app: Data<App>,
    source: S,
    /// Written messages that are not sent yet.
    frames: Frames,
    /// The place among its client's streams.
    _place: Held,
    /// Whether the service ends.
    closing: watch::Receiver<bool>,
    stage: Stage,
    /// Whether it continues once its client has everything.
    follows: bool,
    /// The reason for its end, unless another is known.
    end: StreamEnd,
    /// The time of the last sent message.
    sent: Instant,
    /// The number of early heartbeats still to send.
    checks: u8,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    GoesOn,
    Waits,
    Ended,
}

/// Why a stream was woken.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Woken {
    Changed,
    MoreToTell,
    Alive,
    /// The connection changed: the client may have closed it, or only its own side.
    Connection,
    Closing,
}

impl<S: EventSource> EventStream<S> {
    /// Begins a stream, in a place among its client's streams.
    pub fn new(app: Data<App>, source: S, form: EventForm, place: Held, closing: &Closing) -> Self {
        app.counts().streams.open.up();
        let frames = Frames { form, out: BytesMut::new(), game: None };
        let (stage, end, sent) = (Stage::GoesOn, StreamEnd::Client, Instant::now());
        let closing = closing.listen();
        Self { app, source, frames, _place: place, closing, stage, follows: true, end, sent, checks: 0 }
    }

    /// Answers a request with the stream. The stream continues while there is something to follow, or ends
    /// after the catch-up if the client wants that. The first messages are read before the response begins,
    /// so that failures become problems.
    ///
    /// # Errors
    /// If these cannot be read.
    pub async fn answer(
        mut self,
        req: &HttpRequest,
        mut response: HttpResponseBuilder,
        follows: bool,
    ) -> Result<HttpResponse, Problem> {
        if self.stage != Stage::Ended {
            self.go_on().await?;
        }
        // A response to HEAD has an end, and no length that GET would not have.
        let is_head = req.extensions().get::<WasHead>().is_some();
        self.follows = follows && !is_head;
        if follows && is_head {
            if self.stage != Stage::Ended {
                self.end = StreamEnd::CaughtUp;
            }
            return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
        }
        if self.follows {
            // The connection ends with the stream, so that a stopping server waits for none.
            response.force_close();
        } else if self.stage != Stage::GoesOn {
            // This is all, so the length is known.
            if self.stage == Stage::Waits {
                self.end = StreamEnd::CaughtUp;
            }
            return Ok(response.body(self.frames.out.split().freeze()));
        }
        Ok(response.streaming(Box::pin(self.into_body())))
    }

    /// Ends the stream, as when the service ends. The client gets the rest from another process.
    pub fn close(&mut self) {
        self.frames.form.write_retry(&mut self.frames.out, RETRY);
        self.frames.of_stream().say(S::closing(RETRY).as_bytes(), None);
        (self.stage, self.end) = (Stage::Ended, StreamEnd::Closing);
    }

    /// Writes what is to be sent next.
    async fn go_on(&mut self) -> Result<(), Problem> {
        match self.source.catch_up(&mut self.frames).await {
            Ok(Progress::All) => self.stage = Stage::Waits,
            Ok(Progress::Part) => self.stage = Stage::GoesOn,
            Ok(Progress::Last(end)) => (self.stage, self.end) = (Stage::Ended, end),
            Err(problem) => {
                (self.stage, self.end) = (Stage::Ended, StreamEnd::Failed);
                return Err(problem);
            }
        }
        Ok(())
    }

    /// Writes a large catch-up when its turn comes. It runs in a separate task. A response body is no longer
    /// polled once its client hangs up without reading, so it would never return its turn.
    ///
    /// # Errors
    /// If it was stopped. Otherwise, it returns the outcome.
    async fn go_on_in_turn(mut self) -> Result<(Self, Result<(), Problem>), Problem> {
        // The task ends with this function.
        let mut apart = JoinSet::new();
        apart.spawn_local(async move {
            let app = self.app.clone();
            let _turn = app.turn().await;
            let went_on = self.go_on().await;
            (self, went_on)
        });
        match apart.join_next().await {
            Some(Ok(went_on)) => Ok(went_on),
            Some(Err(_)) | None => Err(interrupted().into()),
        }
    }

    /// Returns the stream as a body.
    fn into_body(self) -> impl Stream<Item = Result<Bytes, Error>> {
        stream::unfold(Some(self), |stream| async {
            let (part, stream) = stream?.next().await?;
            Some((part.map_err(Into::into), stream))
        })
    }

    /// Returns the next bytes, or none at the end.
    async fn next(mut self) -> Option<(Result<Bytes, Problem>, Option<Self>)> {
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
            let mut went_on = Ok(());
            match woken {
                Woken::Changed => went_on = self.go_on().await,
                Woken::MoreToTell => match self.go_on_in_turn().await {
                    Ok(in_turn) => (self, went_on) = in_turn,
                    Err(stopped) => return Some(Self::broken_off(stopped)),
                },
                Woken::Alive => {
                    self.checks = self.checks.saturating_sub(1);
                    self.source.say_alive(&mut self.frames);
                }
                Woken::Connection => self.checks = CHECKS,
                Woken::Closing => self.close(),
            }
            if let Err(problem) = went_on {
                return Some(Self::broken_off(problem));
            }
        }
        self.sent = Instant::now();
        Some((Ok(self.frames.take()), Some(self)))
    }

    /// Logs why a stream ends early.
    fn broken_off(why: Problem) -> (Result<Bytes, Problem>, Option<Self>) {
        tracing::error!("a stream broke off: {}", why.log_line());
        (Err(why), None)
    }

    async fn wait(&mut self) -> Woken {
        let (source, closing) = (&mut self.source, &mut self.closing);
        let woken = async {
            tokio::select! {
                biased;
                // It fails once nothing is left that could end.
                Ok(_) = closing.wait_for(|closing| *closing) => Woken::Closing,
                () = source.changed() => Woken::Changed,
            }
        };
        let pause = if self.checks == 0 { HEARTBEAT } else { CHECK };
        let mut woken = pin!(timeout_at(self.sent + pause, woken));
        let mut woke: Option<Arc<Woke>> = None;
        // The connection is polled too, although that wakes nothing of what the stream waits for.
        future::poll_fn(|cx| {
            let note = Arc::new(Woke { task: cx.waker().clone(), has_woken: AtomicBool::new(false) });
            let last = woke.replace(Arc::clone(&note));
            match woken.as_mut().poll(&mut Context::from_waker(&Waker::from(note))) {
                Poll::Ready(woken) => Poll::Ready(woken.unwrap_or(Woken::Alive)),
                Poll::Pending if last.is_some_and(|last| !last.has_woken.load(Ordering::Acquire)) => {
                    Poll::Ready(Woken::Connection)
                }
                Poll::Pending => Poll::Pending,
            }
        })
        .await
    }
}

/// Wakes a task, and records that it did.
struct Woke {
    task: Waker,
    has_woken: AtomicBool,
}

impl Wake for Woke {
    fn wake(self: Arc<Self>) {
        self.has_woken.swap(true, Ordering::AcqRel);
        self.task.wake_by_ref();
    }
}

impl<S> Drop for EventStream<S> {
    fn drop(&mut self) {
        self.app.counts().streams.end(self.end);
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {

    use assam_proofs::signed::{Keyring, PublishedKey, SigningKey};
    use assam_record::clock::now;
    use assam_store::{Database, SqliteStore};
    use futures_util::{FutureExt as _, StreamExt as _};
    use tokio::time::timeout;

    use super::*;
    use crate::app::Limits;

    /// A source that always has more.
    struct Endless;

    impl EventSource for Endless {
        async fn changed(&mut self) {}

        async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem> {
            // Reading takes a moment.
            tokio::task::yield_now().await;
            to.say(b"{}", None);
            Ok(Progress::Part)
        }

        fn say_alive(&self, _: &mut Frames) {}

        fn closing(_: u32) -> String {
            String::new()
        }
    }

    #[actix_web::test]
    async fn nobody_waits_for_streams_that_catch_up_and_are_not_polled_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::from(SqliteStore::open(&folder.path().join("games.db")).unwrap());
        let key = SigningKey::new("assam.test", &[1; 32]).unwrap();
        let known = PublishedKey { key: key.verifying_key().clone(), since: now() };
        let keyring = Keyring::new(vec![key], vec![known]).unwrap();
        let app = Data::new(App::new(database, Limits { queue: 1, kept_bytes: 0 }, keyring).unwrap());
        let begin = || {
            let form = EventForm::from_media_type("application/x-ndjson");
            Box::pin(
                EventStream::new(app.clone(), Endless, form, Held::default(), &Closing::default())
                    .into_body(),
            )
        };
        // Some hold a turn, others wait for one.
        let mut hung_up: Vec<_> = (0..9).map(|_| begin()).collect();
        for stream in &mut hung_up {
            assert!(stream.next().now_or_never().is_none());
        }
        let mut reads = begin();
        for _ in 0..3 {
            let told = timeout(Duration::from_secs(20), reads.next()).await;
            assert_eq!(told.unwrap().unwrap().unwrap(), "{}\n");
        }
    }
}
