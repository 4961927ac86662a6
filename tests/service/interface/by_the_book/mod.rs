//! The HTTP standards, taken literally: secrets, keys, conditions, addresses and links.

mod bodies;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpStream;

use regex::Regex;
use serde_json::{Value, json};

use crate::harness::{Answer, Client, DOCUMENT, LISTED, Service, operation, postgres, secret, sqlite};
use crate::interface::conventions::behind_proxies;

const APPLICATION_JSON: &str = "application/json";

/// The entity tag of a response.
fn tag(answer: &Answer) -> &str {
    answer.header("etag").unwrap()
}

#[test]
fn two_authorization_headers_are_refused_wherever_a_secret_may_be_sent() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    let mine = format!("Bearer {}", players[0].secret.as_ref().unwrap());
    let other = format!("Bearer {}", secret());
    let mut asked = BTreeSet::new();
    for (path, methods) in service.routes(&id) {
        for method in methods {
            let operation = operation(&method, &path).unwrap();
            let takes_secret = LISTED[&operation].contains("unauthenticated");
            assert_eq!(security(&operation) != json!([]), takes_secret, "{operation}");
            for [one, two] in [[&mine, &other], [&other, &mine], [&mine, &mine], [&mine, &"x".to_owned()]] {
                let headers = [
                    ("Authorization", one.as_str()),
                    ("Authorization", two.as_str()),
                    ("Content-Type", APPLICATION_JSON),
                ];
                // None of them would accept the body, as the secret is checked first. Some accept
                // anything and report the errors of each part, and another accepts only text.
                let body = if method == "GET" { "" } else { "{" };
                let of_text = ["post /v1/validate/bulk", "post /v1/analysis/bulk", "post /log/cosignatures"];
                if of_text.contains(&operation.as_str()) {
                    continue;
                }
                let answer = service.stranger().send(&method, &path, &headers, body);
                if !takes_secret {
                    assert!(answer.status == 200 || answer.problem() == "bad_json", "{operation}");
                    continue;
                }
                assert_eq!((answer.problem().as_str(), answer.status), ("bad_request", 400), "{operation}");
                assert_eq!(answer.json()["detail"], "the request has two `Authorization` headers");
                asked.insert(operation.clone());
            }
        }
    }
    for wanted in ["get /v1/games/{id}", "put /v1/games/{id}/moves/{ply}", "post /v1/games", "get /v1/me"] {
        assert!(asked.contains(wanted), "{wanted}: {asked:?}");
    }
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["head"]["ply"], 1, "{}", backend.name());
}

/// Returns the documented security of an operation, an empty list if it reads no secret.
fn security(operation: &str) -> Value {
    let (method, route) = operation.split_once(' ').unwrap();
    DOCUMENT["paths"][route][method]["security"].clone()
}

#[test]
fn an_idempotency_key_in_quotes_is_the_same_key_as_without() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let create = |key: &str, seats: &[&str]| {
        let headers = [("Idempotency-Key", key), ("Content-Type", APPLICATION_JSON)];
        player.send(
            "POST",
            "/v1/games",
            &headers,
            json!({"ruleset": "marrakech/1", "seats": seats}).to_string(),
        )
    };
    let two = ["open", "open"];
    for length in [22, 32, 255] {
        let [bare, quoted] = {
            let key = format!("{:032x}", rand::random::<u128>()).repeat(8)[..length].to_owned();
            [key.clone(), format!("\"{key}\"")]
        };
        for (first, again) in [(&bare, &quoted), (&quoted, &bare)] {
            let made = create(first, &two);
            // In the second round the key has been used already.
            assert_eq!(made.status, if first == &bare { 201 } else { 200 }, "{}", made.text);
            let repeated = create(again, &two);
            assert_eq!((repeated.status, &repeated.text), (200, &made.text), "{}", backend.name());
            let misused = create(again, &["open", "open", "open"]);
            assert_eq!((misused.problem().as_str(), misused.status), ("idempotency_mismatch", 422));
        }
    }
    // The key counts without its quotes.
    for wrong in [&format!("\"{}\"", "k".repeat(21)), &format!("\"{}\"", "k".repeat(256)), "\"\"", ""] {
        assert_eq!(create(wrong, &two).problem(), "bad_request", "{wrong}");
    }
    // Two keys are ambiguous, even if they are equal.
    let key = "k".repeat(32);
    let headers =
        [("Idempotency-Key", &*key), ("Idempotency-Key", &*key), ("Content-Type", APPLICATION_JSON)];
    let body = json!({"ruleset": "marrakech/1", "seats": two}).to_string();
    assert_eq!(player.send("POST", "/v1/games", &headers, body).problem(), "bad_request");
}

/// Renames a seat under a condition.
fn rename(player: &Client<'_>, seat: &str, condition: &str, name: &str) -> Answer {
    let headers = [("If-Match", condition), ("Content-Type", APPLICATION_JSON)];
    player.send("PATCH", seat, &headers, json!({"name": name}).to_string())
}

#[test]
fn a_name_is_changed_with_if_match_only_where_the_game_is_as_it_was_shown() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for (ruleset, is_open) in [("marrakech/1", true), ("marrakesh/1", false)] {
        let (id, players) = service.table(ruleset, &["open", "open"], json!({}));
        let (game, seat) = (format!("/v1/games/{id}"), format!("/v1/games/{id}/seats/1"));
        let mut old = vec!["\"-\"".to_owned(), "\"\"".to_owned(), String::new(), "\"*\"".to_owned()];
        let forms = |tag: &str, packed: &str| {
            let mut forms = behind_proxies(tag);
            forms.extend([tag, packed, "*"].map(str::to_owned));
            forms.extend([format!("\"x\", {tag}"), format!("\"x\", W/{packed}")]);
            forms
        };
        for n in 0..forms("\"\"", "\"\"").len() {
            let shown = players[0].get(&game);
            let packed = players[0].send("GET", &game, &[("Accept-Encoding", "gzip")], "");
            assert_eq!(tag(&packed).ends_with("-gzip\""), is_open, "{}", tag(&packed));
            let head = format!("\"{}\"", shown.json()["head"]["hash"].as_str().unwrap());
            let (yours, legal) = (players[1].get(&game), players[0].get(&format!("{game}/legal-moves")));
            let weak = format!("W/{}", tag(&yours));
            let wrong = [&weak, &head, tag(&yours), tag(&legal)].map(str::to_owned);
            for wrong in old.iter().chain(&wrong) {
                let refused = rename(&players[0], &seat, wrong, "Nobody");
                assert_eq!((refused.problem().as_str(), refused.status), ("stale_head", 412), "{wrong}");
                assert_eq!(refused.json()["head"], shown.json()["head"]);
            }
            assert_eq!(players[0].get(&game).text, shown.text, "{}", backend.name());
            let form = forms(tag(&shown), tag(&packed)).swap_remove(n);
            let renamed = rename(&players[0], &seat, &form, &format!("Name {n}"));
            assert_eq!(renamed.json()["seats"][0]["name"], format!("Name {n}"), "{}", renamed.text);
            assert_eq!((renamed.status, &renamed.text), (200, &players[0].get(&game).text));
            old.extend([tag(&shown).to_owned(), tag(&packed).to_owned()]);
        }
        // A move gives the game another tag, as does another seat's name.
        let shown = tag(&players[0].get(&game)).to_owned();
        assert_eq!(players[1].patch(&format!("{game}/seats/2"), json!({"name": "Zoë"})).status, 200);
        assert_eq!(rename(&players[0], &seat, &shown, "Nobody").problem(), "stale_head");
        let shown = tag(&players[0].get(&game)).to_owned();
        assert_eq!(players[1].play(&id, 1, "!resign").status, 201);
        assert_eq!(rename(&players[0], &seat, &shown, "Nobody").problem(), "stale_head");
    }
}

#[test]
fn a_name_under_if_match_is_judged_by_the_game_as_another_process_left_it() {
    let Some(backend) = postgres() else { return };
    let services = [Service::start(&backend), Service::start(&backend)];
    let (id, players) = services[0].game(2, json!({"two_player": "one-colour"}));
    let (game, seat) = (format!("/v1/games/{id}"), format!("/v1/games/{id}/seats/1"));
    let there: Vec<Client<'_>> =
        players.iter().map(|player| services[1].with_secret(player.secret.as_ref().unwrap())).collect();
    for ply in 1..=6 {
        let shown = players[0].get(&game);
        let legal = there[0].get(&format!("{game}/legal-moves")).json();
        let on_turn = &there[legal["seat"].as_u64().unwrap() as usize - 1];
        let moved = on_turn.play(&id, ply, legal["moves"][0].as_str().unwrap());
        let refused = rename(&players[0], &seat, tag(&shown), "Nobody");
        assert_eq!((refused.problem().as_str(), refused.status), ("stale_head", 412));
        assert_eq!(refused.json()["head"], moved.json()["head"]);
        // The other process saw the game only before that move, but accepts its current tag.
        assert_eq!(
            there[1].patch(&format!("{game}/seats/2"), json!({"name": format!("Zoë {ply}")})).status,
            200
        );
        let renamed = rename(&players[0], &seat, tag(&there[0].get(&game)), &format!("Name {ply}"));
        assert_eq!((renamed.status, &renamed.text), (200, &there[0].get(&game).text));
        assert_eq!(renamed.json()["seats"][0]["name"], format!("Name {ply}"));
    }
}

/// Returns the operation and status of every response in the document that declares a header.
fn with_header(name: &str) -> BTreeSet<(String, u16)> {
    let mut found = BTreeSet::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for (method, it) in item.as_object().unwrap() {
            let responses = it["responses"].as_object().unwrap().iter();
            let has = responses.filter(|(_, it)| it["headers"].get(name).is_some());
            found.extend(has.map(|(status, _)| (format!("{method} {path}"), status.parse().unwrap())));
        }
    }
    found
}

#[test]
fn a_content_location_is_the_path_at_which_get_gives_the_same_and_a_location_leads_to_what_was_made() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other) = (service.player(), service.player());
    let seen = RefCell::new(BTreeSet::new());
    // Twice, so that each request is new and then repeated. Returns the path of the game.
    let send = |player: &Client<'_>, method: &str, path: &str, body: Value| {
        let key = format!("{:032x}", rand::random::<u128>());
        let mut game = String::new();
        for encoding in ["identity", "gzip"] {
            let (accepts, body) = (("Accept-Encoding", encoding), body.to_string());
            let headers = [("Content-Type", APPLICATION_JSON), ("Idempotency-Key", &key), accepts];
            let answer = player.send(method, path, &headers, body);
            assert!(matches!(answer.status, 200 | 201), "{method} {path}: {}", answer.text);
            answer.header("content-location").unwrap().clone_into(&mut game);
            let is_made = method != "PATCH" && !path.ends_with("/beacon");
            assert!(!is_made || answer.header("location") == Some(game.as_str()));
            let read = player.send("GET", &game, &[accepts], "");
            assert_eq!((read.status, &read.bytes), (200, &answer.bytes), "{method} {path} {encoding}");
            for name in ["etag", "content-type", "content-encoding", "cache-control", "vary"] {
                assert_eq!(read.header(name), answer.header(name), "{method} {path} {name}");
            }
            seen.borrow_mut().insert((operation(method, path).unwrap(), answer.status));
        }
        game
    };
    for (ruleset, more) in [
        ("marrakech/1", json!({})),
        ("marrakesh/1", json!({"visibility": "unlisted"})),
        ("marrakesh/1", json!({"visibility": "private", "join_code": "x"})),
    ] {
        let mut wanted = json!({"ruleset": ruleset, "seats": ["open", "open"]});
        wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let game = send(&owner, "POST", "/v1/games", wanted);
        let taken = json!({"join_code": more["join_code"]});
        send(&owner, "PUT", &format!("{game}/seats/2"), taken.clone());
        send(&other, "PUT", &format!("{game}/seats/1"), taken);
        send(&owner, "PATCH", &format!("{game}/seats/2"), json!({"name": "Aisha"}));
        let made = other.put(&format!("{game}/moves/1"), json!({"move": "!resign"}));
        assert_eq!((made.status, made.header("content-location")), (201, None));
        let first = other.get(made.header("location").unwrap()).json();
        assert_eq!((&first["word"], &first["ply"]), (&made.json()["words"][0], &json!(1)));
        send(&other, "PATCH", &format!("{game}/seats/1"), json!({"name": null}));
        send(&other, "POST", &format!("{game}/rematch"), json!({}));
    }
    let (waiting, _, round) = service.waiting_for_beacon();
    send(&other, "PUT", &format!("{waiting}/beacon"), round);
    let record = json!({"record": "MKN/1 marrakech/1 seats=3\nseat1: Aisha\n\n!abort\n= -\n"});
    send(&owner, "POST", "/v1/imports", record);
    assert_eq!(*seen.borrow(), with_header("Content-Location"), "{}", backend.name());
}

#[test]
fn the_type_of_a_problem_is_an_absolute_address_as_the_client_reached_the_service() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.player();
    let (proto, host, both) = ("X-Forwarded-Proto", "X-Forwarded-Host", "Forwarded");
    let cases: [(&[(&str, &str)], &str); 12] = [
        (&[], "http://assam.example"),
        (&[(proto, "https")], "https://assam.example"),
        (&[(host, "play.example")], "http://play.example"),
        (&[(proto, "https"), (host, "play.example:8443")], "https://play.example:8443"),
        (&[(proto, "https, http"), (host, "play.example, inner")], "https://play.example"),
        (&[(both, "proto=https")], "https://assam.example"),
        (&[(both, "host=play.example")], "http://play.example"),
        (&[(both, "for=192.0.2.7; proto=https; host=play.example; by=203.0.113.5")], "https://play.example"),
        (&[(both, "Proto=https;Host=\"play.example:8443\"")], "https://play.example:8443"),
        (&[(both, "proto=https;host=play.example, proto=http;host=inner")], "https://play.example"),
        (
            &[(both, "proto=https;host=play.example"), (proto, "http"), (host, "inner")],
            "https://play.example",
        ),
        (&[(both, "for=192.0.2.7"), (proto, "https"), (host, "play.example")], "https://play.example"),
    ];
    for (headers, base) in cases {
        for (method, path, body, code) in [
            ("GET", "/v1/games/x", "", "game_not_found"),
            ("GET", "/v1/games?limit=0", "", "bad_request"),
            ("GET", "/v1/limits?x=1", "", "bad_request"),
            ("GET", "/nowhere", "", "route_not_found"),
            ("GET", "/docs/no.js", "", "route_not_found"),
            ("DELETE", "/v1/games", "", "method_not_allowed"),
            ("POST", "/v1/games", "{", "bad_json"),
        ] {
            let problem = client.send(method, path, headers, body).json();
            let address = format!("{base}/v1/problems/{code}");
            assert_eq!((&problem["type"], &problem["code"]), (&json!(address), &json!(code)), "{headers:?}");
            let page = client.get(address.strip_prefix(base).unwrap()).json();
            assert_eq!((&page["code"], &page["title"]), (&problem["code"], &problem["title"]));
        }
        // Errors in a record are such problems, too.
        let verdict = client.send("POST", "/v1/validate", headers, r#"{"record":"MKN/2"}"#).json();
        let code = verdict["error"]["code"].as_str().unwrap();
        assert_eq!(verdict["error"]["type"], format!("{base}/v1/problems/{code}"), "{headers:?}");
    }
}

#[test]
fn the_type_of_a_problem_is_an_address_also_where_no_host_is_named_that_an_address_could_have() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let own = service.base();
    for (version, headers, base) in [
        ("1.0", "", own),
        ("1.1", "Host:\r\n", own),
        ("1.1", "Host: a\"b c\r\n", own),
        ("1.1", "Host: a/b?c\r\n", own),
        ("1.1", "Host: a\r\nX-Forwarded-Host: <b>\r\n", own),
        ("1.1", "Host: a\r\nForwarded: host=\"\";proto=\"\"\r\n", own),
        ("1.1", "Host: a\r\nX-Forwarded-Proto: java script\r\n", "http://a"),
        ("1.1", "Host: a\r\nX-Forwarded-Proto: javascript\r\n", "http://a"),
        ("1.1", "Host: a\r\nX-Forwarded-Proto: HTTPS\r\n", "https://a"),
        ("1.1", "Host: [2001:db8::7]:8443\r\n", "http://[2001:db8::7]:8443"),
    ] {
        let mut stream = TcpStream::connect(own.strip_prefix("http://").unwrap()).unwrap();
        let head = format!("GET /nowhere HTTP/{version}\r\n{headers}Connection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let kind = format!("{{\"type\":\"{base}/v1/problems/route_not_found\",");
        assert!(answer.contains(&kind), "{head}{answer}");
    }
}

#[test]
fn every_link_on_a_page_of_the_grammar_leads_to_a_page_and_to_a_heading_that_are_there() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let read = |path: &str| service.stranger().send("GET", path, &[("Accept", "text/html")], "");
    let [href, id, markdown] =
        [r#"<a href="([^"]*)""#, r#"\bid="([^"]*)""#, r"\]\(([^)]*)\)"].map(|it| Regex::new(it).unwrap());
    let all = |regex: &Regex, text: &str| -> Vec<String> {
        regex.captures_iter(text).map(|found| found[1].to_owned()).collect()
    };
    let mut pages = BTreeMap::from([("/grammar".to_owned(), read("/grammar").text)]);
    let (mut anchors, mut to_do) = (0, vec!["/grammar".to_owned()]);
    while let Some(here) = to_do.pop() {
        let text = pages[&here].clone();
        let ids = all(&id, &text);
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{here} has a name twice: {ids:?}");
        // The Markdown has the same links, next to those to files that are not served.
        let source = service.stranger().get(&here).text;
        let links = all(&href, &text);
        // Links are relative, as the service may be below a path.
        let root = "../".repeat(here.matches('/').count() - 1);
        let prefix = format!("{root}grammar");
        let served =
            |link: &String| link.starts_with(&prefix) && !link.contains(".md") || link.starts_with('#');
        assert_eq!(links, all(&markdown, &source).into_iter().filter(served).collect::<Vec<_>>(), "{here}");
        for link in links {
            let (path, anchor) = link.split_once('#').unwrap_or((&link, ""));
            let path = path.strip_prefix(&root).filter(|path| !path.is_empty());
            let path = path.map_or_else(|| here.clone(), |path| format!("/{path}"));
            let page = pages.entry(path.clone()).or_insert_with(|| {
                let page = read(&path);
                assert_eq!(
                    (page.status, page.header("content-type")),
                    (200, Some("text/html; charset=utf-8"))
                );
                to_do.push(path.clone());
                page.text
            });
            if link.contains('#') {
                assert!(all(&id, page).iter().any(|id| id == anchor), "{here} has a dead link: {link}");
                anchors += 1;
            }
        }
    }
    assert!(pages.len() > 1 && anchors > 4, "{anchors} of {:?}", pages.keys());
}
