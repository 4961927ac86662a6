//! Changed proofs, and the verdicts of the verifiers on them.

use serde_json::{Value, json};

use super::hashing::rechain;
use super::verifiers::{independent, verify};
use crate::dice::Dice;
use crate::harness::Service;
use crate::proofs::{Scene, is_card, parts, text};

pub(in crate::proofs) const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Returns a proof with a change.
pub(in crate::proofs) fn changed(proof: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut proof = proof.clone();
    change(&mut proof);
    proof
}

/// The same, with all hashes and heads made to fit.
pub(in crate::proofs) fn forged(proof: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut proof = changed(proof, change);
    rechain(&mut proof);
    proof
}

/// Returns the index of a ply's word, and of a part in it.
pub(in crate::proofs) fn place(proof: &Value, ply: u64, number: u64) -> (usize, usize) {
    let words = proof["words"].as_array().unwrap();
    let word = words.iter().position(|word| word["ply"] == ply).unwrap();
    let parts = words[word]["parts"].as_array().unwrap();
    (word, parts.iter().position(|part| part["part"] == number).unwrap())
}

/// Returns a part of a proof for changing.
pub(in crate::proofs) fn part_mut(proof: &mut Value, ply: u64, number: u64) -> &mut Value {
    let (word, part) = place(proof, ply, number);
    &mut proof["words"][word]["parts"][part]
}

/// Returns a whole match of a person on seat 2, who added entropy, against the solitaire player, with a bonus
/// card drawn.
pub(in crate::proofs) fn finished(service: &Service) -> (Scene<'_>, Value) {
    let has_bonus =
        |proof: &Value| parts(proof).any(|(_, part)| part["part"] != 0 && is_card(text(&part["token"])));
    let play = |_| {
        let scene = Scene::marrakesh(service, ["solitaire-ai", "open"]);
        scene.play_to_the_end();
        let proof = scene.proof(&service.stranger()).json();
        has_bonus(&proof).then_some((scene, proof))
    };
    (0..20).find_map(play).expect("a bonus card was drawn in one of twenty matches")
}

/// Checks that `assam verify` refuses each of these with exactly this line. If the flag is set, verify.py and
/// the TypeScript client must too. The latter also reads the receipt, so it may refuse more.
pub(in crate::proofs) fn all_are_refused(cases: Vec<(Value, String, bool)>) {
    let proofs: Vec<Value> = cases.iter().map(|(proof, _, _)| proof.clone()).collect();
    for (proof, message, _) in &cases {
        assert_eq!(verify(&proof.to_string(), &[]), Err(format!("assam: <stdin>: {message}\n")));
    }
    for verdicts in independent(&proofs) {
        for (told, (_, message, is_refused)) in verdicts.iter().zip(&cases) {
            assert!(told.is_err() || !is_refused, "{message}: {told:?}");
        }
    }
}

/// Changes a digit of the statement, except in the time.
pub(in crate::proofs) fn restated(proof: &Value, dice: &mut Dice) -> Option<Value> {
    let (stated, signature) = proof["receipt"].as_str()?.split_once("\n\n")?;
    let (stated, time) = stated.split_once("\nstatus").unwrap();
    let digits = stated.char_indices().filter(|(at, c)| c.is_ascii_digit() && !(60..100).contains(at));
    let digits: Vec<usize> = digits.map(|(at, _)| at).collect();
    let (at, mut other_text) = (digits[dice.below(digits.len() as u64) as usize], stated.to_owned());
    let other = if &stated[at..=at] == "7" { "3" } else { "7" };
    other_text.replace_range(at..=at, other);
    let note = format!("{other_text}\nstatus{time}\n\n{signature}");
    Some(changed(proof, |proof| proof["receipt"] = json!(note)))
}
