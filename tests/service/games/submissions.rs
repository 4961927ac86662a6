//! Written games: moves as text and as lists, and imported records.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Service, sqlite};

const TEXT: [(&str, &str); 1] = [("Content-Type", "text/plain")];

fn head(client: &Client<'_>, id: &str) -> Value {
    client.get(&format!("/v1/games/{id}")).json()["head"].clone()
}

fn text(client: &Client<'_>, id: &str, ply: u64, body: &str) -> Answer {
    client.send("PUT", &format!("/v1/games/{id}/moves/{ply}"), &TEXT, body)
}

fn list(client: &Client<'_>, id: &str, ply: u64, moves: &[&str]) -> Answer {
    client.put(&format!("/v1/games/{id}/moves/{ply}"), json!({"moves": moves}))
}

#[test]
fn an_import_comes_back_whole_whatever_its_tags_are_and_a_tag_that_is_no_name_labels_no_seat() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    for tags in
        [format!("seat1: {}\n", "x".repeat(4000)), "seat1:\n".to_owned(), format!("{}:\n", "a".repeat(4095))]
    {
        let record = format!("MKN/1 marrakech/1 seats=3\n{tags}\n!abort\n= -\n");
        let imported = stranger.post_text("/v1/imports", &record);
        let again = stranger.post_text("/v1/imports", &record.replace(&tags, ""));
        assert_eq!((imported.status / 100, again.status), (2, 200), "{}", imported.text);
        let id = imported.json()["id"].as_str().unwrap().to_owned();
        assert_eq!(imported.json()["seats"][0]["name"], Value::Null);
        let log = stranger.get(&format!("/v1/games/{id}/log"));
        assert!(log.text.ends_with("\n\n!abort\n= -\n"), "{}", log.text);
    }
}

#[test]
fn moves_are_taken_as_text_as_one_and_as_a_list_and_all_three_are_the_same() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let forms: [fn(&Client<'_>, &str) -> Answer; 6] = [
        |player, id| player.play(id, 1, "N"),
        |player, id| list(player, id, 1, &["N"]),
        |player, id| text(player, id, 1, "N"),
        |player, id| text(player, id, 1, " \r\n\tN\n"),
        |player, id| player.put(&format!("/v1/games/{id}/moves/1"), json!({"moves": ["N"]})),
        |player, id| player.send("PUT", &format!("/v1/games/{id}/moves/1"), &[], "{\"move\":\"N\"}"),
    ];
    for first in forms {
        let (id, players) = service.game(3, json!({}));
        let written = first(&players[0], &id);
        assert_eq!(written.status, 201, "{}", written.text);
        assert_eq!(written.header("location"), Some(format!("/v1/games/{id}/moves/1").as_str()));
        for again in forms {
            let repeated = again(&players[0], &id);
            assert_eq!((repeated.status, &repeated.text), (200, &written.text));
        }
    }
}

#[test]
fn a_list_may_run_up_to_a_decision_that_draws_and_not_behind_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    // The rug is laid first, then Assam is turned, then the next seat's die is rolled.
    let (id, players) = service.game(3, json!({"orientation": "end"}));
    let mut ply = 1;
    for turn in 0..4 {
        let player = &players[turn % 3];
        let before = head(player, &id);
        let legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
        assert_eq!((&legal["ply"], &legal["seat"]), (&json!(ply), &json!(turn % 3 + 1)));
        let rug = legal["moves"][0].as_str().unwrap();
        let facing = player.get(&format!("/v1/games/{id}")).json()["state"]["assam"]["facing"].clone();
        let facing = facing.as_str().unwrap();
        let about = ["N", "E", "S", "W"][("NESW".find(facing).unwrap() + 2) % 4];
        for (moves, code, word) in [
            (vec![rug, facing, "d6e6"], "chance_pending", 2),
            (vec![rug, about, "d6e6"], "chance_pending", 2),
            (vec![rug, "d6e6", "d6e6"], "chance_pending", 2),
            (vec![rug, facing, facing, facing], "chance_pending", 2),
            (vec![rug, about], "illegal_move", 2),
            (vec![rug, rug], "illegal_move", 2),
            (vec![facing, rug], "illegal_move", 1),
            (vec![facing, rug, "d6e6"], "illegal_move", 1),
        ] {
            let refused = list(player, &id, ply, &moves);
            assert_eq!((refused.problem().as_str(), refused.status), (code, 422), "{moves:?}");
            assert_eq!(refused.json()["word"], word, "{moves:?}: {}", refused.text);
            assert_eq!(head(player, &id), before, "all of a list is written, or nothing");
        }
        let written = match turn % 2 {
            0 => list(player, &id, ply, &[rug, facing]),
            _ => text(player, &id, ply, &format!("{rug} {facing}")),
        };
        assert_eq!(written.status, 201, "{}", written.text);
        let words: Vec<String> = serde_json::from_value(written.json()["words"].clone()).unwrap();
        assert_eq!((words.len(), words[0].as_str()), (2, rug));
        assert!(words[1].starts_with(&format!("{facing}+")));
        let at = |ply: u64| player.get(&format!("/v1/games/{id}/moves/{ply}")).json();
        assert_eq!(
            (at(ply)["word"].as_str(), at(ply + 1)["word"].as_str()),
            (Some(&*words[0]), Some(&*words[1]))
        );
        assert_eq!(at(ply)["at"], at(ply + 1)["at"], "written at one moment");
        // The whole list again, or a part of it that begins at the given ply.
        assert_eq!(list(player, &id, ply, &[rug, facing]).text, written.text);
        assert_eq!(list(player, &id, ply, &[rug]).json()["words"], json!([words[0]]));
        assert_eq!(list(player, &id, ply + 1, &[facing]).json()["words"], json!([words[1]]));
        for other in [vec![facing], vec![rug, about], vec![rug, facing, rug], vec![rug, rug]] {
            assert_eq!(list(player, &id, ply, &other).problem(), "ply_taken", "{other:?}");
        }
        ply += 2;
    }
}

#[test]
fn where_assam_is_turned_first_every_decision_ends_its_list() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    let before = head(&players[0], &id);
    assert_eq!(list(&players[0], &id, 1, &["N", "d6e6"]).problem(), "chance_pending");
    assert_eq!(text(&players[0], &id, 1, "N d6e6").problem(), "chance_pending");
    assert_eq!(head(&players[0], &id), before);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
    let rug = legal["moves"][0].as_str().unwrap();
    assert_eq!(list(&players[0], &id, 2, &[rug, "N"]).problem(), "chance_pending", "another seat is next");
}

#[test]
fn where_assam_is_turned_first_a_list_goes_on_for_a_player_who_plays_on_alone() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(3, json!({"orientation": "start", "last_standing": "no"}));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    assert_eq!(players[1].play(&id, 2, "!resign").status, 201);
    let rug = |ply: u64| {
        let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
        assert_eq!((&legal["ply"], &legal["seat"]), (&json!(ply), &json!(1)));
        legal["moves"][0].as_str().unwrap().to_owned()
    };
    // Straight on is always legal, as a die may have turned Assam around.
    let turn = || {
        players[0].get(&format!("/v1/games/{id}")).json()["state"]["assam"]["facing"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let before = rug(3);
    let with_another = list(&players[0], &id, 3, &[&before, &turn()]);
    assert_eq!(with_another.problem(), "chance_pending", "seat 3 is next");
    assert_eq!(players[2].play(&id, 3, "!resign").status, 201);
    let first = rug(4);
    let straight_on = turn();
    let written = list(&players[0], &id, 4, &[&first, &straight_on]);
    assert_eq!(written.status, 201, "{}", written.text);
    let words: Vec<String> = serde_json::from_value(written.json()["words"].clone()).unwrap();
    assert_eq!((words.len(), &words[0]), (2, &first));
    assert!(words[1].starts_with(&format!("{straight_on}+")), "{words:?}");
    // The rolled die ends it.
    let next = rug(6);
    assert_eq!(list(&players[0], &id, 6, &[&next, &turn(), "d6e6"]).problem(), "chance_pending");
    assert_eq!(head(&players[0], &id)["ply"], 5);
}

#[test]
fn a_rug_is_taken_with_its_squares_in_any_order_and_written_in_one() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(3, json!({}));
    assert_eq!(players[0].play(&id, 1, "E").status, 201);
    let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
    let rug = legal["moves"][0].as_str().unwrap();
    let turned = format!("{}{}", &rug[2..], &rug[..2]);
    let written = players[0].play(&id, 2, &turned);
    assert_eq!((written.status, &written.json()["words"][0]), (201, &json!(rug)));
    assert_eq!((players[0].play(&id, 2, rug).status, players[0].play(&id, 2, &turned).status), (200, 200));
}

#[test]
fn an_imported_record_keeps_its_id_and_tags_has_no_times_and_is_never_extended() {
    let body = "!resign1\n!resign2\n= 0 0 30\n";
    let record = format!("MKN/1 marrakech/1 seats=3\nseat2: Ελένη\nx-odd: a:b  c\nevent:\n\n{body}");
    let backend = sqlite();
    let service = Service::start(&backend);
    let importer = service.player();
    let imported = importer.post_text("/v1/imports", &record);
    assert_eq!(imported.status, 201, "{}", imported.text);
    let game = imported.json();
    let id = game["id"].as_str().unwrap().to_owned();
    assert_eq!(imported.header("location"), Some(format!("/v1/games/{id}").as_str()));
    // Only the play identifies a game: tags, which are reported, white space and explicit defaults may
    // differ.
    let other = "MKN/1 marrakech/1 seats=3 cover=opponents\nseat2: Ελένη\nother: tag\nevent: x\n\n";
    for (same, ignored) in [
        (record.clone(), json!([])),
        (format!("MKN/1 marrakech/1 seats=3\n\n{body}"), json!([])),
        (other.to_owned() + &body.replace('\n', "\r\n  "), json!(["other", "event"])),
    ] {
        let again = service.stranger().post("/v1/imports", json!({"record": same}));
        assert_eq!((again.status, &again.json()), (200, &game), "{same:?}");
        let names: Vec<&str> = ignored.as_array().unwrap().iter().flat_map(Value::as_str).collect();
        let names = names.join(", ");
        assert_eq!(again.header("ignored-tags").unwrap_or(""), names);
        let many = service.stranger().post_text("/v1/imports/bulk", &same);
        let row: Value = serde_json::from_str(many.text.lines().next().unwrap()).unwrap();
        assert_eq!((&row["outcome"], &row["ignored_tags"]), (&json!("known"), &ignored));
    }
    let other =
        importer.post_text("/v1/imports", &record.replace("resign2", "resign3").replace("0 0 30", "0 30 0"));
    assert_eq!(other.status, 201);
    assert_ne!(other.json()["id"], game["id"]);

    assert_eq!(importer.get(&format!("/v1/games/{id}/log")).text, record, "tags and all");
    assert_eq!((&game["imported"], &game["status"]), (&json!(true), &json!("finished")));
    for field in ["commitment", "started_at", "your_seat", "patience_hours"] {
        assert_eq!(game[field], json!(null), "{field}");
    }
    let log =
        importer.send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "application/json")], "").json();
    assert!(log["words"].as_array().unwrap().iter().all(|word| word["at"].is_null()));
    assert_eq!(importer.get(&format!("/v1/games/{id}/moves/1")).json()["at"], json!(null));
    assert_eq!((&game["seats"][1]["name"], &game["seats"][1]["player"]), (&json!("Ελένη"), &json!(null)));

    for word in ["N", "!resign", "!resign3", "!abort", "!timeout3"] {
        for ply in [1, 3] {
            let refused = importer.play(&id, ply, word).problem();
            // The importer owns it, and it has no seat holders.
            let codes = if word == "!abort" { ["ply_taken", "game_over"] } else { ["not_your_seat"; 2] };
            assert!(codes.contains(&refused.as_str()), "{word}: {refused}");
        }
    }
    assert_eq!(importer.put(&format!("/v1/games/{id}/seats/1"), json!({})).problem(), "seat_taken");
    let renamed = importer.patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Eve"}));
    assert_eq!(renamed.problem(), "not_your_seat");
    assert_eq!(importer.get(&format!("/v1/games/{id}")).json(), game);
}
