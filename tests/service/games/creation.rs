//! Games as they are created, repeated, listed and named, and descriptions of rule sets.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashSet};

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Service, sqlite};

/// Returns a key with 128 random bits.
fn key() -> String {
    format!("{:032x}", rand::random::<u128>())
}

fn create(client: &Client<'_>, key: &str, body: &Value) -> Answer {
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key)];
    client.send("POST", "/v1/games", &headers, body.to_string())
}

fn id(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Returns a valid game of two with these fields.
fn wanted(fields: Value) -> Value {
    let mut wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    wanted.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    wanted
}

#[test]
fn a_request_with_an_idempotency_key_creates_one_game_however_often_it_is_sent() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other, nobody) = (service.player(), service.player(), service.stranger());
    let (key, body) = (key(), wanted(json!({"options": {"cover": "any"}, "patience_hours": 3})));
    let first = create(&owner, &key, &body);
    assert_eq!(first.status, 201);
    assert_eq!(first.header("location"), Some(format!("/v1/games/{}", id(&first)).as_str()));
    // The same request, also in other JSON and after the game went on.
    let spaced = serde_json::to_string_pretty(&body).unwrap();
    let again = owner.send("POST", "/v1/games", &[("Idempotency-Key", key.as_str())], &spaced);
    assert_eq!((again.status, &again.text), (200, &first.text));
    assert_eq!(other.put(&format!("/v1/games/{}/seats/1", id(&first)), json!({})).status, 201);
    let later = create(&owner, &key, &body);
    assert_eq!((later.status, id(&later)), (200, id(&first)));
    assert_eq!(later.json()["seats"][0]["kind"], "human");
    // A different request: body, owner, or no owner.
    for (client, body) in [
        (&owner, wanted(json!({"options": {"cover": "any"}}))),
        (&owner, wanted(json!({"options": {"cover": "opponents"}, "patience_hours": 3}))),
        (&owner, wanted(json!({"options": {"cover": "any"}, "patience_hours": 3, "visibility": "unlisted"}))),
        (&other, body.clone()),
        (&nobody, body.clone()),
    ] {
        let refused = create(client, &key, &body);
        assert_eq!((refused.problem().as_str(), refused.status), ("idempotency_mismatch", 422), "{body}");
        assert!(!refused.text.contains(&id(&first)));
    }
    assert_eq!(create(&owner, &self::key(), &body).status, 201, "another key, another game");
    let unkeyed: BTreeSet<String> = (0..3).map(|_| id(&owner.post("/v1/games", body.clone()))).collect();
    assert_eq!(unkeyed.len(), 3, "without a key every request is new");
}

#[test]
fn the_id_of_a_game_begins_with_the_time_of_its_creation_and_ends_at_random() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let mut ends = HashSet::new();
    for _ in 0..20 {
        let game = player.post("/v1/games", wanted(json!({}))).json();
        let created_at: jiff::Timestamp = game["created_at"].as_str().unwrap().parse().unwrap();
        let (time, end) = game["id"].as_str().unwrap().split_at(12);
        assert_eq!(i64::from_str_radix(time, 16), Ok(created_at.as_millisecond()));
        assert!(ends.insert(end.to_owned()), "{game}");
    }
}

#[test]
fn the_id_of_a_game_that_was_removed_is_never_that_of_another_one() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, key, body) = (service.player(), key(), wanted(json!({})));
    let path = format!("/v1/games/{}", id(&create(&owner, &key, &body)));
    assert_eq!(owner.send("DELETE", &path, &[], "").status, 204);
    for client in [&owner, &service.player()] {
        let refused = create(client, &key, &body);
        assert_eq!((refused.problem().as_str(), refused.status), ("idempotency_mismatch", 422));
        let detail = refused.json()["detail"].clone();
        assert!(detail.as_str().unwrap().contains("was removed. Send another key"), "{detail}");
        assert_eq!(client.get(&path).problem(), "game_not_found");
    }
    assert_eq!(create(&owner, &self::key(), &body).status, 201);
}

#[test]
fn an_idempotency_key_that_is_too_short_too_long_or_not_visible_ascii_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let body = wanted(json!({}));
    for wrong in
        ["", "x", &"x".repeat(21), &"x".repeat(256), &format!("{} y", "x".repeat(30)), &"é".repeat(20)]
    {
        let refused = create(&service.player(), wrong, &body);
        assert_eq!(refused.problem(), "bad_request", "{wrong}");
        assert!(refused.json()["detail"].as_str().unwrap().contains("Idempotency-Key"));
    }
    for good in [format!("{:022x}", rand::random::<u64>()), "\"+/=~_\"".to_owned() + &"x".repeat(247)] {
        assert_eq!(create(&service.player(), &good, &body).status, 201, "{good}");
    }
}

/// Returns every page of a list, by the cursor in its body. The Link header must lead to the same pages.
fn pages(client: &Client<'_>, query: &str) -> Vec<Vec<String>> {
    let mut pages = Vec::new();
    let mut path = format!("/v1/games?{query}");
    loop {
        let answer = client.get(&path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        let page = answer.json();
        let ids =
            page["games"].as_array().unwrap().iter().map(|game| game["id"].as_str().unwrap().to_owned());
        pages.push(ids.collect());
        let Some(next) = page["next"].as_str() else {
            assert_eq!(answer.header("link"), None);
            return pages;
        };
        path = format!("/v1/games?{query}&cursor={next}").replace("?&", "?");
        assert_eq!(answer.header("link"), Some(format!("<{path}>; rel=\"next\"").as_str()));
    }
}

/// Creates public games of one player, newest first: open, running, finished and aborted ones, and imports of
/// others.
fn history(service: &Service, player: &Client<'_>) -> Vec<(String, &'static str)> {
    let mut history = Vec::new();
    let new = |visibility: &str| {
        let code = (visibility == "private").then_some("x");
        let game = player.post("/v1/games", wanted(json!({"visibility": visibility, "join_code": code})));
        let id = id(&game);
        assert_eq!(player.put(&format!("/v1/games/{id}/seats/1"), json!({"join_code": code})).status, 201);
        id
    };
    for n in 0..12 {
        let id = new("public");
        let partner = service.player();
        if n % 4 > 0 {
            assert_eq!(partner.put(&format!("/v1/games/{id}/seats/2"), json!({})).status, 201);
        }
        let end = ["", "", "!resign", "!abort"][n % 4];
        if !end.is_empty() {
            let ended = player.play(&id, 1, end);
            assert_eq!(ended.status, 201, "{}", ended.text);
        }
        history.push((id, ["open", "running", "finished", "aborted"][n % 4]));
        new(["unlisted", "private"][n % 2]);
        let record = format!(
            "MKN/1 marrakech/1 seats=3\nname: {n}\n\n!resign1 !resign{}\n= {}\n",
            2 + n % 2,
            ["0 0 30", "0 30 0"][n % 2]
        );
        let imported = player.post_text("/v1/imports", &record);
        if n < 2 {
            history.push((self::id(&imported), "imported"));
        }
        assert_eq!(imported.status, if n < 2 { 201 } else { 200 }, "{}", imported.text);
    }
    // Games of one millisecond are in the order of their ids.
    history.sort_by_key(|(id, _)| {
        let created_at = player.get(&format!("/v1/games/{id}")).json()["created_at"].clone();
        let created_at: jiff::Timestamp = created_at.as_str().unwrap().parse().unwrap();
        Reverse((created_at, id.clone()))
    });
    history
}

#[test]
fn lists_are_newest_first_and_their_pages_have_every_public_game_once() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let history = history(&service, &player);
    let of = |wanted: &[&str]| -> Vec<String> {
        history.iter().filter(|(_, is)| wanted.contains(is)).map(|(id, _)| id.clone()).collect()
    };
    let me = player.get(&format!("/v1/games/{}", of(&["open"])[0])).json()["seats"][0]["player"].clone();
    let me = me.as_str().unwrap();
    let all = of(&["open", "running", "finished", "aborted", "imported"]);
    let mine = of(&["open", "running", "finished", "aborted"]);
    let (my, running) = (format!("player={me}"), format!("status=running&player={me}"));
    for (query, expected) in [
        ("", all.clone()),
        ("ruleset=marrakech/1", all.clone()),
        ("ruleset=marrakech%2F1", all.clone()),
        ("status=open", of(&["open"])),
        ("status=running", of(&["running"])),
        ("status=finished", of(&["finished", "imported"])),
        ("status=aborted", of(&["aborted"])),
        (&my, mine),
        (&running, of(&["running"])),
        ("player=00000000000000000000", Vec::new()),
    ] {
        for limit in [1, 2, 5, 100] {
            let query = format!("{query}&limit={limit}").trim_start_matches('&').to_owned();
            for reader in [&player, &service.stranger()] {
                let pages = pages(reader, &query);
                assert_eq!(pages.concat(), expected, "{query}");
                assert!(pages.iter().all(|page| page.len() <= limit));
                let full = expected.len().div_ceil(limit).max(1);
                assert_eq!(pages.len(), full, "no page is empty but the only one: {query}");
            }
        }
    }
    assert_eq!(pages(&player, ""), [all[..all.len().min(20)].to_vec()]);
    // A page stays unchanged when games are added before it.
    let first = player.get("/v1/games?limit=3").json();
    assert_eq!(player.post("/v1/games", wanted(json!({}))).status, 201);
    let next = first["next"].as_str().unwrap();
    let second = player.get(&format!("/v1/games?limit=3&cursor={next}")).json();
    assert_eq!(second["games"][0]["id"], all[3]);
}

#[test]
fn a_game_in_a_list_says_what_the_game_itself_says() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    history(&service, &player);
    let list = service.stranger().get("/v1/games").json();
    for listed in list["games"].as_array().unwrap() {
        let game = service.stranger().get(&format!("/v1/games/{}", listed["id"].as_str().unwrap())).json();
        for (field, value) in listed.as_object().unwrap() {
            assert_eq!(game[field], *value, "{field}");
        }
        let more: BTreeSet<&str> = [
            "options",
            "commitment",
            "seats_digest",
            "pin",
            "beacon",
            "seed",
            "your_seat",
            "state",
            "result",
            "tags",
        ]
        .into();
        let fields = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<String>>();
        let difference: BTreeSet<String> = &fields(&game) - &fields(listed);
        assert_eq!(difference.iter().map(String::as_str).collect::<BTreeSet<_>>(), more);
    }
}

#[test]
fn the_public_id_of_a_player_is_the_same_in_every_game_and_tells_no_secret() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let players = [service.player(), service.player()];
    let ids: Vec<Vec<String>> = (0..3)
        .map(|round| {
            let game = service.player().post("/v1/games", wanted(json!({})));
            let path = format!("/v1/games/{}", id(&game));
            for (seat, player) in [(1 + round % 2, &players[0]), (2 - round % 2, &players[1])] {
                assert_eq!(player.put(&format!("{path}/seats/{seat}"), json!({})).status, 201);
            }
            let seats = players[0].get(&path).json()["seats"].clone();
            let id = |seat: usize| seats[seat]["player"].as_str().unwrap().to_owned();
            vec![id(round % 2), id(1 - round % 2)]
        })
        .collect();
    assert!(ids.iter().all(|round| *round == ids[0]), "{ids:?}");
    assert_ne!(ids[0][0], ids[0][1]);
    for (player, id) in players.iter().zip(&ids[0]) {
        let text = format!("assam/player\n{}", player.secret.as_ref().unwrap());
        assert_eq!(*id, hex::encode(&<sha2::Sha256 as sha2::Digest>::digest(text)[..10]));
    }
}

#[test]
fn every_option_of_a_rule_set_can_be_chosen_as_described_and_its_default_is_what_holds_without_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.player();
    let list = client.get("/v1/rulesets").json();
    for ruleset in list["rulesets"].as_array().unwrap() {
        let name = ruleset["id"].as_str().unwrap();
        assert_eq!(client.get(&format!("/v1/rulesets/{name}")).json(), *ruleset);
        let seats = |n: u64| vec!["open"; n as usize];
        let (min, max) = (ruleset["min_seats"].as_u64().unwrap(), ruleset["max_seats"].as_u64().unwrap());
        let try_out = |n: u64, options: Value| {
            client.post("/v1/games", json!({"ruleset": name, "seats": seats(n), "options": options}))
        };
        for n in min..=max {
            assert_eq!(try_out(n, json!({})).status, 201);
        }
        for n in [min - 1, max + 1] {
            // No game has one seat or five.
            let code = if (2..=4).contains(&n) { "unknown_option" } else { "bad_request" };
            assert_eq!(try_out(n, json!({})).problem(), code);
        }
        let defaults = try_out(min, json!({})).json()["options"].clone();
        let options = ruleset["options"].as_array().unwrap();
        let names: Vec<&str> = options.iter().map(|option| option["name"].as_str().unwrap()).collect();
        assert!(names.is_sorted() && names.len() == defaults.as_object().unwrap().len());
        for option in options {
            let name = option["name"].as_str().unwrap();
            let mut good: Vec<Value> =
                option["values"].as_array().unwrap().iter().map(|v| v["value"].clone()).collect();
            if let (Some(least), Some(most)) = (option["min"].as_u64(), option["max"].as_u64()) {
                assert!(good.is_empty());
                // Rugs of two colours come in pairs.
                let step = if name == "rugs_per_player" { 2 } else { 1 };
                good.extend([
                    json!(least.next_multiple_of(step)),
                    json!(most - most % step),
                    json!(most.to_string()),
                ]);
                for wrong in [json!(most + 1), json!(-1), json!("07"), json!("")] {
                    assert!(try_out(min, json!({name: wrong})).status >= 400, "{name} {wrong}");
                }
            } else {
                assert_eq!(option["default"], good[0], "the default stands first");
                assert_eq!(try_out(min, json!({name: "nonsense"})).problem(), "unknown_option");
                assert_eq!(defaults[name], good[0]);
            }
            for value in good {
                let game = try_out(min, json!({name: value}));
                assert_eq!(game.status, 201, "{name}={value}: {}", game.text);
                let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                assert_eq!(game.json()["options"][name], text);
                let is_named = game.json()["setup"].as_str().unwrap().contains(&format!(" {name}={text}"));
                assert_eq!(is_named, defaults[name] != text, "a setup line names what is no default");
            }
        }
    }
}
