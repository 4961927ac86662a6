//! Archives without faults.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{ALL, Archive, NDJSON, audit, check, report, signing_key, text};
use crate::harness::{assam, err, out, sqlite};

#[test]
fn all_sources_agree_on_a_sound_archive_of_all_kinds_of_games() {
    let backend = sqlite();
    let archive = Archive::new(backend);
    let url = archive.backend.url();
    let (key, base) = (archive.key(), archive.service.base().to_owned());
    let (backup, proofs) = (archive.backup("assam.backup"), archive.proofs("proofs.ndjson"));
    // An export straight from the database has the same bytes if the key is available.
    let export = ["export", "--form", "ndjson", "--proofs", "--status", ALL, "--export-delay", "0"];
    let other = archive.path("other.ndjson");
    let place = ["--database", &url, "--keys", signing_key(), "-o", text(&other)];
    let exported = assam(&[&export[..], &place].concat(), "");
    assert_eq!(exported.status.code(), Some(0), "{}", err(&exported));
    assert_eq!(std::fs::read(&other).unwrap(), std::fs::read(&proofs).unwrap());
    let remote = assam(&[&export[..], &["--url", &base]].concat(), "");
    assert_eq!(remote.stdout, std::fs::read(&proofs).unwrap(), "{}", err(&remote));

    let stored = report(&["--database", &url]);
    assert_eq!((&stored["verdict"], &stored["fault_count"]), (&json!("sound"), &json!(0)), "{stored}");
    assert_eq!(
        ["games", "open", "running", "over", "imported"].map(|name| stored[name].as_u64().unwrap()),
        [16, 1, 4, 11, 6],
        "{stored}"
    );
    let mut kept = report(&[text(&backup)]);
    kept["source"] = stored["source"].clone();
    assert_eq!(kept, stored);

    let mut by_line = report(&[text(&proofs), "--key", &key]);
    let mut by_service = report(&["--url", &base, "--key", &key]);
    by_line["source"] = Value::Null;
    by_service["source"] = Value::Null;
    // An export has no public log.
    assert_eq!(check(&by_service, "logged")["verified"], 11, "{by_service}");
    assert_eq!(check(&by_service, "log")["verified"], check(&stored, "log")["verified"]);
    assert_eq!(check(&stored, "logged")["verified"], check(&stored, "log")["verified"]);
    let without = |mut report: Value| {
        report["checks"]
            .as_array_mut()
            .unwrap()
            .retain(|check| !["logged", "log"].contains(&check["check"].as_str().unwrap()));
        let sentences = report["not_checked"].as_array_mut().unwrap();
        sentences.retain(|sentence| !sentence.as_str().unwrap().contains("which exports do not have"));
        report
    };
    assert_ne!(without(by_line.clone())["not_checked"], by_line["not_checked"]);
    assert_eq!(without(by_line.clone()), without(by_service));
    // Private, unlisted, open and removed games are not public.
    assert_eq!(
        ["games", "open", "running", "over", "imported"].map(|name| by_line[name].as_u64().unwrap()),
        [12, 0, 1, 11, 6],
        "{by_line}"
    );
    assert_eq!((&by_line["verdict"], &by_line["fault_count"]), (&json!("sound"), &json!(0)));
    assert_eq!(check(&by_line, "ends")["verified"], 5, "{by_line}");
    assert!(check(&by_line, "choices")["verified"].as_u64().unwrap() > 20);
    assert!(check(&by_line, "chance")["verified"].as_u64().unwrap() > 20);
    let believed = report(&["--url", &base]);
    assert_eq!(check(&believed, "ends"), check(&by_line, "ends"));
    assert!(believed["not_checked"].to_string().contains("that the service's keys are genuine"));
    let unsigned = audit(&[text(&proofs)]);
    assert_eq!(unsigned.status.code(), Some(0));
    let said = "not verified: who signed the end of games (pass the service's key with --key): 5 games.";
    assert!(out(&unsigned).contains(said), "{}", out(&unsigned));

    // Through a pipe, and from records alone.
    let piped = assam(&["audit", "-", "--key", &key, "--json"], &std::fs::read_to_string(&proofs).unwrap());
    let mut piped: Value = serde_json::from_slice(&piped.stdout).unwrap();
    piped["source"] = Value::Null;
    assert_eq!(piped, by_line);
    let records = archive.service.stranger().get(&format!("/v1/export?status={ALL}")).text;
    let replayed = assam(&["audit", "-", "--json"], &records);
    let replayed: Value = serde_json::from_slice(&replayed.stdout).unwrap();
    for name in ["games", "running", "over", "plies", "rulesets"] {
        assert_eq!(replayed[name], by_line[name], "{name}");
    }
    assert!(replayed["not_checked"].to_string().contains("which only have words: 12 games"));
}

#[test]
fn an_audit_with_one_job_says_the_same_as_with_many() {
    let archive = Archive::new(sqlite());
    let proofs = archive.proofs("proofs.ndjson");
    let [one, many] = ["1", "5"].map(|jobs| out(&audit(&[text(&proofs), "--jobs", jobs])));
    assert!(one.contains("SOUND: ") && one == many, "{one}{many}");
}

/// Returns what no client may read: hashes of secrets, seeds of running games, join codes.
fn secrets(file: &std::path::Path) -> Vec<String> {
    let connection = Connection::open(file).unwrap();
    let select = "SELECT hex(seed), status, hex(owner), hex(join_code), hex(heir), seats FROM games";
    let mut rows = connection.prepare(select).unwrap();
    let mut secrets = Vec::new();
    let mut rows = rows.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let text = |at: usize| row.get::<_, Option<String>>(at).unwrap().unwrap_or_default().to_lowercase();
        if row.get::<_, i64>(1).unwrap() < 2 {
            secrets.push(text(0));
        }
        secrets.extend([text(2), text(3), text(4)]);
        let seats: Value = serde_json::from_str(&row.get::<_, String>(5).unwrap()).unwrap();
        let held = seats.as_array().unwrap().iter().filter_map(|seat| seat["secret"].as_str());
        secrets.extend(held.map(str::to_owned));
    }
    secrets.retain(|secret| secret.len() > 20);
    assert!(secrets.len() > 12, "{secrets:?}");
    secrets
}

#[test]
fn no_audit_and_no_export_tells_a_secret() {
    let archive = Archive::new(sqlite());
    let backup = archive.backup("assam.backup");
    let proofs = archive.proofs("proofs.ndjson");
    let state = archive.path("state");
    let mut told = std::fs::read_to_string(&proofs).unwrap();
    for form in [&[][..], &["--json"]] {
        let database = archive.backend.url();
        let audited = audit(&[&["--database", &database, "--state", text(&state)], form].concat());
        told += &(out(&audited) + &err(&audited));
    }
    told += &std::fs::read_to_string(&state).unwrap();
    for secret in secrets(&backup).iter().map(String::as_str).chain([signing_key()]) {
        assert!(!told.contains(secret), "{secret}");
    }
}

#[test]
fn an_export_of_proofs_has_what_a_spectator_is_given_of_each_game_and_goes_with_no_states() {
    let backend = sqlite();
    let archive = Archive::new(backend);
    let stranger = archive.service.stranger();
    let get = |query: &str, headers: &[(&str, &str)]| {
        stranger.send("GET", &format!("/v1/export?proofs=true{query}"), headers, "")
    };
    for query in ["", "&status=running", "&ruleset=marrakesh/1", "&limit=2&sort=finished"] {
        let lines = get(query, &NDJSON);
        assert_eq!((lines.status, lines.header("content-type")), (200, Some("application/x-ndjson")));
        assert_eq!(lines.text, get(query, &[]).text, "it has one form");
        assert!(!lines.text.is_empty(), "{query}");
        for line in lines.text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let id = line["proof"]["game"].as_str().unwrap();
            let proof = stranger.get(&format!("/v1/games/{id}/proof")).json();
            let mut log = stranger.get(&format!("/v1/games/{id}/inclusion")).json()["entries"].take();
            for entry in log.as_array_mut().into_iter().flatten() {
                entry["proof"] = Value::Null;
            }
            let log = if log.is_null() { json!([]) } else { log };
            assert_eq!(line, json!({"proof": proof, "log": log}));
        }
    }
    assert_eq!(get("", &[("Accept", "text/plain")]).problem(), "not_acceptable");
    let both = get("&states=true", &NDJSON);
    assert_eq!(both.problem(), "bad_request");
    assert_eq!(both.json()["errors"][0]["parameter"], "proofs");
    let place = ["--form", "ndjson", "--proofs", "--states"];
    for from in [["--database", &archive.backend.url()], ["--url", archive.service.base()]] {
        let refused = assam(&[&["export"], &place[..], &from].concat(), "");
        assert_eq!(refused.status.code(), Some(1));
        assert!(err(&refused).ends_with("assam: proofs cannot be combined with `states`\n"));
        let records = assam(&[&["export", "--proofs"], &from[..]].concat(), "");
        assert!(records.status.code() == Some(1) && err(&records).contains("--form ndjson"));
    }
}
