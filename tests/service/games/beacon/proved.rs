//! Proofs of games with a beacon, and what they show with and without more evidence.

use serde_json::{Value, json};

use super::{Drand, created, deliver, take, waiting};
use crate::harness::{CHAIN, Service, assam, err, out, python, sqlite, verified_by_javascript};
use crate::proofs::{check, rechain};

/// Returns the output of `assam verify` for a proof: standard output if it is right, otherwise standard
/// error.
fn verify(proof: &Value, arguments: &[&str]) -> Result<String, String> {
    let run = assam(&[&["verify", "-"], arguments].concat(), &proof.to_string());
    match run.status.code() {
        Some(0) => Ok(out(&run)),
        Some(1) => Err(err(&run)),
        _ => panic!("{run:?}"),
    }
}

/// Returns the proof of a finished game, and the receipt of its last seat.
fn played(service: &Service) -> (Value, String) {
    let (game, [owner, guest], round) = waiting(service);
    let started = deliver(&guest, &game, Drand::of_tests().round(round)).json();
    let id = started["id"].as_str().unwrap();
    for (ply, player) in [(1, &owner), (2, &owner)] {
        let legal = player.get(&format!("{game}/legal-moves")).json()["moves"][0].clone();
        assert_eq!(player.play(id, ply, legal.as_str().unwrap()).status, 201);
    }
    assert_eq!(guest.play(id, 3, "!resign").status, 201);
    let receipt = guest.get(&format!("{game}/seats/2/receipt")).text;
    (guest.get(&format!("{game}/proof")).json(), receipt)
}

fn changed(proof: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut proof = proof.clone();
    change(&mut proof);
    proof
}

#[test]
fn everything_hangs_on_the_round_and_its_signature_is_verified_where_the_chain_is_known() {
    let drand = Drand::of_tests();
    let backend = sqlite();
    let service = Service::start(&backend);
    let (proof, receipt) = played(&service);
    let round = proof["beacon"]["round"].as_u64().unwrap();
    let expected = json!({"chain": drand.name(), "round": round, "signature": drand.signature(round)});
    assert_eq!(proof["beacon"], expected);
    // By SHA-256 alone, without the program.
    check(&proof);
    let told = verify(&proof, &["--beacon", CHAIN]).unwrap();
    for sentence in [
        format!("verified: start includes the randomness of round {round} of {}.", drand.name()),
        "verified: the chain of the beacon signed that round".to_owned(),
        format!("not verified: that the last seat was taken before round {round} of the beacon was out, at "),
    ] {
        assert!(told.contains(&format!("  {sentence}")), "{told}");
    }
    let told = verify(&proof, &[]).unwrap();
    assert!(told.contains("  not verified: the signature of the beacon: "), "{told}");
    assert!(!told.contains("verified: the chain of the beacon signed"), "{told}");

    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("receipt");
    std::fs::write(&file, &receipt).unwrap();
    let kept = ["--beacon", CHAIN, "--receipt", file.to_str().unwrap()];
    assert!(verify(&proof, &kept).unwrap().contains("agrees with the signed receipt of seat 2"));

    let fit = |mut proof: Value| {
        rechain(&mut proof);
        proof
    };
    let with = |member: &str, value: Value| changed(&proof, |proof| proof["beacon"][member] = value);
    let another = json!(drand.signature(round + 1));
    let other_round = changed(&proof, |proof| proof["beacon"] = drand.round(round + 1));
    let other_round = changed(&other_round, |proof| proof["beacon"]["chain"] = json!(drand.name()));
    // Without a new hash of the start, every verifier finds it. With one, checking the signature or the dice
    // does.
    for forged in [
        with("signature", another.clone()),
        with("round", json!(round + 1)),
        with("chain", json!(Drand::with_key(8).name())),
        changed(&proof, |proof| proof["beacon"] = Value::Null),
        other_round.clone(),
    ] {
        let told = verify(&forged, &["--beacon", CHAIN]).unwrap_err();
        assert!(told.contains("start: expected"), "{told}");
        refused_by_others(&forged);
    }
    for (forged, what) in [
        (fit(with("signature", another)), "beacon: expected the signature of round"),
        (fit(with("round", json!(round + 1))), "beacon: expected the signature of round"),
    ] {
        let told = verify(&forged, &["--beacon", CHAIN]).unwrap_err();
        assert!(told.contains(what), "{told}");
    }
    // The receipt names the round, whatever the dice.
    let told = verify(&fit(other_round), &kept).unwrap_err();
    assert!(told.contains("chance: expected") || told.contains("round: the service stated"), "{told}");
}

#[test]
fn every_receipt_binds_the_beacon_and_that_of_the_last_seat_its_round_and_time_too() {
    let (drand, other) = (Drand::of_tests(), Drand::with_key(8).name());
    let backend = sqlite();
    let service = Service::start(&backend);
    let players = [service.player(), service.player()];
    let game = created(&players[0], json!({}));
    let [first, last] = [0, 1].map(|n| take(&players[n], &game, n as u8 + 1).json());
    let round = last["beacon"]["round"].as_u64().unwrap();
    let id = last["id"].as_str().unwrap();
    deliver(&players[1], &game, drand.round(round));
    assert_eq!(players[1].play(id, 1, "!resign").status, 201);
    let proof = service.stranger().get(&format!("{game}/proof")).json();

    // The response and the statement.
    let hold = |receipt: &Value| {
        let file = written(receipt);
        verify(&proof, &["--beacon", CHAIN, "--receipt", file.path().to_str().unwrap()])
    };
    let stated = |receipt: &Value| receipt["receipt"].as_str().unwrap().to_owned();
    assert!(stated(&first).contains(&format!("\nbeacon {} -\n", drand.name())), "{first}");
    assert!(stated(&last).contains(&format!("\nbeacon {} {round}\n", drand.name())), "{last}");
    assert!(hold(&first).unwrap().contains("agrees with the signed receipt of seat 1"));
    let told = hold(&last).unwrap();
    assert!(told.contains("verified: the service stated that the last seat was taken at"), "{told}");

    let plain = |receipt: &Value| changed(receipt, |receipt| receipt["receipt"] = Value::Null);
    let of_beacon = |receipt: &Value, member: &str, value: Value| {
        changed(&plain(receipt), |receipt| receipt["beacon"][member] = value)
    };
    for forged in [
        of_beacon(&first, "chain", json!(other)),
        of_beacon(&last, "chain", json!(other)),
        of_beacon(&last, "round", json!(round + 1)),
        changed(&plain(&first), |receipt| receipt["beacon"] = Value::Null),
    ] {
        let told = hold(&forged).unwrap_err();
        assert!(
            told.contains("beacon: the service stated") || told.contains("round: the service stated"),
            "{told}"
        );
        let (file, kept) = (written(&proof), written(&forged));
        let paths = [kept.path(), file.path()].map(|path| path.to_str().unwrap());
        if let Some(run) = python("examples/python/verify.py", &["--receipt", paths[0], paths[1]]) {
            assert_eq!(run.status.code(), Some(1), "{run:?}");
            assert!(err(&run).contains("of the beacon") || err(&run).contains("receipt: beacon"), "{run:?}");
        }
        if let Some(run) = verified_by_javascript(&proof, &json!({"receipt": forged})) {
            assert!(!run.status.success() && err(&run).contains("receipt: "), "{run:?}");
        }
    }
    let restated = |receipt: &Value, from: &str, to: &str| {
        let text = stated(receipt).replacen(from, to, 1);
        assert_ne!(text, stated(receipt));
        changed(receipt, |receipt| {
            *receipt = json!({"receipt": text});
        })
    };
    let later = format!(
        "\ntime {}\n\n",
        last["beacon"]["round_at"].as_str().unwrap().replace('Z', ".001Z").replace(".000.001Z", ".001Z")
    );
    let time = stated(&last).lines().find(|line| line.starts_with("time ")).unwrap().to_owned();
    for (forged, what) in [
        (restated(&first, &drand.name(), &other), "beacon: the service stated"),
        (restated(&last, &format!(" {round}\n"), &format!(" {}\n", round + 1)), "round: the service stated"),
        (restated(&last, &format!("\n{time}\n\n"), &later), "round: the last seat was taken at"),
    ] {
        let told = hold(&forged).unwrap_err();
        assert!(told.contains(what), "{told}");
    }
}

#[test]
fn an_audit_checks_the_signatures_of_beacons_and_says_which_chains_it_does_not_know() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (proof, _) = played(&service);
    let line = |proof: &Value| json!({"proof": proof, "log": []}).to_string() + "\n";
    let audit =
        |proof: &Value, arguments: &[&str]| out(&assam(&[&["audit", "-"], arguments].concat(), &line(proof)));
    let told = audit(&proof, &["--beacon", CHAIN]);
    assert!(
        told.contains("verified: beacon rounds in the chance of games that are signed by their chains: 1."),
        "{told}"
    );
    let told = audit(&proof, &[]);
    assert!(
        told.contains(
            "not verified: signatures of beacons of unknown chains (name a chain with --beacon): 1 game."
        ),
        "{told}"
    );
    let signature = json!(Drand::with_key(8).signature(proof["beacon"]["round"].as_u64().unwrap()));
    let mut forged = changed(&proof, |proof| proof["beacon"]["signature"] = signature);
    rechain(&mut forged);
    let told = audit(&forged, &["--beacon", CHAIN]);
    assert!(told.contains("the beacon does not match its chain's signature"), "{told}");
    // The operator's own database, which is fully known.
    let told = out(&assam(&["audit", "--database", &backend.url(), "--beacon", CHAIN], ""));
    assert!(told.contains("that are signed by their chains: 1."), "{told}");
    // An operator without guards, who states a later time for the round.
    let of_table = if backend.name() == "SQLite" { "" } else { " ON games" };
    backend.script(&format!(
        "DROP TRIGGER games_guard_beacon{of_table}; UPDATE games SET beacon_at = beacon_at + 86400000"
    ));
    let told = out(&assam(&["audit", "--database", &backend.url(), "--beacon", CHAIN], ""));
    assert!(
        told.contains("the round of its beacon has another publication time than the stored one"),
        "{told}"
    );
}

/// Checks that verify.py and verify.js refuse a proof, if their interpreters are installed.
fn refused_by_others(proof: &Value) {
    if let Some(run) = told_by_python(proof) {
        assert_eq!(run.status.code(), Some(1), "{run:?}");
    }
    if let Some(run) = verified_by_javascript(proof, &json!({})) {
        assert!(!run.status.success(), "{run:?}");
    }
}

fn told_by_python(proof: &Value) -> Option<std::process::Output> {
    let file = written(proof);
    python("examples/python/verify.py", &[file.path().to_str().unwrap()])
}

fn written(value: &Value) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), value.to_string()).unwrap();
    file
}

#[test]
fn verifiers_that_know_no_curve_hash_the_signature_and_say_that_they_did_not_check_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (proof, _) = played(&service);
    let what = "that the beacon was signed, and came after the last seat";
    for run in [told_by_python(&proof), verified_by_javascript(&proof, &json!({}))].into_iter().flatten() {
        assert!(run.status.success(), "{run:?}");
        assert!(out(&run).contains(what), "{run:?}");
    }
}
