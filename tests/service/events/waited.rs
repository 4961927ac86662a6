//! Long polls return the game once it differs from the client's version.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::open_game;
use crate::harness::{Service, sit, sqlite};

/// More time than any answer without a wait takes.
pub(crate) const LONG: Duration = Duration::from_secs(30);

/// Returns an answer and its time.
pub(crate) fn ask(service: &Service, path: &str) -> (Value, Duration) {
    let begun = Instant::now();
    let answer = service.stranger().get(path);
    assert_eq!(answer.status, 200, "{}", answer.text);
    (answer.json(), begun.elapsed())
}

#[test]
fn a_game_is_answered_as_soon_as_it_differs_and_at_once_where_it_does_already() {
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let options = json!({"two_player": "one-colour"});
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "options": options});
    let (game, players) = open_game(&here, wanted);
    let path = format!("/v1/games/{game}");
    let both_wait = |since: &str, ply: u64, act: &dyn Fn()| {
        let path = format!("{path}?wait=60{since}");
        thread::scope(|scope| {
            let waiting = [&here, &there].map(|service| scope.spawn(|| ask(service, &path)));
            act();
            for waiting in waiting {
                let (game, waited) = waiting.join().unwrap();
                assert_eq!(game["head"]["ply"], ply);
                assert!(waited < LONG, "{waited:?}");
            }
        });
    };
    let hash = |ply: u32| {
        let state = here.stranger().get(&format!("{path}/states/{ply}")).json();
        state["head"]["hash"].as_str().unwrap().to_owned()
    };
    // Before the start, a client without a position waits for it.
    both_wait("", 0, &|| sit(&game, &players, |_| json!({})));
    both_wait("&since=0", 1, &|| assert_eq!(players[0].play(&game, 1, "N").status, 201));
    let rugs = players[0].get(&format!("{path}/legal-moves")).json();
    let rug = rugs["moves"][0].as_str().unwrap();
    both_wait(&format!("&since=1.{}", hash(1)), 2, &|| {
        assert_eq!(players[0].play(&game, 2, rug).status, 201);
    });
    // If there already is more, or for a position beyond the head or of another history, no request waits.
    for since in ["0", "7", &format!("2.{}", hash(0))] {
        assert!(ask(&here, &format!("{path}?wait=60&since={since}")).1 < LONG, "{since}");
    }
    let (unchanged, waited) = ask(&here, &format!("{path}?wait=1&since=2"));
    assert!(unchanged["head"]["ply"] == 2 && waited >= Duration::from_secs(1), "{waited:?}");
    for refused in ["wait=61", "wait=x", "wait=1&since=x", "wait=1&since=1.0"] {
        assert_eq!(players[0].get(&format!("{path}?{refused}")).problem(), "bad_request", "{refused}");
    }
    assert_eq!(players[1].play(&game, 3, "!resign").status, 201);
    // It is over, and nothing more will come.
    assert!(ask(&here, &format!("{path}?wait=60&since=3")).1 < LONG);
}
