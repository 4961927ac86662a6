//! Proofs of running matches: every viewer computes the same heads, and gets only what they may read.

use serde_json::Value;

use super::tools::hashing;
use super::tools::verifiers::{independent, verify};
use super::{Scene, is_card, part, parts, text};
use crate::harness::{Answer, Client, Service, sqlite};

/// Returns the head in an entity tag.
fn tagged(answer: &Answer) -> String {
    let tag = answer.header("etag").unwrap();
    tag.trim_matches('"').split('.').next().unwrap().to_owned()
}

/// A part that one seat may read at once, and everyone after it is opened.
struct Secret {
    ply: u64,
    part: u64,
    seat: u64,
    is_opened: bool,
}

/// Returns the hands and leads of a match by the public words. The other parts are not secret.
fn secrets(scene: &Scene<'_>, public: &Value) -> Vec<Secret> {
    let mut secrets: Vec<Secret> = Vec::new();
    let mut cards = 0;
    for (ply, part) in parts(public) {
        let (token, number) = (text(&part["token"]), part["part"].as_u64().unwrap());
        let seat = match token.split(':').next() {
            Some("b") => Some(1),
            Some("r") => Some(2),
            Some(_) | None => None,
        };
        if let Some(seat) = seat {
            secrets.push(Secret { ply, part: number, seat, is_opened: false });
        }
        if number == 0 && is_card(token) {
            if cards % 2 == 0 {
                let written = scene.service.stranger().get(&scene.path(&format!("/moves/{ply}"))).json();
                let seat = written["seat"].as_u64().unwrap();
                secrets.push(Secret { ply, part: 0, seat, is_opened: token != "??" });
            }
            cards += 1;
        }
    }
    secrets
}

/// Counts of what was seen.
#[derive(Default)]
struct Seen {
    moments: u32,
    hidden_leads: u32,
    opened_leads: u32,
    own_leads: u32,
}

/// Checks the current moment of a match through the eyes of every viewer.
fn check_moment(scene: &Scene<'_>, seen: &mut Seen) {
    seen.moments += 1;
    let game = scene.service.stranger().get(&scene.path(""));
    let head = game.json()["head"]["hash"].clone();
    assert_eq!(head, tagged(&game));
    let public = scene.proof(&scene.service.stranger()).json();
    let secrets = secrets(scene, &public);
    assert!(secrets.len() >= 2);
    let onlooker = scene.service.player();
    let seats = scene.players.iter().map(|(seat, player)| (*seat, player));
    let viewers: Vec<(u64, &Client<'_>)> = seats.chain([(0, &onlooker)]).collect();
    for (own, viewer) in viewers {
        let answer = scene.proof(viewer);
        let proof = answer.json();
        assert_eq!((hashing::check(&proof), tagged(&answer)), (text(&head).to_owned(), tagged(&game)));
        assert_eq!(proof["seed"], Value::Null);
        let mut open = parts(&public).count();
        for secret in &secrets {
            let part = part(&proof, secret.ply, secret.part);
            let is_told = secret.is_opened || secret.seat == own;
            assert_eq!(!part["salt"].is_null(), is_told, "ply {}: {part}", secret.ply);
            assert_eq!(!text(&part["token"]).contains('?'), is_told, "ply {}: {part}", secret.ply);
            open -= 1;
            if secret.part == 0 {
                seen.hidden_leads += u32::from(!is_told);
                seen.opened_leads += u32::from(secret.is_opened);
                seen.own_leads += u32::from(is_told && !secret.is_opened);
            }
        }
        let without_salt = |part: &Value| part["salt"].is_null() && !text(&part["token"]).contains('?');
        assert_eq!(parts(&proof).filter(|(_, part)| without_salt(part)).count(), open);
        let hashes = |proof: &Value| parts(proof).map(|(_, part)| part["hash"].clone()).collect::<Vec<_>>();
        assert_eq!(hashes(&proof), hashes(&public));
        if own == 0 {
            assert_eq!(proof, public, "a secret that holds no seat makes nobody see more");
        }
    }
}

#[test]
fn in_a_running_match_both_seats_and_onlookers_come_to_the_same_heads_and_are_given_their_own_salts_alone() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for seats in [["open", "open"], ["open", "solitaire-ai"], ["random", "open"]] {
        let scene = Scene::marrakesh(&service, seats);
        let mut seen = Seen::default();
        check_moment(&scene, &mut seen);
        // A built-in player answers at once, so its leader sees the lead open in the same answer.
        let is_lead_seen = seats == ["open", "open"];
        let mut n = 0;
        while n < 40 || seen.hidden_leads == 0 || (seen.own_leads == 0 && is_lead_seen) {
            let written = scene.play().unwrap();
            let head = written.json()["head"]["hash"].clone();
            assert_eq!((&head, tagged(&written)), (&scene.game()["head"]["hash"], text(&head).to_owned()));
            if n < 12 || n % 6 == 0 || n > 40 {
                check_moment(&scene, &mut seen);
            }
            n += 1;
        }
        assert!(seen.moments > 15 && seen.opened_leads > 20, "{seats:?}");
        assert_eq!(seen.own_leads > 0, is_lead_seen, "{seats:?}");
    }
}

#[test]
fn assam_verify_and_verify_py_recompute_what_each_viewer_of_a_running_match_is_given_and_say_what_is_missing()
{
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::marrakesh(&service, ["open", "open"]);
    scene.play_until(|scene| scene.game()["state"]["phase"] == "reply");
    let onlooker = service.player();
    let viewers = [&scene.players[&1], &scene.players[&2], &onlooker];
    let proofs: Vec<Value> = viewers.iter().map(|viewer| scene.proof(viewer).json()).collect();
    let head = scene.game()["head"].clone();
    let hidden = |proof: &Value| parts(proof).filter(|(_, part)| text(&part["token"]).contains('?')).count();
    for (viewer, proof) in viewers.iter().zip(&proofs) {
        let record = scene.service.with_secret(viewer.secret.as_ref().unwrap());
        let record = record.get(&scene.path("/log")).text;
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("game.mkn");
        std::fs::write(&file, record).unwrap();
        let kept = [text(&head["hash"]), text(&proof["start"])];
        let arguments = ["--against", file.to_str().unwrap(), "--head", kept[0], "--head", kept[1]];
        let told = verify(&proof.to_string(), &arguments).unwrap();
        for sentence in [
            format!("up to ply {}, {}.", head["ply"], kept[0]),
            "every word follows the rules, in everything that is visible.".to_owned(),
            format!(
                "not verified: tokens that are hidden from the requester of this proof: {}.",
                hidden(proof)
            ),
            // The dice of the first round, and both hands.
            "verified: outcomes of chance that follow from the keys of their plies: 1.".to_owned(),
            "not verified: salts, and outcomes that depend on the seed, which is published when the game is over: 2."
                .to_owned(),
            format!("{} is the head of ply {}.", kept[0], head["ply"]),
            format!("{} is the head of ply 0.", kept[1]),
            format!("the record has the same words, up to ply {}.", head["ply"]),
        ] {
            assert!(told.contains(&sentence), "{sentence}: {told}");
        }
    }
    let mut counts: Vec<usize> = proofs.iter().map(hidden).collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 2, 3], "the other hand; that and the lead; both hands and the lead");
    // The evidence kept by each agrees with the final proof, as far as it goes, and the other way round.
    let folder = tempfile::tempdir().unwrap();
    let log = |name: &str, viewer: &Client<'_>| {
        let file = folder.path().join(name);
        std::fs::write(&file, viewer.get(&scene.path("/log")).text).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let logs = [0, 1, 2].map(|n| log(&format!("{n}.mkn"), viewers[n]));
    scene.resign(1);
    let (over, whole) = (scene.proof(&onlooker).json(), log("whole.mkn", &onlooker));
    let same = format!("the record has the same words, up to ply {}.", head["ply"]);
    for (kept, early) in logs.iter().zip(&proofs) {
        for (proof, record) in [(&over, kept), (early, &whole), (early, &logs[0])] {
            let told = verify(&proof.to_string(), &["--against", record]).unwrap();
            assert!(told.contains(&same), "{same}: {told}");
        }
    }
    for told in independent(&proofs).concat() {
        let told = told.unwrap();
        for said in [text(&head["hash"]), "chance: 1 outcomes", "not verified: cards and salts"] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }
}
