//! The public log of games, as a whole: whether its entries lead to its root, and whether games are in it where they should be.

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

/// How long a start or an end may wait for the log of a service.
const LATE: SignedDuration = SignedDuration::from_hours(1);
/// The largest log of a service that is read: 1 GiB of entries.
const MOST: u64 = 1 << 25;

/// A log whose entries are all known.
pub struct AuditedLog {
    head: TreeHead,
    entries: Vec<Bytes32>,
    /// Where each game is, in a database.
    places: HashMap<GameId, Vec<(Milestone, Option<u64>)>>,
    /// What is wrong with the log itself.
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
            fault(format!("{beyond} entries of the public log stand behind a gap"));
        }
        let stored_above = nodes.keys().filter(|(level, _)| *level > 0).count();
        let same = |new: &&NewNode| nodes.get(&(new.level, new.position)) == Some(&new.bytes);
        if above.iter().filter(same).count() != stored_above || above.len() != stored_above {
            fault("hashes of the tree of the public log are not those of its entries".to_owned());
        }
        let mut claimed = BTreeSet::new();
        for (game, position) in places.iter().flat_map(|(game, of)| of.iter().map(move |of| (game, of.1))) {
            if let Some(position) = position.filter(|position| !claimed.insert(*position)) {
                faults.push(AuditFault {
                    game: Some(*game),
                    ..AuditFault::new(
                        Check::Log,
                        format!("entry {position} of the public log is of two games"),
                    )
                });
            }
        }
        for position in (0..found.size).filter(|position| !claimed.contains(position)) {
            faults.push(AuditFault::new(
                Check::Log,
                format!("entry {position} of the public log is of no game"),
            ));
        }
        for game in gone {
            let what = "the game is in the public log, and gone from the database";
            faults.push(AuditFault { game: Some(game), ..AuditFault::new(Check::Log, what) });
        }
        Self { head, entries, places, faults }
    }

    /// Fetches the log of a service, which one of the keys must have signed.
    ///
    /// # Errors
    /// Where it cannot be fetched, or nobody signed it who should.
    pub fn fetched(remote: &Remote, keys: &[VerifyingKey]) -> Result<Self, NotTransferred> {
        let Fetched { checkpoint: Checkpoint { head, .. }, .. } = log_tiles::checkpoint(remote, keys)?;
        if head.size > MOST {
            let many = format!("the public log has {} entries, and no more than {MOST} are read", head.size);
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

    /// Checks where a game of a database is: nowhere but with what it has.
    pub fn check_stored(&self, game: &StoredGame, findings: &mut Findings) {
        let due = match (game.commitment, game.info.head) {
            (Some(_), Some(_)) if game.info.is_over() => &Milestone::ALL[..],
            (Some(_), Some(_)) => &[Milestone::Start],
            _ => &[],
        };
        let placed = self.places.get(&game.info.id).map_or(&[][..], Vec::as_slice);
        let fault = |what: String| AuditFault::new(Check::Logged, what);
        for (milestone, _) in placed.iter().filter(|(milestone, _)| !due.contains(milestone)) {
            let what = format!("the public log has its {}, and the database has none", milestone.name());
            findings.fault(fault(what));
        }
        for milestone in due {
            match placed.iter().find(|(placed, _)| placed == milestone) {
                // A log that breaks is a fault of its own.
                Some((_, Some(position))) => {
                    if let Ok(Some(opening)) = EntryOpening::new(game, *milestone) {
                        self.check_entry(*milestone, *position, &opening.entry(), findings);
                    }
                }
                Some((_, None)) => findings.left(Left::LogWaits, 1),
                None => findings.fault(fault(format!(
                    "its {} is neither in the public log nor waits for it",
                    milestone.name()
                ))),
            }
        }
    }

    /// Checks where the game of a proof is.
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
                findings
                    .fault(fault(format!("the service does not say where its {name} is in the public log")));
                continue;
            };
            let read = entry.receipt.parse().map_err(|error| format!("it is no receipt: {error}"));
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
                    findings.fault(fault(format!("what its {name} in the public log states: {why}")));
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
                format!("its {} is not what entry {position} of the public log hides", moment.name()),
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
                    format!("the first {size} entries of the public log are not those of the checkpoint in {name}: the log was rewritten"),
                )),
                None => findings.fault(AuditFault::new(
                    Check::Earlier,
                    format!(
                        "the public log has {} entries, and had {size} at the checkpoint in {name}: it was rolled back",
                        self.entries.len()
                    ),
                )),
            }
        }
    }
}

/// Returns the root of the first entries; none where there are not as many.
fn root_at(entries: &[Bytes32], size: u64) -> Option<Bytes32> {
    let first = entries.get(..usize::try_from(size).ok()?)?;
    Some(rebuilt(first.iter().copied()).0.root)
}
