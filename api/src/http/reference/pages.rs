//! The pages for people: boards to play, watch and replay. They are built into the program, and use only the
//! public interface.

use std::collections::HashMap;
use std::sync::LazyLock;

use actix_web::http::StatusCode;
use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use actix_web::{HttpRequest, HttpResponse, web};
use assam_referee::picture;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use sha2::{Digest as _, Sha256};

use crate::app::{App, Caller};
use crate::http::games::game_request::game_id;
use crate::http::response::finished::{CHANGING, Finished};
use crate::problem::{Code, Problem};

/// Returns a file of the folder `pages` with the path at which it is served: its path without a first folder.
/// Modules can thus import each other as if they were in one folder.
macro_rules! file {
    ($path:literal) => {
        ($path, include_str!(concat!("../../../../pages/", $path)))
    };
    ($folder:literal, $name:literal) => {
        ($name, include_str!(concat!("../../../../pages/", $folder, "/", $name)))
    };
}

/// The files of the folder `pages`.
const FILES: [(&str, &str); 76] = [
    file!("analysis", "analysis.js"),
    file!("common", "api.js"),
    file!("common", "base.js"),
    file!("game", "board.js"),
    file!("game", "chart.js"),
    file!("check.html"),
    file!("check.js"),
    file!("dice.html"),
    file!("dice.js"),
    file!("game", "early.js"),
    file!("follow", "following.js"),
    file!("game.html"),
    file!("game", "game.js"),
    file!("game", "games.js"),
    file!("analysis", "ghosts.js"),
    file!("home.js"),
    file!("follow", "hub.js"),
    file!("icon.svg"),
    file!("index.html"),
    file!("game", "insight.js"),
    file!("game", "insist.js"),
    file!("seats", "join.js"),
    file!("common", "kept.js"),
    file!("game", "known.js"),
    file!("game", "marrakech.js"),
    file!("game", "marrakesh.js"),
    file!("not-found.html"),
    file!("not-found.js"),
    file!("seats", "opponents.js"),
    file!("common", "page.js"),
    file!("common", "picture.js"),
    file!("game", "play.js"),
    file!("common", "players.js"),
    file!("players/de.json"),
    file!("players/hand.svg"),
    file!("players/merchant-1.svg"),
    file!("players/merchant-2.svg"),
    file!("players/merchant-3.svg"),
    file!("players/merchant-4.svg"),
    file!("players/merchant-5.svg"),
    file!("players/merchant-6.svg"),
    file!("players/merchant-7.svg"),
    file!("players/merchant-8.svg"),
    file!("players/open.svg"),
    file!("players/random.svg"),
    file!("players/solitaire-ai.svg"),
    file!("game", "proof.js"),
    file!("seats", "qr.js"),
    file!("reasons.js"),
    file!("reasons/de.json"),
    file!("game", "replay.js"),
    file!("common", "retry.js"),
    file!("rules.html"),
    file!("rules.js"),
    file!("rules/marrakech-around.svg"),
    file!("rules/marrakech-choices.svg"),
    file!("rules/marrakech-end.svg"),
    file!("rules/marrakech-lay.svg"),
    file!("rules/marrakech-market.svg"),
    file!("rules/marrakech-pay.svg"),
    file!("rules/marrakech-turn.svg"),
    file!("rules/marrakesh-bonus.svg"),
    file!("rules/marrakesh-deal.svg"),
    file!("rules/marrakesh-off.svg"),
    file!("rules/marrakesh-ovals.svg"),
    file!("rules/marrakesh-trick.svg"),
    file!("seats", "seats.js"),
    file!("seats", "secret.js"),
    file!("follow", "shared.js"),
    file!("common", "speech.js"),
    file!("follow", "stream.js"),
    file!("style.css"),
    file!("common", "text.js"),
    file!("text/de.json"),
    file!("text/en.json"),
    file!("verify.html"),
];

/// The proof verifier, as for clients.
const VERIFIER: &str = include_str!("../../../../clients/javascript/verify.js");

/// The script inlined into the page of a game, as named in the file and as sent.
const EARLY: (&str, &str) =
    (r#"<script src="../pages/early.js"></script>"#, include_str!("../../../../pages/game/early.js"));

/// The policy of every file. Scripts, styles and requests must have this origin, apart from the inlined
/// script, and no page can be framed.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    let early = BASE64.encode(Sha256::digest(EARLY.1));
    format!(
        "default-src 'none'; script-src 'self' 'sha256-{early}'; style-src 'self'; img-src 'self' data: blob:; \
         connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
});

/// The policy of the page that checks proofs without the service. A saved copy has no headers, so the page
/// itself states a stricter one without requests. No other page can frame it.
static POLICY_ALONE: LazyLock<String> = LazyLock::new(|| {
    let page = include_str!("../../../../pages/verify.html");
    let own = page.split_once("Security-Policy\" content=\"").and_then(|(_, rest)| rest.split_once('"'));
    format!("{}; frame-ancestors 'none'", own.map_or("default-src 'none'", |(policy, _)| policy))
});

/// The other headers of every file.
const HEADERS: [(HeaderName, &str); 3] = [
    (REFERRER_POLICY, "no-referrer"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
];

/// The files, each compressed once, at its first request.
static FINISHED: LazyLock<HashMap<&str, Finished>> = LazyLock::new(|| {
    let stored = FILES.into_iter().chain([("verify.js", VERIFIER)]);
    let whole = |text: &str| text.replace(EARLY.0, &format!("<script>{}</script>", EARLY.1));
    let stored = stored.map(|(path, text)| (path, Finished::about_service(media_type(path), whole(text))));
    let picture = Finished::about_service("text/css; charset=utf-8", picture::style());
    stored.chain([("picture.css", picture)]).collect()
});

fn media_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}

/// Registers the pages.
pub fn routes(config: &mut web::ServiceConfig) {
    config
        .route("/", web::get().to(|req| page(req, "index.html")))
        .route("/check", web::get().to(|req| page(req, "check.html")))
        .route("/dice", web::get().to(|req| page(req, "dice.html")))
        .route("/rules", web::get().to(|req| page(req, "rules.html")))
        .route("/verify.html", web::get().to(|req| page(req, "verify.html")))
        .route("/games/{id}", web::get().to(game))
        .route("/pages/{path:.*}", web::get().to(part));
}

async fn page(req: HttpRequest, name: &'static str) -> Result<HttpResponse, Problem> {
    send(&req, name, StatusCode::OK)
}

/// Sends the page of a game. Its status is what a stranger gets for the game, because the page requests the
/// game itself with its browser's secret.
async fn game(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let Ok(id) = game_id(&req) else { return Err(nothing()) };
    let status = match app.game(&Caller::new(None), id).await.map_err(Problem::from) {
        Err(Problem { code: code @ (Code::GameNotFound | Code::GameRemoved), .. }) => code.status(),
        Ok(_) | Err(_) => StatusCode::OK,
    };
    send(&req, "game.html", status)
}

/// Sends the not-found page, with the way to the root of the service in its addresses.
///
/// # Errors
/// `internal` if the page is missing.
pub fn not_found(root: &str) -> Result<HttpResponse, Problem> {
    let page = FILES.iter().find(|(name, _)| *name == "not-found.html");
    let (name, text) = page.ok_or_else(|| Problem::internal("the not-found page is missing"))?;
    let text = text.replace("\"./", &format!("\"{root}"));
    let mut response = HttpResponse::NotFound();
    response.content_type(media_type(name)).insert_header((CACHE_CONTROL, CHANGING));
    headed(response.body(text), &POLICY)
}

fn nothing() -> Problem {
    Problem::new(Code::RouteNotFound, "there is no page at this path")
}

/// Sends a part of a page. The pages themselves have separate addresses.
async fn part(req: HttpRequest, path: web::Path<String>) -> Result<HttpResponse, Problem> {
    let name = if path.ends_with(".html") { "" } else { path.as_str() };
    send(&req, name, StatusCode::OK)
}

fn send(req: &HttpRequest, name: &str, status: StatusCode) -> Result<HttpResponse, Problem> {
    let file = FINISHED.get(name);
    let file = file.ok_or_else(|| Problem::new(Code::RouteNotFound, "the pages have no such file"))?;
    headed(file.send(req, status), if name == "verify.html" { &POLICY_ALONE } else { &POLICY })
}

/// Adds the policy and the other headers.
fn headed(mut response: HttpResponse, policy: &str) -> Result<HttpResponse, Problem> {
    let policy = HeaderValue::from_str(policy).map_err(Problem::internal)?;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    Ok(response)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};
    use std::fs;
    use std::path::Path;

    use assam_players::Player;

    use super::*;

    /// Folders that only group modules and are in no address.
    const FOLDERS: [&str; 5] = ["analysis/", "common/", "follow/", "game/", "seats/"];

    /// Files of the folder that no browser needs.
    const TOOLS: [&str; 5] = [".npmrc", "package.json", "package-lock.json", "tsconfig.json", "types.d.ts"];

    fn walk(folder: &Path, root: &Path, found: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.ends_with("node_modules") {
                continue;
            }
            if path.is_dir() {
                walk(&path, root, found);
            } else {
                found.push(path.strip_prefix(root).unwrap().to_str().unwrap().to_owned());
            }
        }
    }

    #[test]
    fn every_file_of_the_folder_is_in_the_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pages");
        let mut found = Vec::new();
        walk(&root, &root, &mut found);
        // verify.html includes these files.
        found.retain(|path| !TOOLS.contains(&path.as_str()) && !path.starts_with("verify/"));
        for path in &mut found {
            if let Some(name) = FOLDERS.iter().find_map(|folder| path.strip_prefix(folder)) {
                *path = name.to_owned();
            }
        }
        found.sort();
        assert_eq!(found, FILES.map(|(path, _)| path.to_owned()), "the table of files is not the folder");
        found.dedup();
        assert_eq!(found.len(), FILES.len(), "two files have the same address");
    }

    #[test]
    fn every_language_says_all_that_the_others_say_with_the_same_places_to_fill() {
        let of_pages = FILES.iter().filter(|(path, _)| path.starts_with("text/")).map(|(_, text)| *text);
        let alone = [
            include_str!("../../../../pages/verify/de.json"),
            include_str!("../../../../pages/verify/en.json"),
        ];
        for texts in [of_pages.collect::<Vec<_>>(), alone.to_vec()] {
            check_texts(&texts);
        }
    }

    fn check_texts(texts: &[&str]) {
        let places = |text: &str| {
            let mut places: Vec<String> =
                text.split('{').skip(1).map(|part| part.split('}').next().unwrap().to_owned()).collect();
            places.sort();
            places
        };
        let keys = texts.iter().map(|text| {
            let texts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
            let keys: Vec<(String, Vec<String>)> =
                texts.iter().map(|(key, text)| (key.clone(), places(text.as_str().unwrap()))).collect();
            keys
        });
        let keys: Vec<_> = keys.collect();
        assert!(keys.len() > 1);
        for other in &keys {
            let missing: Vec<_> = keys[0].iter().filter(|entry| !other.contains(entry)).collect();
            let more: Vec<_> = other.iter().filter(|entry| !keys[0].contains(entry)).collect();
            assert!(missing.is_empty() && more.is_empty(), "missing {missing:?}, too much {more:?}");
        }
    }

    /// Returns the rule ids in the sources of a crate.
    fn rules_in(sources: &str) -> BTreeSet<String> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(sources);
        let mut files = Vec::new();
        walk(&root, &root, &mut files);
        let mut rules = BTreeSet::new();
        for file in files {
            let source = fs::read_to_string(root.join(file)).unwrap();
            for prefix in ["\"notation.", "\"marrakech.", "\"marrakesh."] {
                let ids = source.split(prefix).skip(1).filter_map(|rest| rest.split_once('"'));
                rules.extend(ids.map(|(id, _)| format!("{}{id}", &prefix[1..])));
            }
        }
        rules
    }

    #[test]
    fn every_rule_that_a_record_can_break_has_a_reason_in_each_language_that_is_not_english() {
        let rules: BTreeSet<String> = ["rules/src", "notation/src"].into_iter().flat_map(rules_in).collect();
        assert!(rules.contains("notation.marker.missing") && rules.contains("marrakesh.use.no-piece"));
        let languages = FILES.iter().filter(|(path, _)| path.starts_with("text/") && *path != "text/en.json");
        for (path, _) in languages {
            let reasons = path.replace("text/", "reasons/");
            let (_, text) = FILES.iter().find(|(path, _)| *path == reasons).unwrap();
            let reasons: BTreeMap<String, String> = serde_json::from_str(text).unwrap();
            assert_eq!(reasons.into_keys().collect::<BTreeSet<_>>(), rules, "{path}");
        }
    }

    #[test]
    fn every_player_has_a_portrait_and_a_translation_into_each_language_that_is_not_english() {
        let family = |player: &Player| player.name().split('/').next().unwrap();
        let players: BTreeSet<&str> = Player::ALL.iter().map(family).collect();
        for player in &players {
            let portrait = format!("players/{player}.svg");
            assert!(FILES.iter().any(|(path, text)| *path == portrait && text.len() < 2500), "{portrait}");
        }
        let languages = FILES.iter().filter(|(path, _)| path.starts_with("text/") && *path != "text/en.json");
        for (path, _) in languages {
            let path = path.replace("text/", "players/");
            let (_, text) = FILES.iter().find(|(other, _)| *other == path).unwrap();
            let translated: BTreeMap<&str, BTreeMap<&str, &str>> = serde_json::from_str(text).unwrap();
            assert!(translated.values().all(|texts| texts.keys().eq(&["meaning", "title"])), "{path}");
            assert_eq!(translated.into_keys().collect::<BTreeSet<_>>(), players, "{path}");
        }
    }

    /// Codes that the pages never get. An invalid record is a verdict, not a problem.
    const UNMET: [Code; 25] = [
        Code::BadJson,
        Code::BadRequest,
        Code::UnknownField,
        Code::NotationSyntax,
        Code::KeyMissing,
        Code::ReceiptNotFound,
        Code::TileNotFound,
        Code::BeaconNotFound,
        Code::RouteNotFound,
        Code::MethodNotAllowed,
        Code::NotAcceptable,
        Code::StaleHead,
        Code::UnsupportedMediaType,
        Code::UnsupportedNotation,
        Code::ScoreMismatch,
        Code::WrongMarker,
        Code::MissingMarker,
        Code::ChanceNotYours,
        Code::UnknownRuleset,
        Code::UnknownOption,
        Code::ImpossiblePosition,
        Code::MaskedRecord,
        Code::CosignatureRefused,
        Code::BeaconRefused,
        Code::IdempotencyMismatch,
    ];

    #[test]
    fn every_problem_that_the_pages_can_meet_and_every_fault_of_a_record_is_told_in_words() {
        let (_, text) = FILES.iter().find(|(path, _)| *path == "text/en.json").unwrap();
        let texts: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).unwrap();
        let told = |kind: &str, of_pages: &[&str]| {
            let keys = texts.keys().filter_map(|key| key.strip_prefix(kind));
            let mut told: Vec<String> =
                keys.filter(|key| !of_pages.contains(key)).map(str::to_owned).collect();
            told.sort();
            told
        };
        let sorted = |codes: Vec<Code>| {
            let mut names: Vec<String> = codes.into_iter().map(|code| code.as_str().to_owned()).collect();
            names.sort();
            names
        };
        let met = Code::ALL.iter().copied().filter(|code| !UNMET.contains(code)).collect();
        assert_eq!(
            told("problem.", &["other", "page", "seat_forgotten", "seat_untrue", "unreachable"]),
            sorted(met)
        );
        assert_eq!(
            told("fault.", &[]),
            sorted(<assam_notation::Error as crate::problem::HasProblemCodes>::codes())
        );
    }
}
