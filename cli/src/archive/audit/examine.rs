//! Examines one game: makes every check that its source allows.

use std::sync::Arc;

use assam_api::http::ExportedProof;
use assam_proofs::proof::{Proof, Verified, verify, verify_knowing};
use assam_proofs::public_log::LoggedEntry;
use assam_proofs::signed::{PublishedKey, Receipt};
use assam_record::beacon::KnownBeacons;
use assam_record::game::{GameId, SeatKind, Status, StoredGame, Visibility};
use assam_record::log::{Unsound, audit, entries};
use assam_referee::{Setup, verdict};
use assam_rules::Viewer;
use assam_store::StoreError;

use super::check::{Check, Left};
use super::fault::AuditFault;
use super::findings::Findings;
use super::signers::Signers;
use super::whole_log::AuditedLog;

/// A game as its source has it.
pub enum AuditGame {
    /// A game of a database, with its id if that can be read.
    Stored(Option<GameId>, Box<Result<StoredGame, StoreError>>),
    /// A line of an export of proofs, from 1. None if it is too long.
    Line(u64, Option<Vec<u8>>),
    /// A record, from 1, and the line on which it begins.
    Record(u64, u64, Vec<u8>),
}

/// The findings about a game.
pub struct Examined {
    pub id: Option<GameId>,
    pub findings: Findings,
    /// The entries of the public log that an exported game claims. Empty for games of a database.
    pub claims: Vec<u64>,
}

impl Examined {
    const fn new(id: Option<GameId>, findings: Findings) -> Self {
        Self { id, findings, claims: Vec::new() }
    }
}

pub struct Examiner {
    /// The required signers of the ends of games, if there are proofs.
    pub signers: Signers,
    /// The keys that a database knows.
    pub history: Vec<PublishedKey>,
    pub log: Option<Arc<AuditedLog>>,
    /// The known chains of beacons.
    pub beacons: KnownBeacons,
}

impl Examiner {
    pub fn examine(&self, given: AuditGame) -> Examined {
        match given {
            AuditGame::Stored(id, game) => match *game {
                Ok(game) => Examined::new(Some(game.info.id), self.stored(&game)),
                Err(error) => {
                    let fault = AuditFault::new(Check::Form, format!("it cannot be read: {error}"));
                    unread(id, fault)
                }
            },
            AuditGame::Line(number, line) => self.line(number, line.as_deref()),
            AuditGame::Record(number, line, record) => Self::record(number, line, &record),
        }
    }

    /// Examines a game of a database, which has everything.
    fn stored(&self, game: &StoredGame) -> Findings {
        let info = &game.info;
        let mut findings = Findings::of_game(Some(info.setup.ruleset().name()));
        match info.status {
            Status::Open => findings.open += 1,
            Status::Running => findings.running += 1,
            Status::Finished | Status::Aborted => findings.over += 1,
        }
        findings.imported += u64::from(info.imported);
        let is_public = info.is_over() && info.visibility == Visibility::Public && info.removed.is_none();
        let audited = audit(game);
        match &audited {
            Ok(_) => findings.verified(Check::Stored, 1),
            Err(unsound) => findings.fault(of_unsound(unsound)),
        }
        if let Some(what) = wrong_beacon(game, &self.beacons) {
            findings.fault(AuditFault::new(Check::Beacons, what));
        }
        // A broken log has no proof.
        if info.head.is_some() && !matches!(audited, Err(Unsound::Damaged(_))) {
            let verified = Proof::new(game, Viewer::Arbiter).map(|proof| match &game.seed {
                Some(seed) => (verify_knowing(&proof, seed, &self.beacons), proof),
                None => (verify(&proof, &self.beacons), proof),
            });
            match verified {
                Ok((Ok(verified), proof)) => add_verified(&mut findings, &proof, &verified, true),
                Ok((Err(fault), _)) => findings.fault(AuditFault::of_proof(&fault, !is_public)),
                Err(damaged) => findings.fault(of_unsound(&Unsound::Damaged(damaged))),
            }
            self.covered(game, &mut findings);
            if info.status == Status::Finished && !info.imported {
                findings.add_dice(&info.setup, entries(&game.log).map(|entry| entry.word));
            }
        }
        // After a fault, the public log cannot be compared with the game.
        if let Some(log) = self.log.as_ref().filter(|_| findings.faults == 0) {
            log.check_stored(game, &mut findings);
        }
        finished(findings, Some(info.id), None)
    }

    /// Notes whether the database knows the key for the end of a game.
    fn covered(&self, game: &StoredGame, findings: &mut Findings) {
        let head = game.info.head.filter(|_| game.info.is_over());
        let Some(receipt) = head.and_then(|head| Receipt::of_ply(game, head)) else { return };
        findings.left(Left::NotKept, 1);
        match self.history.first() {
            None => findings.left(Left::NoHistory, 1),
            Some(first) if first.since > receipt.time() => findings.left(Left::BeforeKeys, 1),
            Some(_) => findings.verified(Check::Keys, 1),
        }
    }

    /// Examines a line of an export of proofs.
    fn line(&self, number: u64, line: Option<&[u8]>) -> Examined {
        let place = format!("line {number}");
        let wrong = |what: String| {
            unread(None, AuditFault { place: Some(place.clone()), ..AuditFault::new(Check::Form, what) })
        };
        let Some(line) = line else { return wrong("it is longer than any proof".to_owned()) };
        match serde_json::from_slice::<ExportedProof>(line) {
            Ok(ExportedProof { proof, log }) => {
                let claims = log.iter().filter_map(|entry| entry.position).collect();
                Examined { claims, ..Examined::new(Some(proof.game), self.proof(&proof, &log, place)) }
            }
            Err(error) => wrong(format!("it is not an exported proof: {error}")),
        }
    }

    fn proof(&self, proof: &Proof, logged: &[LoggedEntry], place: String) -> Findings {
        let setup = Setup::read(&proof.setup);
        let mut findings = Findings::of_game(setup.as_ref().ok().map(|setup| setup.ruleset().name()));
        let is_over = proof.seed.is_some() || proof.imported;
        findings.over += u64::from(is_over);
        findings.running += u64::from(!is_over);
        findings.imported += u64::from(proof.imported);
        match verify(proof, &self.beacons) {
            Ok(verified) => {
                add_verified(&mut findings, proof, &verified, proof.seed.is_some());
                self.end(proof, &mut findings);
                if let (Ok(setup), Some(_)) = (&setup, &proof.seed) {
                    findings.add_dice(setup, verified.words.iter().map(String::as_str));
                }
                match &self.log {
                    Some(log) => log.check_proved(proof, &verified.heads, logged, &mut findings),
                    None => findings.left(Left::NoLog, usize::from(!proof.imported)),
                }
            }
            Err(fault) => findings.fault(AuditFault::of_proof(&fault, false)),
        }
        finished(findings, Some(proof.game), Some(place))
    }

    /// Checks who signed the end of a game.
    fn end(&self, proof: &Proof, findings: &mut Findings) {
        if proof.imported || proof.seed.is_none() {
            return;
        }
        let Some(receipt) = &proof.receipt else { return findings.left(Left::NoReceipt, 1) };
        match self.signers.signed(receipt) {
            Ok(true) => findings.verified(Check::Ends, 1),
            Ok(false) => findings.left(Left::NoKey, 1),
            Err(not) => findings.fault(AuditFault {
                ply: Some(proof.head.ply),
                expected: Some(not.expected),
                found: Some(not.found),
                ..AuditFault::new(Check::Ends, "the end of the game is not signed by the right key")
            }),
        }
    }

    fn record(number: u64, line: u64, record: &[u8]) -> Examined {
        let verdict = verdict(record);
        let first = record.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let setup = std::str::from_utf8(first).ok().and_then(|line| Setup::read(line.trim_end()).ok());
        let mut findings = Findings::of_game(setup.map(|setup| setup.ruleset().name()));
        let is_over = verdict.marker != "*";
        findings.over += u64::from(is_over);
        findings.running += u64::from(!is_over);
        match &verdict.error {
            None => {
                findings.verified(Check::Rules, verdict.ply as usize);
                findings.add_plies(verdict.ply);
                findings.left(Left::Records, 1);
                findings.left(Left::Masked, usize::from(verdict.masked));
            }
            Some(error) => findings.fault(AuditFault {
                ply: error.place.ply,
                ..AuditFault::new(Check::Rules, format!("the record is refused: {}", error.detail))
            }),
        }
        let place = Some(format!("record {number} (line {line})"));
        Examined::new(None, finished(findings, None, place))
    }
}

/// Notes what a verified proof shows. `is_known` means that its seed is known.
fn add_verified(findings: &mut Findings, proof: &Proof, verified: &Verified, is_known: bool) {
    let words = verified.words.len();
    findings.add_plies(proof.head.ply);
    findings.verified(Check::Rules, words);
    findings.verified(Check::Chain, words + 1);
    findings.left(Left::Hidden, verified.hidden);
    let is_person = |kind: SeatKind| kind == SeatKind::Human;
    if proof.imported {
        return findings.left(Left::Imported, 1);
    }
    findings.verified(Check::Commitment, words);
    let (hidden, sealed) = if is_known { (verified.drawn_hidden, 0) } else { (0, verified.drawn_hidden) };
    findings.verified(Check::Chance, verified.drawn_open + hidden);
    findings.left(Left::Sealed, sealed);
    let proved = verified.choices.iter().map(|choices| choices.proved).sum();
    let all: usize = verified.choices.iter().map(|choices| choices.count).sum();
    findings.verified(Check::Choices, proved);
    findings.left(Left::SealedChoices, all - proved);
    findings.left(Left::People, usize::from(proof.seats.iter().any(|seat| is_person(seat.kind))));
    let has_entropy = proof.seats.iter().any(|seat| seat.entropy.is_some());
    findings.left(Left::NoEntropy, usize::from(!has_entropy && verified.beacon.is_none()));
    findings.verified(Check::Beacons, usize::from(verified.beacon == Some(true)));
    findings.left(Left::UnknownBeacon, usize::from(verified.beacon == Some(false)));
}

/// Returns what is wrong with the beacon of a stored game, except signatures. The last seat fixes a round,
/// which must lie in the future then.
fn wrong_beacon(game: &StoredGame, known: &KnownBeacons) -> Option<&'static str> {
    let beacon = game.beacon.as_ref()?;
    let has_open_seats = game.info.seats.iter().any(|seat| seat.kind == SeatKind::Open);
    let Some(due) = beacon.due else {
        return (!has_open_seats).then_some("all its seats are taken, but no round of its beacon is fixed");
    };
    if has_open_seats {
        return Some("a round of its beacon is fixed, but seats are open");
    }
    let out = known.time_of(beacon.chain, due.number)?;
    if out != due.at {
        return Some("the round of its beacon has another publication time than the stored one");
    }
    let last = game.info.seats.iter().filter_map(|seat| seat.since).chain([game.info.created_at]).max();
    last.filter(|last| *last >= out)
        .map(|_| "the round of its beacon was published before its last seat was taken")
}

/// Returns the findings for a game that cannot be read.
fn unread(id: Option<GameId>, fault: AuditFault) -> Examined {
    let mut findings = Findings::of_game(None);
    findings.fault(AuditFault { game: id, ..fault });
    Examined::new(id, findings)
}

/// Adds the place to each fault. A game with faults is verified no further.
fn finished(mut findings: Findings, id: Option<GameId>, place: Option<String>) -> Findings {
    for fault in &mut findings.told {
        fault.game = id;
        // A line is named if that helps to find it.
        fault.place.clone_from(&place);
    }
    findings.left(Left::AfterFault, usize::from(findings.faults > 0));
    findings
}

/// Returns the fault of a stored game, without secrets.
fn of_unsound(unsound: &Unsound) -> AuditFault {
    match unsound {
        Unsound::Damaged(damaged) => AuditFault {
            ply: Some(damaged.ply()),
            ..AuditFault::new(
                Check::Rules,
                format!("the stored word is against the rules ({})", damaged.rule()),
            )
        },
        Unsound::Commitment(_) => {
            AuditFault::new(Check::Commitment, "the stored seed does not match the commitment")
        }
        Unsound::Head(_) => AuditFault::new(Check::Stored, "the stored words do not lead to the stored head"),
        Unsound::Status(_) => {
            AuditFault::new(Check::Stored, "the stored words do not lead to the stored status")
        }
    }
}
