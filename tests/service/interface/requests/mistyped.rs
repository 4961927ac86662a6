//! Addresses that are mistyped, or pasted from a text.

use serde_json::json;

use crate::harness::{Answer, Client, Service, secret, sqlite};

const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

fn browse(client: &Client<'_>, path: &str) -> Answer {
    client.send("GET", path, &[("Accept", BROWSER)], "")
}

/// Resolves a relative address against a path, like browsers do (RFC 3986, section 5.2).
fn resolved(from: &str, address: &str) -> String {
    let from = from.split('?').next().unwrap();
    let mut names: Vec<&str> = from.split('/').skip(1).collect();
    names.pop();
    let (address, query) =
        address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
    for name in address.split('/') {
        match name {
            "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("/{}{query}", names.join("/"))
}

#[test]
fn a_browser_is_led_to_the_page_that_a_mistyped_address_means_also_below_a_path_of_a_proxy() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, _) = service.game(2, json!({}));
    let upper = id.to_uppercase();
    let uuid = format!("{}-{}-{}-{}-{}", &id[..8], &id[8..12], &id[12..16], &id[16..20], &id[20..]);
    let stranger = service.stranger();
    let game = format!("/games/{id}");
    for (typed, meant) in [
        (format!("/games/{id}/"), game.as_str()),
        (format!("/games/{upper}"), &game),
        (format!("/GAMES/{id}"), &game),
        (format!("/Game/{upper}/"), &game),
        (format!("/games//{id}"), &game),
        (format!("//games/{id}"), &game),
        (format!("/games/{uuid}"), &game),
        (format!("/games/{id}."), &game),
        (format!("/games/{id})"), &game),
        (format!("/games/{id}%20"), &game),
        (format!("/games/{id}.html"), &game),
        ("/check/".to_owned(), "/check"),
        ("/Check".to_owned(), "/check"),
        ("//check".to_owned(), "/check"),
        ("/check.html".to_owned(), "/check"),
        ("/verify".to_owned(), "/verify.html"),
        ("/Verify.HTML/".to_owned(), "/verify.html"),
        ("/rules/".to_owned(), "/rules"),
        ("/rules.htm".to_owned(), "/rules"),
        ("/games".to_owned(), "/"),
        ("/games/".to_owned(), "/"),
        ("//".to_owned(), "/"),
        ("/index.html".to_owned(), "/"),
        ("/INDEX.HTM".to_owned(), "/"),
        ("/Docs".to_owned(), "/docs/"),
        ("/docs/index.html".to_owned(), "/docs/"),
        ("/grammar/".to_owned(), "/grammar"),
        ("/Grammar/Marrakesh/".to_owned(), "/grammar/marrakesh"),
        ("/v1/games/".to_owned(), "/v1/games"),
        ("/V1/Rulesets".to_owned(), "/v1/rulesets"),
    ] {
        for query in ["", "?ply=3&utm_source=a"] {
            let led = browse(&stranger, &format!("{typed}{query}"));
            let to = led.header("location").unwrap_or_else(|| panic!("{typed}: {} {}", led.status, led.text));
            assert!(matches!(led.status, 301 | 308) && to.starts_with('.'), "{typed}: {to}");
            for below in ["", "/assam", "/a/b"] {
                let from = format!("{below}{typed}");
                assert_eq!(resolved(&from, to), format!("{below}{meant}{query}"), "{typed}: {to}");
            }
        }
        let there = browse(&stranger, meant);
        assert!(there.status == 200, "{meant}");
    }
    // API clients get a plain 404.
    for accept in ["*/*", "application/json", "application/json, text/html;q=0.5"] {
        let told = stranger.send("GET", "/check/", &[("Accept", accept)], "");
        assert_eq!(told.problem(), "route_not_found", "{accept}");
    }
    assert_eq!(stranger.send("POST", "/check/", &[("Accept", BROWSER)], "").problem(), "route_not_found");
}

#[test]
fn a_browser_is_shown_a_page_with_status_404_where_there_is_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let long = "/a".repeat(2000);
    for path in [
        "/chekc",
        "/chekc/",
        "/games/nothing",
        "/games/1/2/3",
        "/%FF",
        "/%20",
        "/v2/games",
        "/grammar/chess",
        "/docs/nothing.html",
        "/pages/nothing.js",
        "/v1/problems/nothing",
        "/favicon.ico",
        &long,
    ] {
        let page = browse(&stranger, path);
        assert_eq!(
            (page.status, page.header("content-type")),
            (404, Some("text/html; charset=utf-8")),
            "{path}"
        );
        assert!(page.header("content-security-policy").is_some_and(|policy| !policy.contains("unsafe")));
        assert!(page.header("x-request-id").is_some());
        let named = page.text.split('"').filter(|part| part.contains("pages/"));
        let named: Vec<String> = named.map(|part| resolved(path, part)).collect();
        assert!(named.contains(&"/pages/style.css".to_owned()) || path == long, "{named:?}");
        for part in named.iter().filter(|_| path != long) {
            assert_eq!(stranger.get(part).status, 200, "{path} names {part}");
        }
        // Nothing is known about a missing path.
        let known = [("Accept", BROWSER), ("If-None-Match", "*")];
        assert_eq!(stranger.send("GET", path, &known, "").status, 404);
        let head = stranger.send("HEAD", path, &[("Accept", BROWSER)], "");
        assert_eq!((head.status, head.bytes.len()), (404, 0));
        assert_eq!(stranger.get(path).problem(), "route_not_found");
    }
}

#[test]
fn the_page_of_a_game_has_the_status_that_the_game_has_for_a_stranger() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let create = |visibility: &str| {
        let mut wanted =
            json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": visibility});
        if visibility == "private" {
            wanted["join_code"] = json!("12345678");
        }
        owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned()
    };
    let [public, unlisted, private] = ["public", "unlisted", "private"].map(create);
    let page = |id: &str| browse(&service.stranger(), &format!("/games/{id}"));
    let unknown = page(&secret()[..32]);
    assert_eq!((unknown.status, unknown.header("content-type")), (404, Some("text/html; charset=utf-8")));
    // Whether there is a private game is never revealed.
    assert_eq!((page(&private).status, page(&private).all_headers()), (404, unknown.all_headers()));
    for id in [public, unlisted] {
        let shown = page(&id);
        assert_eq!((shown.status, &shown.text), (200, &unknown.text), "{}", backend.name());
    }
    assert_eq!(page(&private).text, unknown.text);
}
