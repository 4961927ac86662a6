//! A restore that lost plies, and the games that were running.

use serde_json::json;

use super::{back_up, backed_up, restore};
use crate::harness::{Backend, Service, assam, backends, comes, err, out};

fn abort(on: &Backend, arguments: &[&str]) -> std::process::Output {
    assam(&[&["abort", "--database", &on.url()], arguments].concat(), "")
}

#[test]
fn after_a_restore_that_lost_plies_running_games_end_but_for_those_that_are_kept() {
    for (from, to) in backends().into_iter().zip(backends()) {
        let (ids, secrets, folder, file) = {
            let service = Service::start(&from);
            let options = json!({"two_player": "one-colour"});
            let games: Vec<_> = (0..4).map(|_| service.game(2, options.clone())).collect();
            for (id, players) in &games {
                assert_eq!(players[0].play(id, 1, "N").status, 201);
            }
            let over = json!({"move": "!resign"});
            assert_eq!(games[3].1[1].put(&format!("/v1/games/{}/moves/2", games[3].0), over).status, 201);
            let (folder, file) = backed_up(&from);
            // This ply is lost.
            let (id, players) = &games[0];
            let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
            let lost = legal["moves"][0].as_str().unwrap().to_owned();
            assert_eq!(players[0].play(id, 2, &lost).status, 201);
            let secrets: Vec<_> =
                games.iter().map(|(_, players)| players[0].secret.clone().unwrap()).collect();
            (games.into_iter().map(|(id, _)| id).collect::<Vec<_>>(), secrets, folder, file)
        };
        assert!(restore(&file, &[], &to).status.success());
        let mistyped =
            abort(&to, &["--running", "--keep", &ids[2], "--keep", "0f8fad5bd9cb469fa165708f67d64b2a"]);
        let refusal =
            "--keep 0f8fad5bd9cb469fa165708f67d64b2a: there is no game with this id, so no game was changed";
        assert!(!mistyped.status.success() && err(&mistyped).contains(refusal), "{}", err(&mistyped));
        let named = abort(&to, &["--running", "--keep", &ids[2], "--dry-run"]);
        let mut running = [ids[0].as_str(), &ids[1]];
        running.sort_unstable();
        assert_eq!(out(&named).lines().collect::<Vec<_>>(), running, "{}", to.name());
        let service = Service::start(&to);
        let state = |n: usize| service.with_secret(&secrets[n]).get(&format!("/v1/games/{}", ids[n])).json();
        // The dry run changed nothing. A running service has the games in memory.
        assert_eq!(
            (0..4).map(|n| state(n)["status"].clone()).collect::<Vec<_>>(),
            ["running", "running", "running", "finished"]
        );
        let ended = abort(&to, &["--running", "--keep", &ids[2]]);
        assert_eq!((out(&ended), err(&ended).trim()), (out(&named), "2 games aborted"));
        while state(0)["status"] == "running" || state(1)["status"] == "running" {}
        assert_eq!(
            (0..4).map(|n| state(n)["status"].clone()).collect::<Vec<_>>(),
            ["aborted", "aborted", "running", "finished"]
        );
        let player = service.with_secret(&secrets[0]);
        assert_eq!(player.play(&ids[0], 3, "N").problem(), "game_over");
        let log = player.get(&format!("/v1/games/{}/log", ids[0])).text;
        assert!(log.ends_with("!abort\n= -\n"), "{log}");
        let kept = service.with_secret(&secrets[2]);
        let legal = kept.get(&format!("/v1/games/{}/legal-moves", ids[2])).json();
        assert_eq!(kept.play(&ids[2], 2, legal["moves"][0].as_str().unwrap()).status, 201);
        // Run again, also for a finished game by name, it changes nothing.
        assert_eq!(err(&abort(&to, &["--running", "--keep", &ids[2]])).trim(), "0 games aborted");
        let one = abort(&to, &[&ids[2]]);
        assert_eq!((out(&one).trim(), err(&one).trim()), (ids[2].as_str(), "1 game aborted"));
        let over = abort(&to, &[&ids[3]]);
        assert!(
            over.status.success() && err(&over).contains("was already over: it is unchanged"),
            "{}",
            err(&over)
        );
        let unknown = abort(&to, &["00000000000000000000000000000000"]);
        assert!(!unknown.status.success() && err(&unknown).contains("there is no game"), "{}", err(&unknown));
        // All chains and proofs hold, with the words of the operator.
        let audited = assam(&["audit", "--database", &to.url()], "");
        assert!(audited.status.success(), "{}{}", out(&audited), err(&audited));
        let again = back_up(&to, &folder.path().join("again.backup"));
        assert_eq!(again.status.code(), Some(0), "{}", err(&again));
    }
}

#[test]
fn after_a_restore_that_lost_plies_games_that_had_not_started_are_removed_but_for_those_that_are_kept() {
    for (from, to) in backends().into_iter().zip(backends()) {
        let (running, open, _folder, file) = {
            let service = Service::start(&from);
            let owner = service.player();
            let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
            let open = [(); 2].map(|()| owner.post("/v1/games", wanted.clone()).json()["id"].clone());
            let (running, _) = service.game(2, json!({"two_player": "one-colour"}));
            let (folder, file) = backed_up(&from);
            (running, open.map(|id| id.as_str().unwrap().to_owned()), folder, file)
        };
        let [lost, kept] = &open;
        assert!(restore(&file, &[], &to).status.success());
        let service = Service::start(&to);
        let game = |id: &str| service.stranger().get(&format!("/v1/games/{id}"));
        let named = abort(&to, &["--running", "--open", "--keep", kept, "--dry-run"]);
        assert_eq!(out(&named).lines().collect::<Vec<_>>(), [&running, lost], "{}", to.name());
        assert_eq!(game(lost).json()["status"], "open");
        let ended = abort(&to, &["--running", "--open", "--keep", kept]);
        let counts = "1 game aborted\n1 game removed that had not started";
        assert_eq!((out(&ended), err(&ended).trim()), (out(&named), counts));
        assert!(comes(20, || game(lost).status == 404 && game(&running).json()["status"] == "aborted"));
        assert_eq!(game(kept).json()["status"], "open");
        // Without the running ones.
        let rest = abort(&to, &["--open"]);
        assert_eq!(
            (out(&rest).trim(), err(&rest).trim()),
            (kept.as_str(), "1 game removed that had not started")
        );
    }
}
