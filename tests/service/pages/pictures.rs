//! The pictures in the documents match the pages in a current browser. `ASSAM_RECORD=1` takes them again.

use std::fs;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;

use super::player::open_as;
use crate::documents::root;
use crate::harness::{Browser, Page, Service, assam, out, sqlite};

const DESK: (u32, u32) = (1280, 860);
const PHONE: (u32, u32) = (390, 780);

/// The allowed difference of two pictures of the same page, as fonts and browser versions draw letters
/// differently. It is the share of white, averaged over all points of pictures scaled to an eighth.
const TOLERANCE: f64 = 0.02;

/// Returns the mean difference of two PNGs in base64, from 0 to 1. Pictures of different sizes differ by 1.
const DIFFERENCE: &str = "(async (taken, committed) => {
    const points = async (text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
        const canvas = new OffscreenCanvas(picture.width / 8, picture.height / 8);
        const context = canvas.getContext('2d');
        context.imageSmoothingQuality = 'high';
        context.drawImage(picture, 0, 0, canvas.width, canvas.height);
        return context.getImageData(0, 0, canvas.width, canvas.height).data;
    };
    const [one, other] = [await points(taken), await points(committed)];
    if (one.length !== other.length) return 1;
    return one.reduce((sum, value, place) => sum + Math.abs(value - other[place]), 0) / one.length / 255;
})";

fn difference(page: &Page<'_>, taken: &str, committed: &str) -> f64 {
    page.evaluate(&format!("{DIFFERENCE}('{taken}', '{committed}')")).as_f64().unwrap()
}

/// Compares a page with the committed picture. Returns the picture.
fn is_committed(page: &Page<'_>, name: &str) -> String {
    page.evaluate("document.fonts.ready.then(() => true)");
    let shot = page.command("Page.captureScreenshot", json!({"format": "png"}));
    let taken = shot["data"].as_str().unwrap().to_owned();
    let path = root().join(format!("docs/images/{name}.png"));
    if std::env::var_os("ASSAM_RECORD").is_some() {
        fs::write(path, BASE64.decode(&taken).unwrap()).unwrap();
        return taken;
    }
    let committed = BASE64.encode(fs::read(path).unwrap_or_default());
    let difference = difference(page, &taken, &committed);
    assert!(
        difference < TOLERANCE,
        "{name}.png differs by {difference}: `ASSAM_RECORD=1 scripts/test pages::pictures`"
    );
    taken
}

/// Imports a random game, played by these people at an event. Returns its id.
fn imported(service: &Service, ruleset: &str, seed: &str, names: &[&str]) -> String {
    let seats = names.len().to_string();
    let record = out(&assam(&["random", "1", "--ruleset", ruleset, "--seats", &seats, "--seed", seed], ""));
    let (setup, words) = record.split_once('\n').unwrap();
    let seats: String = (1..).zip(names).map(|(seat, name)| format!("seat{seat}: {name}\n")).collect();
    let tagged = format!("{setup}\nevent: Spring Market\nround: 1\n{seats}date: 2026-03-21\n{words}");
    let answer = service.stranger().post_text("/v1/imports", &tagged);
    assert_eq!(answer.status, 201, "{}", answer.text);
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Resizes the screen of a page, with so many points a pixel, as phones have more than one.
fn resize(page: &Page<'_>, (width, height): (u32, u32), scale: u32) {
    let size = json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": scale > 1});
    page.command("Emulation.setDeviceMetricsOverride", size);
    page.command("Emulation.setScrollbarsHidden", json!({"hidden": true}));
}

#[test]
fn the_pictures_in_the_documents_show_the_pages() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let base = service.base();
    let market = imported(&service, "marrakech/1", "7", &["Aisha", "Omar", "Lea"]);
    let cards = imported(&service, "marrakesh/1", "3", &["Blue Moon", "Red Fort"]);

    // A game with the reader on turn continues from a position of the first one.
    let position = service.stranger().get(&format!("/v1/games/{market}/states/60")).json();
    let position = position["position"].as_str().unwrap();
    let aisha = service.player();
    let seats = json!(["open", "random", "random"]);
    let wanted = json!({
        "ruleset": "marrakech/1", "seats": seats, "position": position, "take": {"seat": 1, "name": "Aisha"},
    });
    let created = aisha.post("/v1/games", wanted).json();
    let running = created["id"].as_str().unwrap_or_else(|| panic!("{created}"));

    let ply = |wanted: u64| format!("document.querySelector('#board svg')?.dataset.ply === '{wanted}'");
    let at = |path: &str| {
        let page = browser.open_apart(&format!("{base}{path}"), DESK);
        resize(&page, DESK, 1);
        page
    };

    let desk = open_as(&browser, &service, &aisha, &format!("/games/{running}"), &[]);
    resize(&desk, DESK, 1);
    desk.until("document.querySelector('#board .choice')");
    let marrakech = is_committed(&desk, "marrakech");

    let phone = open_as(&browser, &service, &aisha, &format!("/games/{running}"), &[]);
    resize(&phone, PHONE, 2);
    phone.until("document.querySelector('#board .choice')");
    is_committed(&phone, "phone");

    let match_of_cards = at(&format!("/games/{cards}?ply=40"));
    match_of_cards.until(&ply(40));
    let marrakesh = is_committed(&match_of_cards, "marrakesh");
    assert!(
        difference(&match_of_cards, &marrakech, &marrakesh) > TOLERANCE,
        "another page is another picture"
    );

    let replay = at(&format!("/games/{market}?ply=59"));
    replay.until(&ply(59));
    is_committed(&replay, "replay");

    let home = at("/");
    home.until("document.querySelectorAll('a[href*=\"games/\"]').length > 1");
    is_committed(&home, "home");

    let check = at("/check");
    check.until("!document.getElementById('example').disabled");
    check.evaluate("document.getElementById('example').click()");
    check.until("document.querySelector('#verdict pre.excerpt') && document.querySelector('#verdict svg')");
    check.evaluate("document.querySelector('#verdict').scrollIntoView()");
    is_committed(&check, "check");

    let docs = at("/docs");
    docs.until("document.querySelectorAll('h2, h3').length > 3");
    docs.until("document.querySelector('.opblock')");
    docs.evaluate("document.querySelector('.opblock-tag-section').scrollIntoView()");
    is_committed(&docs, "docs");
}
