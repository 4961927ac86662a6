//! Verifies a proof by recomputing it with the functions that wrote it.

use assam_notation::MAX_WORD;
use assam_players::Player;
use assam_record::beacon::KnownBeacons;
use assam_record::chain;
use assam_record::chance::{self, Purpose, counted};
use assam_record::game::{Bytes32, Head};
use assam_record::hex::{Hex, digits};
use assam_record::log::status;
use assam_referee::{AnyDecision, AnyRecord, Refusal, Setup, Table};
use assam_rules::{Pool, Turn};
use jiff::Timestamp;

use super::beginning::{beacon, beginning};
use super::drawn::{Told, legal, same_outcomes, same_word};
use super::fault::{shown, shown_or_none};
use super::{Fault, Proof, ProvedPart, ProvedWord, Scope, What, signed};

/// A verified proof.
pub struct Verified {
    /// The words as the proof shows them.
    pub words: Vec<String>,
    /// The heads: one before the first word, and one after each word.
    pub heads: Vec<Head>,
    /// The number of tokens hidden from the requester of the proof. Their hashes cannot be checked.
    pub hidden: usize,
    /// The number of tokens that were hidden when they were written, and came with their salts.
    pub opened: usize,
    /// The number of outcomes drawn from open pools, which follow from the keys of their plies.
    pub drawn_open: usize,
    /// The number of outcomes drawn from hidden pools, which follow from the seed if the proof has it.
    pub drawn_hidden: usize,
    /// Whether the beacon's chain is known and signed its round, or `None` without a beacon.
    pub beacon: Option<bool>,
    /// The time the beacon round was published, if its chain is known.
    pub beacon_at: Option<Timestamp>,
    /// The decisions of each seat that the service plays.
    pub choices: Vec<Choices>,
}

/// The decisions of a built-in player.
pub struct Choices {
    /// The number of the seat.
    pub seat: u8,
    /// The player.
    pub player: Player,
    /// The number of decisions.
    pub count: usize,
    /// The number of decisions that follow from the keys of their plies, or from the seed if the proof has
    /// it.
    pub proved: usize,
}

/// Recomputes everything that a proof allows, with the known chains of beacons.
///
/// # Errors
/// The first fault.
pub fn verify(proof: &Proof, beacons: &KnownBeacons) -> Result<Verified, Fault> {
    verify_with(proof, proof.seed.map(|seed| seed.0), beacons)
}

/// Recomputes everything that a proof allows with a known seed, even while the game continues.
///
/// # Errors
/// The first fault. It may reveal what is hidden from others.
pub fn verify_knowing(proof: &Proof, seed: &Bytes32, beacons: &KnownBeacons) -> Result<Verified, Fault> {
    verify_with(proof, Some(*seed), beacons)
}

fn verify_with(proof: &Proof, seed: Option<Bytes32>, beacons: &KnownBeacons) -> Result<Verified, Fault> {
    let mut verifier = Verifier::new(proof, seed)?;
    verifier.verified.beacon = beacon(proof, beacons)?;
    let signed = proof.beacon.as_ref();
    verifier.verified.beacon_at = signed.and_then(|signed| beacons.time_of(signed.chain, signed.round));
    for word in &proof.words {
        verifier.word(word)?;
    }
    verifier.end()?;
    signed::receipt(proof, status(verifier.table.turn()), beacons)?;
    Ok(verifier.verified)
}

/// A proof that is being verified, word by word.
struct Verifier<'a> {
    proof: &'a Proof,
    /// The seed, if it is known.
    seed: Option<Bytes32>,
    setup: Setup,
    table: Box<dyn Table>,
    /// The head so far.
    head: Bytes32,
    /// The last key and its ply, or the anchor before the first. `None` in an imported game.
    key: Option<(Option<u32>, Bytes32)>,
    verified: Verified,
}

impl<'a> Verifier<'a> {
    /// Checks everything before the first word: setup, seats, commitment and start.
    fn new(proof: &'a Proof, seed: Option<Bytes32>) -> Result<Self, Fault> {
        let (setup, start) = beginning(proof)?;
        let played = proof.seats.iter().filter_map(|seat| Some((seat.seat, seat.kind.player()?)));
        let verified = Verified {
            words: Vec::new(),
            heads: vec![Head { ply: 0, hash: start }],
            hidden: 0,
            opened: 0,
            drawn_open: 0,
            drawn_hidden: 0,
            beacon: None,
            beacon_at: None,
            choices: played.map(|(seat, player)| Choices { seat, player, count: 0, proved: 0 }).collect(),
        };
        let key = proof.anchor.map(|anchor| (None, anchor.0));
        Ok(Self { proof, seed, table: setup.table(), setup, head: start, key, verified })
    }

    /// Checks the next word: its parts, its head and the rules. With the seed, also checks its chance and the
    /// choices of built-in players.
    fn word(&mut self, word: &ProvedWord) -> Result<(), Fault> {
        let is_leading = self.table.is_start_due();
        let ply = self.table.next_ply();
        if word.ply != ply {
            return Err(Fault::at(Scope::Ply(ply), What::Ply, ply, word.ply));
        }
        // The leading word has no decision.
        let first = u32::from(is_leading);
        if word.parts.is_empty() {
            return Err(Fault::at(Scope::Ply(ply), What::Part, first, "none"));
        }
        for (number, part) in (first..).zip(&word.parts) {
            if part.part != number {
                return Err(Fault::at(Scope::Part(ply, number), What::Part, number, part.part));
            }
            self.part(ply, part)?;
        }
        self.head = chain::extend(&self.head, word.parts.iter().map(|part| part.hash.0));
        if word.head.0 != self.head {
            return Err(Fault::at(Scope::Ply(ply), What::Head, Hex(self.head), word.head));
        }
        self.key(ply, word.key)?;
        self.play(ply, word)?;
        self.verified.heads.push(Head { ply, hash: self.head });
        Ok(())
    }

    /// Checks that the key of a ply leads to the last one or to the anchor.
    fn key(&mut self, ply: u32, key: Option<Hex<32>>) -> Result<(), Fault> {
        let fault = |expected: String| {
            let found = key.map_or_else(|| "none".to_owned(), |key| key.to_string());
            Err(Fault::at(Scope::Ply(ply), What::Key, expected, found))
        };
        match (&mut self.key, key) {
            (None, None) => Ok(()),
            (None, Some(_)) => fault("none, as the game was imported".to_owned()),
            (Some((last, before)), found) => {
                // Ply 0 has no word if nothing was drawn before the first decision.
                let plies = ply - last.map_or(0, |last| last) + u32::from(last.is_none());
                let reached = found.map(|found| chance::back(&found.0, plies));
                let (Some(found), true) = (found, reached == Some(*before)) else {
                    let times = if plies > 1 { format!("{plies} times ") } else { String::new() };
                    return fault(format!("one that {times}SHA-256 takes to {}", digits(before)));
                };
                (*last, *before) = (Some(ply), found.0);
                Ok(())
            }
        }
    }

    /// Returns the source of draws at a ply: its key and, if the proof has it, the seed. `None` in an
    /// imported game.
    fn draws(&self) -> Option<Told> {
        let (_, key) = self.key?;
        Some(Told { key, seed: self.seed, start: self.proof.start.to_string() })
    }

    /// Checks the hash and salt of a single part.
    fn part(&mut self, ply: u32, part: &ProvedPart) -> Result<(), Fault> {
        let fault = |what, expected: String, found: String| {
            Err(Fault::at(Scope::Part(ply, part.part), what, expected, found))
        };
        let is_token = (1..=MAX_WORD).contains(&part.token.len())
            && part.token.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'+');
        if !is_token {
            let expected = format!("1 to {MAX_WORD} visible ASCII characters, none of them `+`");
            return fault(What::Token, expected, shown(&part.token));
        }
        if part.is_hidden() {
            self.verified.hidden += 1;
            return match (self.proof.seed, part.salt) {
                (_, Some(salt)) => fault(
                    What::Salt,
                    format!("none with the hidden {}", shown(&part.token)),
                    salt.to_string(),
                ),
                (Some(_), None) => {
                    let expected = "all to be open, as the seed is".to_owned();
                    fault(What::Token, expected, shown(&part.token))
                }
                (None, None) => Ok(()),
            };
        }
        let hash = match part.salt {
            None => chain::open_part(&part.token),
            Some(salt) => {
                let start = self.proof.start.to_string();
                let derived = self.seed.map(|seed| chance::salt(&seed, &start, ply, part.part));
                if let Some(derived) = derived.filter(|derived| *derived != salt.0) {
                    return fault(What::Salt, digits(derived), salt.to_string());
                }
                self.verified.opened += 1;
                chain::sealed_part(&salt.0, &part.token)
            }
        };
        if part.hash.0 != hash {
            return fault(What::Hash, digits(hash), part.hash.to_string());
        }
        Ok(())
    }

    /// Plays a word, masked if something in it is hidden.
    fn play(&mut self, ply: u32, word: &ProvedWord) -> Result<(), Fault> {
        let given: Vec<&str> = word.parts.iter().map(|part| part.token.as_str()).collect();
        let text = if ply == 0 { format!("+{}", given.join("+")) } else { given.join("+") };
        let refused = |refusal: Refusal| {
            Fault::at(Scope::Ply(ply), What::Word, legal("a legal word", &refusal), shown(&text))
        };
        let decision = match given.first().filter(|_| ply > 0) {
            Some(token) => self.decision(token).map_err(refused)?,
            None => None,
        };
        self.leave(ply, decision.as_ref())?;
        let draws = self.draws();
        let chosen = self.choice(ply, decision.as_ref(), draws.as_ref())?;
        let played = match &draws {
            Some(draws) if draws.seed.is_some() => {
                let mut draw = counted(draws, Purpose::Chance, ply);
                self.table.decide(decision.as_ref(), &mut draw).map_err(refused)?
            }
            _ => {
                let before = self.table.fork();
                let played = before.describe(&text).map_err(refused)?;
                self.table.replay(&text).map_err(refused)?;
                if let Some(draws) = &draws {
                    let mut draw = counted(draws, Purpose::Chance, ply);
                    let again = before.redraw_open(&text, &mut |range| draw(Pool::Open, range));
                    same_outcomes(ply, &again.map_err(refused)?, &word.parts)?;
                }
                played
            }
        };
        same_word(ply, &played, &given)?;
        for (token, given) in played.tokens().zip(&word.parts) {
            let is_sealed = token.is_sealed && !self.proof.imported;
            if is_sealed != (given.salt.is_some() || given.is_hidden()) {
                let shown = shown(&given.token);
                let expected = if is_sealed {
                    format!("that of {shown}, which was hidden when it was written")
                } else {
                    format!("none with {shown}, which everyone could read")
                };
                let found = given.salt.map_or_else(|| "none".to_owned(), |salt| salt.to_string());
                return Err(Fault::at(Scope::Part(ply, token.part), What::Salt, expected, found));
            }
            let drawn = match token.pool {
                Pool::Open => &mut self.verified.drawn_open,
                Pool::Hidden => &mut self.verified.drawn_hidden,
            };
            *drawn += usize::from(token.part > 0);
        }
        if let Some((chosen, is_proved)) = chosen {
            let choices = &mut self.verified.choices[chosen];
            choices.count += 1;
            choices.proved += usize::from(is_proved);
        }
        self.verified.words.push(text);
        Ok(())
    }

    /// Reads the decision of a word.
    fn decision(&self, token: &str) -> Result<Option<AnyDecision>, Refusal> {
        let read = self.setup.ruleset().read_decision(token);
        let read = read.map_err(|error| Refusal { rule: error.rule, text: error.detail })?;
        Ok(read.decision)
    }

    /// Checks words for leaving. Built-in players stay. A game may be aborted at any ply, as its operator
    /// can.
    fn leave(&self, ply: u32, decision: Option<&AnyDecision>) -> Result<(), Fault> {
        let Some(leave) = decision.and_then(AnyDecision::leave) else { return Ok(()) };
        let is_of = |choices: &&Choices| leave.seat().is_some_and(|seat| seat.number() == choices.seat);
        match self.verified.choices.iter().find(is_of) {
            Some(choices) if !self.proof.imported => {
                let expected = format!("{} to stay at seat {}", choices.player.name(), choices.seat);
                let found = decision.map(|decision| shown(decision.text())).unwrap_or_default();
                Err(Fault::at(Scope::Part(ply, 0), What::Choice, expected, found))
            }
            _ => Ok(()),
        }
    }

    /// Returns the built-in player that decides here, if one does, and whether its decision can be checked.
    /// It can if the player draws from an open pool, or if the proof has the seed.
    fn choice(
        &self,
        ply: u32,
        decision: Option<&AnyDecision>,
        draws: Option<&Told>,
    ) -> Result<Option<(usize, bool)>, Fault> {
        let Turn::Player(seat) = self.table.turn() else { return Ok(None) };
        let by_seat = |choices: &Choices| choices.seat == seat.number();
        let Some(index) = self.verified.choices.iter().position(by_seat) else { return Ok(None) };
        let player = self.verified.choices[index].player;
        let is_open = self.table.choice_pool(player) == Pool::Open;
        let Some(draws) = draws.filter(|draws| is_open || draws.seed.is_some()) else {
            return Ok(Some((index, false)));
        };
        let choice = self.table.choose(player, &mut counted(draws, Purpose::Choice, ply));
        if choice.as_ref() != decision {
            let text = |decision: Option<&AnyDecision>| shown_or_none(decision.map(AnyDecision::text));
            let expected = format!("{} of {}", text(choice.as_ref()), player.name());
            return Err(Fault::at(Scope::Part(ply, 0), What::Choice, expected, text(decision)));
        }
        Ok(Some((index, true)))
    }

    /// Checks the end after the last word: head, seed and turn.
    fn end(&self) -> Result<(), Fault> {
        let fault = |what, expected: &str, found: &str| Err(Fault::at(Scope::Proof, what, expected, found));
        let (ply, hash) = (self.table.ply(), digits(self.head));
        if self.table.is_start_due() {
            return fault(What::Ply, "0, in which something is drawn", "no word");
        }
        if self.proof.head.ply != ply || self.proof.head.hash != hash {
            let found = format!("ply {} with {}", self.proof.head.ply, shown(&self.proof.head.hash));
            return fault(What::Head, &format!("ply {ply} with `{hash}`"), &found);
        }
        let is_over = self.table.turn().is_end();
        match (is_over && !self.proof.imported, self.proof.seed) {
            (true, None) => return fault(What::Seed, "one, as the game is over", "none"),
            (false, Some(_)) => return fault(What::Seed, "none, as the game goes on", "one"),
            (true, Some(_)) | (false, None) => {}
        }
        if let Turn::Player(seat) = self.table.turn()
            && let Some(choices) = self.verified.choices.iter().find(|choices| choices.seat == seat.number())
        {
            let expected = format!("what {} decides at seat {}", choices.player.name(), choices.seat);
            return Err(Fault::at(Scope::Ply(ply + 1), What::Choice, expected, "no word"));
        }
        match (self.proof.imported, is_over) {
            (true, false) => fault(What::Ply, "the end of the game, as it was imported", "that it goes on"),
            (true, true) => self.import_id(),
            (false, _) => Ok(()),
        }
    }

    /// The id of an imported game follows from its record.
    fn import_id(&self) -> Result<(), Fault> {
        let words = self.verified.words.join(" ");
        let record = format!("{}\n\n{words} {}\n", self.proof.setup, self.table.marker());
        let id = chance::import_id(&AnyRecord::read(record).canonical());
        if self.proof.game == id {
            return Ok(());
        }
        Err(Fault::at(Scope::Proof, What::GameId, id, self.proof.game))
    }
}
