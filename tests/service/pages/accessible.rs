//! Accessibility of the pages, checked with axe-core.

use std::io::Write as _;
use std::path::Path;
use std::{env, fs, io};

use serde_json::{Value, json};

use crate::harness::{Browser, Page, Service, sqlite};

/// Returns the source of axe-core if scripts/pages has installed it, which CI must do.
fn axe() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let source = fs::read_to_string(root.join("pages/node_modules/axe-core/axe.min.js")).ok();
    if source.is_none() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs axe-core: run scripts/pages");
        // Straight to the stream, as libtest does not hold this back.
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED: no axe-core (scripts/pages installs it)").unwrap();
    }
    source
}

/// Returns the violations in a part of a page.
fn violations(page: &Page<'_>, axe: &str, part: &str) -> Value {
    page.evaluate(&format!("{axe}; true"));
    page.evaluate(&format!(
        "axe.run({part}, {{ resultTypes: ['violations'] }}).then(({{ violations }}) =>
            violations.map(({{ id, nodes }}) => [id, ...nodes.map(({{ html, failureSummary }}) => html + failureSummary)]))"
    ))
}

#[test]
fn axe_finds_nothing_wrong_on_any_page_whether_light_or_dark() {
    let (Some(browser), Some(axe)) = (Browser::start(), axe()) else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let games = [
        json!({"ruleset": "marrakech/1", "seats": ["random", "random", "random"]}),
        json!({"ruleset": "marrakesh/1", "seats": ["random", "random"]}),
        json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}),
    ];
    let games = games.map(|wanted| service.player().post("/v1/games", wanted).json()["id"].clone());
    let [over, other, open] = games.map(|id| format!("/games/{}", id.as_str().unwrap()));
    for scheme in ["light", "dark"] {
        let page = browser.open(&format!("{}/rules", service.base()));
        page.prefer(scheme);
        for (path, shows) in [
            ("/", "document.querySelector('#language option')"),
            ("/check", "document.querySelector('#language option')"),
            ("/dice", "document.querySelector('#tests table, #tests p')"),
            ("/rules", "document.querySelector('#language option')"),
            ("/verify.html", "document.querySelector('#language option')"),
            ("/nothing/here", "document.querySelector('#language option')"),
            ("/grammar", "document.querySelector('h1')"),
            ("/grammar/marrakesh", "document.querySelector('h1')"),
            (over.as_str(), "document.querySelector('main svg')"),
            (other.as_str(), "document.querySelector('main svg')"),
            (open.as_str(), "document.querySelector('main button')"),
        ] {
            page.go(&format!("{}{path}", service.base()));
            page.until(shows);
            assert_eq!(violations(&page, &axe, "document"), json!([]), "{path}, {scheme}");
        }
        for proof in [include_str!("../proofs/earlier/marrakech.json"), "{}"] {
            let files = json!([["proof.json", proof]]).to_string();
            page.go(&format!("{}/rules", service.base()));
            page.evaluate(&format!("sessionStorage['assam.proof'] = {}", json!(files)));
            page.go(&format!("{}/verify.html", service.base()));
            page.until("document.querySelector('#verdict h2')");
            page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true");
            assert_eq!(violations(&page, &axe, "document"), json!([]), "a proof, {scheme}");
        }
        page.go(&format!("{}/check", service.base()));
        page.until("document.getElementById('example')?.textContent !== ''");
        page.evaluate("document.getElementById('example').click()");
        page.until("document.querySelector('.drawn svg')");
        assert_eq!(violations(&page, &axe, "document"), json!([]), "a verdict, {scheme}");
        page.go(&format!("{}/docs/", service.base()));
        page.until("document.querySelectorAll('.opblock').length > 3");
        // The rest is Swagger UI's.
        assert_eq!(violations(&page, &axe, "'#introduction'"), json!([]), "/docs, {scheme}");
    }
}
