//! Positions over HTTP, judged and used to start games.

use serde_json::{Value, json};

use crate::harness::{Service, sqlite};

const LINE: &str =
    "marrakech/1 seats=3 cover=any position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";

#[test]
fn a_position_line_is_judged_like_a_record() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let judge = |line: &str| service.stranger().post_text("/v1/validate", line).json();
    let verdict = judge(&format!("{LINE}\n"));
    assert_eq!(verdict["valid"], true, "{verdict}");
    assert_eq!(verdict["position"], LINE);
    assert_eq!(verdict["canonical"], LINE);
    assert_eq!(verdict["seat"], 2);
    assert_eq!(verdict["legal_moves"], json!(["N", "E", "W"]));
    assert_eq!(verdict["state"]["whole_rugs"], json!(["d6e6"]));
    assert_eq!(verdict["score"]["scores"], json!([32, 30, 30]));

    let impossible = judge(&LINE.replace("30,30,30", "30,30,31"));
    assert_eq!(impossible["valid"], false);
    assert_eq!(impossible["error"]["code"], "impossible_position");
    assert_eq!(impossible["error"]["rule"], "marrakech.position.dirhams");
    let unknown = judge(&LINE.replace("marrakech/1", "marrakech/2"));
    assert_eq!(unknown["error"]["code"], "unknown_ruleset");
    let torn = judge(&LINE.replace(";d7N", ";d7X"));
    assert_eq!((&torn["error"]["code"], &torn["error"]["column"]), (&json!("notation_syntax"), &json!(64)));
}

#[test]
fn a_game_begins_in_a_position_is_played_on_and_its_record_replays_from_there() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "position": LINE});
    let (id, players) = service.seated(wanted);
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["options"]["cover"], "any");
    let start = players[0].get(&format!("/v1/games/{id}/states/0")).json();
    assert_eq!(start["position"], LINE);
    assert_eq!(players[0].play(&id, 1, "N").problem(), "not_your_turn");
    assert_eq!(players[1].play(&id, 1, "E").status, 201);
    let state = players[0].get(&format!("/v1/games/{id}/states/1")).json();
    let log = players[0].get(&format!("/v1/games/{id}/log")).text;
    assert!(log.starts_with(&format!("MKN/1 {LINE}\n")), "{log}");
    let verdict: Value = players[0].post_text("/v1/validate", &log).json();
    assert_eq!((&verdict["valid"], &verdict["state"]), (&json!(true), &state["state"]), "{verdict}");
    assert_eq!(verdict["position"], state["position"]);
    // The position of any ply can begin another game.
    let again =
        json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "position": state["position"]});
    assert_eq!(players[0].post("/v1/games", again).status, 201);
}

#[test]
fn a_position_that_does_not_go_with_the_rest_of_the_request_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let create = |seats: usize, position: &str, options: Value| {
        let seats = vec!["open"; seats];
        let wanted =
            json!({"ruleset": "marrakech/1", "seats": seats, "position": position, "options": options});
        service.stranger().post("/v1/games", wanted).problem()
    };
    assert_eq!(create(2, LINE, json!({})), "bad_request");
    assert_eq!(create(3, LINE, json!({"cover": "any"})), "bad_request");
    assert_eq!(create(3, "MKN/1 marrakech/1 seats=3\n\n*\n", json!({})), "bad_request");
    assert_eq!(create(3, "here", json!({})), "notation_syntax");
    let over = "marrakech/1 seats=2 two_player=one-colour position=7/7/7/7/7/7/7;-;d4N;-;over;30,0;r15b0;-;2";
    assert_eq!(create(2, over, json!({})), "impossible_position");
}

#[test]
fn a_position_line_is_no_record_that_can_be_imported() {
    let over = LINE.replace(";2;orient;30,30,30;r14b15y15;b;-", ";-;over;0,0,30;r0b0y15;-;1,2");
    let backend = sqlite();
    let service = Service::start(&backend);
    for line in [LINE, over.as_str()] {
        let refused = service.stranger().post_text("/v1/imports", line);
        assert_eq!(refused.problem(), "notation_syntax", "{line}");
        assert_eq!(refused.json()["rule"], "notation.setup.no-format", "{line}");
    }
}

#[test]
fn what_is_wrong_with_a_position_is_told_before_that_options_stand_beside_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let create = |position: &str| {
        let wanted = json!({
            "ruleset": "marrakech/1",
            "seats": ["open", "open", "open"],
            "position": position,
            "options": {"cover": "any"},
        });
        service.stranger().post("/v1/games", wanted).problem()
    };
    assert_eq!(create(LINE), "bad_request");
    assert_eq!(create(&LINE.replace("30,30,30", "30,30,31")), "impossible_position");
    assert_eq!(create(&LINE.replace("cover=any", "kover=any")), "unknown_option");
    assert_eq!(create(&LINE.replace("marrakech/1", "chess/1")), "unknown_ruleset");
}
