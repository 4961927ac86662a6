//! Witnesses of the log, and what they refuse.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assam_proofs::signed::{Note, WitnessKey};
use serde_json::json;

use super::{KEY, grown, text};
use crate::harness::{Backend, Service, assam, backends, err, out, sqlite};

/// A witness with a separate folder.
struct Watching {
    folder: tempfile::TempDir,
    name: String,
}

impl Watching {
    fn new(name: &str) -> Self {
        Self { folder: tempfile::tempdir().unwrap(), name: name.to_owned() }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn key_file(&self) -> String {
        self.file("key").to_str().unwrap().to_owned()
    }

    /// Returns the key that verifies its cosignatures.
    fn key(&self) -> String {
        let printed = assam(&["witness", "--key-file", &self.key_file(), "--name", &self.name], "");
        assert_eq!(printed.status.code(), Some(0), "{}", err(&printed));
        out(&printed).trim_end().to_owned()
    }

    fn look(&self, service: &Service, more: &[&str]) -> Output {
        let (key, state) = (self.key_file(), self.file("state"));
        let url = service.base().to_owned();
        let known = [
            "witness",
            "--key-file",
            &key,
            "--url",
            &url,
            "--log-key",
            KEY,
            "--state",
            state.to_str().unwrap(),
        ];
        assam(&[&known, more].concat(), "")
    }

    /// Cosigns, and delivers.
    fn cosign(&self, service: &Service) -> String {
        let told = self.look(service, &["--deliver"]);
        assert_eq!(told.status.code(), Some(0), "{}", err(&told));
        out(&told)
    }
}

fn is_cosigned(key: &str, note: &str) -> bool {
    let key: WitnessKey = key.parse().unwrap();
    key.verify(&Note::read(note).unwrap()).is_ok()
}

fn play(service: &Service, games: usize) {
    for _ in 0..games {
        service.game(2, json!({}));
    }
}

#[test]
fn two_witnesses_cosign_the_log_as_it_grows_and_the_service_shows_both() {
    for backend in backends() {
        let witnesses = [Watching::new("witness.example/one"), Watching::new("witness.example/two")];
        let keys = witnesses.each_ref().map(Watching::key);
        assert_eq!(witnesses[0].key(), keys[0], "made only once");
        let service = Service::start_with(&backend, &["--witness", &keys[0], "--witness", &keys[1]]);
        assert_eq!(service.stranger().get("/log/cosignatures").json(), json!({"cosignatures": []}));
        for size in [0, 3, 5] {
            play(&service, if size == 0 { 0 } else { 3 - (size as usize / 5) });
            let plain = grown(&service, size);
            for (witness, key) in witnesses.iter().zip(&keys) {
                let cosigned = witness.cosign(&service);
                assert!(
                    cosigned.starts_with(plain.split("\n\n").next().unwrap()) && is_cosigned(key, &cosigned)
                );
            }
            let shown = service.stranger().get("/log/checkpoint").text;
            assert!(keys.iter().all(|key| is_cosigned(key, &shown)), "{shown}");
        }
        // Newer entries are not cosigned, and the earlier cosignature is still shown.
        play(&service, 1);
        let newer = grown(&service, 6);
        assert!(keys.iter().all(|key| !is_cosigned(key, &newer)));
        let listed = service.stranger().get("/log/cosignatures").json();
        for (key, listed) in keys.iter().zip(listed["cosignatures"].as_array().unwrap()) {
            assert_eq!(text(&listed["witness"]), key);
            let checkpoint = text(&listed["checkpoint"]);
            assert!(
                is_cosigned(key, checkpoint) && checkpoint.starts_with("PeterNeumann\n5\n"),
                "{checkpoint}"
            );
        }
        // Of an unknown witness, and of a malformed checkpoint.
        let stranger = Watching::new("witness.example/stranger");
        stranger.key();
        let refused = stranger.look(&service, &["--deliver"]);
        assert_eq!(refused.status.code(), Some(1));
        assert!(
            err(&refused).contains("no witness that this service knows has cosigned it"),
            "{}",
            err(&refused)
        );
        let cosigned = witnesses[0].cosign(&service);
        // One of them cosigned it, and the other's cosignature is of another checkpoint.
        let older = text(&listed["cosignatures"][1]["checkpoint"]);
        let mixed = cosigned.clone() + older.lines().last().unwrap() + "\n";
        let refused = service.stranger().post_text("/log/cosignatures", &mixed);
        assert!(refused.text.contains("the cosignature of a known witness is wrong"), "{}", refused.text);
        let changed = cosigned.replace("\n6\n", "\n7\n");
        for note in [changed.as_str(), "nonsense", "a\n\n\u{2014} b AAAAAAAA\n"] {
            let refused =
                service.stranger().send("POST", "/log/cosignatures", &[("content-type", "text/plain")], note);
            assert_eq!(refused.problem(), "cosignature_refused", "{}", refused.text);
        }
    }
}

#[test]
fn an_old_cosignature_that_is_sent_again_and_lines_of_strangers_change_nothing_and_verify_knows_the_witness()
{
    let backend = sqlite();
    let witness = Watching::new("witness.example/one");
    let key = witness.key();
    let service = Service::start_with(&backend, &["--witness", &key]);
    let (id, _) = service.game(2, json!({}));
    grown(&service, 1);
    let kept = fs::read_to_string(witness.key_file()).unwrap();
    let signs: assam_proofs::signed::CosigningKey = kept.trim_end().parse().unwrap();
    let plain = service.stranger().get("/log/checkpoint").text;
    let at = |seconds| {
        let time = jiff::Timestamp::from_second(seconds).unwrap();
        plain.clone() + &signs.cosign(Note::read(&plain).unwrap().text, time)
    };
    let send = |note: &str| service.stranger().post_text("/log/cosignatures", note).status;
    let (early, late) = (at(1_800_000_000), at(1_800_000_060));
    assert_eq!([send(&late), send(&early)], [204, 204]);
    assert_eq!(service.stranger().get("/log/checkpoint").text, late);
    let later = at(1_800_000_120);
    assert_eq!(send(&format!("{later}\u{2014} evil.example AAAAAAAA\n")), 204);
    let listed = service.stranger().get("/log/cosignatures").json();
    assert_eq!(text(&listed["cosignatures"][0]["checkpoint"]), later);
    let save = |name: &str, what: &str| {
        let file = witness.file(name);
        fs::write(&file, service.stranger().get(&format!("/v1/games/{id}/{what}")).text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let (proof, inclusion) = (save("proof", "proof"), save("inclusion", "inclusion"));
    let verify = |more: &[&str]| {
        assam(&[&["verify", &proof, "--inclusion", &inclusion, "--key", KEY], more].concat(), "")
    };
    let told = verify(&["--witness", &key]);
    assert!(
        out(&told)
            .contains("verified: the witness witness.example/one cosigned this checkpoint of the log at "),
        "{}",
        err(&told)
    );
    assert!(out(&verify(&[])).contains("not verified: that everyone is shown the same log"));
    let stranger = Watching::new("witness.example/two").key();
    let told = verify(&["--witness", &stranger]);
    assert!(
        told.status.code() == Some(1) && err(&told).contains("the key has not signed it"),
        "{}",
        err(&told)
    );
}

#[test]
fn tiles_that_do_not_lead_to_the_checkpoint_accuse_nobody_and_are_not_cosigned() {
    let backend = sqlite();
    let witness = Watching::new("witness.example/one");
    witness.key();
    let service = Service::start(&backend);
    play(&service, 2);
    grown(&service, 2);
    backend.script(
        "DROP TRIGGER log_nodes_guard_update; UPDATE log_nodes SET bytes = zeroblob(32) WHERE position = 1",
    );
    let told = witness.look(&service, &[]);
    assert_eq!(told.status.code(), Some(2));
    assert!(err(&told).contains("do not lead to the root of the checkpoint"), "{}", err(&told));
    assert!(!witness.file("state").exists());
}

/// Restores a backup of a database into an empty one.
fn restored(from: &Path) -> Backend {
    let into = sqlite();
    let told = assam(&["restore", from.to_str().unwrap(), "--database", &into.url()], "");
    assert_eq!(told.status.code(), Some(0), "{}", err(&told));
    into
}

#[test]
fn a_log_that_was_rolled_back_is_refused_also_when_it_has_grown_again() {
    for backend in backends() {
        let witness = Watching::new("witness.example/one");
        let key = witness.key();
        let backup = witness.file("backup");
        {
            let service = Service::start_with(&backend, &["--witness", &key]);
            play(&service, 2);
            grown(&service, 2);
            witness.cosign(&service);
            let made = assam(&["backup", backup.to_str().unwrap(), "--database", &backend.url()], "");
            assert_eq!(made.status.code(), Some(0), "{}", err(&made));
            play(&service, 2);
            grown(&service, 4);
            witness.cosign(&service);
        }
        let state = fs::read_to_string(witness.file("state")).unwrap();
        let lossy = restored(&backup);
        let service = Service::start_with(&lossy, &["--witness", &key]);
        for (more, size, why) in [
            (0, 2, "the log was rolled back, from 4 entries to 2"),
            (2, 4, "the first 4 entries are not the cosigned ones"),
            (1, 5, "the first 4 entries are not the cosigned ones"),
        ] {
            play(&service, more);
            let checkpoint = grown(&service, size);
            let refused = witness.look(&service, &["--deliver"]);
            assert_eq!(refused.status.code(), Some(1), "{}", out(&refused));
            let told = err(&refused);
            // Both signed statements are shown.
            assert!(told.contains(why) && told.contains(&state) && told.contains(&checkpoint), "{told}");
            assert_eq!(fs::read_to_string(witness.file("state")).unwrap(), state);
            // A cosignature of the other one is refused here, too.
            let refused = service.stranger().send(
                "POST",
                "/log/cosignatures",
                &[("content-type", "text/plain")],
                &state,
            );
            assert_eq!(refused.problem(), "cosignature_refused");
            assert!(refused.text.contains("rolled back"), "{}", refused.text);
        }
    }
}

#[test]
fn a_witness_tells_what_it_lacks_and_cosigns_no_other_log() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let witness = Watching::new("witness.example/one");
    let told = assam(&["witness", "--key-file", &witness.key_file()], "");
    assert!(told.status.code() == Some(2) && err(&told).contains("--name"), "{}", err(&told));
    witness.key();
    witness.look(&service, &[]);
    let other = "assam.example\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n\u{2014} b AAAAAAAA\n";
    fs::write(witness.file("state"), other).unwrap();
    let told = witness.look(&service, &[]);
    assert!(
        told.status.code() == Some(1) && err(&told).contains("the state belongs to the log assam.example")
    );
    fs::write(witness.file("state"), "nonsense").unwrap();
    assert_eq!(witness.look(&service, &[]).status.code(), Some(2));
    assert_eq!(fs::read_to_string(witness.file("state")).unwrap(), "nonsense");
    fs::write(witness.key_file(), "nonsense\n").unwrap();
    assert_eq!(witness.look(&service, &[]).status.code(), Some(2));
}
