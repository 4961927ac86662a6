//! Verifying a proof: recomputing it with the functions that the service wrote it with.

use assam_notation::{ErrorKind, MAX_WORD};
use assam_players::Player;
use assam_referee::{AnyDecision, AnyRecord, AnyWord, Refusal, Ruleset, Setup, Table, tokens};
use assam_rules::{Leave, Turn};

use super::fault::{shown, shown_or_none};
use super::{Fault, Proof, ProvedPart, ProvedSeat, ProvedWord, Scope, What};
use crate::chain;
use crate::chance::{self, Committed, Purpose, counted};
use crate::game::{Bytes32, Head, Holder, SeatKind};
use crate::hex::Hex;

/// A verified proof.
pub struct Verified {
    /// The words, as the proof shows them.
    pub words: Vec<String>,
    /// The heads: before the first word, and after each word.
    pub heads: Vec<Head>,
    /// How many tokens are hidden from the requester of the proof; their hashes were taken as they are.
    pub hidden: usize,
    /// How many tokens were hidden when they were written, and came with their salts.
    pub opened: usize,
    /// How many outcomes were drawn.
    pub drawn: usize,
    /// The decisions of each seat that the service plays.
    pub choices: Vec<Choices>,
}

/// The decisions of a built-in player.
pub struct Choices {
    /// The number of its seat.
    pub seat: u8,
    /// The player.
    pub player: Player,
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

/// A proof that is being verified, word by word.
struct Verifier<'a> {
    proof: &'a Proof,
    setup: Setup,
    table: Box<dyn Table>,
    /// The head so far.
    head: Bytes32,
    /// Everything that follows from the seed, where the proof has it.
    seeded: Option<Committed>,
    verified: Verified,
}

impl<'a> Verifier<'a> {
    /// Checks everything before the first word: setup, seats, commitment and start.
    fn new(proof: &'a Proof) -> Result<Self, Fault> {
        let fault =
            |what, expected: String, found: String| Err(Fault::at(Scope::Proof, what, expected, found));
        let setup = match Setup::read(&proof.setup) {
            Ok(setup) => setup,
            Err(error) => {
                let expected = if error.kind == ErrorKind::UnknownRuleset {
                    format!("one of {}", Ruleset::names())
                } else {
                    format!("a setup line ({}: {})", error.rule, error.detail)
                };
                return fault(What::Setup, expected, shown(&proof.setup));
            }
        };
        if proof.seats.len() != usize::from(setup.seats()) {
            return fault(What::Seat, setup.seats().to_string(), proof.seats.len().to_string());
        }
        for (number, seat) in (1..).zip(&proof.seats) {
            if usize::from(seat.seat) != number {
                return Err(Fault::at(Scope::Seat(number), What::Seat, number, seat.seat));
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
                return Err(Fault::at(Scope::Seat(number), What::Seat, expected, seat.kind.name()));
            }
        }
        let seeded = proof.seed.map(|seed| Committed::new(&seed.0, &start));
        let played = proof.seats.iter().filter_map(|seat| Some((seat.seat, seat.kind.player()?)));
        let verified = Verified {
            words: Vec::new(),
            heads: vec![Head { ply: 0, hash: start }],
            hidden: 0,
            opened: 0,
            drawn: 0,
            choices: played.map(|(seat, player)| Choices { seat, player, count: 0 }).collect(),
        };
        Ok(Self { proof, table: setup.table(), setup, head: start, seeded, verified })
    }

    /// Checks one more word: its parts, its head, the rules; with the seed, also its chance and the choices of built-in
    /// players.
    fn word(&mut self, word: &ProvedWord) -> Result<(), Fault> {
        let is_leading = self.table.is_start_due();
        let ply = self.table.next_ply();
        if word.ply != ply {
            return Err(Fault::at(Scope::Ply(ply), What::Ply, ply, word.ply));
        }
        // The leading word decides nothing.
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
        self.play(ply, word)?;
        self.verified.heads.push(Head { ply, hash: self.head });
        Ok(())
    }

    /// Checks a part by itself: its hash and its salt.
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
        let chosen = self.choice(ply, decision.as_ref())?;
        let played = match &self.seeded {
            None => {
                let played = self.table.describe(&text).map_err(refused)?;
                self.table.replay(&text).map_err(refused)?;
                played
            }
            Some(source) => {
                let mut draw = counted(source, Purpose::Chance, ply);
                self.table.decide(decision.as_ref(), &mut draw).map_err(refused)?
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
            self.verified.drawn += usize::from(token.part > 0);
        }
        if let Some(chosen) = chosen {
            self.verified.choices[chosen].count += 1;
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

    /// Checks what the table allows of leaving: built-in players stay, and nobody aborts after ply 1.
    fn leave(&self, ply: u32, decision: Option<&AnyDecision>) -> Result<(), Fault> {
        let Some(leave) = decision.and_then(AnyDecision::leave) else { return Ok(()) };
        let is_of = |choices: &&Choices| leave.seat().is_some_and(|seat| seat.number() == choices.seat);
        let fault = |what, expected: String| {
            let found = decision.map(|decision| shown(decision.text())).unwrap_or_default();
            Err(Fault::at(Scope::Part(ply, 0), what, expected, found))
        };
        match self.verified.choices.iter().find(is_of) {
            _ if self.proof.imported => Ok(()),
            Some(choices) => {
                fault(What::Choice, format!("{} to stay at seat {}", choices.player.name(), choices.seat))
            }
            None if leave == Leave::Abort && ply > 1 => {
                fault(What::Word, "an abort at ply 1, or none".to_owned())
            }
            None => Ok(()),
        }
    }

    /// Returns which built-in player decides here, if one does. With the seed, also checks that this is its decision.
    fn choice(&self, ply: u32, decision: Option<&AnyDecision>) -> Result<Option<usize>, Fault> {
        let Turn::Player(seat) = self.table.turn() else { return Ok(None) };
        let by_seat = |choices: &Choices| choices.seat == seat.number();
        let Some(index) = self.verified.choices.iter().position(by_seat) else { return Ok(None) };
        if let Some(source) = &self.seeded {
            let player = self.verified.choices[index].player;
            let choice = self.table.choose(player, &mut counted(source, Purpose::Choice, ply));
            if choice.as_ref() != decision {
                let text = |decision: Option<&AnyDecision>| shown_or_none(decision.map(AnyDecision::text));
                let expected = format!("{} of {}", text(choice.as_ref()), player.name());
                return Err(Fault::at(Scope::Part(ply, 0), What::Choice, expected, text(decision)));
            }
        }
        Ok(Some(index))
    }

    /// Checks what comes after the last word: head, seed, and whose turn it is.
    fn end(&self) -> Result<(), Fault> {
        let fault = |what, expected: &str, found: &str| Err(Fault::at(Scope::Proof, what, expected, found));
        let (ply, hash) = (self.table.ply(), hex::encode(self.head));
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

/// The head before the first word.
fn start(proof: &Proof) -> Result<Bytes32, Fault> {
    let fault = |what, expected: &str, found: String| Err(Fault::at(Scope::Proof, what, expected, found));
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
            let holder = |seat: &ProvedSeat| Holder {
                player: seat.player,
                entropy: seat.entropy,
                ..Holder::of(seat.kind)
            };
            let seats: Vec<Holder> = proof.seats.iter().map(holder).collect();
            Ok(chance::start(&proof.setup, proof.game, &commitment.0, &seats))
        }
    }
}

/// Checks that the word that was played has exactly these tokens.
fn same_word(ply: u32, played: &AnyWord<'_>, given: &[&str]) -> Result<(), Fault> {
    let first = u32::from(ply == 0);
    let mut expected = tokens(played.text()).map(|(_, token)| token);
    let mut found = given.iter().copied();
    for number in first.. {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (expected, found) if expected == found => {}
            (expected, found) => {
                let what = if number == 0 { What::Word } else { What::Chance };
                let (expected, found) = (shown_or_none(expected), shown_or_none(found));
                return Err(Fault::at(Scope::Part(ply, number), what, expected, found));
            }
        }
    }
    Ok(())
}

/// Returns the text of what is expected where a rule is broken.
fn legal(what: &str, refusal: &Refusal) -> String {
    format!("{what} ({}: {})", refusal.rule, refusal.text)
}
