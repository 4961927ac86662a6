//! The lists of the first page.

use serde_json::json;

use crate::harness::{Browser, Service, backends};

#[test]
fn a_game_that_somebody_is_about_to_open_stays_in_focus_when_the_list_changes() {
    let Some(browser) = Browser::start() else { return };
    let backend = &backends()[0];
    let service = Service::start(backend);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
    let create = || service.player().post("/v1/games", wanted.clone()).json();
    let games = [create(), create()];
    let page = browser.open_apart(&format!("{}/", service.base()), (1000, 800));
    page.until("document.querySelectorAll('#open a').length === 2");
    let id = games[0]["id"].as_str().unwrap();
    page.evaluate(&format!("(window.link = document.querySelector('#open [href$=\"{id}\"]')).focus()"));
    create();
    page.until("document.querySelectorAll('#open a').length === 3");
    assert_eq!(page.evaluate("document.activeElement === link"), true);
    // Also when the game itself changes.
    let seat = json!({"commitment": games[0]["commitment"], "name": "Ann"});
    assert_eq!(service.player().put(&format!("/v1/games/{id}/seats/2"), seat).status, 201);
    page.until("link.textContent.includes('Ann')");
    assert_eq!(page.evaluate("document.activeElement === link"), true);
}
