//! Cosignatures: statements of witnesses about checkpoints of the public log.

use std::cmp::Ordering;

use assam_proofs::public_log::{Checkpoint, Tree, TreeHead};
use assam_proofs::signed::{NotSigned, Note, WitnessKey};
use assam_store::StoreError;
use jiff::Timestamp;

use crate::app::App;

/// The name that the newest checkpoint meeting the policy is stored under. Key names contain `+`, so no key
/// has it.
const QUORUM: &str = "quorum";

/// Why a cosignature was refused.
#[derive(Debug, thiserror::Error)]
pub enum CosignatureError {
    /// It is not a checkpoint of this log, or a signature is missing or wrong.
    #[error("{0}")]
    Refused(&'static str),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Returns the newest checkpoint that meets the policy, if any.
    pub(super) async fn witnessed_checkpoint(&self) -> Result<Option<(TreeHead, String)>, StoreError> {
        if self.witnesses.policy.witnesses().is_empty() {
            return Ok(None);
        }
        let kept = self.log.cosignatures().await?.into_iter().find(|(name, _)| name == QUORUM);
        Ok(kept.and_then(|(_, note)| {
            let read = Note::read(&note).ok().filter(|read| self.witnesses.policy.is_met_by(read))?;
            let checkpoint: Checkpoint = read.text.parse().ok()?;
            Some((checkpoint.head, note))
        }))
    }

    /// Returns the newest checkpoint that each known witness cosigned, as a note.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn cosignatures(&self) -> Result<Vec<(WitnessKey, String)>, StoreError> {
        if self.witnesses.policy.witnesses().is_empty() {
            return Ok(Vec::new());
        }
        let kept = self.log.cosignatures().await?;
        let of = |witness: &WitnessKey| {
            let name = witness.to_string();
            kept.iter().find(|(kept, _)| *kept == name).map(|(_, note)| (witness.clone(), note.clone()))
        };
        Ok(self.witnesses.keys().filter_map(of).collect())
    }

    /// Takes a cosigned checkpoint of this log, and returns the witnesses that cosigned it.
    ///
    /// # Errors
    /// [`CosignatureError::Refused`] if it is not a checkpoint of this log, no known witness cosigned it, or
    /// one of their cosignatures is wrong.
    pub async fn take_cosignatures(&self, note: &str) -> Result<Vec<WitnessKey>, CosignatureError> {
        let read = Note::read(note).map_err(|_| CosignatureError::Refused("this is not a signed note"))?;
        let checkpoint: Checkpoint =
            read.text.parse().map_err(|_| CosignatureError::Refused("this is not a checkpoint of a log"))?;
        let history = self.keyring.history();
        if !history.iter().any(|known| known.key.verify(&read).is_ok()) {
            return Err(CosignatureError::Refused("no key of this service signed the checkpoint"));
        }
        let head = self.log.log_head().await?;
        let same = match checkpoint.head.size.cmp(&head.size) {
            Ordering::Greater => None,
            Ordering::Equal => Some(head.root),
            Ordering::Less => {
                let mut tree = Tree::of_size(head.size);
                Some(self.ask_tree(&mut tree, |tree| tree.root_at(checkpoint.head.size)).await?)
            }
        };
        if same != Some(checkpoint.head.root) {
            let forked = "this service signed the checkpoint, but its log has no such checkpoint. The log was rolled back, or there are two";
            return Err(CosignatureError::Refused(forked));
        }
        let mut cosigned: Vec<(WitnessKey, Timestamp)> = Vec::new();
        for witness in self.witnesses.keys() {
            match witness.verify(&read) {
                Ok(time) => cosigned.push((witness.clone(), time)),
                Err(NotSigned::NoSignature) => {}
                Err(NotSigned::Wrong) => {
                    return Err(CosignatureError::Refused("the cosignature of a known witness is wrong"));
                }
            }
        }
        if cosigned.is_empty() {
            return Err(CosignatureError::Refused("no witness that this service knows has cosigned it"));
        }
        let kept = self.cosignatures().await?;
        // Without the lines of others, which prove nothing.
        let own: String = history.iter().find_map(|known| known.key.line_of(&read)).unwrap_or_default();
        let mut all = format!("{}\n{own}", read.text);
        for witness in self.witnesses.keys() {
            let kept = kept.iter().find(|(known, _)| known == witness);
            let kept = kept.and_then(|(_, note)| Note::read(note).ok()).filter(|kept| kept.text == read.text);
            let kept = kept.and_then(|kept| Some((witness.verify(&kept).ok()?, witness.line_of(&kept)?)));
            let new = cosigned.iter().find(|(known, _)| known == witness).map(|(_, time)| *time);
            // An old cosignature may be sent again.
            let is_new = new.is_some_and(|new| kept.as_ref().is_none_or(|(time, _)| *time < new));
            let line = if is_new { witness.line_of(&read) } else { kept.map(|(_, line)| line) };
            let line = line.unwrap_or_default();
            all += &line;
            if is_new {
                let note = format!("{}\n{own}{line}", read.text);
                self.log.keep_cosignature(&witness.to_string(), checkpoint.head.size, &note).await?;
            }
        }
        if Note::read(&all).is_ok_and(|note| self.witnesses.policy.is_met_by(&note)) {
            self.log.keep_cosignature(QUORUM, checkpoint.head.size, &all).await?;
        }
        Ok(cosigned.into_iter().map(|(witness, _)| witness).collect())
    }
}
