//! Many records in one request: validated, imported, exported.

use std::io::Write as _;
use std::iter;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};

use crate::harness::{Answer, Backend, Client, Service, assam, out, sqlite};

const NDJSON: &str = "application/x-ndjson";
/// Two finished games, a running one, and two that are malformed.
const OVER: &str = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
const ABORTED: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour\n\n!abort = -\n";
const OPEN: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";
const ILLEGAL: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 a1a2 *\n";

/// Returns records of random games of every kind.
fn random_records(games: u32) -> String {
    let games = games.to_string();
    let mut records = String::new();
    for (ruleset, seed) in [("marrakech/1", "3"), ("marrakesh/1", "4")] {
        let made = assam(&["random", &games, "--ruleset", ruleset, "--seed", seed], "");
        records += &out(&made);
    }
    records
}

fn bulk(client: &Client<'_>, path: &str, media: &str, body: &[u8]) -> Vec<Value> {
    lines(&client.send("POST", path, &[("Content-Type", media)], body))
}

fn lines(answer: &Answer) -> Vec<Value> {
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(text).unwrap();
    packed.finish().unwrap()
}

/// Returns the record as one line of JSON, among other members.
fn as_json(record: &str) -> String {
    json!({"id": "x", "record": record, "states": []}).to_string() + "\n"
}

#[test]
fn verdicts_on_many_records_are_those_of_the_command_line_in_order_however_the_records_are_packed() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let records = format!("{}{OPEN}\n{ILLEGAL}nonsense\n{OVER}", random_records(40));
    let told = assam(&["validate", "--json", "-"], &records);
    let mut expected: Vec<Value> =
        out(&told).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for row in &mut expected {
        for member in ["source", "sources", "unreadable"] {
            row.as_object_mut().unwrap().remove(member);
        }
    }
    assert_eq!(expected.last().unwrap()["refused"], 1);
    assert_eq!(bulk(&client, "/v1/validate/bulk", "text/plain", records.as_bytes()), expected);
    let two = [gzip(&records.as_bytes()[..9_000]), gzip(&records.as_bytes()[9_000..])].concat();
    for packed in [gzip(records.as_bytes()), two] {
        let headers = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")];
        assert_eq!(lines(&client.send("POST", "/v1/validate/bulk", &headers, packed)), expected);
    }
    // As JSON lines, with places relative to the record.
    let cut = records.replace("\nMKN/", "\n\u{0}MKN/");
    let ndjson: String = cut.split('\u{0}').map(as_json).collect();
    let rows = bulk(&client, "/v1/validate/bulk", NDJSON, ndjson.as_bytes());
    assert_eq!(rows.last(), expected.last());
    for (number, (row, wanted)) in (1..).zip(rows.iter().zip(&expected[..expected.len() - 1])) {
        assert_eq!((&row["number"], &row["line"]), (&json!(number), &json!(number)));
        for member in ["valid", "ply", "marker", "masked"] {
            assert_eq!(row[member], wanted[member]);
        }
        if !row["error"].is_null() {
            let line = wanted["error"]["line"].as_u64().unwrap() - wanted["line"].as_u64().unwrap() + 1;
            assert_eq!(
                (&row["error"]["line"], &row["error"]["code"]),
                (&json!(line), &wanted["error"]["code"])
            );
        }
    }
}

#[test]
fn what_is_no_record_is_refused_by_its_line_and_stops_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let long = "x".repeat(800 * 1024);
    let list = json!([OVER]);
    let body = format!("{}\n{{\"record\": 1}}\n{list}\n\n{long}\n{}", as_json(OVER), as_json(OPEN));
    let rows = bulk(&client, "/v1/validate/bulk", NDJSON, body.as_bytes());
    let told: Vec<_> =
        rows[..5].iter().map(|row| (row["line"].clone(), row["error"]["code"].clone())).collect();
    let none = json!(null);
    let [bad, large] = [json!("bad_json"), json!("too_large")];
    assert_eq!(
        told,
        [
            (json!(1), none.clone()),
            (json!(3), bad.clone()),
            (json!(4), bad),
            (json!(6), large),
            (json!(7), none)
        ]
    );
    assert_eq!(rows[5], json!({"kind": "summary", "records": 5, "good": 2, "masked": 0, "refused": 3}));
    for body in ["", "\n \n"] {
        let rows = bulk(&client, "/v1/validate/bulk", NDJSON, body.as_bytes());
        assert_eq!(rows, [json!({"kind": "summary", "records": 0, "good": 0, "masked": 0, "refused": 0})]);
        // An empty text is refused, as on the command line.
        let rows = bulk(&client, "/v1/validate/bulk", "text/plain", body.as_bytes());
        assert_eq!(rows[0]["error"]["detail"], "there is no record: the text is empty");
        assert_eq!(rows[1], json!({"kind": "summary", "records": 1, "good": 0, "masked": 0, "refused": 1}));
    }
}

#[test]
fn a_body_that_cannot_be_unpacked_is_told_after_what_could_be_read() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let records = random_records(300);
    let packed = gzip(records.as_bytes());
    for path in ["/v1/validate/bulk", "/v1/imports/bulk"] {
        let headers = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")];
        let rows = lines(&client.send("POST", path, &headers, &packed[..packed.len() / 2]));
        let last = rows.last().unwrap();
        assert_eq!((&last["kind"], &last["code"]), (&json!("stopped"), &json!("bad_request")), "{path}");
        assert!(rows.len() > 50 && rows[..rows.len() - 1].iter().all(|row| row["error"].is_null()));
        if path == "/v1/imports/bulk" {
            // Written records were reported.
            let games = client.get("/v1/export/count").json()["games"].clone();
            assert_eq!(games, rows.len() - 1);
        }
        for (media, encoding) in
            [("text/plain", "br"), ("text/html", "gzip"), ("text/plain; charset=latin1", "gzip")]
        {
            let headers = [("Content-Type", media), ("Content-Encoding", encoding)];
            assert_eq!(client.send("POST", path, &headers, "x").problem(), "unsupported_media_type");
        }
    }
}

/// Returns the records of an export, canonical and in order.
fn exported(backend: &Backend, client: &Client<'_>, query: &str) -> Vec<String> {
    let text = client.get(&format!("/v1/export{query}")).text;
    let canonical = out(&assam(&["convert", "--to", "canonical", "-"], &text));
    let mut records: Vec<String> =
        canonical.split("\n\nMKN/").map(|it| it.trim_start_matches("MKN/").trim().to_owned()).collect();
    records.retain(|record| !record.is_empty());
    let rows = client.send("GET", &format!("/v1/export{query}"), &[("Accept", NDJSON)], "");
    assert_eq!(lines(&rows).len(), records.len(), "{}", backend.name());
    records
}

#[test]
fn what_was_imported_is_exported_and_importing_it_again_changes_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let records = random_records(30);
    let body = format!("{records}{OVER}\n{ABORTED}{OPEN}{ILLEGAL}{OVER}");
    let rows = bulk(&client, "/v1/imports/bulk", "text/plain", body.as_bytes());
    let summary = json!({"kind": "summary", "records": 65, "new": 62, "known": 1, "refused": 2});
    assert_eq!(rows[65], summary, "{}", backend.name());
    let codes: Vec<_> = rows[62..65].iter().map(|row| row["error"]["code"].clone()).collect();
    assert_eq!(codes, [json!("not_finished"), json!("illegal_move"), json!(null)]);
    // Of two equal ones, either may be written first.
    let mut same = [60, 64].map(|row| (rows[row]["outcome"].to_string(), &rows[row]["game"]));
    same.sort_by(|one, other| one.0.cmp(&other.0));
    assert_eq!(
        same,
        [("\"known\"".to_owned(), &rows[60]["game"]), ("\"new\"".to_owned(), &rows[60]["game"])]
    );
    assert_eq!(client.get("/v1/export/count").json(), json!({"games": 62}));
    let wanted = out(&assam(&["convert", "--to", "canonical", "-"], &format!("{records}{OVER}{ABORTED}")));
    let mut wanted: Vec<String> =
        wanted.split("\n\nMKN/").map(|it| it.trim_start_matches("MKN/").trim().to_owned()).collect();
    let mut all = exported(&backend, &client, "");
    // Games imported within a millisecond are in the order of their ids.
    all.sort();
    wanted.sort();
    assert_eq!(all, wanted);
    // Again, also as exported, and as JSON.
    let again = client.get("/v1/export").text;
    let ndjson = client.send("GET", "/v1/export", &[("Accept", NDJSON)], "").text;
    for (media, body) in [("text/plain", &body), ("text/plain", &again), (NDJSON, &ndjson)] {
        let rows = bulk(&client, "/v1/imports/bulk", media, body.as_bytes());
        assert_eq!(rows.last().unwrap()["new"], 0);
        assert!(rows.last().unwrap()["known"].as_u64().unwrap() >= 62);
    }
    assert_eq!(client.get("/v1/export/count").json(), json!({"games": 62}));
}

#[test]
fn an_export_goes_on_after_the_last_game_that_one_has_and_under_every_filter_has_what_the_list_has() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let records = random_records(8);
    bulk(&player, "/v1/imports/bulk", "text/plain", records.as_bytes());
    for seats in [json!(["random", "random"]), json!(["open", "random"]), json!(["open", "open"])] {
        let wanted = json!({"ruleset": "marrakesh/1", "seats": seats});
        let wanted = match seats[0] == "open" {
            true => json!({"ruleset": "marrakesh/1", "seats": seats, "take": {"seat": 1, "name": "Zoë"}}),
            false => wanted,
        };
        assert_eq!(player.post("/v1/games", wanted).status, 201);
    }
    let private = json!({"ruleset": "marrakesh/1", "seats": ["random", "random"], "visibility": "unlisted"});
    assert_eq!(player.post("/v1/games", private).status, 201);
    let id = player.get("/v1/me").json()["player"].as_str().unwrap().to_owned();
    let ids = |query: &str| -> Vec<Value> {
        let rows = player.send("GET", &format!("/v1/export?{query}"), &[("Accept", NDJSON)], "");
        lines(&rows).into_iter().map(|row| row["id"].clone()).collect()
    };
    for filter in [
        "status=finished,aborted",
        "status=running",
        "ruleset=marrakesh/1&status=running,finished",
        "imported=true&status=finished",
        "imported=false&status=finished,running,aborted",
        "sort=finished&status=finished,aborted",
        &format!("player={id}&status=running"),
        "since=2026-01-01T00:00:00Z&status=finished",
        "until=2026-01-01T00:00:00Z&status=finished",
    ] {
        let list = player.get(&format!("/v1/games?limit=100&{filter}")).json();
        let mut listed: Vec<Value> =
            list["games"].as_array().unwrap().iter().map(|game| game["id"].clone()).collect();
        listed.reverse();
        assert_eq!(ids(filter), listed, "{filter} {}", backend.name());
        let count = player.get(&format!("/v1/export/count?{filter}")).json();
        assert_eq!(count["games"], listed.len(), "{filter}");
        // Three at a time.
        let mut met = ids(&format!("{filter}&limit=3"));
        while let Some(last) = met.last().and_then(Value::as_str) {
            let more = ids(&format!("{filter}&limit=3&after={last}"));
            if more.is_empty() {
                break;
            }
            met.extend(more);
        }
        assert_eq!(met, listed, "{filter}");
    }
    assert_eq!(ids("").len(), 17);
    assert_eq!(player.get("/v1/export?status=open").problem(), "bad_request");
}

#[test]
fn all_states_of_a_game_are_what_each_of_them_is_alone_for_everybody_who_asks() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
    let game = format!("/v1/games/{id}");
    for ply in 1..=12 {
        let legal = service.stranger().get(&format!("{game}/legal-moves")).json();
        let player = &players[legal["seat"].as_u64().unwrap() as usize - 1];
        let moves = player.get(&format!("{game}/legal-moves")).json()["moves"].clone();
        assert_eq!(player.play(&id, ply, moves[0].as_str().unwrap()).status, 201);
    }
    let (open, _) = service.game(3, json!({}));
    for (game, last) in [(game, 12), (format!("/v1/games/{open}"), 0)] {
        for client in [&players[0], &players[1], &service.stranger()] {
            let alone: Vec<Value> =
                (0..=last).map(|ply| client.get(&format!("{game}/states/{ply}")).json()).collect();
            assert_eq!(client.get(&format!("{game}/states")).json(), json!({"states": alone}));
            let rows = client.send("GET", &format!("{game}/states"), &[("Accept", NDJSON)], "");
            assert_eq!(lines(&rows), alone, "{}", backend.name());
        }
    }
}

#[test]
fn an_export_that_goes_on_while_others_write_misses_nothing_and_repeats_nothing() {
    let backend = sqlite();
    let services = [0, 1].map(|_| Service::start_with(&backend, &["--export-delay", "1"]));
    let records = random_records(150);
    let cut = records.replace("\nMKN/", "\n\u{0}MKN/");
    let records: Vec<&str> = cut.split('\u{0}').collect();
    let done = AtomicUsize::new(0);
    thread::scope(|scope| {
        for (service, share) in services.iter().cycle().zip(records.chunks(records.len() / 4 + 1)) {
            let done = &done;
            scope.spawn(move || {
                for record in share {
                    // On a busy machine, the database may not answer in time.
                    let import = || service.stranger().post_text("/v1/imports", record).status;
                    let imported = iter::repeat_with(import).take(20).find(|status| *status != 503);
                    assert!(matches!(imported, Some(200 | 201)), "{imported:?}");
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        let reader = services[0].stranger();
        let mut met: Vec<Value> = Vec::new();
        loop {
            let is_last = done.load(Ordering::Relaxed) == records.len();
            let after = met.last().map(|id| format!("&after={}", id.as_str().unwrap()));
            let path = format!("/v1/export?sort=finished{}", after.unwrap_or_default());
            let rows = lines(&reader.send("GET", &path, &[("Accept", NDJSON)], ""));
            met.extend(rows.into_iter().map(|row| row["id"].clone()));
            if is_last {
                break;
            }
        }
        let whole = lines(&reader.send("GET", "/v1/export?sort=finished", &[("Accept", NDJSON)], ""));
        let whole: Vec<Value> = whole.into_iter().map(|row| row["id"].clone()).collect();
        assert_eq!((met.len(), met == whole), (records.len(), true), "{}", backend.name());
    });
}
