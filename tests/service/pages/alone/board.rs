//! The small board next to the rolls.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::root;
use crate::harness::{Service, out, sqlite};

/// The display board must show the actual positions: its script under Node.js, compared with the service.
#[test]
fn the_small_board_shows_every_position_of_games_of_every_form_as_the_service_has_it() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let folder = tempfile::tempdir().unwrap();
    let forms = [
        (2, json!({})),
        (
            2,
            json!({"two_player": "one-colour", "region": "owner", "start_dirhams": 5, "last_standing": "no"}),
        ),
        (2, json!({"orientation": "end", "region": "owner", "track": "nw-se"})),
        (
            3,
            json!({"start_facing": "W", "start_dirhams": 4, "insolvency": "eliminate-at-zero", "last_standing": "no"}),
        ),
        (4, json!({"orientation": "end", "start_dirhams": 3, "track": "nw-se"})),
        (4, json!({"insolvency": "pay-what-you-can", "start_dirhams": 2, "rugs_per_player": 7})),
    ];
    let stranger = service.stranger();
    let mut games = Vec::new();
    for (seats, options) in forms.into_iter().cycle().take(18) {
        let wanted = json!({"ruleset": "marrakech/1", "seats": vec!["random"; seats], "options": options});
        let id = service.player().post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/games/{id}");
        let line = stranger.get(&format!("{path}/states/9")).json()["position"].clone();
        let begun = json!({"ruleset": "marrakech/1", "seats": vec!["random"; seats], "position": line});
        let begun = service.player().post("/v1/games", begun).json()["id"].as_str().unwrap().to_owned();
        for path in [path, format!("/v1/games/{begun}")] {
            let [proof, states] =
                ["proof", "states"].map(|what| stranger.get(&format!("{path}/{what}")).json());
            games.push(json!({"proof": proof, "states": states["states"]}));
        }
    }
    fs::write(folder.path().join("games.json"), json!(games).to_string()).unwrap();
    let script = format!(
        "import {{ framesOf }} from '{}';
         import {{ readFileSync }} from 'node:fs';
         import assert from 'node:assert/strict';
         let boards = 0;
         for (const {{ proof, states }} of JSON.parse(readFileSync('games.json', 'utf8'))) {{
             const frames = framesOf(proof);
             for (const word of proof.words) {{
                 const {{ board, assam, facing }} = frames.get(`${{word.ply}}.${{word.parts.at(-1).part}}`);
                 const {{ state }} = states.find((one) => one.ply === word.ply);
                 const square = String.fromCharCode(97 + assam[0]) + (assam[1] + 1);
                 const shown = {{ board: board.map((row) => row.join('')).reverse(), assam: {{ square, facing }} }};
                 assert.deepEqual(shown, {{ board: state.board, assam: {{ square: state.assam.square, facing: state.assam.facing }} }}, `${{proof.setup}} ${{word.ply}}`);
                 boards += 1;
             }}
         }}
         console.log(boards);",
        root().join("pages/verify/board.js").display()
    );
    fs::write(folder.path().join("run.mjs"), script).unwrap();
    let Ok(run) = Command::new("node").arg("run.mjs").current_dir(folder.path()).output() else { return };
    assert!(run.status.success(), "{run:?}");
    assert!(out(&run).trim().parse::<u32>().unwrap() > 1000, "{}", out(&run));
}
