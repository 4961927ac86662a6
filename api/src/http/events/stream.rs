//! A stream of events, written as fast as it is read: nothing waits in it but what was begun.

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

/// After how long without a message a stream says that it is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);
/// After how long it says so where its client may have gone, twice: the first time, the system learns that it has, and the second time the service does.
const CHECK: Duration = Duration::from_millis(400);
const CHECKS: u8 = 2;
/// After how many milliseconds to connect again where the service ends.
const RETRY: u32 = 1000;

/// What a stream tells of.
pub trait EventSource: Sized + 'static {
    /// Waits until there may be something to tell.
    async fn changed(&mut self);

    /// Writes what is to be told next.
    ///
    /// # Errors
    /// Where something cannot be read.
    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem>;

    /// Says that the stream is alive.
    fn say_alive(&self, to: &mut Frames);

    /// Returns the text that says that the service ends, and after how many milliseconds to connect again.
    fn closing(retry: u32) -> String;
}

/// How far a client was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Progress {
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
    /// The game that messages are about, where the stream has several.
    game: Option<GameId>,
}

impl Frames {
    /// Writes a message; for its id, see [`EventForm::write`]. In a stream of several games, it comes with the one that it is about, and has no id.
    pub fn say(&mut self, text: &[u8], id: Option<&str>) {
        let Some(game) = self.game else { return self.form.write(&mut self.out, text, id) };
        let text = [format!("{{\"game_id\":\"{game}\",\"message\":").as_bytes(), text, b"}"].concat();
        self.form.write(&mut self.out, &text, None);
    }

    /// Returns it for messages about a game of several.
    pub const fn of_game(&mut self, game: GameId) -> &mut Self {
        self.game = Some(game);
        self
    }

    /// Returns it for messages about a stream of several games.
    pub const fn of_stream(&mut self) -> &mut Self {
        self.game = None;
        self
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
    /// How often to say soon that it is alive.
    checks: u8,
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
    /// Something happened to the connection: its client may have closed it, or only its own side.
    Connection,
    Closing,
}

impl<S: EventSource> EventStream<S> {
    /// Begins a stream, in a place among those of its client.
    pub fn new(app: Data<App>, source: S, form: EventForm, place: Held, closing: &Closing) -> Self {
        app.counts().streams.open.up();
        let frames = Frames { form, out: BytesMut::new(), game: None };
        let (stage, end, sent) = (Stage::GoesOn, StreamEnd::Client, Instant::now());
        let closing = closing.listen();
        Self { app, source, frames, _place: place, closing, stage, follows: true, end, sent, checks: 0 }
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
        if self.stage != Stage::Ended {
            self.go_on().await?;
        }
        // What is read for its headers alone has an end, and no more length than it has for others.
        let is_head = req.extensions().get::<WasHead>().is_some();
        self.follows = follows && !is_head;
        if follows && is_head {
            if self.stage != Stage::Ended {
                self.end = StreamEnd::CaughtUp;
            }
            return Ok(response.streaming(stream::empty::<Result<Bytes, Error>>()));
        }
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

    /// Ends it, as the service does; what was not told yet is told elsewhere.
    pub fn close(&mut self) {
        self.frames.form.write_retry(&mut self.frames.out, RETRY);
        self.frames.of_stream().say(S::closing(RETRY).as_bytes(), None);
        (self.stage, self.end) = (Stage::Ended, StreamEnd::Closing);
    }

    /// Writes what is to be told next.
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

    /// Writes what is to be told next, which is much, when it is its turn. It does so by itself: the body of a response is not polled any more once
    /// its client hangs up while it reads nothing, and others would wait for a turn that was given to it.
    ///
    /// # Errors
    /// Where it was stopped; else, it returns what came of it.
    async fn go_on_in_turn(mut self) -> Result<(Self, Result<(), Problem>), Problem> {
        // It ends where this does.
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

    /// Returns its body.
    fn into_body(self) -> impl Stream<Item = Result<Bytes, Error>> {
        stream::unfold(Some(self), |stream| async {
            let (part, stream) = stream?.next().await?;
            Some((part.map_err(Into::into), stream))
        })
    }

    /// Returns what is written next; none at the end.
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

    /// Tells the operator why a stream ends early.
    fn broken_off(why: Problem) -> (Result<Bytes, Problem>, Option<Self>) {
        tracing::error!("a stream breaks off: {}", why.log_line());
        (Err(why), None)
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
        let pause = if self.checks == 0 { HEARTBEAT } else { CHECK };
        let mut woken = pin!(timeout_at(self.sent + pause, woken));
        let mut woke: Option<Arc<Woke>> = None;
        // It is polled for the connection too, which wakes nothing of what it waits for.
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

/// Wakes a task, and notes that it did.
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

    /// There is always more to tell.
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
