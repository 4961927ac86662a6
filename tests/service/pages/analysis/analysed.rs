//! The analysis of a game on the pages, and hints.

use serde_json::json;

use crate::harness::{Browser, Page, Service, sqlite};

/// A last turn in which seat 2 turned the wrong way, and was lucky.
const WRONG_BUT_LUCKY: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour position=7/3r3/3r3/7/7/7/7;d5d6;d4N;2;orient;30,30;r0b1;b;-\nseat1: Zoë\nseat2: Aisha\n\nN+3 c6d6 = 31 32\n";

fn text(page: &Page<'_>, selector: &str) -> String {
    let told = page.evaluate(&format!("document.querySelector('{selector}').textContent"));
    told.as_str().unwrap().to_owned()
}

/// Opens the panel, and waits for the analysis.
fn open(page: &Page<'_>) {
    page.until("document.querySelector('#analysed') !== null && !document.querySelector('#analysed').hidden");
    page.evaluate("document.querySelector('#analysed').open = true");
    page.until("document.querySelector('#analysed table') !== null");
}

#[test]
fn the_page_of_a_game_says_who_was_lucky_and_who_erred_and_shows_what_was_better() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let imported = service.stranger().post_text("/v1/imports", WRONG_BUT_LUCKY).json();
    let page = browser
        .open_apart(&format!("{}/games/{}", service.base(), imported["id"].as_str().unwrap()), (1000, 900));
    open(&page);
    let told = text(&page, "#analysis");
    for sentence in [
        "Aisha: luck +50.0% of the win",
        "The most came from 3 on step 1 (+50.0%).",
        "Errors -8.3%",
        "The largest was N on step 1: E was better by 8.3%.",
        "Zoë played better, with smaller errors.",
        "The last roll or card, 3 on step 1, changed the chances of Aisha by +50.0%.",
        "Step 1, Aisha: N (?). E was better by 8.3%.",
        "?! marks a choice that cost at least 2% of the win",
        "Points are dirhams.",
    ] {
        assert!(told.contains(sentence), "{sentence}: {told}");
    }
    // The error leads to the position before it, with the best choices on the board.
    page.evaluate("[...document.querySelectorAll('#analysis .ply')].find((entry) => entry.textContent.includes('N (?)')).click()");
    page.until("document.querySelector('#board svg')?.dataset.ply === '0' && document.querySelectorAll('#board .ghosts rect').length === 3");
    let ranks =
        page.evaluate("[...document.querySelectorAll('#board .ghost-rank')].map((rank) => rank.textContent)");
    assert_eq!(ranks, json!(["1→", "2←", "3↑"]));
    assert!(text(&page, "#analysis .made").contains("3. N50.0%"), "{}", text(&page, "#analysis .made"));
    assert_eq!(page.troubles(), Vec::<String>::new());
}

#[test]
fn a_record_that_is_checked_is_analysed_too() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/check", service.base()), (1000, 900));
    page.until("!document.querySelector('#form button').disabled");
    page.evaluate(&format!(
        "(record.value = {}, document.querySelector('#form button').click())",
        json!(WRONG_BUT_LUCKY)
    ));
    open(&page);
    assert!(
        text(&page, "#analysed").contains("N on step 1: E was better by 8.3%."),
        "{}",
        text(&page, "#analysed")
    );
    page.evaluate("[...document.querySelectorAll('#analysed .ply')].find((entry) => entry.textContent.includes('N (?)')).click()");
    page.until("document.querySelectorAll('.drawn .ghosts rect').length === 3");
    assert_eq!(page.troubles(), Vec::<String>::new());
}

/// The end of a match of Marrakesh, in which Blue has a choice and a hidden lead.
const LAST_TRICK: &str = "MKN/1 marrakesh/1 seats=2 position=12;400000/000000;11./42X;4d6c/6h2c;r3c6h,b2s2c,rQd5s,b6s6s;2;lead;-;-;-;-;5s4s3s3sAsAsQs4h4h3h3h2h2hAhAh6d5d3d2dAd6c5c5c4c4c3cAcAcQc;As;one-chip/0,0/0,0/0,0/0,0/0,0/0,0/0,0/0,0/0,0/0,0/0;-\n\n2c 6c 6@1 2@1+6d 6@1 6@1 = 10 9\n";

#[test]
fn the_analysis_of_a_match_of_marrakesh_names_hidden_cards_and_shows_suits() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(&format!("{}/check", service.base()), (1000, 900));
    page.until("!document.querySelector('#form button').disabled");
    page.evaluate(&format!(
        "(record.value = {}, document.querySelector('#form button').click())",
        json!(LAST_TRICK)
    ));
    open(&page);
    let told = text(&page, "#analysed");
    for part in [
        "Hidden cards",
        "Points are the lead in the match.",
        "Luck and errors are rough here",
        "The most came from 6♦ on step",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains("dirhams"), "{told}");
    assert_eq!(page.troubles(), Vec::<String>::new());
}

#[test]
fn a_player_without_rating_gets_a_hint_on_the_board() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open_apart(service.base(), (1000, 900));
    page.until("!document.querySelector('#go').disabled");
    page.evaluate("document.querySelector('[name=hints]').click()");
    page.evaluate("document.querySelector('#go').click()");
    page.until("document.querySelector('#hint button') !== null");
    page.evaluate("document.querySelector('#hint button').click()");
    page.until("document.querySelectorAll('#hint tbody tr').length === 3 && document.querySelectorAll('#board .ghosts rect').length === 3");
    assert_eq!(page.troubles(), Vec::<String>::new());
}
