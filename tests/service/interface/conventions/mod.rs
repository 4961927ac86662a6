//! Conventions of every answer: entity tags, conditions, caches, other origins, compression, representations.

mod conditions;

use std::io::Read;

use flate2::read::GzDecoder;
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::harness::{Answer, Client, Service, is_untagged, sqlite};

pub(crate) use conditions::behind_proxies;

const VARIES: &str = "Accept, Accept-Encoding, Authorization";
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// Returns a game of two after a turn, with its players.
fn scene(service: &Service) -> (String, Vec<Client<'_>>) {
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    (format!("/v1/games/{id}"), players)
}

/// Returns the two parts of an entity tag.
fn tag(answer: &Answer) -> (String, String) {
    let tag = answer.header("etag").unwrap();
    let (head, body) = tag.strip_prefix('"').unwrap().strip_suffix('"').unwrap().split_once('.').unwrap();
    (head.to_owned(), body.to_owned())
}

fn hash(body: &[u8]) -> String {
    hex::encode(&Sha256::digest(body)[..8])
}

#[test]
fn an_entity_tag_is_the_head_or_a_dash_and_the_hash_of_the_body() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    let head = players[0].get(&path).json()["head"]["hash"].as_str().unwrap().to_owned();
    for path in service.readable(path.strip_prefix("/v1/games/").unwrap()) {
        let answer = players[0].get(&path);
        if is_untagged(&path) {
            let cached = if path == "/v1/export" { "no-cache" } else { "no-store" };
            assert_eq!((answer.header("etag"), answer.header("cache-control")), (None, Some(cached)));
            continue;
        }
        // Answers from the public log change with the log.
        let is_of_head = path.starts_with("/v1/games/") && !path.ends_with("/inclusion");
        let of_game = if is_of_head { head.as_str() } else { "-" };
        assert_eq!(tag(&answer), (of_game.to_owned(), hash(&answer.bytes)), "{path}");
    }
    // For a ply, the head after it. Before the start, none.
    let start = players[0].get(&format!("{path}/states/0"));
    assert_eq!(tag(&start).0, start.json()["head"]["hash"]);
    assert_ne!(tag(&start).0, head);
    let open = players[0].post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    assert_eq!((tag(&open).0.as_str(), &open.json()["head"]), ("-", &json!(null)));
    // For a write, the head after it.
    let path = format!("{path}/moves/1");
    let again = players[0].send("PUT", &path, &[("Content-Type", "text/plain")], "N");
    assert_eq!(tag(&again), (head, hash(&again.bytes)));
    assert_eq!(again.header("location"), Some(path.as_str()));
}

#[test]
fn caches_may_keep_for_ever_what_is_written_and_must_ask_again_for_the_rest() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    let mut paths = service.readable(path.strip_prefix("/v1/games/").unwrap());
    paths.extend([format!("{path}/states/0"), format!("{path}/score?ply=0")]);
    for path in paths {
        // A position is permanent, but its picture may improve.
        let is_written =
            ["/states/", "/moves/", "?ply=", "/log/tile/"].iter().any(|part| path.contains(part))
                && !path.ends_with(".svg");
        let expected = match path.as_str() {
            "/livez" | "/readyz" => "no-store",
            path if path.contains("/events") => "no-store",
            "/v1/me" | "/v1/me/games" => "private, no-cache",
            _ if is_written => FOR_EVER,
            _ => "no-cache",
        };
        let answer = players[0].get(&path);
        assert_eq!(answer.header("cache-control"), Some(expected), "{path}");
        let varies = (expected != "no-store").then_some(VARIES);
        assert_eq!(answer.header("vary"), varies, "{path}");
    }
    let written = players[0].send("PUT", &format!("{path}/moves/1"), &[("Content-Type", "text/plain")], "N");
    assert_eq!(written.header("cache-control"), Some("no-cache"));

    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": "x"});
    let private = players[0].post("/v1/games", wanted);
    let path = private.header("location").unwrap().to_owned();
    let mut answers = vec![private];
    for (seat, player) in (1..).zip(&players) {
        answers.push(player.put(&format!("{path}/seats/{seat}"), json!({"join_code": "x"})));
    }
    answers.push(players[0].patch(&format!("{path}/seats/1"), json!({"name": "A"})));
    let legal = players[0].get(&format!("{path}/legal-moves")).json();
    let decision = legal["moves"][0].as_str().unwrap();
    let id = path.strip_prefix("/v1/games/").unwrap();
    answers.push(players[0].play(id, 1, decision));
    let of_game = service.readable(id).into_iter().filter(|path| path.contains(id) && !is_untagged(path));
    answers.extend(of_game.chain([format!("{path}/score?ply=1")]).map(|path| players[0].get(&path)));
    assert!(answers.len() > 10);
    for answer in answers {
        assert!(answer.status < 300, "{}", answer.text);
        assert_eq!(answer.header("cache-control"), Some("private, no-cache"), "{}", answer.text);
        assert_eq!(answer.header("vary"), Some(VARIES));
    }
}

#[test]
fn a_script_of_any_origin_may_ask_and_read_the_headers_but_sends_no_cookies() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    for (path, methods) in service.routes(path.strip_prefix("/v1/games/").unwrap()) {
        let order = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
        let has = |one: &&str| {
            *one == "OPTIONS" || methods.iter().any(|m| m == one || (*one == "HEAD" && m == "GET"))
        };
        let all = order.into_iter().filter(has).collect::<Vec<_>>().join(", ");
        let asked = [
            ("Origin", "https://play.example"),
            ("Access-Control-Request-Method", methods[0].as_str()),
            (
                "Access-Control-Request-Headers",
                "authorization, cache-control, content-type, if-match, idempotency-key, last-event-id",
            ),
        ];
        let allowed = players[0].send("OPTIONS", &path, &asked, "");
        assert_eq!((allowed.status, allowed.bytes.len()), (204, 0), "{path}");
        assert_eq!(allowed.header("access-control-allow-origin"), Some("*"));
        assert_eq!(allowed.header("access-control-allow-methods"), Some(all.as_str()), "{path}");
        assert_eq!(
            allowed.header("access-control-allow-headers"),
            Some(
                "Authorization, Cache-Control, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id, X-Requested-With"
            )
        );
        assert_eq!(allowed.header("access-control-max-age"), Some("86400"));
        // Without an origin it asks about the path.
        let told = players[0].send("OPTIONS", &path, &[], "");
        assert_eq!((told.status, told.header("allow")), (204, Some(all.as_str())), "{path}");
        assert_eq!(told.header("access-control-allow-methods"), None);
    }
    for path in [path.as_str(), "/v1/games", "/v1/games/x", "/nowhere", "/livez"] {
        for origin in ["https://play.example", "null", "file://"] {
            let answer = players[0].send("GET", path, &[("Origin", origin)], "");
            assert_eq!(answer.header("access-control-allow-origin"), Some("*"), "{path}");
            assert_eq!(answer.header("access-control-allow-credentials"), None);
            assert_eq!(
                answer.header("access-control-expose-headers"),
                Some(
                    "Content-Location, ETag, Ignored-Tags, Link, Location, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-Request-Id"
                )
            );
            assert_eq!(answer.header("set-cookie"), None);
        }
    }
}

#[test]
fn what_is_asked_for_in_gzip_decodes_to_the_same_bytes() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    for path in service.readable(path.strip_prefix("/v1/games/").unwrap()) {
        let plain = players[0].get(&path);
        assert_eq!(plain.header("content-encoding"), None);
        let asked = players[0].send("GET", &path, &[("Accept-Encoding", "gzip")], "");
        for header in ["cache-control", "content-type", "vary"] {
            assert_eq!(asked.header(header), plain.header(header), "{path}");
        }
        if path == "/v1/export" {
            assert_eq!(asked.header("content-encoding"), Some("gzip"));
            let mut decoded = Vec::new();
            GzDecoder::new(asked.bytes.as_slice()).read_to_end(&mut decoded).unwrap();
            assert_eq!(decoded, plain.bytes);
            continue;
        }
        if plain.bytes.len() < 512 || plain.header("etag").is_none() {
            assert_eq!((asked.header("content-encoding"), &asked.bytes), (None, &plain.bytes), "{path}");
            continue;
        }
        assert_eq!(asked.header("content-encoding"), Some("gzip"), "{path}");
        let mut decoded = Vec::new();
        GzDecoder::new(asked.bytes.as_slice()).read_to_end(&mut decoded).unwrap();
        assert_eq!(decoded, plain.bytes, "{path}");
        // Other bytes have another tag, but either form is current.
        let tag = plain.header("etag").unwrap().trim_matches('"');
        let packed = format!("\"{tag}-gzip\"");
        assert_eq!(asked.header("etag"), Some(packed.as_str()), "{path}");
        for encoding in ["gzip", "identity"] {
            let known = [("Accept-Encoding", encoding), ("If-None-Match", packed.as_str())];
            let again = players[0].send("GET", &path, &known, "");
            assert_eq!((again.status, again.header("etag")), (304, Some(packed.as_str())), "{path}");
        }
        let none = players[0].send("GET", &path, &[("Accept-Encoding", "identity, gzip;q=0")], "");
        assert_eq!((none.header("content-encoding"), &none.bytes), (None, &plain.bytes), "{path}");
    }
}

/// Returns a response, except for what identifies a request or depends on time or earlier requests.
fn lasting(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    let compressed = answer.header("content-encoding") == Some("gzip");
    let mut body = Vec::new();
    if compressed {
        GzDecoder::new(answer.bytes.as_slice()).read_to_end(&mut body).unwrap();
    } else {
        body.clone_from(&answer.bytes);
    }
    let of_one_request = ["date", "x-request-id", "content-length", "transfer-encoding"];
    let headers =
        answer.all_headers().into_iter().filter(|(name, _)| !of_one_request.contains(&name.as_str()));
    (answer.status, headers.collect(), body)
}

#[test]
fn what_is_kept_in_memory_is_answered_as_if_it_were_made_anew() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let afresh = Service::start_with(&backend, &["--cache", "0"]);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    // After each ply everything is read twice, so that the second answer comes from a cache.
    for number in 1..=4 {
        let turn = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
        let seat = turn["seat"].as_u64().unwrap() as usize - 1;
        let chosen = if number < 4 { turn["moves"][0].as_str().unwrap() } else { "!resign" };
        let ply = turn["head"]["ply"].as_u64().unwrap() + 1;
        assert_eq!(players[seat].play(&id, ply, chosen).status, 201);
        if number == 4 {
            service.wait_for_rating_of(players[0].get("/v1/me").json()["player"].as_str().unwrap());
        }
        for encoding in ["identity", "gzip"] {
            // The public log and the feed grow by themselves, and /readyz reports the lag of witnesses.
            let grows = |path: &String| {
                ["/log/checkpoint", "/readyz"].contains(&path.as_str())
                    || path.ends_with("/inclusion")
                    || path.starts_with("/v1/events")
            };
            for path in service.readable(&id).into_iter().filter(|path| !grows(path)) {
                for who in [Some(&players[0]), Some(&players[1]), None] {
                    let secret = who.and_then(|player| player.secret.as_deref());
                    let ask = |service: &Service| {
                        let client = secret.map_or_else(|| service.stranger(), |it| service.with_secret(it));
                        lasting(&client.send("GET", &path, &[("Accept-Encoding", encoding)], ""))
                    };
                    let (first, again) = (ask(&service), ask(&service));
                    let made = ask(&afresh);
                    assert_eq!(first, again, "{} {path} {encoding}", backend.name());
                    assert_eq!(first, made, "{} {path} {encoding}", backend.name());
                }
            }
        }
    }
}

#[test]
fn a_log_is_text_unless_json_is_preferred_and_a_problem_page_is_json_unless_html_is() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    let log = format!("{path}/log");
    let page = "/v1/problems/illegal_move".to_owned();
    let (text, json, html) = ("text/plain; charset=utf-8", "application/json", "text/html; charset=utf-8");
    let browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8";
    for (path, accept, expected) in [
        (&log, "", Some(text)),
        (&log, "*/*", Some(text)),
        (&log, "text/*", Some(text)),
        (&log, browser, Some(text)),
        (&log, "text/plain", Some(text)),
        (&log, "Text/Plain; charset=UTF-8", Some(text)),
        (&log, "application/json", Some(json)),
        (&log, "application/*", Some(json)),
        (&log, "application/json;q=0.2, text/plain;q=0.9", Some(text)),
        (&log, "application/json; q=0.9, text/plain; q=0.2", Some(json)),
        (&log, "text/plain;q=0, */*", Some(json)),
        (&log, "text/*;q=0.3, text/plain;q=0.1, application/json;q=0.2", Some(json)),
        (&log, "application/json, text/plain", Some(text)),
        (&log, "image/png", None),
        (&log, "text/html", None),
        (&log, "application/json;q=0", None),
        (&log, "text/plain;q=0, application/json;q=0.0, */*;q=0", None),
        (&page, "*/*", Some(json)),
        (&page, browser, Some(html)),
        (&page, "text/html", Some(html)),
        (&page, "application/json, text/html;q=0.9", Some(json)),
        (&page, "image/*", None),
    ] {
        let answer = players[0].send("GET", path, &[("Accept", accept)], "");
        match expected {
            Some(media_type) => {
                assert_eq!(answer.header("content-type"), Some(media_type), "{path} {accept:?}")
            }
            None => {
                assert_eq!((answer.problem().as_str(), answer.status), ("not_acceptable", 406), "{accept:?}")
            }
        }
    }
    assert_eq!(players[0].get(&log).header("content-type"), Some(text));
    assert_eq!(players[0].get(&page).header("content-type"), Some(json));
    let two = [("Accept", "image/png"), ("Accept", "application/json")];
    assert_eq!(
        players[0].send("GET", &log, &two, "").header("content-type"),
        Some(json),
        "two fields are one list"
    );
    let human = players[0].send("GET", &page, &[("Accept", browser)], "").text;
    let machine = players[0].get(&page).json();
    for part in ["code", "title", "meaning"] {
        assert!(human.contains(machine[part].as_str().unwrap()), "{part}");
    }
}
