//! Checks the public log as a whole: that its entries lead to its root, and that games are at their places in
//! it.

use std::collections::{BTreeSet, HashMap};

use assam_proofs::proof::Proof;
use assam_proofs::public_log::{
    Checkpoint, EntryOpening, LoggedEntry, Milestone, NewNode, Tile, TreeHead, rebuilt,
};
use assam_proofs::signed::{Receipt, VerifyingKey};
use assam_record::game::{Bytes32, GameId, Head, StoredGame};
use assam_store::WholeLog;
use jiff::SignedDuration;

use super::check::{Check, Left};
use super::fault::AuditFault;
use super::findings::Findings;
use crate::archive::transfer::NotTransferred;
use crate::proofs::inclusion::hold_to_entry;
use crate::remote::Remote;
use crate::remote::log_tiles::{self, Fetched};

/// The longest time that a start or an end may wait for the log of a service.
const LATE: SignedDuration = SignedDuration::from_hours(1);
/// The most entries that are read of a service's log: 1 GiB.
const MOST: u64 = 1 << 25;

/// A log whose entries are all known.
pub struct AuditedLog {
    head: TreeHead,
    entries: Vec<Bytes32>,
    /// The places of each game, in a database.
    places: HashMap<GameId, Vec<(Milestone, Option<u64>)>>,
    /// Faults of the log itself.
    faults: Vec<AuditFault>,
}

impl AuditedLog {
    /// Takes the log of a database.
    pub fn stored(log: WholeLog) -> Self {
        let WholeLog { head, nodes, places, gone } = log;
        let mut faults = Vec::new();
        let entries: Vec<Bytes32> = (0..).map_while(|at| nodes.get(&(0, at)).copied()).collect();
        let mut fault = |what: String| faults.push(AuditFault::new(Check::Log, what));
        let (found, above) = rebuilt(entries.iter().copied());
        if found != head {
            fault(format!(
                "the {} entries of the public log do not lead to its stored head, which has {}",
                found.size, head.size
            ));
        }
        let beyond = nodes.keys().filter(|(level, at)| *level == 0 && *at >= found.size).count();
        if beyond > 0 {
            fault(format!("{beyond} entries of the public log come after a gap"));
        }
        let stored_above = nodes.keys().filter(|(level, _)| *level > 0).count();
        let same = |new: &&NewNode| nodes.get(&(new.level, new.position)) == Some(&new.bytes);
        if above.iter().filter(same).count() != stored_above || above.len() != stored_above {
            fault("hashes of the public log's tree do not match its entries".to_owned());
        }
        let mut claimed = BTreeSet::new();
        for (game, position) in places.iter().flat_map(|(game, of)| of.iter().map(move |of| (game, of.1))) {
            if let Some(position) = position.filter(|position| !claimed.insert(*position)) {
                faults.push(AuditFault {
                    game: Some(*game),
                    ..AuditFault::new(
                        Check::Log,
                        format!("entry {position} of the public log belongs to two games"),
                    )
                });
            }
        }
        for position in (0..found.size).filter(|position| !claimed.contains(position)) {
            faults.push(AuditFault::new(
                Check::Log,
                format!("entry {position} of the public log belongs to no game"),
            ));
        }
        for game in gone {
            let what = "the game is in the public log, but not in the database";
            faults.push(AuditFault { game: Some(game), ..AuditFault::new(Check::Log, what) });
        }
        Self { head, entries, places, faults }
    }

    /// Fetches the log of a service, which one of the keys must have signed.
    ///
    /// # Errors
    /// If it cannot be fetched, or none of the keys signed it.
    pub fn fetched(remote: &Remote, keys: &[VerifyingKey]) -> Result<Self, NotTransferred> {
        let Fetched { checkpoint: Checkpoint { head, .. }, .. } = log_tiles::checkpoint(remote, keys)?;
        if head.size > MOST {
            let many =
                format!("the public log has {} entries, more than the {MOST} that an audit reads", head.size);
            return Err(NotTransferred::Refused(many));
        }
        let mut entries = Vec::new();
        let tiles = (0..head.size).step_by(256).filter_map(|first| Tile::with(0, first, head.size));
        for tile in tiles {
            entries.extend(log_tiles::entries(remote, tile)?);
        }
        let mut faults = Vec::new();
        if rebuilt(entries.iter().copied()).0 != head {
            let what = "the entries of the public log do not lead to the root that the service signed";
            faults.push(AuditFault::new(Check::Log, what));
        }
        Ok(Self { head, entries, places: HashMap::new(), faults })
    }

    /// Checks the places of a game of a database: only its own milestones, with its own values.
    pub fn check_stored(&self, game: &StoredGame, findings: &mut Findings) {
        let due = match (game.commitment, game.info.head) {
            (Some(_), Some(_)) if game.info.is_over() => &Milestone::ALL[..],
            (Some(_), Some(_)) => &[Milestone::Start],
            _ => &[],
        };
        let placed = self.places.get(&game.info.id).map_or(&[][..], Vec::as_slice);
        let fault = |what: String| AuditFault::new(Check::Logged, what);
        for (milestone, _) in placed.iter().filter(|(milestone, _)| !due.contains(milestone)) {
            let what = format!("the public log has its {}, but the database does not", milestone.name());
            findings.fault(fault(what));
        }
        for milestone in due {
            match placed.iter().find(|(placed, _)| placed == milestone) {
                // A broken log is a separate fault.
                Some((_, Some(position))) => {
                    if let Ok(Some(opening)) = EntryOpening::new(game, *milestone) {
                        self.check_entry(*milestone, *position, &opening.entry(), findings);
                    }
                }
                Some((_, None)) => findings.left(Left::LogWaits, 1),
                None => findings.fault(fault(format!(
                    "its {} is neither in the public log nor waiting for it",
                    milestone.name()
                ))),
            }
        }
    }

    /// Checks the places of the game of a proof.
    pub fn check_proved(
        &self,
        proof: &Proof,
        heads: &[Head],
        logged: &[LoggedEntry],
        findings: &mut Findings,
    ) {
        if proof.imported || heads.is_empty() {
            return;
        }
        let moments = if proof.seed.is_some() { &Milestone::ALL[..] } else { &[Milestone::Start] };
        for moment in moments {
            let name = moment.name();
            let fault = |what: String| AuditFault::new(Check::Logged, what);
            let Some(entry) = logged.iter().find(|entry| entry.moment == *moment) else {
                findings.fault(fault(format!(
                    "the service does not state where its {name} is in the public log"
                )));
                continue;
            };
            let read = entry.receipt.parse().map_err(|error| format!("it is not a receipt: {error}"));
            let read = read.and_then(|receipt: Receipt| {
                hold_to_entry(proof, heads, *moment, &receipt)?;
                Ok(receipt.time())
            });
            match (read, entry.position.filter(|position| *position < self.head.size)) {
                (Ok(_), Some(position)) => {
                    let opened = EntryOpening::entry_of(&entry.salt, &entry.receipt);
                    self.check_entry(*moment, position, &opened, findings);
                }
                (Ok(time), None) if time.duration_until(assam_record::clock::now()) > LATE => {
                    findings.fault(fault(format!("its {name} of {time} is not in the public log yet")));
                }
                (Ok(_), None) => findings.left(Left::LogWaits, 1),
                (Err(why), _) => {
                    findings.fault(fault(format!("its {name} in the public log does not agree: {why}")));
                }
            }
        }
    }

    fn check_entry(&self, moment: Milestone, position: u64, opened: &Bytes32, findings: &mut Findings) {
        let found = usize::try_from(position).ok().and_then(|at| self.entries.get(at));
        match found == Some(opened) {
            true => findings.verified(Check::Logged, 1),
            false => findings.fault(AuditFault::new(
                Check::Logged,
                format!("its {} does not match entry {position} of the public log", moment.name()),
            )),
        }
    }

    /// Checks the log itself, and that it begins with earlier checkpoints.
    pub fn conclude(&self, earlier: &[(String, Checkpoint)], findings: &mut Findings) {
        for fault in &self.faults {
            findings.fault(fault.clone());
        }
        if self.faults.is_empty() {
            findings.verified(Check::Log, self.entries.len());
        }
        for (name, checkpoint) in earlier {
            let size = checkpoint.head.size;
            match root_at(&self.entries, size) {
                Some(root) if root == checkpoint.head.root => findings.verified(Check::Earlier, 1),
                Some(_) => findings.fault(AuditFault::new(
                    Check::Earlier,
                    format!("the first {size} entries of the public log do not match the checkpoint in {name}: the log was rewritten"),
                )),
                None => findings.fault(AuditFault::new(
                    Check::Earlier,
                    format!(
                        "the public log has {} entries, but had {size} at the checkpoint in {name}: it was rolled back",
                        self.entries.len()
                    ),
                )),
            }
        }
    }
}

/// Returns the root of the first entries, or none if there are fewer.
fn root_at(entries: &[Bytes32], size: u64) -> Option<Bytes32> {
    let first = entries.get(..usize::try_from(size).ok()?)?;
    Some(rebuilt(first.iter().copied()).0.root)
}
