//! The law of blindness: two games that differ only in what a viewer may not know give that viewer the same
//! bytes for any request. Only values that follow from their seeds may differ: commitment, start, heads,
//! sealed parts and the viewer's salts.
//!
//! Twins have the same id, seats and times, in two databases of one kind, each served by a separate process.
//! Both are stored by the function that appends, with only the source of chance replaced.

mod afresh;
mod answers;
mod asking;
mod every_game;
mod grown;
mod known;
mod twins;

use std::collections::{BTreeMap, BTreeSet};
use std::iter::zip;

use assam_record::game::StoredGame;
use assam_rules::Game as _;
use assam_rules::marrakesh::Phase;
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::dice::Dice;
use crate::harness::{Writes as _, append_at, create, expanded, sqlite};
use answers::Side;
use asking::{Moment, Request, Routes};
use known::{drawn_for_nothing, is_on_turn, position, position_line, text, words};
use twins::Pair;

/// The number of moments to compare.
const MOMENTS: u64 = 168;

/// Counts of what was compared.
#[derive(Default, Debug)]
struct Tally {
    moments: u64,
    /// By viewer.
    viewers: BTreeMap<String, u64>,
    /// Moments at which the two games differ, and those at which they differ in a lead.
    differ: u64,
    leads_differ: u64,
    comparisons: u64,
    /// By documented route.
    routes: BTreeMap<String, u64>,
    /// By code.
    problems: BTreeMap<String, u64>,
    /// Conditions with the entity tag of an earlier moment.
    unchanged: u64,
    changed: u64,
    /// Legal moves that were written in both games.
    written: u64,
}

/// Two databases of one kind.
struct Sides<'a> {
    runtime: &'a Runtime,
    routes: Routes,
    sides: [Side; 2],
    tally: Tally,
}

#[test]
fn two_games_that_differ_in_what_a_viewer_may_not_know_give_him_the_same_bytes_from_every_route() {
    let tally = tally();
    // Without any comparisons, the test proves nothing.
    let moments = tally.moments;
    assert!(moments >= MOMENTS);
    assert!(tally.differ > moments * 8 / 10 && tally.leads_differ > moments / 8, "{tally:?}");
    assert!(
        tally.viewers.len() == 3 && tally.viewers.values().all(|&moments| moments > MOMENTS / 6),
        "{tally:?}"
    );
    assert!(tally.comparisons > 25 * moments && tally.written > moments / 20, "{tally:?}");
    assert!(tally.unchanged > moments / 10 && tally.changed > moments / 5, "{tally:?}");
    for code in [
        "bad_json",
        "bad_request",
        "chance_not_yours",
        "chance_pending",
        "illegal_move",
        "not_acceptable",
        "not_your_seat",
        "not_your_turn",
        "notation_syntax",
        "ply_gap",
        "ply_not_found",
        "ply_taken",
        "seat_taken",
        "stale_head",
        "unauthenticated",
        "unknown_field",
    ] {
        assert!(tally.problems.contains_key(code), "{code} {tally:?}");
    }
}

fn tally() -> Tally {
    let runtime = Runtime::new().unwrap();
    // A store is closed inside a runtime.
    let _inside = runtime.enter();
    let sides = runtime.block_on(async { [Side::new(sqlite()).await, Side::new(sqlite()).await] });
    let routes = Routes::of(&expanded(sides[0].service.stranger().get("/openapi.json").json()));
    let mut sides = Sides { runtime: &runtime, routes, sides, tally: Tally::default() };
    for number in 0.. {
        if sides.tally.moments >= MOMENTS {
            break;
        }
        let mut dice = Dice::new(number);
        sides.compare(&Pair::new(number, &mut dice, now()), &mut dice);
    }
    let asked: BTreeSet<String> = sides.tally.routes.keys().cloned().collect();
    assert_eq!(asked, sides.routes.names(), "every route was asked");
    sides.tally
}

/// Returns the current time in whole milliseconds, as the service keeps it.
fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap()
}

impl Sides<'_> {
    /// Compares two games at each of their moments and at their end.
    fn compare(&mut self, pair: &Pair, dice: &mut Dice) {
        for (side, twin) in zip(&mut self.sides, &pair.twins) {
            side.forget();
            self.runtime.block_on(side.store.alone(create(&twin.stood[0]))).unwrap();
        }
        let mut from = 0;
        for &at in &pair.moments {
            for (side, twin) in zip(&mut self.sides, &pair.twins) {
                if at > from {
                    let (head, extension) = twin.extension(from, at);
                    let id = twin.stood[0].info.id;
                    let append = async {
                        // Names were changed, too.
                        let revision = side.store.reads.version(id).await.unwrap().unwrap().revision;
                        side.store.alone(append_at(revision, id, &head, &extension)).await
                    };
                    self.runtime.block_on(append).unwrap();
                }
                self.runtime.block_on(side.settle());
                side.look_at(&twin.stood[at], pair.viewer);
            }
            from = at;
            let moment = Moment { pair, at };
            self.count(&moment);
            self.compare_moment(&moment, dice);
        }
        let moment = Moment { pair, at: from };
        let ply = self.write_legally(&moment, dice);
        self.end(&moment, ply, dice);
    }

    /// Counts how often two games really differ.
    fn count(&mut self, moment: &Moment<'_>) {
        let pair = moment.pair;
        let [one, other] = [0, 1].map(|twin| &pair.twins[twin].stood[moment.at]);
        let tally = &mut self.tally;
        tally.moments += 1;
        *tally.viewers.entry(format!("{:?}", pair.viewer)).or_default() += 1;
        assert_eq!(position_line(one, pair.viewer), position_line(other, pair.viewer));
        let [one, other] = [words(one), words(other)];
        let differ = one != other;
        tally.differ += u64::from(differ);
        tally.leads_differ += u64::from(one.last().unwrap().decision != other.last().unwrap().decision);
    }

    /// Sends every request of a moment.
    fn compare_moment(&mut self, moment: &Moment<'_>, dice: &mut Dice) {
        let looks = self.routes.looks(moment, dice);
        // Now and then a viewer who knows more asks first: their answers must not be cached for others.
        if dice.below(6) == 0 {
            for secret in moment.pair.seats.iter().flatten() {
                for request in looks.iter().filter(|request| request.path.contains(&moment.id().to_string()))
                {
                    self.sides.iter_mut().for_each(|side| drop(side.send(Some(secret), request)));
                }
            }
        }
        for request in &looks {
            self.ask_both(moment, request);
            let mut form = request.clone();
            // The draws at the start are most likely to stay cached.
            let is_start = ["/states/0", "/moves/0"].iter().any(|end| request.path.ends_with(end));
            match if is_start { 3 } else { dice.below(8) } {
                0 => form.headers.push(("Accept-Encoding", "gzip".to_owned())),
                1 => form.method = "HEAD".to_owned(),
                2 => form.headers.push(("If-None-Match", "KNOWN".to_owned())),
                3 => form.headers.push(("If-None-Match", "OLDER".to_owned())),
                _ => continue,
            }
            let status = self.ask_both(moment, &form);
            if form.headers.iter().any(|(_, value)| value == "OLDER")
                && request.path.contains(&moment.id().to_string())
            {
                self.tally.unchanged += u64::from(status == "304");
                self.tally.changed += u64::from(status == "200");
            }
        }
        let log = self.sides[0].page(&format!("/v1/games/{}/log", moment.id())).to_owned();
        for request in self.routes.acts(moment, &log, dice) {
            self.ask_both(moment, &request);
        }
    }

    /// Writes a legal move of the viewer without draws, if the viewer is on turn. Returns the last ply.
    fn write_legally(&mut self, moment: &Moment<'_>, dice: &mut Dice) -> u32 {
        let (pair, last) = (moment.pair, moment.last());
        let games: [&StoredGame; 2] = [0, 1].map(|twin| &pair.twins[twin].stood[moment.at]);
        let position = position(games[0]);
        // A reply turns up the lead, in which the two differ.
        if !is_on_turn(&position, pair.viewer) || matches!(position.diagram().phase, Phase::Reply { .. }) {
            return last;
        }
        let decision = text(dice.pick(&position.legal_actions()));
        let [Some(head), Some(other)] = games.map(|game| drawn_for_nothing(game, &decision)) else {
            return last;
        };
        zip(&mut self.sides, [head, other]).for_each(|(side, head)| side.name_head(&head));
        let path = format!("/v1/games/{}", moment.id());
        let wanted = Request::new("PUT", &format!("{path}/moves/{}", last + 1), &decision);
        assert_eq!(self.ask_both(moment, &wanted), "201", "{decision}");
        for page in [path.clone(), format!("{path}/legal-moves"), format!("{path}/states/{}", head.ply)] {
            self.ask_both(moment, &Request::new("GET", &page, ""));
        }
        self.tally.written += 1;
        head.ply
    }

    /// Lets a seat resign, which opens everything, also for viewers with cached answers.
    fn end(&mut self, moment: &Moment<'_>, last: u32, dice: &mut Dice) {
        let pair = moment.pair;
        let secret = pair.seats.iter().flatten().next().unwrap();
        let path = format!("/v1/games/{}/moves/{}", moment.id(), last + 1);
        let looks = self.routes.looks(moment, dice);
        for side in &mut self.sides {
            let resigned = side.send(Some(secret), &Request::new("PUT", &path, "!resign"));
            assert_eq!(resigned.status, 201, "{}", resigned.text);
            let game = self.runtime.block_on(side.store.reads.load(moment.id())).unwrap().unwrap();
            side.name_head(&game.info.head.unwrap());
            // The end is in the public log before any request could notice a change.
            self.runtime.block_on(side.settle());
        }
        for _ in 0..6 {
            let request = &looks[dice.below(looks.len() as u64) as usize];
            self.sides[dice.below(2) as usize].check_end(pair.secret.as_deref(), request);
        }
    }

    /// Sends both the viewer's request and compares the answers. Returns the status.
    fn ask_both(&mut self, moment: &Moment<'_>, request: &Request) -> String {
        let pair = moment.pair;
        let [one, other] = &mut self.sides;
        let [one, other] = [one, other].map(|side| side.ask(pair.secret.as_deref(), request));
        assert_eq!(one, other, "pair {} to {:?} at {}: {request:?}", pair.number, pair.viewer, moment.at);
        self.tally.comparisons += 1;
        if self.routes.names().contains(&request.route) {
            *self.tally.routes.entry(request.route.clone()).or_default() += 1;
        }
        if let Some((_, code)) =
            one.split_once("\"code\":\"").filter(|_| one.contains("application/problem+json"))
        {
            *self.tally.problems.entry(code.split('"').next().unwrap().to_owned()).or_default() += 1;
        }
        one.lines().next().unwrap().to_owned()
    }
}
