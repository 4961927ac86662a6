//! Sending checkpoints of the public log to witnesses. Nothing waits for a witness.

use std::sync::Arc;
use std::time::Duration;

use assam_proofs::public_log::{Checkpoint, Tree, TreeHead, WitnessAnswer, add_checkpoint};
use assam_proofs::signed::{Note, WitnessKey};
use assam_store::StoreError;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use tokio::time::Instant;

use super::cosignatures::CosignatureError;
use super::known_witnesses::{WitnessAddress, WitnessLags, WitnessOutcome};
use super::public_log::LogError;
use super::repeat;
use crate::app::App;

/// How long a checkpoint may wait until it is sent.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a failed witness is left alone.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// A witness that refuses the size it named in this many rounds is wrong. In fewer, another process may have
/// been first.
const CONFLICTS: u32 = 3;

/// The progress of a witness.
struct WitnessFeed<'a> {
    address: &'a WitnessAddress,
    /// The number of entries that it has cosigned, as far as known.
    old: u64,
    /// The witnesses that cosign there.
    cosigners: Vec<WitnessKey>,
    conflicts: u32,
    not_before: Option<Instant>,
    /// The last failure, which is logged once.
    told: String,
}

/// Why a checkpoint was not cosigned.
enum NotWitnessed {
    /// A failure, with the outcome to count.
    Because(WitnessOutcome, String),
    /// Another process sent a larger checkpoint.
    Overtaken,
    Store(StoreError),
}

impl From<StoreError> for NotWitnessed {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl App {
    /// Returns how far witnesses lagged behind the log a second ago, empty if there are none.
    pub fn witness_lags(&self) -> WitnessLags {
        self.witnesses.lags()
    }

    /// Returns the addresses that checkpoints are sent to.
    pub fn witness_addresses(&self) -> &[WitnessAddress] {
        self.witnesses.addresses()
    }

    /// Sends checkpoints to witnesses as the log grows, and records how far they are. Never returns if there
    /// are witnesses.
    pub async fn keep_witnessed(
        self: Arc<Self>,
        post: impl AsyncFn(String, String) -> Result<WitnessAnswer, String>,
    ) {
        if self.witnesses.policy.witnesses().is_empty() {
            return;
        }
        let begin = |address| WitnessFeed {
            address,
            old: 0,
            cosigners: Vec::new(),
            conflicts: 0,
            not_before: None,
            told: String::new(),
        };
        let mut feeds: Vec<_> = self.witnesses.addresses().iter().map(begin).collect();
        repeat("checkpoints of the public log cannot be sent yet", async || {
            self.feed_witnesses(&mut feeds, &post).await.map(|()| PAUSE)
        })
        .await;
    }

    /// Sends the current checkpoint to all witnesses that have not cosigned it, and takes cosignatures as
    /// they arrive.
    async fn feed_witnesses(
        self: &Arc<Self>,
        feeds: &mut [WitnessFeed<'_>],
        post: &impl AsyncFn(String, String) -> Result<WitnessAnswer, String>,
    ) -> Result<(), LogError> {
        let head = self.log.log_head().await?;
        let lags = self.lags(head).await?;
        let is_behind =
            |key: &WitnessKey| lags.witnesses.iter().any(|(witness, lag)| witness == key && *lag > 0);
        let now = Instant::now();
        let due: Vec<&mut WitnessFeed<'_>> = feeds
            .iter_mut()
            .filter(|feed| feed.not_before.is_none_or(|then| then <= now))
            .filter(|feed| feed.cosigners.is_empty() || feed.cosigners.iter().any(is_behind))
            .collect();
        self.witnesses.note(lags.clone());
        if due.is_empty() || head.size == 0 || self.only_reads() {
            return Ok(());
        }
        let (_, note) = self.signed_checkpoint(head)?;
        let sending = due.into_iter().map(|feed| async {
            let answer = self.send_checkpoint(feed, head, &note, post).await;
            (feed, answer)
        });
        let mut answers: FuturesUnordered<_> = sending.collect();
        // One after another, so that each finds the earlier cosignatures.
        while let Some((feed, answer)) = answers.next().await {
            let taken = match answer {
                Ok(cosigned) => self.take_from(feed.address, cosigned).await,
                Err(why) => Err(why),
            };
            match taken {
                Ok(cosigners) => feed.cosigned(head.size, cosigners),
                Err(NotWitnessed::Because(what, why)) => feed.failed(what, why),
                Err(NotWitnessed::Overtaken) => {}
                Err(NotWitnessed::Store(error)) => return Err(error.into()),
            }
        }
        self.witnesses.note(self.lags(head).await?);
        Ok(())
    }

    /// Sends a checkpoint to a witness, and returns it with the answer.
    async fn send_checkpoint(
        &self,
        feed: &mut WitnessFeed<'_>,
        head: TreeHead,
        note: &str,
        post: &impl AsyncFn(String, String) -> Result<WitnessAnswer, String>,
    ) -> Result<String, NotWitnessed> {
        let wrong = |why: String| NotWitnessed::Because(WitnessOutcome::Wrong, why);
        let refused = |why: &str| NotWitnessed::Because(WitnessOutcome::Refused, why.to_owned());
        let mut tree = Tree::of_size(head.size);
        for _ in 0..2 {
            let old = feed.old.min(head.size);
            let path = self.ask_tree(&mut tree, |tree| tree.consistency(old)).await?;
            let url = format!("{}/add-checkpoint", feed.address.url.trim_end_matches('/'));
            let answer = post(url, add_checkpoint(old, &path, note)).await;
            let answer = answer.map_err(|why| NotWitnessed::Because(WitnessOutcome::Unreachable, why))?;
            let size = match answer.status {
                200 => return Ok(format!("{note}{}", answer.body)),
                409 => answer.size(),
                400 => return Err(refused("it answered 400: it does not understand the request")),
                403 => {
                    return Err(refused(
                        "it answered 403: it has other keys for the log than the one that signs (GET /v1/keys)",
                    ));
                }
                404 => {
                    return Err(refused(
                        "it answered 404: its operator has not added this log yet (GET /v1/keys)",
                    ));
                }
                422 => {
                    return Err(refused(
                        "it answered 422: this log does not continue what it cosigned. Either the log was rolled back, or the witness is wrong",
                    ));
                }
                status => {
                    let why = format!("it answered {status}");
                    return Err(NotWitnessed::Because(WitnessOutcome::Unreachable, why));
                }
            };
            let Some(size) = size.filter(|size| *size != old) else {
                return Err(wrong(format!("it answered 409 to the size {old}, but named no other one")));
            };
            if size > head.size {
                let size_now = self.log.log_head().await?.size;
                if size > size_now {
                    return Err(wrong(format!(
                        "it claims to have cosigned {size} entries, but the log has {size_now}. Either the log was rolled back, or the witness is wrong"
                    )));
                }
                return Err(NotWitnessed::Overtaken);
            }
            feed.old = size;
        }
        feed.conflicts += 1;
        if feed.conflicts < CONFLICTS {
            return Err(NotWitnessed::Overtaken);
        }
        Err(wrong("it repeatedly refuses the sizes that it names (409)".to_owned()))
    }

    /// Takes the answer of a witness, and returns the witnesses that cosigned.
    async fn take_from(
        self: &Arc<Self>,
        address: &WitnessAddress,
        note: String,
    ) -> Result<Vec<WitnessKey>, NotWitnessed> {
        let app = Arc::clone(self);
        let wrong = |why: &str| NotWitnessed::Because(WitnessOutcome::Wrong, why.to_owned());
        match self.run_service_write(async move { app.take_cosignatures(&note).await }).await? {
            Ok(cosigners) if address.key.as_ref().is_some_and(|key| !cosigners.contains(key)) => {
                Err(wrong("it answered with the cosignature of another witness"))
            }
            Ok(cosigners) => Ok(cosigners),
            Err(CosignatureError::Refused(why)) => Err(wrong(why)),
            Err(CosignatureError::Store(error)) => Err(error.into()),
        }
    }

    /// Returns how far witnesses lag behind a head of the log.
    async fn lags(&self, head: TreeHead) -> Result<WitnessLags, StoreError> {
        let size = |note: &str| Some(Note::read(note).ok()?.text.parse::<Checkpoint>().ok()?.head.size);
        let kept = self.cosignatures().await?;
        let lag = |key: &WitnessKey| {
            let note = kept.iter().find(|(witness, _)| witness == key).map(|(_, note)| note);
            head.size.saturating_sub(note.and_then(|note| size(note)).unwrap_or_default())
        };
        let witnesses = self.witnesses.keys().map(|key| (key.clone(), lag(key))).collect();
        let quorum = if self.witnesses.policy.needs_any() {
            let witnessed = self.witnessed_checkpoint().await?;
            Some(head.size - witnessed.map_or(0, |(witnessed, _)| witnessed.size).min(head.size))
        } else {
            None
        };
        Ok(WitnessLags { witnesses, quorum })
    }
}

impl WitnessFeed<'_> {
    fn cosigned(&mut self, size: u64, cosigners: Vec<WitnessKey>) {
        if !self.told.is_empty() {
            tracing::info!("the witness at {} cosigns the public log again", self.address.url);
        }
        (self.old, self.cosigners, self.conflicts) = (size, cosigners, 0);
        (self.not_before, self.told) = (None, String::new());
        self.address.count(WitnessOutcome::Cosigned);
    }

    fn failed(&mut self, what: WitnessOutcome, why: String) {
        self.address.count(what);
        self.not_before = Some(Instant::now() + AFTER_FAILURE);
        if why != self.told {
            tracing::warn!("the witness at {} did not cosign the public log: {why}", self.address.url);
        }
        self.told = why;
    }
}
