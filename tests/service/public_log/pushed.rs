//! Checkpoints sent to witnesses that cosign, are away, come back, or lie.

use std::fs;
use std::net::TcpListener;

use assam_proofs::signed::SigningKey;
use serde_json::{Value, json};

use super::foreign::{ForeignWitness, Manner};
use super::{KEY, grown, text};
use crate::harness::{Backend, Service, assam, comes, err, sqlite};

const METRICS: [&str; 2] = ["--metrics-listen", "127.0.0.1:0"];

fn start(backend: &Backend, arguments: &[&str]) -> Service {
    Service::start_with(backend, &[&METRICS[..], arguments].concat())
}

fn play(service: &Service, games: usize) {
    for _ in 0..games {
        let (id, players) = service.game(2, json!({}));
        assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
    }
}

/// Returns the label of a witness: name and id.
fn label(key: &str) -> String {
    key.splitn(3, '+').take(2).collect::<Vec<_>>().join("+")
}

/// Waits until readiness and metrics report that a witness is so far behind.
#[track_caller]
fn lags(service: &Service, key: &str, entries: u64) {
    let metric = format!("assam_witness_lag_entries{{witness=\"{}\"}}", label(key));
    let is_so = || behind(service, key) == Some(entries) && service.metric(&metric) == entries as f64;
    assert!(comes(20, is_so), "{}", service.stranger().get("/readyz").text);
}

fn submitted(service: &Service, outcome: &str, url: &str) -> f64 {
    service.metric(&format!("assam_witness_submissions_total{{outcome=\"{outcome}\",url=\"{url}\"}}"))
}

/// Returns a witness's lag in `/readyz`.
fn behind(service: &Service, key: &str) -> Option<u64> {
    let ready = service.stranger().get("/readyz").json();
    let of = ready["witnesses"].as_array()?.iter().find(|one| text(&one["witness"]) == key)?;
    of["behind"].as_u64()
}

/// Waits until a witness has cosigned so many entries, and the service knows.
#[track_caller]
fn catches_up(service: &Service, witness: &ForeignWitness, size: u64) {
    let is_there = || witness.size() == size && behind(service, &witness.key) == Some(0);
    assert!(comes(40, is_there), "{:?} {}", witness.sent(), service.stranger().get("/readyz").text);
}

/// Returns whether some checkpoint shown by the service has a line of this name.
fn is_shown(service: &Service, name: &str) -> bool {
    let line = format!("\u{2014} {name} ");
    ["/log/checkpoint", "/log/cosignatures"]
        .iter()
        .any(|path| service.stranger().get(path).text.contains(&line))
}

#[test]
fn of_three_witnesses_one_is_away_and_one_lies_and_the_third_cosigns_while_games_go_on() {
    let lies = [
        (Manner::AnotherCheckpoint, "wrong"),
        (Manner::OtherKey, "wrong"),
        (Manner::OtherKeyOfItsName, "wrong"),
        (Manner::SizesInALoop, "wrong"),
        (Manner::SameSize, "wrong"),
        (Manner::TooManyEntries, "wrong"),
        (Manner::Nonsense, "wrong"),
        (Manner::Refuses(403), "refused"),
        (Manner::Refuses(404), "refused"),
        (Manner::Refuses(422), "refused"),
        (Manner::Refuses(400), "refused"),
        (Manner::Refuses(302), "unreachable"),
        (Manner::Fails, "unreachable"),
    ];
    let backend = sqlite();
    // It accepts connections, but never answers.
    let away = TcpListener::bind("127.0.0.1:0").unwrap();
    let away = format!("http://{}", away.local_addr().unwrap());
    let gone = ForeignWitness::new("gone.example", 2, Manner::Honest).key;
    let honest = ForeignWitness::new("honest.example/w", 1, Manner::Honest);
    let liars: Vec<ForeignWitness> = (10..)
        .zip(&lies)
        .map(|(seed, (manner, _))| ForeignWitness::new(&format!("liar.example/{seed}"), seed, manner.clone()))
        .collect();
    let mut arguments = vec!["--witness", &honest.key, "--witness-url", &honest.url, "--witness", &gone];
    arguments.extend(["--witness-url", &away]);
    for liar in &liars {
        arguments.extend(["--witness", &liar.key, "--witness-url", &liar.url]);
    }
    let service = start(&backend, &arguments);
    play(&service, 3);
    grown(&service, 6);
    catches_up(&service, &honest, 6);
    for (liar, (manner, outcome)) in liars.iter().zip(&lies) {
        let is_counted = || submitted(&service, outcome, &liar.url) >= 1.0;
        assert!(comes(20, is_counted), "{manner:?}: {}", service.metrics());
        assert_eq!(submitted(&service, "cosigned", &liar.url), 0.0, "{manner:?}");
        lags(&service, &liar.key, 6);
    }
    assert!(comes(20, || submitted(&service, "unreachable", &away) >= 1.0));
    lags(&service, &gone, 6);
    assert!(is_shown(&service, "honest.example/w"));
    for stranger in ["liar.example", "stranger.example", "gone.example"] {
        assert!(!service.stranger().get("/log/checkpoint").text.contains(stranger), "{stranger}");
        assert!(!service.stranger().get("/log/cosignatures").text.contains(&format!("\u{2014} {stranger}")));
    }
    // The log grows, and the honest one follows from its last cosigned size, with a proof.
    play(&service, 2);
    grown(&service, 10);
    catches_up(&service, &honest, 10);
    lags(&service, &honest.key, 0);
    // Any one suffices.
    assert!(comes(20, || service.stranger().get("/readyz").json()["quorum_behind"] == json!(0)));
    assert!(comes(20, || service.metric("assam_witness_quorum_lag_entries") == 0.0));
}

#[test]
fn a_witness_that_has_seen_more_or_less_than_expected_gets_the_proof_from_there() {
    let backend = sqlite();
    let witness = ForeignWitness::new("honest.example", 1, Manner::Fails);
    let arguments = ["--witness", &witness.key, "--witness-url", &witness.url];
    {
        let service = start(&backend, &arguments);
        play(&service, 2);
        grown(&service, 4);
        assert!(comes(20, || submitted(&service, "unreachable", &witness.url) >= 1.0));
        lags(&service, &witness.key, 4);
        // It is left alone for a while, and then found again.
        witness.behave(Manner::Honest);
        catches_up(&service, &witness, 4);
    }
    // The restarted service finds out how far it was.
    let service = start(&backend, &arguments);
    play(&service, 1);
    grown(&service, 6);
    catches_up(&service, &witness, 6);
    let sent = witness.sent();
    assert!(sent.contains(&(0, 409)) && sent.contains(&(4, 200)), "{sent:?}");
    // It has lost its state, and begins again.
    witness.forget();
    play(&service, 1);
    grown(&service, 8);
    catches_up(&service, &witness, 8);
    let sent = witness.sent();
    assert!(sent.ends_with(&[(6, 409), (0, 200)]), "{sent:?}");
    // While nothing grows, nothing is sent.
    play(&service, 1);
    grown(&service, 10);
    catches_up(&service, &witness, 10);
    assert_eq!(witness.sent().len(), sent.len() + 1);
}

#[test]
fn a_policy_names_witnesses_with_their_addresses_and_says_which_must_have_cosigned() {
    let backend = sqlite();
    let [one, two, three] = ["one.example", "two.example", "three.example"];
    let one = ForeignWitness::new(one, 1, Manner::Honest);
    let two = ForeignWitness::new(two, 2, Manner::Honest);
    let three = ForeignWitness::new(three, 3, Manner::CopyOf(Box::new(one.clone())));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy");
    let policy = format!(
        "log {KEY}\nwitness one {} {}\nwitness two {} {}\nwitness three {} {}\ngroup needed 2 one two three\nquorum needed\n",
        one.key, one.url, two.key, two.url, three.key, three.url
    );
    fs::write(&file, policy).unwrap();
    let service = start(&backend, &["--witness-policy", file.to_str().unwrap()]);
    play(&service, 1);
    grown(&service, 2);
    catches_up(&service, &one, 2);
    catches_up(&service, &two, 2);
    let quorum = |service: &Service| service.stranger().get("/readyz").json()["quorum_behind"].clone();
    assert!(comes(20, || quorum(&service) == json!(0)));
    // One that answers for another does not count.
    assert!(comes(20, || submitted(&service, "wrong", &three.url) >= 1.0));
    lags(&service, &three.key, 2);
    let id = text(&service.stranger().get("/v1/games?limit=1").json()["games"][0]["id"]).to_owned();
    two.behave(Manner::Fails);
    play(&service, 1);
    grown(&service, 4);
    catches_up(&service, &one, 4);
    assert!(comes(20, || quorum(&service) == json!(2)), "{}", quorum(&service));
    assert!(comes(20, || service.metric("assam_witness_quorum_lag_entries") == 2.0));
    // The proof of a game leads to a checkpoint with enough cosignatures, even long after.
    let inclusion =
        |service: &Service, id: &str| service.stranger().get(&format!("/v1/games/{id}/inclusion")).json();
    let checkpoint = |inclusion: &Value| text(&inclusion["checkpoint"]).to_owned();
    let old = checkpoint(&inclusion(&service, &id));
    assert!(old.starts_with("PeterNeumann\n2\n"), "{old}");
    for name in ["one.example", "two.example"] {
        assert!(old.contains(&format!("\u{2014} {name} ")), "{old}");
    }
    // A newer one's leads to the newest.
    let newer = service.stranger().get("/v1/games?limit=1").json();
    let newer = text(&newer["games"][0]["id"]).to_owned();
    assert!(checkpoint(&inclusion(&service, &newer)).starts_with("PeterNeumann\n4\n"));
    two.behave(Manner::Honest);
    assert!(comes(40, || quorum(&service) == json!(0)));
    assert!(checkpoint(&inclusion(&service, &newer)).contains("\u{2014} two.example "));
    assert!(!is_shown(&service, "three.example"));
}

#[test]
fn settings_of_witnesses_that_cannot_be_meant_are_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("policy");
    let file = file.to_str().unwrap();
    let database = format!("sqlite:{}", folder.path().join("assam.db").display());
    let witness = ForeignWitness::new("one.example", 1, Manner::Honest);
    let refused = |arguments: &[&str], status, why: &str| {
        let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &database];
        let told = assam(&[&serve, arguments].concat(), "");
        assert!(told.status.code() == Some(status) && err(&told).contains(why), "{why}: {}", err(&told));
    };
    refused(&["--witness-url", &witness.url], 1, "--witness-url needs the key of the witness");
    for url in ["ftp://one.example", "one.example", "http://one.example/?x", "http://me:secret@one.example"] {
        refused(
            &["--witness", &witness.key, "--witness-url", url],
            2,
            "http://host:port or https://host/path",
        );
    }
    refused(&["--witness-policy", file], 1, file);
    let other = SigningKey::new("log.example", &[5; 32]).unwrap();
    for (policy, why) in [
        ("witness a b\nquorum none\n".to_owned(), "policy: line 1: the key of a witness: "),
        (format!("witness a {}\n", witness.key), "policy: line 2: the file ends without a quorum line"),
        (format!("witness a {} http://me:secret@a\nquorum a\n", witness.key), "without user"),
        (
            format!("log {}\nquorum none\n", other.verifying_key()),
            "its log lines name other logs: add `log assam-",
        ),
    ] {
        fs::write(file, policy).unwrap();
        refused(&["--witness-policy", file], 1, why);
    }
}
