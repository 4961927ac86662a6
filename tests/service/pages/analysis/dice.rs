//! The page of the dice.

use serde_json::json;

use crate::harness::{Browser, Service, soon, sqlite};

#[test]
fn the_page_of_the_dice_states_sample_test_and_luck_and_leads_to_every_roll() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let stranger = service.stranger();
    for _ in 0..6 {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["merchant-1", "random"]});
        assert_eq!(stranger.post("/v1/games", wanted).status, 201);
    }
    let dice = soon(60, || {
        let dice = stranger.get("/v1/players/random/dice").json();
        (dice["rulesets"][0]["games"] == 6).then_some(dice)
    });
    let dice = dice.unwrap();
    let page = browser.open_apart(&format!("{}/dice?player=random", service.base()), (1000, 900));
    page.until("document.querySelectorAll('#rolls tbody tr').length > 0");
    assert_eq!(page.evaluate("whose.value"), "random");
    let told = page.evaluate("document.querySelector('#tests').textContent");
    let told = told.as_str().unwrap();
    let meaning = dice["rulesets"][0]["meaning"].as_str().unwrap();
    let sample = format!("{} dice in 6 games", dice["rulesets"][0]["dice"]);
    for sentence in [sample.as_str(), meaning, "wins to those who threw", "So this is"] {
        assert!(told.contains(sentence), "{sentence}: {told}");
    }
    let faces = page.evaluate(
        "[...document.querySelectorAll('#tests tbody tr')].map((row) => Number(row.children[1].textContent))",
    );
    let counted: Vec<_> =
        dice["rulesets"][0]["faces"].as_array().unwrap().iter().map(|face| face["rolled"].clone()).collect();
    assert_eq!(faces, json!(counted));

    // The sixth game is on the next page.
    let rows = |page: &crate::harness::Page<'_>| {
        page.evaluate("document.querySelectorAll('#rolls tbody tr').length")
    };
    let first = rows(&page).as_u64().unwrap();
    page.evaluate("more.click()");
    page.until("more.hidden");
    assert_eq!(json!(rows(&page)), dice["rulesets"][0]["dice"]);
    assert!(rows(&page).as_u64().unwrap() > first);
    page.evaluate("(whose.value = 'hand', whose.dispatchEvent(new Event('change')))");
    page.until("document.querySelector('#tests').textContent.includes('No dice yet.')");
    page.evaluate("(whose.value = '', whose.dispatchEvent(new Event('change')))");
    page.until("document.querySelectorAll('#rolls tbody tr').length > 0");
    page.evaluate("document.querySelector('#rolls tbody tr a').click()");
    page.until("/^#ply=\\d+$/.test(location.hash) && document.querySelector('#board svg') !== null");

    // The proof of a roll is a button away, on the same page.
    page.evaluate("history.back()");
    page.until("document.querySelectorAll('#rolls tbody tr').length > 0");
    page.evaluate("document.querySelector('#rolls tbody tr td:last-child a').click()");
    page.until("document.querySelector('#proof')?.closest('details').open && document.querySelector('#proof button') !== null");
    page.evaluate("document.querySelector('#proof button').click()");
    page.until("document.querySelector('#proof .steps') !== null");
    assert_eq!(page.troubles(), Vec::<String>::new());
}
