//! Conditions on entity tags, also as proxies rewrite them.

use super::{scene, tag};
use crate::harness::{Service, is_untagged, sqlite};

/// Returns a tag as compressing proxies rewrite it: nginx, Varnish, HAProxy and Cloudflare. Also Apache, with
/// Brotli and in older versions, Caddy, Jetty and LiteSpeed.
pub(crate) fn behind_proxies(tag: &str) -> Vec<String> {
    let bare = tag.trim_matches('"');
    let added = ["-gzip", "-br", "-zstd", "--gzip", ";gzip", ";gz", ";br", "-gzip-gzip"];
    let mut forms: Vec<String> = added.iter().map(|added| format!("\"{bare}{added}\"")).collect();
    forms.extend([format!("W/\"{bare}\""), format!("W/\"{bare}-gzip\""), format!("\"{bare}\"-gzip")]);
    forms
}

#[test]
fn what_the_client_has_already_is_not_sent_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    let mut paths = service.readable(path.strip_prefix("/v1/games/").unwrap());
    paths.retain(|path| !is_untagged(path));
    for path in paths {
        let fresh = players[0].get(&path);
        let tag = fresh.header("etag").unwrap();
        let ask = |method, wanted: &str| players[0].send(method, &path, &[("If-None-Match", wanted)], "");
        let mut known = behind_proxies(tag);
        known.extend([tag, "*"].map(str::to_owned));
        known.extend([format!("\"x\", {tag}"), format!("\"x\",W/{tag} , \"y\"")]);
        for known in &known {
            for method in ["GET", "HEAD"] {
                let answer = ask(method, known);
                assert_eq!((answer.status, answer.bytes.len()), (304, 0), "{method} {path} {known}");
                let sent = answer.header("etag").unwrap().replace("-gzip\"", "\"");
                assert_eq!(sent, tag, "{path} {known}");
                for header in ["cache-control", "vary"] {
                    assert_eq!(answer.header(header), fresh.header(header), "{path}");
                }
            }
        }
        let head = tag.trim_matches('"').split('.').next().unwrap();
        let longer = format!("{}0\"", tag.trim_end_matches('"'));
        for other in ["\"x\"", "", &format!("\"{head}\""), &format!("\"{head}.0000000000000000\""), &longer] {
            let answer = ask("GET", other);
            assert_eq!((answer.status, &answer.text), (200, &fresh.text), "{path} {other}");
        }
    }
    // Another viewer has another body, so another tag.
    let mine = players[0].get(&path);
    let yours = players[1].send("GET", &path, &[("If-None-Match", mine.header("etag").unwrap())], "");
    assert_eq!((yours.status, yours.json()["your_seat"].as_u64()), (200, Some(2)));
}

#[test]
fn a_move_with_if_match_is_written_only_where_the_head_is_the_one_that_it_was_chosen_for() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (path, players) = scene(&service);
    let mut stale = "\"-\"".to_owned();
    // Each of these names the current head, and the first move is already written.
    let forms = |tag: &str, head: &str| {
        let mut forms = behind_proxies(tag);
        forms.extend(behind_proxies(&format!("\"{head}\"")));
        forms.extend([
            tag.to_owned(),
            head.to_owned(),
            format!("\"{head}\""),
            format!("\"{head}.0000000000000000\""),
            format!("\"x\", {tag}"),
            format!("\"x\",W/{tag} , \"y\""),
            "*".to_owned(),
        ]);
        forms
    };
    for ply in 2..2 + forms("\"\"", "").len() {
        let legal = players[0].get(&format!("{path}/legal-moves"));
        let player = &players[legal.json()["seat"].as_u64().unwrap() as usize - 1];
        let decision = legal.json()["moves"][0].as_str().unwrap().to_owned();
        let now = legal.header("etag").unwrap().to_owned();
        let (weak, longer) = (format!("W/{stale}"), format!("\"{}0\"", tag(&legal).0));
        let send = |tag: &str| {
            let headers = [("If-Match", tag), ("Content-Type", "text/plain")];
            player.send("PUT", &format!("{path}/moves/{ply}"), &headers, &decision)
        };
        for wrong in [stale.as_str(), "\"\"", "", "\"-\"", "\"*\"", "W/\"\"", &weak, &longer] {
            let refused = send(wrong);
            assert_eq!((refused.problem().as_str(), refused.status), ("stale_head", 412), "{wrong}");
            assert_eq!(refused.json()["head"], legal.json()["head"]);
        }
        let form = forms(&now, &tag(&legal).0).swap_remove(ply - 2);
        let written = send(&form);
        assert_eq!(written.status, 201, "{form}: {}", written.text);
        stale = now;
        // A repeated move is not new, and is answered as before.
        assert_eq!((send(&stale).status, send("\"x\"").text), (200, written.text));
    }
}
