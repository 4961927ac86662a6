//! Pages for readers with different sight or reading needs, and for screens of any size.

use serde_json::{Value, json};

use super::player::open_as;
use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Page, Service, sqlite};

const READY: &str =
    "document.querySelector(document.querySelector('#language') ? '#language option' : 'main h1')";

/// Returns the paths of all pages, that of a started game first.
fn pages(service: &Service) -> Vec<String> {
    let (game, players) = service.game(2, json!({}));
    let mut dice = Dice::new(2);
    for _ in 0..4 {
        play_on(&players, &game, &mut dice).unwrap();
    }
    let game = format!("/games/{game}");
    let others = ["/", "/check", "/rules", "/verify.html", "/grammar", "/grammar/marrakesh", "/docs/"];
    [&[game][..], &others.map(str::to_owned)].concat()
}

/// A proof and a receipt, in the form that the proof page accepts.
const PROOF: &str = include_str!("../proofs/earlier/marrakesh.json");
const RECEIPT: &str = include_str!("../proofs/earlier/marrakesh-seat2.json");

fn show(page: &Page<'_>, service: &Service, path: &str) {
    if path == "/verify.html" {
        let files = json!([["proof.json", PROOF], ["receipt.json", RECEIPT]]).to_string();
        page.evaluate(&format!("sessionStorage['assam.proof'] = {}", json!(files)));
    }
    page.go(&format!("{}{path}", service.base()));
    page.until(READY);
    if path.starts_with("/games/") {
        page.until("document.querySelector('#board svg')");
    }
    if path == "/verify.html" {
        page.until("document.querySelector('#verdict h2')");
        page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
    }
    if path == "/check" {
        page.until("document.querySelector('#example').textContent !== ''");
        page.evaluate("document.querySelector('#example').click()");
        page.until("document.querySelector('.drawn svg')");
    }
}

#[test]
fn no_page_is_wider_than_a_screen_of_320_pixels_with_large_text_too() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (320, 640));
    for (language, size) in [("en", 16), ("de", 16), ("en", 32), ("de", 32)] {
        page.evaluate(&format!("localStorage['assam.language'] = '{language}'"));
        page.command("Page.setFontSizes", json!({"fontSizes": {"standard": size, "fixed": size * 13 / 16}}));
        for path in pages(&service) {
            show(&page, &service, &path);
            let width = page.evaluate("document.documentElement.scrollWidth");
            assert_eq!(width, 320, "{path} in {language} with text of {size} px");
        }
        show(&page, &service, "/rules");
    }
}

#[test]
fn a_tall_screen_has_no_hole_above_the_board_and_a_low_one_has_all_of_it() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let path = pages(&service).remove(0);
    let edges = |width: u32, height: u32| {
        let page = browser.open_apart(&format!("{}{path}", service.base()), (width, height));
        page.until("document.querySelector('#board svg')");
        let edges = page.evaluate(
            "['#title', '#status', '#board'].flatMap((part) => {
                const { top, bottom } = document.querySelector(part).getBoundingClientRect();
                return [top, bottom];
            })",
        );
        let edges: [f64; 6] = serde_json::from_value(edges).unwrap();
        edges
    };
    let [_, title_ends, status, status_ends, board, _] = edges(1280, 2160);
    assert!(status - title_ends < 40.0 && board - status_ends < 40.0, "{title_ends} {status} {board}");
    for (width, height) in [(640, 360), (740, 360), (844, 390)] {
        let [.., board, board_ends] = edges(width, height);
        assert!(board_ends <= f64::from(height), "the board ends at {board_ends} of {height}");
        assert!(board_ends - board > f64::from(height) * 0.6, "the board is small: {board} to {board_ends}");
    }
}

#[test]
fn text_is_as_large_as_the_reader_has_chosen() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/rules", service.base()), (1600, 1200));
    let sizes = |path: &str, standard: u32| {
        let fonts = json!({"fontSizes": {"standard": standard, "fixed": standard * 13 / 16}});
        page.command("Page.setFontSizes", fonts);
        show(&page, &service, path);
        let root = if path == "/docs/" { "#introduction" } else { "body" };
        let sizes = page.evaluate(&format!(
            "[...document.querySelectorAll('{root}, {root} *:not(svg *, svg)')].map((part) => [part.tagName + '.' + part.className, parseFloat(getComputedStyle(part).fontSize)])"
        ));
        let sizes: Vec<(String, f64)> = serde_json::from_value(sizes).unwrap();
        sizes
    };
    for path in pages(&service) {
        let (usual, large) = (sizes(&path, 16), sizes(&path, 32));
        assert!(usual.len() > 10, "{path}");
        // Late parts, such as a list of games, may be on one page only.
        for ((part, usual), (other, large)) in
            usual.iter().zip(&large).filter(|((part, _), (other, _))| part == other)
        {
            // The largest heading grows with the screen, too.
            let least = if part.starts_with("H1") { 1.1 } else { 1.9 };
            assert!(large / usual > least, "{part} {other} of {path}: {usual}, {large}");
        }
    }
}

#[test]
fn swatches_the_seat_on_turn_and_the_current_line_are_told_apart_in_colours_of_the_reader() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let path = pages(&service).remove(0);
    let page = open_as(&browser, &service, &service.stranger(), &path, &[]);
    page.until("document.querySelector('tr.on-turn') && document.querySelector('.ply[aria-current]')");
    let feature = json!({"name": "forced-colors", "value": "active"});
    page.command("Emulation.setEmulatedMedia", json!({"features": [feature]}));
    page.until("matchMedia('(forced-colors: active)').matches");
    let distinct = |selector: &str, property: &str| {
        let values = page.evaluate(&format!(
            "[...document.querySelectorAll('{selector}')].map((part) => getComputedStyle(part).{property})"
        ));
        let mut values: Vec<String> = serde_json::from_value(values).unwrap();
        let all = values.len();
        values.sort();
        values.dedup();
        (all, values.len())
    };
    let (swatches, colours) = distinct("#seats .swatch", "backgroundColor");
    assert_eq!(swatches, colours);
    for (marked, others) in [
        ("#seats tr.on-turn", "#seats tbody tr:not(.on-turn)"),
        (".ply[aria-current]", ".ply:not([aria-current])"),
    ] {
        let outline = |selector: &str| {
            page.evaluate(&format!("getComputedStyle(document.querySelector('{selector}')).outlineStyle"))
        };
        assert_eq!(
            (outline(marked), outline(others)),
            (Value::from("solid"), Value::from("none")),
            "{marked}"
        );
    }
    page.go(&format!("{}/rules", service.base()));
    page.until("document.querySelector('nav [aria-current]')");
    assert_eq!(distinct(".top nav a", "borderBottomColor").1, 2);
}

#[test]
fn what_is_said_is_said_again_where_it_is_the_same() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/check", service.base()), (1000, 800));
    page.until("document.querySelector('#example').textContent !== ''");
    page.evaluate(
        "(() => {
            window.said = [];
            const line = document.querySelector('#said');
            new MutationObserver(() => said.push(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
        })()",
    );
    page.evaluate("document.querySelector('#example').click()");
    page.until("said.length === 1");
    page.evaluate("document.querySelector('#form .go').click()");
    page.until("said.length === 3");
    assert_eq!(page.evaluate("said[0].length > 9 && said[1] === '' && said[2] === said[0]"), true);
    // It is said once for each ply.
    let told = page.evaluate(
        "(async () => {
            const { Speech } = await import('/pages/speech.js');
            const line = document.createElement('p');
            const speech = new Speech(line);
            const told = [];
            new MutationObserver(() => told.push(line.textContent)).observe(line, { childList: true });
            const rest = () => new Promise((done) => setTimeout(done, 200));
            for (const [text, ply] of [['a', 1], ['a', 1], ['a', 2], ['b', 2], ['b', 3]]) {
                speech.say(text, ply);
                await rest();
            }
            return told;
        })()",
    );
    assert_eq!(told, json!(["a", "", "a", "b", "", "b"]));
}
