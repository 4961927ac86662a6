//! Proofs: each viewer's part of a running match, which reveals nothing hidden, and the whole of a finished
//! one, from which anyone can recompute everything.

use std::cell::RefCell;
use std::collections::HashMap;

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::harness::{Answer, Client, Service, secret, sit};

mod attack;
mod damaged;
mod decided;
mod earlier;
mod ended;
mod forgeries;
mod in_javascript;
mod last_seat;
mod receipts;
mod roll_by_roll;
mod running;
mod signed;
mod tampering;
mod tools;

pub(crate) use tools::hashing::{check, rechain};

/// A game and its players.
struct Scene<'a> {
    service: &'a Service,
    id: String,
    /// The holders of the seats by number.
    players: HashMap<u64, Client<'a>>,
    /// The choices of the players. Chance is the service's.
    dice: RefCell<Dice>,
}

impl<'a> Scene<'a> {
    /// Returns a game with its open seats taken, every other one with entropy.
    fn new(service: &'a Service, ruleset: &str, seats: &[&str], options: Value) -> Self {
        let wanted = json!({"ruleset": ruleset, "seats": seats, "options": options});
        let created = service.player().post("/v1/games", wanted);
        assert_eq!(created.status, 201, "{}", created.text);
        let id = created.json()["id"].as_str().unwrap().to_owned();
        let sitter = |kind: &&str| if *kind == "open" { service.player() } else { service.stranger() };
        let players: Vec<Client<'_>> = seats.iter().map(sitter).collect();
        sit(&id, &players, |number| if number % 2 == 0 { json!({"entropy": secret()}) } else { json!({}) });
        let players = (1..).zip(players).filter(|(_, player)| player.secret.is_some()).collect();
        Self { service, id, players, dice: RefCell::new(Dice::new(seats.len() as u64)) }
    }

    /// Returns a short match of Marrakesh.
    fn marrakesh(service: &'a Service, seats: [&str; 2]) -> Self {
        Self::new(service, "marrakesh/1", &seats, json!({"rounds": 6}))
    }

    fn path(&self, rest: &str) -> String {
        format!("/v1/games/{}{rest}", self.id)
    }

    fn game(&self) -> Value {
        self.service.stranger().get(&self.path("")).json()
    }

    /// Returns a client's proof.
    fn proof(&self, client: &Client<'_>) -> Answer {
        let proof = client.get(&self.path("/proof"));
        assert_eq!(proof.status, 200, "{}", proof.text);
        proof
    }

    /// Plays any legal decision next. Returns `None` if the game is over.
    fn play(&self) -> Option<Answer> {
        let turn = self.service.stranger().get(&self.path("/legal-moves")).json();
        let player = self.players.get(&turn["seat"].as_u64()?).unwrap();
        let legal = player.get(&self.path("/legal-moves")).json();
        let moves = legal["moves"].as_array().unwrap();
        let ply = legal["ply"].as_u64().unwrap();
        let chosen = moves[self.dice.borrow_mut().below(moves.len() as u64) as usize].as_str().unwrap();
        let written = player.play(&self.id, ply, chosen);
        assert_eq!(written.status, 201, "{}", written.text);
        Some(written)
    }

    /// Plays until the game is over.
    fn play_to_the_end(&self) {
        while self.play().is_some() {}
        assert_eq!(self.game()["status"], "finished");
    }

    /// Plays on until a condition holds. Fails if the game ends first.
    fn play_until(&self, mut is_there: impl FnMut(&Self) -> bool) {
        while !is_there(self) {
            self.play().expect("the game goes on");
        }
    }

    /// Ends the game by resigning a seat.
    fn resign(&self, seat: u64) {
        let ply = self.game()["head"]["ply"].as_u64().unwrap() + 1;
        assert_eq!(self.players[&seat].play(&self.id, ply, "!resign").status, 201);
    }
}

/// Returns the words of a proof with their parts.
fn parts(proof: &Value) -> impl Iterator<Item = (u64, &Value)> {
    proof["words"].as_array().unwrap().iter().flat_map(|word| {
        let ply = word["ply"].as_u64().unwrap();
        word["parts"].as_array().unwrap().iter().map(move |part| (ply, part))
    })
}

/// Returns a part of a proof.
fn part(proof: &Value, ply: u64, number: u64) -> &Value {
    parts(proof).find(|(at, part)| *at == ply && part["part"] == number).unwrap().1
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("{value} is no text"))
}

fn bytes(value: &Value) -> Vec<u8> {
    hex::decode(text(value)).unwrap()
}

/// Returns whether a token is a card, not a use or a leave.
fn is_card(token: &str) -> bool {
    token.len() == 2
}
