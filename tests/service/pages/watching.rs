//! Games that are watched and replayed.

use serde_json::json;

use crate::dice::Dice;
use crate::events::play_on;
use crate::harness::{Browser, Service, backends};

#[test]
fn whoever_watches_sees_every_ply_through_a_killed_service_and_goes_through_them_by_keys() {
    let Some(browser) = Browser::start() else { return };
    let backend = &backends()[0];
    let mut service = Service::start(backend);
    let wanted =
        json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "options": {"rugs_per_player": "6"}});
    let (game, secrets) = {
        let (game, players) = service.seated(wanted);
        (game, players.into_iter().map(|player| player.secret.unwrap()).collect::<Vec<_>>())
    };
    let page = browser.open_apart(&format!("{}/games/{game}", service.base()), (1000, 800));
    page.until("document.querySelector('#board svg')?.dataset.ply === '0'");
    assert_eq!(page.troubles(), Vec::<String>::new());
    let mut dice = Dice::new(3);
    let mut ply = 0;
    for is_last in [false, true] {
        {
            let seats: Vec<_> = secrets.iter().map(|secret| service.with_secret(secret)).collect();
            for _ in 0..6 {
                ply = play_on(&seats, &game, &mut dice).unwrap().1;
            }
        }
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{ply}'"));
        if !is_last {
            service = service.start_again(backend);
        }
    }
    // The service was away for a moment, and the page says nothing of that any more.
    page.until("document.querySelector('#lost').hidden");
    let log = service
        .stranger()
        .send("GET", &format!("/v1/games/{game}/log"), &[("Accept", "application/json")], "")
        .json();
    let words =
        page.evaluate("[...document.querySelectorAll('#words .ply code')].map((word) => word.textContent)");
    let logged: Vec<_> = log["words"].as_array().unwrap().iter().map(|word| word["word"].clone()).collect();
    assert_eq!(words.as_array().unwrap(), &logged, "each word once, in order");

    // Only the requests of the moment without a service failed.
    let troubles = page.troubles();
    assert!(troubles.iter().all(|trouble| trouble.contains("ERR_")), "{troubles:?}");
    let shows = |wanted: u64| {
        page.until(&format!("document.querySelector('#board svg').dataset.ply === '{wanted}'"));
    };
    page.press("ArrowLeft");
    shows(ply - 1);
    assert_eq!(page.evaluate("location.hash"), format!("#ply={}", ply - 1));
    page.press("Home");
    shows(0);
    page.press("ArrowRight");
    shows(1);
    page.press("End");
    shows(ply);
    assert_eq!(page.evaluate("location.hash"), "");
    page.go(&format!("{}/games/{game}#ply=2", service.base()));
    page.until("document.querySelector('#board svg')?.dataset.ply === '2'");
    // A step costs one request, for the picture after the next: that of the next is there.
    let asked = || page.evaluate("performance.getEntriesByType('resource').length").as_u64().unwrap();
    let before = asked();
    let steps = 5;
    for step in 1..=steps {
        page.press("ArrowRight");
        shows(2 + step);
    }
    assert!(asked() - before <= steps + 2, "{} requests for {steps} steps", asked() - before);
    // What was drawn says the same in words as in the picture.
    let label = page.evaluate("document.querySelector('[data-merchant]').dataset.merchant");
    let cell = format!("document.querySelector('[data-square={label}]').getAttribute('aria-label')");
    assert!(page.evaluate(&cell).as_str().unwrap().contains("Assam"));
    assert_eq!(page.troubles(), Vec::<String>::new());
}
