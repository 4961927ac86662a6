//! A proof, recomputed from what it says, by the functions that the service wrote it with.

use assam_notation::MAX_WORD;
use assam_rules::Turn;

use super::fault::{shown, shown_or_none};
use super::{Fault, Place, Proof, ProvedPart, ProvedWord, What};
use crate::chain;
use crate::chance::{self, Committed, Purpose, counted};
use crate::digits::Hex;
use crate::game::{Bytes32, Head, Seat, SeatKind};
use crate::judge::judge_record;
use crate::referee::{Played, Refusal, Table};
use crate::ruleset::Ruleset;

/// What was verified.
pub struct Verified {
    /// The words, as far as they are told.
    pub words: Vec<String>,
    /// The head before the first word, and behind each.
    pub heads: Vec<Head>,
    /// Tokens that are hidden from whoever was given the proof: their hashes were taken as they are.
    pub hidden: usize,
    /// Tokens that were hidden when they were written, and came with their salts.
    pub opened: usize,
    /// Things drawn.
    pub drawn: usize,
    /// For each seat that the service plays: what it decided.
    pub choices: Vec<Choices>,
}

/// The decisions of a built-in player.
pub struct Choices {
    /// The number of its seat.
    pub seat: u8,
    /// Who it is.
    pub kind: SeatKind,
    /// How many decisions.
    pub count: usize,
}

/// Recomputes everything that a proof allows.
///
/// # Errors
/// The first thing that is not what it must be.
pub fn verify(proof: &Proof) -> Result<Verified, Fault> {
    let mut verifier = Verifier::new(proof)?;
    for word in &proof.words {
        verifier.word(word)?;
    }
    verifier.end()?;
    Ok(verifier.verified)
}

impl Verified {
    /// Does a record have the same words? What is hidden in one of the two agrees with anything that could stand there, and
    /// one that goes on may stop before the other. The last ply that both have; none where they have no word.
    ///
    /// # Errors
    /// The first difference.
    pub fn agrees(
        &self,
        proof: &Proof,
        setup: &str,
        words: &[String],
        is_over: bool,
    ) -> Result<Option<u32>, Fault> {
        if setup != proof.setup {
            return Err(Fault::at(Place::Game, What::Record, shown(&proof.setup), shown(setup)));
        }
        let plies = self.heads.iter().skip(1).map(|head| head.ply).chain(proof.head.ply + 1..);
        // The seed of a game is told when it is over, which was checked.
        let is_proof_over = proof.imported || proof.seed.is_some();
        let longest = self.words.len().max(words.len());
        let mut last = None;
        for (index, ply) in (0..longest).zip(plies) {
            let [expected, found] = [&self.words, words].map(|words| words.get(index).map(String::as_str));
            let agree = match (expected, found) {
                (Some(expected), Some(found)) => is_as_far_as_told(expected, found),
                (Some(_), None) => !is_over,
                (None, _) => !is_proof_over,
            };
            if !agree {
                let (expected, found) = (shown_or_none(expected), shown_or_none(found));
                return Err(Fault::at(Place::Ply(ply), What::Record, expected, found));
            }
            if expected.is_some() && found.is_some() {
                last = Some(ply);
            }
        }
        Ok(last)
    }
}

/// A proof on its way through its words.
struct Verifier<'a> {
    proof: &'a Proof,
    table: Box<dyn Table>,
    /// The head so far.
    head: Bytes32,
    /// What follows from the seed, where it is told.
    seeded: Option<Committed>,
    verified: Verified,
}

impl<'a> Verifier<'a> {
    /// Before the first word: setup, seats, commitment and start.
    fn new(proof: &'a Proof) -> Result<Self, Fault> {
        let fault =
            |what, expected: String, found: String| Err(Fault::at(Place::Game, what, expected, found));
        let known = Ruleset::named(proof.setup.split(' ').nth(1).unwrap_or_default());
        let Some(ruleset) = known else {
            let names: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
            return fault(What::Setup, format!("one of {}", names.join(", ")), shown(&proof.setup));
        };
        let table = ruleset.referee().table(&proof.setup).map_err(|refusal| {
            Fault::at(Place::Game, What::Setup, legal("a setup line", &refusal), shown(&proof.setup))
        })?;
        let seats = table.score().scores.len();
        if proof.seats.len() != seats {
            return fault(What::Seat, seats.to_string(), proof.seats.len().to_string());
        }
        for (number, seat) in (1..).zip(&proof.seats) {
            if usize::from(seat.seat) != number {
                return Err(Fault::at(Place::Seat(number), What::Seat, number, seat.seat));
            }
        }
        let start = start(proof)?;
        if proof.start.0 != start {
            return fault(What::Start, hex::encode(start), proof.start.to_string());
        }
        for (number, seat) in (1..).zip(&proof.seats) {
            let is_nobody = seat.kind == SeatKind::Human && seat.player.is_none() && seat.entropy.is_none();
            if proof.imported && !is_nobody {
                let expected = "human, without player and entropy, as the game was imported";
                return Err(Fault::at(Place::Seat(number), What::Seat, expected, seat.kind.name()));
            }
        }
        let seeded = proof.seed.map(|seed| Committed::new(&seed.0, &start));
        let choices = proof.seats.iter().filter(|seat| seat.kind.is_built_in());
        let verified = Verified {
            words: Vec::new(),
            heads: vec![Head { ply: 0, hash: start }],
            hidden: 0,
            opened: 0,
            drawn: 0,
            choices: choices.map(|seat| Choices { seat: seat.seat, kind: seat.kind, count: 0 }).collect(),
        };
        Ok(Self { proof, table, head: start, seeded, verified })
    }

    /// One more word: its parts, its head, the rules; with the seed, its chance and who chose it.
    fn word(&mut self, word: &ProvedWord) -> Result<(), Fault> {
        let is_leading = self.table.is_start_due();
        let ply = if is_leading { 0 } else { self.table.ply() + 1 };
        if word.ply != ply {
            return Err(Fault::at(Place::Ply(ply), What::Ply, ply, word.ply));
        }
        // The leading word decides nothing.
        let first = u32::from(is_leading);
        if word.parts.is_empty() {
            return Err(Fault::at(Place::Ply(ply), What::Part, first, "none"));
        }
        for (number, part) in (first..).zip(&word.parts) {
            if part.part != number {
                return Err(Fault::at(Place::Part(ply, number), What::Part, number, part.part));
            }
            self.part(ply, part)?;
        }
        self.head = chain::extend(&self.head, word.parts.iter().map(|part| part.hash.0));
        if word.head.0 != self.head {
            return Err(Fault::at(Place::Ply(ply), What::Head, Hex(self.head), word.head));
        }
        self.play(ply, word)?;
        self.verified.heads.push(Head { ply, hash: self.head });
        Ok(())
    }

    /// A part by itself: its hash, and its salt.
    fn part(&mut self, ply: u32, part: &ProvedPart) -> Result<(), Fault> {
        let fault = |what, expected: String, found: String| {
            Err(Fault::at(Place::Part(ply, part.part), what, expected, found))
        };
        let is_token = (1..=MAX_WORD).contains(&part.token.len())
            && part.token.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'+');
        if !is_token {
            let expected = format!("1 to {MAX_WORD} visible ASCII characters, none of them `+`");
            return fault(What::Token, expected, shown(&part.token));
        }
        if part.is_hidden() {
            self.verified.hidden += 1;
            return match (&self.seeded, part.salt) {
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
                let derived = self.seeded.as_ref().map(|committed| committed.salt(ply, part.part));
                if let Some(derived) = derived.filter(|derived| *derived != salt.0) {
                    return fault(What::Salt, hex::encode(derived), salt.to_string());
                }
                self.verified.opened += 1;
                chain::sealed_part(&salt.0, &part.token)
            }
        };
        if part.hash.0 != hash {
            return fault(What::Hash, hex::encode(hash), part.hash.to_string());
        }
        Ok(())
    }

    /// Plays a word, in its masked form where something is hidden.
    fn play(&mut self, ply: u32, word: &ProvedWord) -> Result<(), Fault> {
        let tokens: Vec<&str> = word.parts.iter().map(|part| part.token.as_str()).collect();
        let text = if ply == 0 { format!("+{}", tokens.join("+")) } else { tokens.join("+") };
        let refused = |refusal: Refusal| {
            Fault::at(Place::Ply(ply), What::Word, legal("a legal word", &refusal), shown(&text))
        };
        let decision = tokens.first().copied().filter(|_| ply > 0);
        self.leave(ply, decision)?;
        let chosen = self.choice(ply, decision)?;
        let played = match &self.seeded {
            None => self.table.replay(&text),
            Some(source) => self.table.decide(decision, &mut counted(source, Purpose::Chance, ply)),
        }
        .map_err(refused)?;
        same_word(ply, &played, &tokens)?;
        for (part, given) in chain::parts(&played).zip(&word.parts) {
            let is_sealed = part.is_sealed && !self.proof.imported;
            if is_sealed != (given.salt.is_some() || given.is_hidden()) {
                let token = shown(&given.token);
                let expected = if is_sealed {
                    format!("that of {token}, which was hidden when it was written")
                } else {
                    format!("none with {token}, which everyone could read")
                };
                let found = given.salt.map_or_else(|| "none".to_owned(), |salt| salt.to_string());
                return Err(Fault::at(Place::Part(ply, part.number), What::Salt, expected, found));
            }
            self.verified.drawn += usize::from(part.number > 0);
        }
        if let Some(chosen) = chosen {
            self.verified.choices[chosen].count += 1;
        }
        self.verified.words.push(text);
        Ok(())
    }

    /// What the table allows of leaving: built-in players stay, and nobody aborts behind ply 1.
    fn leave(&self, ply: u32, decision: Option<&str>) -> Result<(), Fault> {
        let Some(leave) = decision.filter(|decision| decision.starts_with('!')) else { return Ok(()) };
        let number = leave.bytes().last().map(|digit| digit.wrapping_sub(b'0'));
        let built_in = self.verified.choices.iter().find(|choices| Some(choices.seat) == number);
        let fault =
            |what, expected: String| Err(Fault::at(Place::Part(ply, 0), what, expected, shown(leave)));
        match built_in {
            _ if self.proof.imported => Ok(()),
            Some(choices) => {
                fault(What::Choice, format!("{} to stay at seat {}", choices.kind.name(), choices.seat))
            }
            None if leave == "!abort" && ply > 1 => {
                fault(What::Word, "an abort at ply 1, or none".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Which built-in player decides here, if one does; with the seed, whether this is what it decides.
    fn choice(&self, ply: u32, decision: Option<&str>) -> Result<Option<usize>, Fault> {
        let Turn::Player(seat) = self.table.turn() else { return Ok(None) };
        let by_seat = |choices: &Choices| choices.seat == seat.number();
        let Some(index) = self.verified.choices.iter().position(by_seat) else { return Ok(None) };
        if let Some(source) = &self.seeded {
            let kind = self.verified.choices[index].kind;
            let choice = self.table.choose(kind, &mut counted(source, Purpose::Choice, ply));
            if choice.as_deref() != decision {
                let expected = format!("{} of {}", shown_or_none(choice.as_deref()), kind.name());
                return Err(Fault::at(Place::Part(ply, 0), What::Choice, expected, shown_or_none(decision)));
            }
        }
        Ok(Some(index))
    }

    /// Behind the last word.
    fn end(&self) -> Result<(), Fault> {
        let fault = |what, expected: &str, found: &str| Err(Fault::at(Place::Game, what, expected, found));
        let (ply, hash) = (self.table.ply(), hex::encode(self.head));
        if self.table.is_start_due() {
            return fault(What::Ply, "0, in which something is drawn", "no word");
        }
        if self.proof.head.ply != ply || self.proof.head.hash != hash {
            let found = format!("ply {} with {}", self.proof.head.ply, shown(&self.proof.head.hash));
            return fault(What::Head, &format!("ply {ply} with `{hash}`"), &found);
        }
        let is_over = match self.table.turn() {
            Turn::Over | Turn::Aborted => true,
            Turn::Player(_) | Turn::Chance => false,
        };
        match (is_over && !self.proof.imported, self.proof.seed) {
            (true, None) => return fault(What::Seed, "one, as the game is over", "none"),
            (false, Some(_)) => return fault(What::Seed, "none, as the game goes on", "one"),
            (true, Some(_)) | (false, None) => {}
        }
        if let Turn::Player(seat) = self.table.turn()
            && let Some(choices) = self.verified.choices.iter().find(|choices| choices.seat == seat.number())
        {
            let expected = format!("what {} decides at seat {}", choices.kind.name(), choices.seat);
            return Err(Fault::at(Place::Ply(ply + 1), What::Choice, expected, "no word"));
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
        let id = Hex(chance::import_id(&judge_record(record.as_bytes()).canonical));
        if self.proof.game == id {
            return Ok(());
        }
        Err(Fault::at(Place::Game, What::Game, id, self.proof.game))
    }
}

/// Are two words the same, as far as neither is masked?
fn is_as_far_as_told(one: &str, other: &str) -> bool {
    let is_same = |(one, other): (u8, u8)| one == other || one == b'?' || other == b'?';
    one.len() == other.len() && one.bytes().zip(other.bytes()).all(is_same)
}

/// The head before the first word.
fn start(proof: &Proof) -> Result<Bytes32, Fault> {
    let fault = |what, expected: &str, found: String| Err(Fault::at(Place::Game, what, expected, found));
    match (proof.imported, proof.commitment, proof.seed) {
        (true, None, None) => Ok(chance::import_start(&proof.setup)),
        (true, Some(commitment), _) => {
            fault(What::Commitment, "none, as the game was imported", commitment.to_string())
        }
        (true, None, Some(_)) => fault(What::Seed, "none, as the game was imported", "one".to_owned()),
        (false, None, _) => fault(What::Commitment, "one, as the game was not imported", "none".to_owned()),
        (false, Some(commitment), seed) => {
            let of_seed = seed.map(|seed| Hex(chance::commitment(&seed.0)));
            if let Some(of_seed) = of_seed.filter(|of_seed| *of_seed != commitment) {
                let expected = format!("SHA-256 of the seed, {of_seed}");
                return fault(What::Commitment, &expected, commitment.to_string());
            }
            let seats = proof.seats.iter().map(|seat| Seat {
                player: seat.player.map(|player| player.to_string()),
                entropy: seat.entropy.map(|entropy| entropy.to_string()),
                ..Seat::of(seat.kind)
            });
            let seats: Vec<Seat> = seats.collect();
            Ok(chance::start(&proof.setup, &proof.game.to_string(), &commitment.0, &seats))
        }
    }
}

/// Is the word that was played the one that these tokens are?
fn same_word(ply: u32, played: &Played, tokens: &[&str]) -> Result<(), Fault> {
    let first = u32::from(ply == 0);
    let mut expected = chain::tokens(&played.word).map(|(_, token)| token);
    let mut found = tokens.iter().copied();
    for number in first.. {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (expected, found) if expected == found => {}
            (expected, found) => {
                let what = if number == 0 { What::Word } else { What::Chance };
                let (expected, found) = (shown_or_none(expected), shown_or_none(found));
                return Err(Fault::at(Place::Part(ply, number), what, expected, found));
            }
        }
    }
    Ok(())
}

/// What is expected where a rule is broken.
fn legal(what: &str, refusal: &Refusal) -> String {
    format!("{what} ({}: {})", refusal.rule, refusal.text)
}
