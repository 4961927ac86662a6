//! The lists of the first page.

use serde_json::json;

use super::player::open_as;
use crate::harness::{Browser, Service, sqlite};

#[test]
fn a_game_that_somebody_is_about_to_open_stays_in_focus_when_the_list_changes() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
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
    // Also when only the game itself changes.
    let seat = json!({"commitment": games[0]["commitment"], "name": "Ann"});
    assert_eq!(service.player().put(&format!("/v1/games/{id}/seats/2"), seat).status, 201);
    page.until("link.textContent.includes('Ann')");
    assert_eq!(page.evaluate("document.activeElement === link"), true);
}

#[test]
fn a_game_of_ones_own_is_not_offered_to_watch_and_one_that_is_over_is_listed() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let (own, players) = service.game(2, json!({}));
    let page = open_as(&browser, &service, &players[0], "/", &[]);
    page.until(&format!("document.querySelector('#own a[href$=\"{own}\"]')"));
    assert_eq!(page.evaluate("new URL(document.querySelector('#hero').href).pathname"), "/rules");
    let (other, others) = service.game(2, json!({}));
    page.until(&format!("new URL(document.querySelector('#hero').href).pathname === '/games/{other}'"));
    assert_eq!(page.evaluate("document.querySelector('#ended').hidden"), true);
    let first =
        service.stranger().get(&format!("/v1/games/{other}")).json()["head"]["ply"].as_u64().unwrap() + 1;
    assert_eq!(others[0].play(&other, first, "!resign").status, 201);
    page.until(&format!("document.querySelector('#over a[href$=\"{other}\"] img')"));
    page.until("!document.querySelector('#ended').hidden");
}

#[test]
fn what_a_button_says_can_be_read_while_it_is_pointed_at() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/", service.base()), (1000, 800));
    page.until("!document.querySelector('#go').disabled");
    for theme in ["light", "dark"] {
        page.prefer(theme);
        let middle = page.evaluate(
            "(() => {
                const go = document.querySelector('#go');
                go.scrollIntoView({ block: 'center' });
                const { x, y, width, height } = go.getBoundingClientRect();
                return [x + width / 2, y + height / 2];
            })()",
        );
        page.point_at((middle[0].as_f64().unwrap(), middle[1].as_f64().unwrap()));
        page.until("document.querySelector('#go').matches(':hover')");
        let contrast = page.evaluate(
            "(() => {
                const bright = (colour) => {
                    const parts = colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255);
                    const [r, g, b] = parts.map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const { color, backgroundColor } = getComputedStyle(document.querySelector('#go'));
                const [low, high] = [bright(color), bright(backgroundColor)].sort((a, b) => a - b);
                return (high + 0.05) / (low + 0.05);
            })()",
        );
        assert!(contrast.as_f64().unwrap() >= 4.5, "{theme}: {contrast}");
    }
}

#[test]
fn small_boards_are_written_in_the_language_of_the_page() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    service.game(2, json!({}));
    service.table("marrakesh/1", &["open"; 2], json!({}));
    let reader = service.stranger();
    let sources = |language: &str| {
        let page = open_as(&browser, &service, &reader, "/", &[("assam.language", language)]);
        page.until("document.querySelectorAll('#running img').length === 2");
        page.until(
            "[...document.querySelectorAll('#running img')].every((image) => image.complete && image.src)",
        );
        let shown = page.evaluate(
            "[...document.querySelectorAll('#running img')].map(({ src }) => src.split(':')[0]).sort().join()",
        );
        assert_eq!(page.troubles(), Vec::<String>::new());
        shown
    };
    // A redrawn picture has no separate address.
    assert_eq!(sources("de"), "blob,http");
    assert_eq!(sources("en"), "http,http");
}

#[test]
fn a_name_that_is_written_from_right_to_left_turns_round_nothing_beside_it_in_lists_sentences_and_labels() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let players = [service.player(), service.player()];
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1, "name": "עברית (1)"}});
    let game = players[0].post("/v1/games", wanted).json();
    let id = game["id"].as_str().unwrap();
    let page = browser.open_apart(&format!("{}/", service.base()), (1000, 800));
    let isolated = "\u{2068}עברית (1)\u{2069}";
    page.until(&format!(
        "document.querySelector('#open a[href$=\"{id}\"]')?.textContent.includes('{isolated}')"
    ));
    assert_eq!(players[1].put(&format!("/v1/games/{id}/seats/2"), json!({"name": "Ann"})).status, 201);
    page.go(&format!("{}/games/{id}", service.base()));
    page.until(&format!("document.querySelector('#seats .name')?.textContent === '{isolated}'"));
    page.until(&format!("document.getElementById('status').textContent.includes('{isolated}')"));
    let bare = "[...document.querySelectorAll('*')].filter((element) => element.children.length === 0)
        .flatMap((element) => [element.textContent, element.getAttribute('aria-label') ?? '', element.title ?? ''])
        .filter((text) => /(?<!\\u2068)עברית/.test(`${text}`))";
    assert_eq!(page.evaluate(bare), json!([]));
    assert_eq!(page.evaluate("document.querySelector('#seats .name').translate"), false);
}
