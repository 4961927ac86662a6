//! The documentation page in a real browser, cut off from the internet.

use std::process::Command;

use serde_json::Value;

use crate::harness::{Browser, Service, sqlite};

#[test]
fn the_documentation_page_shows_every_operation_in_a_browser_without_the_internet() {
    let Some(browser) = Browser::start() else { return };
    let backend = &sqlite();
    let service = Service::start(backend);
    let openapi = service.stranger().get("/openapi.json").json();
    let items = openapi["paths"].as_object().unwrap().values();
    let all: Vec<&Value> = items.flat_map(|item| item.as_object().unwrap().values()).collect();
    let page = browser.open(&format!("{}/docs", service.base()));
    page.until(&format!("document.querySelectorAll('.opblock').length === {}", all.len()));
    let shown = page.evaluate("document.documentElement.outerHTML");
    // Swagger UI puts zero-width spaces into long paths, so that they can wrap.
    let shown = shown.as_str().unwrap().replace('\u{200b}', "").replace("<wbr>", "");
    for (path, item) in openapi["paths"].as_object().unwrap() {
        assert!(shown.contains(path), "{path} is not on the page");
        for operation in item.as_object().unwrap().values() {
            let summary = operation["summary"].as_str().unwrap();
            assert!(shown.contains(summary), "{summary} is not on the page");
        }
    }
    assert!(all.len() >= 20);
    for shows in ["<title>Assam: the interface</title>", "Your first game", "Problems", "Versions"] {
        assert!(shown.contains(shows), "{shows} is not on the page");
    }
    // No secret is entered, so exactly the operations that need one are locked.
    let is = |operation: &Value, needs: bool| {
        let security = operation["security"].as_array().unwrap();
        !security.is_empty() && security.iter().all(|one| !one.as_object().unwrap().is_empty()) == needs
    };
    for (label, needs) in [("locked", true), ("unlocked", false)] {
        let shown = shown.matches(&format!(r#"aria-label="authorization button {label}""#)).count();
        assert_eq!(shown, all.iter().filter(|operation| is(operation, needs)).count(), "{label}");
        assert!(shown > 3);
    }
    assert!(shown.contains(r#"class="btn authorize locked""#));
}

#[test]
fn the_lines_of_the_introduction_create_a_game_and_make_its_first_move_when_pasted() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let openapi = service.stranger().get("/openapi.json").json();
    let introduction = openapi["info"]["description"].as_str().unwrap().to_owned();
    let blocks = introduction.split("```sh\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let script = blocks.fold(String::new(), |script, block| script + block);
    let script = script.replace("http://127.0.0.1:8080", service.base());
    let folder = tempfile::tempdir().unwrap();
    let mut bash = Command::new("bash");
    let output = bash.args(["-euo", "pipefail", "-c", &script]).current_dir(folder.path()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(told["words"][0].as_str().unwrap().starts_with("N+"), "{told}");
    assert!(
        told["legal_moves"]["moves"].as_array().unwrap().len() > 1 && told["state"].is_object(),
        "{told}"
    );
    // Every path and page that it names exists.
    for path in ["/grammar", "/v1/problems"] {
        assert!(introduction.contains(path));
        assert_eq!(service.stranger().get(path).status, 200);
    }
}

#[test]
fn the_files_of_the_documentation_page_are_sent_once_and_compressed() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let client = service.stranger();
    let page = client.get("/docs/").text;
    let names = page.split('"').filter(|part| [".js", ".css", ".png"].iter().any(|end| part.ends_with(end)));
    let names: Vec<&str> = names.collect();
    assert!(names.len() >= 5 && !page.contains("://"), "{page}");
    for name in names {
        let path = format!("/docs/{name}");
        let sent = client.send("GET", &path, &[("Accept-Encoding", "gzip")], "");
        assert_eq!((sent.status, sent.header("cache-control")), (200, Some("no-cache")), "{path}");
        if sent.bytes.len() > 1000 {
            assert_eq!(sent.header("content-encoding"), Some("gzip"), "{path}");
        }
        let known = [("Accept-Encoding", "gzip"), ("If-None-Match", sent.header("etag").unwrap())];
        let again = client.send("GET", &path, &known, "");
        assert_eq!((again.status, again.bytes.len()), (304, 0), "{path}");
    }
    assert_eq!(client.get("/docs/nothing.js").problem(), "route_not_found");
}
