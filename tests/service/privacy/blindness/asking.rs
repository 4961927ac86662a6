//! Requests about a game: every route of the service's own document, and attempts of players.

use std::collections::BTreeSet;

use assam_record::game::GameId;
use assam_rules::marrakesh::{Action, Card, Digit, Side};
use assam_rules::{Game as _, Turn, Viewer};
use serde_json::{Value, json};

use super::grown::{hex, player};
use super::known::{is_legal, is_on_turn, position, text, words};
use super::twins::Pair;
use crate::dice::Dice;

/// A request. In its headers `HEAD` is replaced by the head of the game. `KNOWN` becomes the entity tag of
/// the viewer's answer at this moment, and `OLDER` that of an earlier moment.
#[derive(Clone, Debug)]
pub(super) struct Request {
    /// The documented method and path.
    pub(super) route: String,
    pub(super) method: String,
    pub(super) path: String,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: String,
}

/// Every documented route.
pub(super) struct Routes(Vec<Route>);

struct Route {
    method: String,
    path: String,
    queries: Vec<String>,
    media_types: Vec<String>,
}

/// The current state of the two games of a pair.
pub(super) struct Moment<'a> {
    pub(super) pair: &'a Pair,
    /// The number of submissions so far.
    pub(super) at: usize,
}

impl Request {
    /// Returns a request outside the routes, with a text body.
    pub(super) fn new(method: &str, path: &str, body: &str) -> Self {
        let headers =
            if body.is_empty() { Vec::new() } else { vec![("Content-Type", "text/plain".to_owned())] };
        let [route, method, path, body] = ["", method, path, body].map(str::to_owned);
        Self { route, method, path, headers, body }
    }
}

impl Moment<'_> {
    pub(super) fn id(&self) -> GameId {
        self.pair.twins[0].stood[0].info.id
    }

    pub(super) fn last(&self) -> u32 {
        self.pair.twins[0].stood[self.at].info.head.unwrap().ply
    }

    fn is_over(&self) -> bool {
        self.pair.twins.iter().any(|twin| twin.stood[self.at].info.is_over())
    }

    /// Returns the public ids of the players with secrets.
    fn players(&self) -> Vec<String> {
        self.pair.seats.iter().flatten().map(|secret| player(secret).to_string()).collect()
    }
}

impl Routes {
    pub(super) fn of(document: &Value) -> Self {
        let mut routes = Vec::new();
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, operation) in item.as_object().unwrap() {
                let parameters = operation["parameters"].as_array().map_or(&[][..], Vec::as_slice);
                let named = |place: &str| {
                    let here = parameters.iter().filter(|parameter| parameter["in"] == place);
                    here.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
                };
                let headers = named("header");
                // No request id is sent, so each differs, and the comparison ignores it.
                let known = ["If-Match", "If-None-Match", "Idempotency-Key", "Last-Event-ID", "X-Request-Id"];
                assert!(
                    headers.iter().all(|name| known.contains(&name.as_str())),
                    "the law knows no header of {headers:?} of {path}"
                );
                let content = operation["responses"]["200"]["content"].as_object();
                routes.push(Route {
                    method: method.to_uppercase(),
                    path: path.clone(),
                    queries: named("query"),
                    media_types: content.into_iter().flat_map(|content| content.keys().cloned()).collect(),
                });
            }
        }
        Self(routes)
    }

    /// Returns the names of all routes.
    pub(super) fn names(&self) -> BTreeSet<String> {
        self.0.iter().map(Route::name).collect()
    }

    /// Returns every read of a game, and one of another page.
    pub(super) fn looks(&self, moment: &Moment<'_>, dice: &mut Dice) -> Vec<Request> {
        let looks =
            self.0.iter().filter(|route| route.method == "GET").flat_map(|route| route.looks(moment, dice));
        let (mut of_game, others): (Vec<Request>, Vec<Request>) =
            looks.collect::<Vec<_>>().into_iter().partition(|request| request.route.contains("/v1/games/"));
        // Each route equally often, for any number of forms.
        let routes: Vec<&str> = others
            .iter()
            .map(|request| request.route.as_str())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        let route = dice.pick(&routes);
        let forms: Vec<&Request> = others.iter().filter(|request| request.route == route).collect();
        of_game.push(dice.pick(&forms).clone());
        of_game
    }

    /// Returns requests that change nothing hidden: refused and repeated moves, and some others.
    pub(super) fn acts(&self, moment: &Moment<'_>, log: &str, dice: &mut Dice) -> Vec<Request> {
        let (mut moves, mut others) = (Vec::new(), Vec::new());
        for route in self.0.iter().filter(|route| route.method != "GET") {
            let seat = format!("/v1/games/{}/seats/{}", moment.id(), 1 + dice.below(3));
            match (route.method.as_str(), route.path.as_str()) {
                ("PUT", "/v1/games/{id}/moves/{ply}") => moves.extend(submissions(route, moment, dice)),
                ("PUT", "/v1/games/{id}/seats/{seat}") => {
                    let wanted = dice.pick(&["{}", r#"{"name": "Ali"}"#, r#"{"entropy": "0"}"#]);
                    others.push(route.json(seat, wanted));
                }
                ("PATCH", "/v1/games/{id}/seats/{seat}") => {
                    let wanted = dice.pick(&["{}", r#"{"name": "Lea"}"#, r#"{"name": null}"#]);
                    others.push(route.json(seat, wanted));
                }
                // The game has started.
                ("DELETE", "/v1/games/{id}") => {
                    others.push(route.to(format!("/v1/games/{}", moment.id()), Vec::new(), ""));
                }
                // For finished games it creates new ones, each with separate secrets and times.
                ("POST", "/v1/games/{id}/rematch") if moment.is_over() => {}
                ("POST", "/v1/games/{id}/rematch") => {
                    others.push(route.to(format!("/v1/games/{}/rematch", moment.id()), Vec::new(), ""));
                }
                ("DELETE", "/v1/games/{id}/seats/{seat}") => others.push(route.to(seat, Vec::new(), "")),
                ("PUT", "/v1/games/{id}/seats/{seat}/secret") => {
                    let wanted = dice.pick(&["{}", r#"{"secret": "0"}"#]);
                    others.push(route.json(format!("{seat}/secret"), wanted));
                }
                // Like most games, it has no beacon.
                ("PUT", "/v1/games/{id}/beacon") => {
                    let signature = "00".repeat(48);
                    let wanted = json!({"round": 1, "signature": signature}).to_string();
                    let wanted = dice.pick(&["{}", wanted.as_str()]);
                    others.push(route.json(format!("/v1/games/{}/beacon", moment.id()), wanted));
                }
                ("POST", "/v1/outcomes") => {
                    let position = json!({"position": "MKN/1 marrakesh/1 seats=2", "moves": ["6s"]});
                    others
                        .push(route.json(route.path.clone(), &json!({"positions": [position]}).to_string()));
                }
                ("POST", "/v1/games") => {
                    let mut refused = route.json(route.path.clone(), r#"{"ruleset": "x/1", "seats": []}"#);
                    refused.headers.push(("Idempotency-Key", hex(dice)));
                    others.push(refused);
                }
                (
                    "POST",
                    "/v1/validate"
                    | "/v1/validate/picture"
                    | "/v1/validate/bulk"
                    | "/v1/analysis"
                    | "/v1/analysis/bulk"
                    | "/v1/imports"
                    | "/v1/imports/bulk"
                    | "/log/cosignatures",
                ) => others.push(route.text(route.path.clone(), log)),
                (method, path) => panic!("the law does not know what to send to {method} {path}"),
            }
        }
        let nowhere = [("PATCH", ""), ("POST", "/log"), ("GET", "/hands"), ("PUT", "/proof")];
        let nowhere = nowhere
            .map(|(method, path)| Request::new(method, &format!("/v1/games/{}{path}", moment.id()), ""));
        others.extend(nowhere);
        moves.extend((0..3).map(|_| others[dice.below(others.len() as u64) as usize].clone()));
        moves
    }
}

impl Route {
    fn name(&self) -> String {
        format!("{} {}", self.method, self.path)
    }

    fn to(&self, path: String, headers: Vec<(&'static str, String)>, body: &str) -> Request {
        Request { route: self.name(), method: self.method.clone(), path, headers, body: body.to_owned() }
    }

    fn json(&self, path: String, body: &str) -> Request {
        self.to(path, vec![("Content-Type", "application/json".to_owned())], body)
    }

    fn text(&self, path: String, body: &str) -> Request {
        self.to(path, vec![("Content-Type", "text/plain".to_owned())], body)
    }

    /// Returns reads of this page with every possible path and query, in each of its forms.
    fn looks(&self, moment: &Moment<'_>, dice: &mut Dice) -> Vec<Request> {
        let last = moment.last();
        let earlier = dice.below(u64::from(last) + 1) as u32;
        let plies = [last, dice.pick(&[0, last + 1, earlier, earlier])];
        let plies: BTreeSet<String> = plies.iter().map(u32::to_string).collect();
        // Finished games hide nothing and need not be equal, unlike an export of running ones.
        let base = match self.path.as_str() {
            path @ ("/v1/export" | "/v1/export/count") => format!("{path}?status=running"),
            // A stream that follows has no end.
            path if path.ends_with("/events") => format!("{path}?follow=false"),
            path => path.to_owned(),
        };
        let mut paths = vec![base];
        while paths[0].contains('{') {
            let name = paths[0].split(['{', '}']).nth(1).unwrap().to_owned();
            let values: Vec<String> = match name.as_str() {
                "id" => vec![moment.id().to_string()],
                "ply" => plies.iter().cloned().collect(),
                "code" => vec!["illegal_move".to_owned()],
                "name" | "page" => vec!["marrakesh".to_owned()],
                "version" => vec!["1".to_owned()],
                "seat" => vec!["1".to_owned(), "2".to_owned()],
                "player" => moment.players(),
                "level" => vec!["0".to_owned()],
                "place" => vec!["000.p/1".to_owned()],
                name => panic!("the law knows no {{{name}}} of {}", self.path),
            };
            let filled = |path: &String| {
                values.iter().map(|value| path.replace(&format!("{{{name}}}"), value)).collect::<Vec<_>>()
            };
            paths = paths.iter().flat_map(filled).collect();
        }
        let whole = paths.clone();
        let path_is_seat = self.path.contains("/seats/");
        let is_open = |query: &&String| !whole[0].contains(&format!("{query}="));
        for query in self.queries.iter().filter(is_open) {
            let values: Vec<String> = match query.as_str() {
                "ply" => plies.iter().cloned().collect(),
                // The last one is beyond the head.
                "since" if self.path.starts_with("/v1/games/{id}") => [0, earlier, last, last + 1]
                    .iter()
                    .map(u32::to_string)
                    .collect::<BTreeSet<_>>()
                    .into_iter()
                    .collect(),
                // Positions of the feed.
                "since" if self.path == "/v1/events" => ["0", "1", "9999"].map(str::to_owned).to_vec(),
                "lastEventId" => vec!["0".to_owned()],
                "status" => vec!["running".to_owned()],
                "ruleset" => vec!["marrakesh/1".to_owned()],
                "player" => moment.players(),
                "cursor" => vec!["0".to_owned()],
                "after" => vec![moment.id().to_string()],
                "states" | "proofs" => vec!["true".to_owned()],
                "limit" => vec!["1".to_owned()],
                "include" if self.path == "/v1/games/{id}/events" => vec!["state".to_owned()],
                "include" if self.path == "/v1/me/events" => vec!["state,legal-moves".to_owned()],
                "include" if self.path == "/v1/games/{id}/legal-moves" => vec!["hints".to_owned()],
                "judge" => vec!["merchant-7".to_owned()],
                "include" if path_is_seat => vec!["receipt".to_owned()],
                "include" => vec!["state,legal-moves,receipt".to_owned()],
                "since" | "until" => vec!["2026-11-20T20:15:00Z".to_owned()],
                "sort" if self.path == "/v1/scores" => {
                    ["rating", "best_score&seats=2", "firsts&seats=2"].map(str::to_owned).to_vec()
                }
                "seats" => vec!["2&sort=firsts".to_owned()],
                "period" if self.path == "/v1/scores" => vec!["2026&seats=2&sort=best_score".to_owned()],
                "period" => vec!["2026-11".to_owned()],
                "sort" => ["created", "finished"].map(str::to_owned).to_vec(),
                "presence" | "board_only" => vec!["true".to_owned()],
                "theme" => vec!["dark".to_owned()],
                "moment" => ["start", "end"].map(str::to_owned).to_vec(),
                // The game has begun, so no request waits.
                "wait" => vec!["1".to_owned()],
                "imported" | "your_turn" => vec!["true".to_owned(), "false".to_owned()],
                "open_seats" => vec!["1,2".to_owned()],
                // Imported games are over.
                "event" | "date" => vec!["Fes".to_owned()],
                "round" => vec!["1&event=Fes".to_owned()],
                "table" => vec!["1&round=1&event=Fes".to_owned()],
                // The last one is beyond the head.
                "games" => ["".to_owned(), ".0".to_owned(), format!(".{last}"), format!(".{}", last + 1)]
                    .map(|place| format!("{}{place}", moment.id()))
                    .to_vec(),
                query => panic!("the law knows no {query} of {}", self.path),
            };
            let asked = |path: &String| {
                let sign = if path.contains('?') { '&' } else { '?' };
                values.iter().map(|value| format!("{path}{sign}{query}={value}")).collect::<Vec<_>>()
            };
            paths.extend(whole.iter().flat_map(asked));
        }
        let mut forms = vec![Vec::new()];
        if self.media_types.len() > 1 {
            let accepted = self.media_types.iter().map(|accepted| vec![("Accept", accepted.clone())]);
            forms.extend(accepted.chain([vec![("Accept", "image/png".to_owned())]]));
        }
        let all =
            paths.iter().flat_map(|path| forms.iter().map(|form| self.to(path.clone(), form.clone(), "")));
        all.collect()
    }
}

/// Returns every decision that can be written.
fn every_decision() -> impl Iterator<Item = String> {
    let uses = Digit::all().flat_map(|number| Digit::all().map(move |point| Action::Use { number, point }));
    Card::all().map(Action::Play).chain([Action::LeadUnknown]).chain(uses).map(text)
}

/// Returns some moves of each kind, drawn at random, that are refused or repeated.
fn submissions(route: &Route, moment: &Moment<'_>, dice: &mut Dice) -> Vec<Request> {
    let pair = moment.pair;
    let [game, twin] = [0, 1].map(|twin| &pair.twins[twin].stood[moment.at]);
    let position = position(game);
    let (last, next) = (moment.last(), moment.last() + 1);
    let every: Vec<String> = every_decision().collect();
    let mut any = || every[dice.below(every.len() as u64) as usize].clone();
    let own: Vec<String> = match pair.viewer {
        Viewer::Seat(seat) => {
            let hand = position.diagram().hands[Side::of(seat).unwrap()].known();
            hand.faces().map(|card| card.to_string()).chain([any()]).collect()
        }
        Viewer::Spectator | Viewer::Arbiter => vec![any()],
    };
    let uses: Vec<String> = position.legal_actions().into_iter().map(text).chain([any()]).collect();
    let lists = [
        vec![any()],
        vec![any()],
        vec!["??".to_owned()],
        vec![own[0].clone(), any()],
        vec![own[own.len() - 1].clone(), any(), any()],
        vec![own[own.len() / 2].clone(), own[0].clone()],
        vec![uses[0].clone(), any()],
        vec![any(), any()],
    ];
    let refused =
        lists.into_iter().filter(|list| !(is_on_turn(&position, pair.viewer) && is_legal(game, list)));
    let mut tries: Vec<(String, Vec<String>)> = refused.map(|list| (next.to_string(), list)).collect();
    // The one written in one twin, the one written in the other, and neither.
    let written = [game, twin].map(|game| words(game).pop().unwrap().text());
    let written = written
        .map(|word| word.split('+').next().unwrap().to_owned())
        .into_iter()
        .filter(|word| !word.is_empty());
    tries.extend(written.chain([any()]).map(|word| (last.to_string(), vec![word])));
    tries.extend(["0", "x", &(next + 1).to_string()].map(|ply| (ply.to_owned(), vec![any()])));
    let mut leaves = vec!["!timeout1", "!timeout2", "!resign3"];
    if last > 0 {
        leaves.push("!abort");
    }
    leaves.extend(match pair.viewer {
        Viewer::Seat(seat) if seat.number() == 1 => vec!["!resign2"],
        Viewer::Seat(_) => vec!["!resign1"],
        Viewer::Spectator | Viewer::Arbiter => vec!["!resign1", "!resign2", "!resign"],
    });
    tries.extend(leaves.into_iter().map(|leave| (next.to_string(), vec![leave.to_owned()])));
    tries.extend(
        ["zz", "", "4s+4s", "3@3+133456/122345"].map(|word| (next.to_string(), vec![word.to_owned()])),
    );
    tries.extend(own_word(moment));
    let path = |ply: &str| format!("/v1/games/{}/moves/{ply}", moment.id());
    let mut requests: Vec<Request> = Vec::new();
    for (ply, list) in tries {
        requests.push(match (dice.below(2), list.as_slice()) {
            (0, list) => route.text(path(&ply), &list.join(" ")),
            (_, [one]) => route.json(path(&ply), &json!({"move": one}).to_string()),
            (_, list) => route.json(path(&ply), &json!({"moves": list}).to_string()),
        });
    }
    for broken in ["{}", "[]", r#"{"move": 1}"#, r#"{"moves": []}"#, r#"{"move": "??", "hand": "??"}"#] {
        requests.push(route.json(path(&next.to_string()), broken));
    }
    for condition in ["HEAD", "\"0\"", "*"] {
        let mut conditional = requests[dice.below(2) as usize].clone();
        conditional.headers.push(("If-Match", condition.to_owned()));
        requests.push(conditional);
    }
    (0..9).map(|_| requests[dice.below(requests.len() as u64) as usize].clone()).collect()
}

/// Returns the viewer's last decision, as sent.
fn own_word(moment: &Moment<'_>) -> Option<(String, Vec<String>)> {
    let Viewer::Seat(seat) = moment.pair.viewer else { return None };
    let twin = &moment.pair.twins[0];
    let stood = (0..moment.at).rfind(|&at| position(&twin.stood[at]).turn() == Turn::Player(seat))?;
    let ply = twin.stood[stood].info.head.unwrap().ply + 1;
    let word = words(&twin.stood[moment.at])[ply as usize].text();
    Some((ply.to_string(), vec![word.split('+').next().unwrap().to_owned()]))
}
