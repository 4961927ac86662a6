//! An attacker with everything public and one seat's proof tries all hands that the other seat may have.

use serde_json::Value;

use super::tools::hashing::{open, sealed};
use super::{Scene, bytes, part, parts, text};
use crate::harness::{Service, sqlite};

/// Returns the faces in the order of the notation: s h d c, within a suit 6 5 4 3 2 A Q.
fn faces() -> Vec<String> {
    "shdc".chars().flat_map(|suit| "65432AQ".chars().map(move |rank| format!("{rank}{suit}"))).collect()
}

/// A seat's knowledge of the other's last deal.
struct Attacker {
    /// How many of each face may be in the other hand.
    left: Vec<(String, usize)>,
    /// Every salt known to the seat.
    salts: Vec<Vec<u8>>,
    /// The letter of the other hand.
    other: &'static str,
    /// The ply and the part of the other hand, and its hash.
    ply: u64,
    part: u64,
    hash: Vec<u8>,
}

impl Attacker {
    /// Returns the attacker on this seat, right after a deal.
    fn on(scene: &Scene<'_>, seat: u64) -> Self {
        let player = &scene.players[&seat];
        let proof = scene.proof(player).json();
        let ply = proof["head"]["ply"].as_u64().unwrap();
        // The position has all known cards since the shuffle: the seat's hands, the cards played and the
        // bonus cards.
        let state = player.get(&scene.path(&format!("/states/{ply}"))).json();
        let position: Vec<&str> = text(&state["position"]).split(';').collect();
        let known = [3, 4, 7, 11].map(|field| position[field]).join(";");
        let left = |face: String| {
            let copies = if face.starts_with('Q') { 1 } else { 2 };
            let out = known.matches(face.as_str()).count();
            (face, copies - out)
        };
        let (number, other) = if seat == 1 { (1, "r") } else { (0, "b") };
        let dealt = parts(&proof).filter(|(at, part)| *at == ply && text(&part["token"]).contains(':'));
        let hidden = dealt.map(|(_, part)| part).nth(number).unwrap();
        assert_eq!(text(&hidden["token"]), format!("{other}:{}", "??".repeat(6)));
        Self {
            left: faces().into_iter().map(left).collect(),
            salts: salts(&proof),
            other,
            ply,
            part: hidden["part"].as_u64().unwrap(),
            hash: bytes(&hidden["hash"]),
        }
    }

    /// Tries every hand of six of the remaining cards, as written in the notation. Returns how many were
    /// tried, and the one with this hash.
    fn search(&self, hash: &[u8]) -> (u32, Option<String>) {
        let (mut tried, mut found) = (0, None);
        for_each_hand(&self.left, 6, &mut format!("{}:", self.other), &mut |hand| {
            tried += 1;
            let is_it = is_hash_of(hand, &self.salts, hash);
            found = is_it.then(|| hand.to_owned());
            is_it
        });
        (tried, found)
    }
}

/// Returns every salt in a proof.
fn salts(proof: &Value) -> Vec<Vec<u8>> {
    let told = parts(proof).filter(|(_, part)| !part["salt"].is_null());
    told.map(|(_, part)| bytes(&part["salt"])).collect()
}

/// Passes all hands of so many cards to `try_it`, in canonical form, until it accepts one.
fn for_each_hand(
    left: &[(String, usize)],
    due: usize,
    hand: &mut String,
    try_it: &mut impl FnMut(&str) -> bool,
) -> bool {
    if due == 0 {
        return try_it(hand);
    }
    let Some(((face, count), rest)) = left.split_first() else { return false };
    let length = hand.len();
    (0..=due.min(*count)).any(|taken| {
        hand.truncate(length);
        (0..taken).for_each(|_| hand.push_str(face));
        let is_found = for_each_hand(rest, due - taken, hand, try_it);
        hand.truncate(length);
        is_found
    })
}

/// Returns whether this is the hash of a token, open, or sealed with one of these salts or none.
fn is_hash_of(token: &str, salts: &[Vec<u8>], hash: &[u8]) -> bool {
    open(token) == *hash
        || sealed(&[], token) == *hash
        || salts.iter().any(|salt| sealed(salt, token) == *hash)
}

/// Returns the number of hands of so many cards.
fn hands(left: &[(String, usize)]) -> u32 {
    // One more face at a time: the number of hands of 0, 1, .. 6 cards.
    let mut counts = [1, 0, 0, 0, 0, 0, 0];
    for (_, count) in left {
        for due in (1..=6).rev() {
            counts[due] = (0..=due.min(*count)).map(|taken| counts[due - taken]).sum();
        }
    }
    counts[6]
}

#[test]
fn who_tries_all_possible_hands_of_the_other_seat_against_its_sealed_part_finds_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::marrakesh(&service, ["open", "open"]);
    // After the first deal, with the most hands to try, and in the last round of a pack, with the most salts.
    let first = Attacker::on(&scene, 1);
    scene.play_until(|scene| scene.game()["state"]["round"] == 3);
    let late = [1, 2].map(|seat| Attacker::on(&scene, seat));
    scene.resign(1);
    let truth = scene.proof(&service.stranger()).json();
    assert!(first.salts.len() == 1 && late.iter().all(|attacker| attacker.salts.len() > 5));
    for attacker in [first].iter().chain(&late) {
        let (tried, found) = attacker.search(&attacker.hash);
        assert_eq!((tried, found), (hands(&attacker.left), None));
        // The search is complete: it would find the hand if one salt were used for both, or if it were hashed
        // open.
        let opened = part(&truth, attacker.ply, attacker.part);
        let hand = text(&opened["token"]);
        assert_eq!(hex::encode(&attacker.hash), text(&opened["hash"]));
        let own_salt = attacker.salts.last().unwrap();
        for weak in [sealed(own_salt, hand), open(hand), sealed(&[], hand)] {
            assert_eq!(attacker.search(&weak).1.as_deref(), Some(hand));
        }
        // With its salt, revealed after the match, the hand matches.
        assert!(is_hash_of(hand, &[bytes(&opened["salt"])], &attacker.hash));
    }
}

#[test]
fn who_tries_every_card_against_a_sealed_lead_finds_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::marrakesh(&service, ["open", "open"]);
    let mut hidden = Vec::new();
    while hidden.len() < 8 {
        scene.play().unwrap();
        let game = scene.game();
        if game["state"]["phase"] == "reply" {
            let ply = game["head"]["ply"].as_u64().unwrap();
            let seat = game["state"]["seat"].as_u64().unwrap();
            let proof = scene.proof(&scene.players[&seat]).json();
            hidden.push((ply, bytes(&part(&proof, ply, 0)["hash"]), salts(&proof)));
        }
    }
    scene.resign(2);
    let truth = scene.proof(&service.stranger()).json();
    for (ply, hash, salts) in hidden {
        let search = |hash: &[u8]| faces().into_iter().find(|face| is_hash_of(face, &salts, hash));
        assert_eq!(search(&hash), None);
        let lead = text(&part(&truth, ply, 0)["token"]).to_owned();
        for weak in [sealed(salts.last().unwrap(), &lead), open(&lead), sealed(&[], &lead)] {
            assert_eq!(search(&weak), Some(lead.clone()));
        }
    }
}
