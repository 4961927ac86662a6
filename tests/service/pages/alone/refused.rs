//! Forgeries and malformed proofs.

use serde_json::{Value, json};

use super::{from_file, give, kept, read, shown, speak};
use crate::harness::Browser;
use crate::proofs::rechain;

#[test]
fn forgeries_are_bad_with_the_place_and_what_it_means() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    speak(&page, "en");
    let changed = |game: &str, change: &dyn Fn(&mut Value)| {
        let mut proof = read(&format!("{game}.json"));
        change(&mut proof);
        proof
    };
    let fit = |mut proof: Value| {
        rechain(&mut proof);
        proof
    };
    let roll = |proof: &mut Value| proof["words"][1]["parts"][1]["token"] = json!("1");
    let dice = |proof: &mut Value| proof["words"][0]["parts"][0]["token"] = json!("111111/222222");
    let entropy = |proof: &mut Value| proof["seats"][0]["entropy"] = json!("5e".repeat(32));
    let receipt = |change: &dyn Fn(&mut Value)| {
        let mut receipt = read("marrakech-seat2.json");
        change(&mut receipt);
        Some(receipt.to_string())
    };
    let other = |member: &'static str| move |proof: &mut Value| proof[member] = json!("0".repeat(64));
    let cases = [
        (
            fit(changed("marrakech", &roll)),
            None,
            "Step 1: the file has \u{201c}the die shows 1\u{201d}, the box has \u{201c}the die shows 4\u{201d}.",
        ),
        (changed("marrakech", &roll), None, "Step 1: something was changed"),
        (
            fit(changed("marrakesh", &dice)),
            None,
            "Before the first move: the file has \u{201c}Blue throws 1 1 1 1 1 1, Red throws 2",
        ),
        (changed("marrakech", &entropy), None, "The seats or their random numbers"),
        (changed("marrakech", &other("seed")), None, "The box is not the one"),
        (changed("marrakech", &other("anchor")), None, "The box does not belong to the lock"),
        (
            changed("marrakech", &|proof| proof["words"][3]["key"] = json!("0".repeat(64))),
            None,
            "Step 3: its key does not open",
        ),
        (
            changed("marrakech", &|proof| drop(proof["words"].as_array_mut().unwrap().pop())),
            None,
            "The end: something was changed",
        ),
        (
            read("marrakech.json"),
            receipt(&|receipt| receipt["commitment"] = json!("1".repeat(64))),
            "The lock in this file is not the one on your receipt",
        ),
        (
            read("marrakech.json"),
            receipt(&|receipt| receipt["seats"][1]["entropy"] = json!("1".repeat(64))),
            "does not have what is on the receipt",
        ),
        (
            read("marrakech.json"),
            receipt(&|receipt| receipt["pin"] = json!({"seats_digest": "1".repeat(64), "held": null})),
            "The other seats were changed while you sat down",
        ),
    ];
    for (proof, receipt, sentence) in cases {
        let mut files = vec![("proof.json", proof.to_string())];
        files.extend(receipt.map(|receipt| ("receipt.json", receipt)));
        let told = give(&page, &files);
        assert!(told.starts_with("\u{2717} BAD") && told.contains(sentence), "{sentence}: {told}");
        assert!(told.contains("What now?") && shown(&page, "#shown").is_empty(), "{told}");
    }
    // The wrong roll is the one shown.
    give(&page, &[("", fit(changed("marrakech", &roll)).to_string())]);
    assert!(
        shown(&page, "#roll").contains("\u{2717} Step 1: the die shows 1. The box has: the die shows 4.")
    );
    let note = kept("marrakech-ply4.note");
    for (more, sentence) in [
        (vec![kept("keys.json").replace("c98d2568+ARgq", "c98d2568+ARgr")], "That is not a key"),
        (vec![note.replace("head b98", "head b99")], "does not have what is on the receipt"),
        (
            vec![note.clone(), note.replace("created 2026", "created 2025")],
            "Two receipts contradict each other",
        ),
        (
            vec![kept("keys.json"), note.replace("yY0laI", "yY0laJ")],
            "The key that you gave did not sign this",
        ),
        (
            vec![kept("marrakech-inclusion.json").replace("\"position\":0", "\"position\":1")],
            "The public log does not have this game",
        ),
    ] {
        let mut files = vec![("proof.json", kept("marrakech.json"))];
        files.extend(more.into_iter().map(|text| ("more", text)));
        let told = give(&page, &files);
        assert!(!told.starts_with('\u{2713}') && told.contains(sentence), "{sentence}: {told}");
    }
    // The receipt of its end exposes a truncated game in which all hashes fit. Without one, it is not called
    // whole.
    let mut cut = changed("marrakech", &|proof| {
        proof["words"].as_array_mut().unwrap().pop();
        proof["head"]["ply"] = json!(8);
    });
    rechain(&mut cut);
    cut["receipt"] = read("marrakech.json")["receipt"].clone();
    let told = give(&page, &[("proof.json", cut.to_string())]);
    assert!(told.starts_with('\u{2717}') && told.contains("differs from what the service stated"), "{told}");
    cut["receipt"] = Value::Null;
    let told = give(&page, &[("proof.json", cut.to_string())]);
    assert!(told.contains("but not enough"), "{told}");
    assert!(shown(&page, "#open").contains("That no moves are missing at the end of the game."));
    give(&page, &[("a", kept("marrakech.json")), ("b", kept("keys.json"))]);
    assert!(!shown(&page, "#open").contains("missing at the end"));
    assert_eq!(page.troubles(), [""; 0]);
}

#[test]
fn whatever_is_no_proof_is_named_with_the_way_to_one() {
    let Some(browser) = Browser::start() else { return };
    let page = from_file(&browser);
    let proof = kept("marrakech.json");
    let many = format!("{}\n{}\n", proof.trim(), kept("marrakesh.json").trim());
    let problem = json!({"type": "https://a/v1/problems/game_not_found", "title": "<img src=x onerror=alert(1)>", "status": 404, "code": "game_not_found", "detail": ""});
    let game = json!({"id": "0", "setup": "", "seats": [], "your_seat": null});
    let note = kept("marrakech-ply4.note");
    for (text, in_english, in_german) in [
        (String::new(), "That is empty.", "Das ist leer."),
        ("\u{0}PNG\u{0}".to_owned(), "That is not text", "Das ist kein Text"),
        ("<!doctype html><title>x</title>".to_owned(), "That is a web page.", "Das ist eine Webseite."),
        (
            "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n".to_owned(),
            "a record of the moves",
            "eine Aufzeichnung der Z\u{fc}ge",
        ),
        ("game;seat;score\n1;2;3\n".to_owned(), "That is a table", "Das ist eine Tabelle"),
        (proof[..proof.len() / 2].to_owned(), "perhaps its end is missing", "Vielleicht fehlt das Ende"),
        (many, "That has several games", "mehrere Partien"),
        (
            problem.to_string(),
            "an error message from the service: \u{201c}<img src=x",
            "eine Fehlermeldung des Dienstes: \u{201e}<img src=x",
        ),
        (game.to_string(), "That describes a game", "Das beschreibt eine Partie"),
        ("{\"a\": 1}".to_owned(), "neither a proof nor a receipt", "weder ein Beweis noch eine Quittung"),
        ("hello".to_owned(), "neither a proof nor a receipt", "weder ein Beweis noch eine Quittung"),
        (
            note.split_once("\n\n").unwrap().0.to_owned(),
            "a receipt whose last line",
            "eine Quittung, deren letzte Zeile",
        ),
        (
            note,
            "That is useful, but it is not the proof",
            "Das ist n\u{fc}tzlich, aber es ist nicht der Beweis",
        ),
    ] {
        for (language, sentence, way) in
            [("en", in_english, "Save the proof"), ("de", in_german, "Beweis speichern")]
        {
            speak(&page, language);
            let told = give(&page, &[("<b>x</b>", text.clone())]);
            assert!(told.starts_with('?') && told.contains(sentence) && told.contains(way), "{text}: {told}");
        }
    }
    speak(&page, "en");
    // A proof together with something else gets no verdict until the other file is removed.
    let told = give(&page, &[("a", proof.clone()), ("b", kept("marrakesh-seat1.json"))]);
    assert!(told.starts_with('?') && told.contains("Your files are from two games"), "{told}");
    let told = give(&page, &[("a", proof.clone()), ("b", kept("marrakesh-inclusion.json"))]);
    assert!(told.contains("Your files are from two games"), "{told}");
    let mut imported = read("marrakech.json");
    for member in ["commitment", "anchor", "seed_hash", "seed", "receipt"] {
        imported[member] = Value::Null;
    }
    imported["imported"] = json!(true);
    for seat in imported["seats"].as_array_mut().unwrap() {
        *seat =
            json!({"seat": seat["seat"], "kind": "human", "player": null, "entropy": null, "revision": null});
    }
    for word in imported["words"].as_array_mut().unwrap() {
        word["key"] = Value::Null;
    }
    rechain(&mut imported);
    let told = give(&page, &[("a", imported.to_string())]);
    assert!(told.starts_with('?') && told.contains("No dice were locked"), "{told}");
    let mut damaged = read("marrakech.json");
    damaged["words"] = json!([{"ply": 0}]);
    let told = give(&page, &[("a", damaged.to_string())]);
    assert!(told.starts_with('?') && told.contains("parts of it are missing or wrong"), "{told}");
    assert_eq!(page.evaluate("document.querySelectorAll('img, #main b:not(.good, .bad)').length"), 0);
    assert_eq!(page.troubles(), [""; 0]);
}
