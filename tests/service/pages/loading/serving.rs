//! Serving the pages.

use crate::harness::{Service, sqlite};

/// Returns the paths of everything that a page loads from this service by relative addresses.
fn parts(html: &str) -> Vec<&str> {
    let quoted = html.split('"').filter(|part| part.trim_start_matches("../").starts_with("pages/"));
    quoted.map(|part| part.trim_start_matches("../")).collect()
}

#[test]
fn every_page_comes_with_all_that_it_names_under_a_policy_that_allows_nothing_else() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let client = service.stranger();
    for path in ["/", "/games/0123456789abcdef0123456789abcdef", "/check", "/dice", "/rules"] {
        let page = client.get(path);
        // The page of a game shows its own error, with the matching status.
        let status = if path.starts_with("/games/") { 404 } else { 200 };
        assert_eq!(
            (page.status, page.header("content-type")),
            (status, Some("text/html; charset=utf-8")),
            "{path}"
        );
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        for (name, value) in [
            ("referrer-policy", "no-referrer"),
            ("x-content-type-options", "nosniff"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(page.header(name), Some(value), "{path}");
        }
        assert!(!page.text.contains("://") && !page.text.contains("style="), "{path} leads out of here");
        let parts = parts(&page.text);
        assert!(parts.len() > 3, "{path}: {parts:?}");
        for part in &parts {
            let sent = client.get(&format!("/{part}"));
            assert_eq!(sent.status, 200, "{path} names {part}");
            // No module waits for another one to load.
            for module in sent.text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next()) {
                let module = format!("pages/{module}");
                assert!(
                    parts.contains(&module.as_str()),
                    "{path} does not name {module}, which {part} imports"
                );
            }
        }
    }
    assert_eq!(client.get("/pages/nothing.js").problem(), "route_not_found");
    assert_eq!(client.get("/pages/game.html").problem(), "route_not_found");
}

#[test]
fn the_first_page_weighs_at_most_60_kilobytes_with_everything() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let client = service.stranger();
    let weigh = |path: &str| {
        let sent = client.send("GET", path, &[("Accept-Encoding", "gzip")], "");
        assert_eq!(sent.status, 200, "{path}");
        sent.bytes.len()
    };
    let mut wanted = vec!["/".to_owned(), "/pages/text/en.json".to_owned()];
    let mut weight = 0;
    let mut next = 0;
    while let Some(path) = wanted.get(next).cloned() {
        next += 1;
        weight += weigh(&path);
        let text = client.get(&path).text;
        let folder = if path == "/" { "" } else { "/pages/" };
        let modules = text.split("from \"./").skip(1).filter_map(|rest| rest.split('"').next());
        let named = modules
            .map(|name| format!("{folder}{name}"))
            .chain(parts(&text).into_iter().map(|part| format!("/{part}")));
        let new: Vec<String> = named.filter(|name| !wanted.contains(name)).collect();
        wanted.extend(new);
        wanted.dedup();
    }
    assert!(next > 6, "{wanted:?}");
    assert!(weight <= 60 << 10, "{weight} bytes: {wanted:?}");
}

#[test]
fn without_pages_the_root_leads_to_the_interface() {
    let backend = &sqlite();
    let service = Service::start_with(backend, &["--no-pages"]);
    let root = service.stranger().get("/");
    assert_eq!((root.status, root.header("location")), (307, Some("docs/")));
    for path in ["/check", "/dice", "/rules", "/games/1", "/pages/style.css"] {
        assert_eq!(service.stranger().get(path).problem(), "route_not_found");
    }
}
