//! How a page loads: in how many round trips, and what does not wait for its scripts.

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Page, Service, comes, sqlite};

/// Waits until a page has requested all of this, while none of its requests are answered.
fn until_asked(page: &Page<'_>, wanted: &[String]) {
    let is_asked = |held: &[String]| wanted.iter().all(|address| held.contains(address));
    assert!(
        comes(60, || is_asked(&page.held())),
        "of {wanted:?}, {:?} is asked for before something is answered",
        page.held()
    );
}

#[test]
fn the_first_board_of_a_game_is_drawn_after_three_round_trips() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (game, players) = service.game(3, serde_json::json!({}));
    let mut dice = Dice::new(7);
    let ply = (0..5).filter_map(|_| play_on(&players, &game, &mut dice)).last().unwrap().1;
    let address = format!("{}/games/{game}", service.base());
    let html = service.stranger().get(&format!("/games/{game}")).text;
    let parts =
        html.split('"').filter_map(|part| part.strip_prefix("..")).filter(|part| part.starts_with("/pages/"));
    let parts = parts.filter(|part| part.ends_with(".js") || part.ends_with(".css"));
    let parts: Vec<String> = parts.map(|part| format!("{}{part}", service.base())).collect();
    assert!(parts.len() > 20, "{parts:?}");
    let path = format!("{}/v1/games/{game}", service.base());

    let page = browser.open_apart(&format!("{}/rules", service.base()), (1000, 800));
    page.until("document.querySelector('#language option')");
    page.hold();
    page.evaluate(&format!("location.assign('{address}')"));
    // Requests released together are independent: all were sent before any was answered.
    until_asked(&page, &[address]);
    page.let_go();
    until_asked(&page, &[&parts[..], std::slice::from_ref(&path)].concat());
    page.let_go();
    let drawn = [
        format!("{path}/states/{ply}.svg?board_only=true"),
        format!("{path}/states"),
        format!("{}/pages/text/en.json", service.base()),
    ];
    until_asked(&page, &drawn);
    page.let_go();
    page.until(&format!("document.querySelector('#board svg')?.dataset.ply === '{ply}'"));
    page.until("document.querySelector('#board [role=gridcell]').ariaLabel.length > 0");
}

#[test]
fn nothing_that_needs_a_script_can_be_used_before_it_has_come() {
    let backend = &sqlite();
    let service = Service::start(backend);
    for (path, buttons) in [("/", 2), ("/check", 2)] {
        let html = service.stranger().get(path).text;
        let found: Vec<&str> =
            html.split("<button").skip(1).filter_map(|rest| rest.split('>').next()).collect();
        assert_eq!(found.len(), buttons, "{path}");
        assert!(found.iter().all(|attributes| attributes.contains(" disabled")), "{path}: {found:?}");
    }
}
