//! The view of each viewer of a running match of Marrakesh, and when cards are opened. `blindness` tests what
//! must stay secret.

use serde_json::{Value, json};

use crate::harness::{Client, Service, matches, sqlite};

/// A running match: its seats, and a spectator.
struct Match<'a> {
    id: String,
    seats: Vec<Client<'a>>,
    onlooker: Client<'a>,
}

impl<'a> Match<'a> {
    fn new(service: &'a Service) -> Self {
        let (id, seats) = service.table("marrakesh/1", &["open", "open"], json!({}));
        Self { id, seats, onlooker: service.stranger() }
    }

    fn get(&self, client: &Client<'_>, what: &str) -> Value {
        client.get(&format!("/v1/games/{}/{what}", self.id)).json()
    }

    fn log(&self, client: &Client<'_>) -> Vec<String> {
        let path = format!("/v1/games/{}/log", self.id);
        let log = client.send("GET", &path, &[("Accept", "application/json")], "").json();
        log["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word["word"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Returns the seat on turn, from 0, its moves as each client sees them, and the next ply.
    fn due(&self) -> (usize, Vec<Value>, u64) {
        let everyone = [&self.seats[0], &self.seats[1], &self.onlooker];
        let told: Vec<Value> = everyone.iter().map(|client| self.get(client, "legal-moves")).collect();
        assert!(told.iter().all(|other| other["seat"] == told[0]["seat"] && other["ply"] == told[0]["ply"]));
        let seat = told[0]["seat"].as_u64().unwrap() as usize - 1;
        (seat, told.iter().map(|told| told["moves"].clone()).collect(), told[0]["ply"].as_u64().unwrap())
    }

    fn play(&self, seat: usize, ply: u64, decision: &str) -> Vec<String> {
        let answer = self.seats[seat].play(&self.id, ply, decision);
        assert_eq!(answer.status, 201, "{}", answer.text);
        answer.json()["words"]
            .as_array()
            .unwrap()
            .iter()
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    }

    fn phase(&self) -> Value {
        self.onlooker.get(&format!("/v1/games/{}", self.id)).json()["state"]["phase"].clone()
    }
}

#[test]
fn a_seat_sees_its_own_hand_and_lead_and_others_see_backs_until_the_reply_and_the_end() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let game = Match::new(&service);
    let hands = |client: &Client<'_>| -> Vec<bool> {
        let word = game.log(client)[0].clone();
        word.split('+').skip(2).map(|hand| hand.ends_with("????????????")).collect()
    };
    assert_eq!(hands(&game.seats[0]), [false, true]);
    assert_eq!(hands(&game.seats[1]), [true, false]);
    assert_eq!(hands(&game.onlooker), [true, true]);

    // The lead: only the leader sees what can be played.
    let (leader, told, ply) = game.due();
    let replier = 1 - leader;
    assert!(told[leader].is_array() && told[replier].is_null() && told[2].is_null(), "{told:?}");
    let card = told[leader][0].as_str().unwrap().to_owned();
    assert_eq!(game.play(leader, ply, &card), [card.as_str()]);
    let (on_turn, told, reply) = game.due();
    assert_eq!((on_turn, reply), (replier, ply + 1));
    assert!(told[replier].is_array() && told[leader].is_null() && told[2].is_null(), "{told:?}");
    let lead = |client: &Client<'_>| game.get(client, &format!("moves/{ply}"))["word"].clone();
    assert_eq!(lead(&game.seats[leader]), card.as_str());
    assert_eq!((lead(&game.seats[replier]), lead(&game.onlooker)), (json!("??"), json!("??")));
    let before = game.onlooker.get(&format!("/v1/games/{}/states/{ply}", game.id));
    assert!(before.header("cache-control") == Some("private, no-cache"), "{before:?}");

    // The reply opens it in every answer.
    let answer = told[replier][0].as_str().unwrap().to_owned();
    game.play(replier, reply, &answer);
    for client in [&game.seats[0], &game.seats[1], &game.onlooker] {
        assert_eq!(lead(client), card.as_str());
        assert_eq!(game.log(client)[1], card);
    }
    let etag = before.header("etag").unwrap();
    let path = format!("/v1/games/{}/states/{ply}", game.id);
    let opened = game.onlooker.send("GET", &path, &[("If-None-Match", etag)], "");
    assert_eq!(opened.status, 200, "what is known of that ply has changed");
    // The answer to the lead is unchanged for any client who repeats it.
    assert_eq!(game.seats[leader].play(&game.id, ply, &card).status, 200);

    // A finished match hides nothing.
    let (_, _, next) = game.due();
    let resigned = game.seats[0].play(&game.id, next, "!resign");
    assert_eq!(resigned.json()["words"], json!(["!resign1"]));
    for client in [&game.seats[0], &game.seats[1], &game.onlooker] {
        assert_eq!(hands(client), [false, false]);
        let kept = client.get(&format!("/v1/games/{}/states/0", game.id));
        assert_eq!(kept.header("cache-control"), Some("public, max-age=31536000, immutable"));
    }
}

#[test]
fn the_log_that_a_viewer_is_given_replays_to_the_states_that_he_is_shown_at_every_ply() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let game = Match::new(&service);
    let mut plies = 0;
    while plies < 40 {
        let (seat, told, ply) = game.due();
        if plies % 3 == 0 {
            for client in [&game.seats[0], &game.seats[1], &game.onlooker] {
                let log = client.get(&format!("/v1/games/{}/log", game.id)).text;
                let verdict = service.stranger().post_text("/v1/validate", &log).json();
                assert_eq!((&verdict["valid"], &verdict["masked"]), (&json!(true), &json!(true)), "{log}");
                let state = game.get(client, &format!("states/{}", ply - 1));
                assert_eq!(
                    (&verdict["position"], &verdict["state"]),
                    (&state["position"], &state["state"]),
                    "{log}"
                );
                let shown = client.get(&format!("/v1/games/{}", game.id)).json()["state"].clone();
                assert_eq!(shown, state["state"]);
                let again = format!("{}\n", state["position"].as_str().unwrap());
                assert_eq!(
                    service.stranger().post_text("/v1/validate", &again).json()["valid"],
                    true,
                    "{again}"
                );
            }
        }
        let moves = told[seat].as_array().unwrap();
        game.play(seat, ply, moves[plies % moves.len()].as_str().unwrap());
        plies += 1;
    }
}

#[test]
fn what_can_be_used_is_public_and_a_list_ends_where_something_is_opened_or_drawn() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let game = Match::new(&service);
    let mut lists = 0;
    while lists < 3 {
        let (seat, told, ply) = game.due();
        let moves = told[seat].as_array().unwrap();
        let first = moves[0].as_str().unwrap();
        match game.phase().as_str().unwrap() {
            "lead" | "reply" => {
                // The list ends there, for anything after it, legal or not.
                for second in ["6@6", first, "Qs", "1@1"] {
                    for card in [first, "6s", "Qc"] {
                        let list = json!({"moves": [card, second]});
                        let refused =
                            game.seats[seat].put(&format!("/v1/games/{}/moves/{ply}", game.id), list);
                        assert_eq!(refused.problem(), "chance_pending");
                        assert_eq!(refused.json()["word"], 1);
                        assert_eq!(refused.json()["expected"], Value::Null);
                    }
                }
            }
            "use" => {
                assert!(told[0] == told[1] && told[1] == told[2], "{told:?}");
                // Two uses that are the first of several are a list, but two that may be the last are not.
                let both = moves.iter().rev().take(2).map(|one| one.as_str().unwrap()).collect::<Vec<_>>();
                let list = json!({"moves": both});
                let answer = game.seats[seat].put(&format!("/v1/games/{}/moves/{ply}", game.id), list);
                if answer.status == 201 {
                    lists += 1;
                    continue;
                }
                assert!(["chance_pending", "illegal_move"].contains(&answer.problem().as_str()));
            }
            other => panic!("{other}"),
        }
        game.play(seat, ply, first);
    }
}

#[test]
fn a_refused_card_tells_its_own_seat_what_it_may_play_and_nobody_else_anything() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let game = Match::new(&service);
    for _ in 0..2 {
        let (seat, told, ply) = game.due();
        let own: Vec<&str> =
            told[seat].as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect();
        let all = ["6s", "5s", "4s", "3s", "2s", "As", "Qs", "6h", "5h", "4h", "3h", "2h", "Ah", "Qh"];
        for card in all.iter().filter(|card| !own.contains(card)) {
            let refused = game.seats[seat].play(&game.id, ply, card);
            assert_eq!(refused.problem(), "illegal_move");
            let told = refused.json();
            assert_eq!(told["rule"], "marrakesh.card.not-in-hand");
            assert_eq!(told["expected"], own.join(", "));
        }
        assert_eq!(game.seats[seat].play(&game.id, ply, "??").problem(), "illegal_move");
        let out_of_turn = game.seats[1 - seat].play(&game.id, ply, own[0]);
        assert_eq!(out_of_turn.problem(), "not_your_turn");
        // A refused claim out of turn reveals no cards of the other either.
        let claim = game.seats[1 - seat].play(&game.id, ply, &format!("!timeout{}", seat + 1));
        assert_eq!(claim.json()["rule"], "table.timeout.no-patience");
        assert_eq!(claim.json()["expected"], Value::Null);
        let card = own[0].to_owned();
        game.play(seat, ply, &card);
    }
}

#[test]
fn nothing_is_compressed_beside_a_hidden_hand_as_its_length_would_tell_of_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let game = Match::new(&service);
    let paths = ["", "/log", "/states/0", "/moves/0", "/proof"];
    let encodings = || {
        paths.map(|path| {
            let path = format!("/v1/games/{}{path}", game.id);
            let answer = game.seats[0].send("GET", &path, &[("Accept-Encoding", "gzip")], "");
            assert_eq!(answer.status, 200);
            // Short responses are never compressed.
            let plain = game.seats[0].get(&path);
            (plain.bytes.len() >= 512).then(|| answer.header("content-encoding").map(str::to_owned))
        })
    };
    assert!(encodings().iter().flatten().all(Option::is_none));
    let (_, _, next) = game.due();
    assert_eq!(game.seats[0].play(&game.id, next, "!resign").status, 201);
    assert!(encodings().iter().flatten().all(|gzip| gzip.as_deref() == Some("gzip")));
}

#[test]
fn a_match_begins_in_a_position_only_where_it_hides_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = |position: &str| {
        let line = format!("marrakesh/1 seats=2 position={position}");
        json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "position": line})
    };
    let vector = matches().next().unwrap();
    let dealt = vector["plies"][0]["position"].as_str().unwrap();
    for hidden in [dealt.to_owned(), hide(dealt)] {
        let refused = service.player().post("/v1/games", wanted(&hidden));
        assert_eq!(refused.problem(), "impossible_position", "{hidden}");
        assert_eq!(refused.json()["rule"], "table.position.hidden");
    }
    // The last cards of a round are on the table, so nothing is hidden.
    let plies = vector["plies"].as_array().unwrap().iter();
    let mut open = plies.map(|ply| ply["position"].as_str().unwrap()).filter(|line| line.contains(";-/-;"));
    let position = open.next().unwrap();
    let (id, seats) = service.seated(wanted(position));
    let state = service.stranger().get(&format!("/v1/games/{id}/states/0")).json();
    assert_eq!(state["position"], format!("marrakesh/1 seats=2 position={position}"));
    let legal = service.stranger().get(&format!("/v1/games/{id}/legal-moves")).json();
    let seat = legal["seat"].as_u64().unwrap() as usize - 1;
    let decision = legal["moves"][0].as_str().unwrap();
    assert_eq!(seats[seat].play(&id, 1, decision).status, 201);
}

/// Returns the same position with unknown hands.
fn hide(position: &str) -> String {
    let mut parts: Vec<&str> = position.split(';').collect();
    parts[3] = "????????????/????????????";
    parts.join(";")
}
