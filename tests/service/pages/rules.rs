//! The page of the rules.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::harness::{Browser, Service, assam, out, sqlite};

#[test]
fn the_pictures_of_the_rules_are_those_that_the_program_draws() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let names = |folder: &str, ending: &str| -> Vec<String> {
        let files = fs::read_dir(root.join(folder)).unwrap();
        let files = files.map(|file| file.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> =
            files.map(|file| file.strip_suffix(ending).unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let records = names("docs/rules/pictures", ".mkn");
    assert_eq!(records, names("pages/rules", ".svg"));
    assert!(records.len() > 10);
    for name in records {
        let record = root.join(format!("docs/rules/pictures/{name}.mkn"));
        let mut arguments = vec!["convert", record.to_str().unwrap(), "--to", "svg", "--board-only"];
        arguments.extend(name.ends_with("-choices").then_some("--legal"));
        let picture = fs::read_to_string(root.join(format!("pages/rules/{name}.svg"))).unwrap();
        assert!(out(&assam(&arguments, "")) == picture, "{name}: run scripts/rule-pictures");
    }
}

#[test]
fn both_games_are_explained_in_either_language_with_pictures_that_are_described() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let page = browser.open(&format!("{}/rules", service.base()));
    for (language, heading, says) in
        [("en", "Rules", "a club beats a spade"), ("de", "Regeln", "Kreuz schlägt Pik")]
    {
        page.evaluate(&format!("localStorage.setItem('assam.language', '{language}')"));
        page.go(&format!("{}/rules?{language}", service.base()));
        page.until(&format!("document.querySelector('h1').textContent === '{heading}'"));
        page.until(&format!("document.body.innerText.includes('{says}')"));
        let empty = page.evaluate(
            "Array.from(document.querySelectorAll('[data-text], [data-label]')).filter((element) =>
                /^(rules|page)\\.|^$/.test(element.dataset.text ? element.textContent : element.getAttribute('aria-label') ?? ''))
                .length",
        );
        assert_eq!(empty, 0, "texts that are missing");
        page.evaluate("document.querySelectorAll('img').forEach((image) => (image.loading = 'eager'))");
        page.until("Array.from(document.images).every((image) => image.complete && image.naturalWidth > 0)");
        assert_eq!(page.evaluate("document.querySelectorAll('.pictures img').length"), json!(12));
        // Labelled pictures, which the service writes in English.
        let translated = if language == "en" { 0 } else { 5 };
        page.until(&format!("document.querySelectorAll('.pictures img[src^=blob]').length === {translated}"));
    }
    page.evaluate("localStorage.clear()");
}
