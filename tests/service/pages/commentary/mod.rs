//! The spoken commentary on a replayed game.

use std::fs;
use std::path::Path;

use crate::harness::{Browser, Service, sqlite};

/// Finished games with their commentaries.
const GAMES: [&str; 2] = ["marrakech", "marrakesh"];

#[test]
fn what_is_said_of_a_whole_game_reads_like_a_commentary() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    for game in GAMES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/service/pages/commentary");
        let record = fs::read_to_string(folder.join(format!("{game}.mkn"))).unwrap();
        let imported =
            service.stranger().send("POST", "/v1/imports", &[("Content-Type", "text/plain")], &record);
        let id = imported.json()["id"].as_str().unwrap().to_owned();
        let page = browser.open_apart(&format!("{}/games/{id}#ply=0", service.base()), (1000, 800));
        page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
        let last: u32 = page.evaluate("slider.max").as_str().unwrap().parse().unwrap();
        let mut said = Vec::new();
        page.evaluate("slider.focus()");
        for ply in 1..=last {
            page.press("ArrowRight");
            page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{ply}'"));
            // It is empty for a moment before it repeats the same text.
            page.until("document.querySelector('#speech').textContent !== ''");
            let line = page.evaluate("document.querySelector('#speech').textContent");
            said.push(format!("{ply}. {}", line.as_str().unwrap()));
        }
        let end = page.evaluate("document.querySelector('#status').textContent");
        let text = format!("{}\n{}\n", said.join("\n"), end.as_str().unwrap());
        let place = folder.join(format!("{game}.txt"));
        if std::env::var_os("ASSAM_RECORD").is_some() {
            fs::write(&place, &text).unwrap();
        }
        let kept = fs::read_to_string(&place).unwrap_or_default();
        assert!(text == kept, "{game}: other words than in {}:\n{text}", place.display());
        assert_eq!(page.troubles(), Vec::<String>::new());
    }
}
