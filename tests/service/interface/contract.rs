//! The service's answers have the shapes in the OpenAPI document, for every listed game.

use std::collections::BTreeSet;
use std::process::Command;
use std::thread;

use assam_referee::Ruleset;
use regex::Regex;
use serde_json::{Map, Value, json};

use crate::events::{LINES, open_game};
use crate::harness::{
    Answer, Client, DOCUMENT, Service, expanded, matches, operation, secret, sit, sqlite, vectors,
};

/// The document, and the schemas that answers were compared with.
struct Contract {
    document: Value,
    seen: BTreeSet<String>,
}

impl Contract {
    fn of(service: &Service) -> Self {
        Self { document: expanded(service.stranger().get("/openapi.json").json()), seen: BTreeSet::new() }
    }

    /// Compares the JSON of an answer with the documented schema of this operation.
    fn check(&mut self, method: &str, route: &str, answer: &Answer) {
        let told = &self.document["paths"][route][method]["responses"][answer.status.to_string()];
        let media = answer.header("content-type").unwrap().split(';').next().unwrap();
        let schema = told["content"][media]["schema"].clone();
        assert!(schema.is_object(), "{method} {route} does not document {} {media}", answer.status);
        if media == "application/x-ndjson" {
            for line in answer.text.lines() {
                let line = serde_json::from_str(line).unwrap();
                self.fits(&schema["contentSchema"], &line)
                    .unwrap_or_else(|why| panic!("{method} {route}: {why}"));
            }
        } else if media.ends_with("json") {
            self.fits(&schema, &answer.json()).unwrap_or_else(|why| panic!("{method} {route}: {why}"));
        }
    }

    /// Compares a message of a stream with its documented schema.
    fn check_message(&mut self, route: &str, message: &Value) {
        let content = &self.document["paths"][route]["get"]["responses"]["200"]["content"];
        let schema = content["application/x-ndjson"]["schema"]["contentSchema"].clone();
        self.fits(&schema, message).unwrap_or_else(|why| panic!("{route}: {why}"));
    }

    /// Checks a value against a schema. Only the keywords that the document uses are supported.
    fn fits(&mut self, schema: &Value, value: &Value) -> Result<(), String> {
        let no = |why: &str| Err(format!("{why}: {schema} {value}"));
        let Some(schema_members) = schema.as_object() else { return no("no schema") };
        for (keyword, told) in schema_members {
            match keyword.as_str() {
                "$ref" => {
                    let name = told.as_str().unwrap().rsplit('/').next().unwrap().to_owned();
                    let named = self.document["components"]["schemas"][&name].clone();
                    let before = self.seen.clone();
                    // A failed alternative does not count as seen.
                    self.fits(&named, value).inspect_err(|_| self.seen = before)?;
                    self.seen.insert(name);
                }
                "oneOf" => {
                    // Schemas counted by an arm that then fails do not count.
                    let mut fits = |one: &Value| {
                        let before = self.seen.clone();
                        self.fits(one, value).inspect_err(|_| self.seen = before).is_ok()
                    };
                    match told.as_array().unwrap().iter().filter(|one| fits(one)).count() {
                        1 => {}
                        count => return no(&format!("{count} of oneOf fit")),
                    }
                }
                "allOf" => told.as_array().unwrap().iter().try_for_each(|all| self.fits(all, value))?,
                "type" => {
                    let is = |name: &Value| match name.as_str().unwrap() {
                        "null" => value.is_null(),
                        "boolean" => value.is_boolean(),
                        "integer" => value.is_i64() || value.is_u64(),
                        "number" => value.is_number(),
                        "string" => value.is_string(),
                        "array" => value.is_array(),
                        "object" => value.is_object(),
                        name => panic!("{name}"),
                    };
                    let types = told.as_array().map_or(std::slice::from_ref(told), Vec::as_slice);
                    if !types.iter().any(is) {
                        return no("another type");
                    }
                }
                "enum" if !told.as_array().unwrap().contains(value) => return no("none of the values"),
                "const" if told != value => return no("another value"),
                "minimum" if value.as_f64().is_some_and(|number| number < told.as_f64().unwrap()) => {
                    return no("too small");
                }
                "maximum" if value.as_f64().is_some_and(|number| number > told.as_f64().unwrap()) => {
                    return no("too large");
                }
                "minLength" | "maxLength" | "pattern" if value.is_string() => {
                    let text = value.as_str().unwrap();
                    let length = text.chars().count() as u64;
                    let fits = match keyword.as_str() {
                        "minLength" => length >= told.as_u64().unwrap(),
                        "maxLength" => length <= told.as_u64().unwrap(),
                        _ => Regex::new(told.as_str().unwrap()).unwrap().is_match(text),
                    };
                    if !fits {
                        return no(keyword);
                    }
                }
                "minItems"
                    if value.as_array().is_some_and(|all| (all.len() as u64) < told.as_u64().unwrap()) =>
                {
                    return no("too few");
                }
                "maxItems"
                    if value.as_array().is_some_and(|all| all.len() as u64 > told.as_u64().unwrap()) =>
                {
                    return no("too many");
                }
                "required" => {
                    let has = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                    if value.is_object() && !told.as_array().unwrap().iter().all(has) {
                        return no("a member is missing");
                    }
                }
                "properties" => {
                    for (name, member) in value.as_object().into_iter().flatten() {
                        if let Some(told) = told.get(name).cloned() {
                            self.fits(&told, member)?;
                        }
                    }
                }
                "additionalProperties" if told.is_object() => {
                    let named = schema_members.get("properties").and_then(Value::as_object);
                    let is_other = |name: &String| named.is_none_or(|named| !named.contains_key(name));
                    let members = value.as_object().into_iter().flatten();
                    members
                        .filter(|(name, _)| is_other(name))
                        .try_for_each(|(_, one)| self.fits(told, one))?;
                }
                "items" => value.as_array().into_iter().flatten().try_for_each(|one| self.fits(told, one))?,
                "enum"
                | "const"
                | "minimum"
                | "maximum"
                | "description"
                | "example"
                | "format"
                | "propertyNames"
                | "title"
                | "default"
                | "pattern"
                | "additionalProperties"
                | "maxItems"
                | "minItems"
                | "maxLength"
                | "minLength"
                | "discriminator" => {}
                keyword => panic!("the test does not know {keyword}"),
            }
        }
        Ok(())
    }
}

/// Reads everything in a game as this client.
fn look(contract: &mut Contract, client: &Client<'_>, id: &str, ply: u64) {
    let paths: Map<String, Value> = contract.document["paths"].as_object().unwrap().clone();
    for route in paths.iter().filter(|(_, item)| item.get("get").is_some()).map(|(route, _)| route) {
        let path = route.replace("{id}", id).replace("{ply}", &ply.to_string());
        let path = path
            .replace("{code}", "bad_json")
            .replace("{name}", "marrakesh")
            .replace("{version}", "1")
            .replace("{page}", "marrakesh")
            .replace("{player}", "random")
            // A stream that follows has no end.
            .replace("/events", "/events?follow=false");
        if route != "/openapi.json" {
            contract.check("get", route, &client.get(&path));
        }
    }
    let log = client.send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "application/json")], "");
    contract.check("get", "/v1/games/{id}/log", &log);
    let lines = [("Accept", LINES)];
    for (since, place) in [("", ""), ("&since=0", ".0"), ("&since=9999", ".9999")] {
        for (route, query) in [
            ("/v1/games/{id}/events", since.to_owned()),
            ("/v1/games/events", format!("&games={id}{place}")),
            ("/v1/events", since.to_owned()),
        ] {
            let path = format!("{}?follow=false{query}", route.replace("{id}", id));
            contract.check("get", route, &client.send("GET", &path, &lines, ""));
        }
    }
    let record = client.get(&format!("/v1/games/{id}/log")).text;
    contract.check("post", "/v1/validate", &client.post_text("/v1/validate", &record));
    let outcomes = json!({"positions": [{"position": record.lines().next()}, {"position": "x"}]});
    contract.check("post", "/v1/outcomes", &client.post("/v1/outcomes", outcomes));
    contract.check("post", "/v1/validate/picture", &client.post_text("/v1/validate/picture?ply=0", &record));
    contract.check("post", "/v1/imports", &client.post_text("/v1/imports", &record));
}

/// Returns messages of streams that follow, each with the route of its stream.
fn followed() -> Vec<(&'static str, Value)> {
    let backend = sqlite();
    let mut service = Service::start(&backend);
    let (game, players) = open_game(&service, json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let timed = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": {"initial": 600, "increment": 0}});
    let (other, seats) = service.seated(timed);
    let present = seats[0].follow(&other, "?presence=true", LINES).next_of("presence");
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let owned = [(); 2].map(|()| players[1].post("/v1/games", wanted.clone()).json()["id"].clone());
    let owned = owned.each_ref().map(|game| game.as_str().unwrap());
    let mut feed = service.stranger().stream("/v1/events", LINES);
    let mut own = players[1].stream("/v1/me/events?include=state,legal-moves", LINES);
    let [mut gone, closing] = [&game, &other].map(|game| service.stranger().follow(game, "", LINES));
    let mut several = service.stranger().stream(&format!("/v1/games/events?games={game},{other}"), LINES);
    let mut of_game = vec![present, gone.next_of("heartbeat")];
    let mut of_games = vec![several.next_of("heartbeat")];
    let mut of_feed = vec![feed.next_of("heartbeat")];
    let mut of_own = ["turn", "caught-up", "heartbeat"].map(|kind| own.next_of(kind)).to_vec();
    assert_eq!(players[0].send("DELETE", &format!("/v1/games/{game}"), &[], "").status, 204);
    of_game.extend(gone.rest());
    of_feed.push(feed.next_of("removed"));
    let lost = players[1].put(&format!("/v1/games/{}/seats/1/secret", owned[0]), json!({"secret": secret()}));
    assert_eq!(lost.status, 204, "{}", lost.text);
    assert_eq!(players[1].play(owned[1], 1, "!resign").status, 201);
    of_own.extend(["gone", "over"].map(|kind| own.next_of(kind)));
    let process = service.process().id().to_string();
    assert!(Command::new("kill").args(["-TERM", &process]).status().unwrap().success());
    of_game.extend(closing.rest());
    of_feed.extend(feed.rest());
    of_own.extend(own.rest());
    of_games.extend(several.rest());
    let games = [("/v1/games/{id}/events", of_game), ("/v1/games/events", of_games)];
    let all = games.into_iter().chain([("/v1/events", of_feed), ("/v1/me/events", of_own)]);
    all.flat_map(|(route, told)| told.into_iter().map(move |told| (route, told.json))).collect()
}

#[test]
fn every_answer_about_a_game_of_any_kind_has_the_shape_that_the_document_describes() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut contract = Contract::of(&service);
    // They take their time.
    let followed = thread::spawn(followed);
    // Every listed game with default options, and games with options that cause more events.
    let all = Ruleset::ALL.iter().map(|ruleset| (ruleset.name(), json!({})));
    let more = [("marrakech/1", json!({"start_dirhams": 5, "orientation": "end"}))];
    for (ruleset, options) in all.chain(more) {
        let created = service
            .player()
            .post("/v1/games", json!({"ruleset": ruleset, "seats": ["open", "random"], "options": options}));
        contract.check("post", "/v1/games", &created);
        let (id, seats) = service.table(ruleset, &["open", "open"], options.clone());
        let mut ply = 0;
        for turn in 0.. {
            let legal = service.stranger().get(&format!("/v1/games/{id}/legal-moves")).json();
            let seat = legal["seat"].as_u64();
            if turn % 29 == 1 || seat.is_none() {
                look(&mut contract, &service.stranger(), &id, ply);
                look(&mut contract, &seats[0], &id, ply);
            }
            let Some(seat) = seat else { break };
            let player = &seats[seat as usize - 1];
            let moves = player.get(&format!("/v1/games/{id}/legal-moves")).json()["moves"].clone();
            let moves = moves.as_array().unwrap();
            let answer = player.play(&id, ply + 1, moves[turn % moves.len()].as_str().unwrap());
            contract.check("put", "/v1/games/{id}/moves/{ply}", &answer);
            let refused = player.play(&id, ply + 2, "zz");
            contract.check("put", "/v1/games/{id}/moves/{ply}", &refused);
            ply = answer.json()["head"]["ply"].as_u64().unwrap();
        }
    }
    // Recorded games have what may be missing in those just played.
    for vector in vectors().take(1).chain(matches().take(1)) {
        let imported = service.stranger().post_text("/v1/imports", vector["record"].as_str().unwrap());
        contract.check("post", "/v1/imports", &imported);
        let game = imported.json();
        for ply in 0..=game["head"]["ply"].as_u64().unwrap() {
            let state = format!("/v1/games/{}/states/{ply}", game["id"].as_str().unwrap());
            contract.check("get", "/v1/games/{id}/states/{ply}", &service.stranger().get(&state));
        }
        let analysis = format!("/v1/games/{}/analysis", game["id"].as_str().unwrap());
        contract.check("get", "/v1/games/{id}/analysis", &service.stranger().get(&analysis));
    }
    // The best decisions, and an analysis that is in progress in games::analysis.
    let hinted =
        json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "rated": false, "take": {"seat": 1}});
    let player = service.player();
    let hinted = player.post("/v1/games", hinted).json()["id"].as_str().unwrap().to_owned();
    let hints = player.get(&format!("/v1/games/{hinted}/legal-moves?include=hints"));
    contract.check("get", "/v1/games/{id}/legal-moves", &hints);
    let pending = json!({"$ref": "#/components/schemas/AnalysisPending"});
    contract.fits(&pending, &json!({"retry_after": 1})).unwrap();
    // Many at once: one good, one refused, and a body that breaks off.
    let stranger = service.stranger();
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    for path in ["/v1/validate/bulk", "/v1/analysis/bulk", "/v1/imports/bulk"] {
        contract.check("post", path, &stranger.post_text(path, &format!("{over}{over}MKN/1 x")));
        let headers = [("Content-Type", "text/plain"), ("Content-Encoding", "gzip")];
        contract.check("post", path, &stranger.send("POST", path, &headers, "x"));
    }
    // Players who give entropy.
    let (lasting, players) =
        open_game(&service, json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
    contract.check("get", "/v1/games/{id}", &players[0].get(&format!("/v1/games/{lasting}")));
    let refused = players[0].put(&format!("/v1/games/{lasting}/seats/1"), json!({"entropy": secret()}));
    contract.check("put", "/v1/games/{id}/seats/{seat}", &refused);
    sit(&lasting, &players, |_| json!({"entropy": secret()}));
    look(&mut contract, &players[0], &lasting, 0);
    let (waiting, _, round) = service.waiting_for_beacon();
    let deliver = format!("{waiting}/beacon");
    contract.check("put", "/v1/games/{id}/beacon", &stranger.put(&deliver, json!({"round": 1})));
    contract.check("put", "/v1/games/{id}/beacon", &stranger.put(&deliver, round));
    contract.check("get", "/v1/games/{id}/proof", &stranger.get(&format!("{waiting}/proof")));
    let ndjson = [("Accept", "application/x-ndjson")];
    let export = stranger.send("GET", "/v1/export?states=true&status=running,finished", &ndjson, "");
    contract.check("get", "/v1/export", &export);
    let proofs = stranger.send("GET", "/v1/export?proofs=true&status=running,finished", &ndjson, "");
    contract.check("get", "/v1/export", &proofs);
    contract.check("get", "/v1/export/count", &stranger.get("/v1/export/count"));
    contract.check("get", "/v1/limits", &stranger.get("/v1/limits"));
    service.wait_until_counted();
    contract.check("get", "/v1/players/{player}", &stranger.get("/v1/players/random"));
    contract.check("get", "/v1/players/{player}/dice", &stranger.get("/v1/players/random/dice"));
    contract.check("get", "/v1/dice", &stranger.get("/v1/dice"));
    for sort in ["rating", "firsts&seats=2"] {
        let path = format!("/v1/scores?ruleset=marrakesh/1&sort={sort}");
        contract.check("get", "/v1/scores", &stranger.get(&path));
    }
    for path in [
        "/log/checkpoint",
        "/log/tile/0/000.p/1",
        "/log/tile/entries/000.p/1",
        "/log/tile/0/0",
        "/log/tile/entries/0",
    ] {
        let pattern = operation("GET", path).unwrap();
        contract.check("get", pattern.strip_prefix("get ").unwrap(), &stranger.get(path));
    }
    let cosigned = stranger.post_text("/log/cosignatures", &service.cosigned());
    assert_eq!(cosigned.status, 204, "{}", cosigned.text);
    contract.check("post", "/log/cosignatures", &stranger.post_text("/log/cosignatures", "x"));
    contract.check("get", "/log/cosignatures", &stranger.get("/log/cosignatures"));
    let unread = service.stranger().get("/v1/games?limit=0");
    contract.check("get", "/v1/games", &unread);
    for (route, message) in followed.join().unwrap() {
        contract.check_message(route, &message);
    }
    let answered = schemas_of_responses(&contract.document);
    assert_eq!(contract.seen, answered, "every schema was seen in an answer");
}

/// Returns the names of the documented schemas of responses.
fn schemas_of_responses(document: &Value) -> BTreeSet<String> {
    fn look(value: &Value, document: &Value, names: &mut BTreeSet<String>) {
        if let Some(place) = value["$ref"].as_str() {
            let name = place.rsplit('/').next().unwrap();
            if names.insert(name.to_owned()) {
                look(&document["components"]["schemas"][name], document, names);
            }
        }
        value.as_object().into_iter().flatten().for_each(|(_, inner)| look(inner, document, names));
        value.as_array().into_iter().flatten().for_each(|inner| look(inner, document, names));
    }
    let mut names = BTreeSet::new();
    for item in document["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            look(&operation["responses"], document, &mut names);
        }
    }
    names
}

#[test]
fn every_text_number_and_list_in_the_document_has_its_bounds() {
    let mut unbounded = Vec::new();
    for (name, schema) in DOCUMENT["components"]["schemas"].as_object().unwrap() {
        look_for_bounds(name, schema, &mut unbounded);
    }
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        let all = item.as_object().unwrap().values().flat_map(|it| it["parameters"].as_array()).flatten();
        // A list of entity tags has no limit, and an unusable request id is ignored rather than refused.
        let is_free =
            |name: &Value| ["If-Match", "If-None-Match", "X-Request-Id"].iter().any(|free| name == free);
        for parameter in all.filter(|parameter| !is_free(&parameter["name"])) {
            look_for_bounds(&format!("{path} {}", parameter["name"]), &parameter["schema"], &mut unbounded);
        }
    }
    // A record is limited in bytes, which `too_large` reports, and not in characters. So is a move, reported
    // by the error of its position.
    assert_eq!(unbounded, ["PositionInput.moves[]", "RecordInput.record"]);
}

fn look_for_bounds(place: &str, schema: &Value, unbounded: &mut Vec<String>) {
    let has = |names: &[&str]| names.iter().any(|name| schema.get(name).is_some());
    let is = |name: &str| {
        let types = schema["type"].as_array().map_or(std::slice::from_ref(&schema["type"]), Vec::as_slice);
        types.iter().any(|one| one == name)
    };
    let is_open = is("string") && !has(&["enum", "const", "format", "pattern", "maxLength"])
        || is("integer") && !has(&["maximum"])
        || is("array") && !has(&["maxItems"]);
    if is_open {
        unbounded.push(place.to_owned());
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        look_for_bounds(&format!("{place}.{name}"), member, unbounded);
    }
    for inner in
        [&schema["items"], &schema["additionalProperties"]].into_iter().filter(|inner| inner.is_object())
    {
        look_for_bounds(&format!("{place}[]"), inner, unbounded);
    }
    for arm in ["oneOf", "allOf"].into_iter().flat_map(|arms| schema[arms].as_array()).flatten() {
        look_for_bounds(place, arm, unbounded);
    }
}
