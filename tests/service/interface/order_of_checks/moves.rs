//! PUT /v1/games/{id}/moves/{ply}.

use serde_json::json;

use super::{Fault, combinations, fault, headers, names, wrong};
use crate::harness::{Answer, Client, Service, sqlite};

/// The stage of the game.
#[derive(Clone, Copy, PartialEq)]
enum Stage {
    /// Two of three seats are taken.
    Open,
    /// Seat 2 is on turn at ply 3.
    Running,
    /// Seat 2 is the last one in.
    Over,
}

/// The client whose secret is sent.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Nobody,
    Stranger,
    Seat(usize),
}

/// A request, in which seat 2 writes the next ply by default.
struct Attempt {
    stage: Stage,
    /// A private game, with a client who has no seat.
    is_hidden: bool,
    who: Who,
    /// Another ply than the next.
    ply: Option<u64>,
    beyond: u64,
    zeros: &'static str,
    moves: Vec<&'static str>,
    with_die: bool,
    with_extra_field: bool,
    is_cut_off: bool,
    padding: usize,
    media_type: &'static str,
    if_match: Option<&'static str>,
}

const GOOD: Attempt = Attempt {
    stage: Stage::Running,
    is_hidden: false,
    who: Who::Seat(2),
    ply: None,
    beyond: 0,
    zeros: "",
    moves: Vec::new(),
    with_die: false,
    with_extra_field: false,
    is_cut_off: false,
    padding: 0,
    media_type: "application/json",
    if_match: None,
};

const FAULTS: &[Fault<Attempt>] = &[
    fault(0, "game_not_found", "invisible", |a| a.is_hidden = true),
    fault(1, "unauthenticated", "no secret", |a| a.who = Who::Nobody),
    fault(2, "too_large", "too large", |a| a.padding = 16 * 1024),
    fault(3, "unsupported_media_type", "media type", |a| a.media_type = "application/xml"),
    fault(4, "bad_json", "cut off", |a| a.is_cut_off = true),
    fault(4, "bad_request", "leading zero", |a| a.zeros = "0"),
    fault(4, "notation_syntax", "no notation", |a| a.moves.push("x9")),
    fault(4, "unknown_field", "unknown field", |a| a.with_extra_field = true),
    fault(5, "chance_not_yours", "die", |a| a.with_die = true),
    fault(6, "not_your_seat", "stranger", |a| a.who = Who::Stranger),
    fault(6, "not_your_seat", "abort by another", |a| a.moves[0] = "!abort"),
    fault(6, "not_your_seat", "resign another", |a| a.moves[0] = "!resign3"),
    fault(7, "ply_taken", "ply of another seat", |a| a.ply = Some(1)),
    fault(7, "ply_taken", "ply of mine", |a| (a.ply, a.who) = (Some(1), Who::Seat(1))),
    fault(8, "not_started", "not started", |a| a.stage = Stage::Open),
    fault(9, "game_over", "over", |a| a.stage = Stage::Over),
    fault(10, "ply_gap", "gap", |a| a.beyond = 1),
    fault(11, "not_your_turn", "not on turn", |a| a.who = Who::Seat(1)),
    fault(12, "stale_head", "stale", |a| a.if_match = Some("\"00\"")),
    fault(13, "chance_pending", "list", |a| a.moves.push("d6e6")),
    fault(14, "illegal_move", "illegal", |a| a.moves[0] = "d6e6"),
];

const NEVER_TOGETHER: &[(&str, &str, &str)] = &[
    ("not started", "over", "a game is not both"),
    ("ply of another seat", "not started", "nothing is written before the start"),
    ("ply of mine", "not started", "nothing is written before the start"),
    ("ply of another seat", "gap", "a ply is not below and beyond the next"),
    ("ply of mine", "gap", "a ply is not below and beyond the next"),
    ("abort by another", "not on turn", "words with ! need no turn"),
    ("resign another", "not on turn", "words with ! need no turn"),
    ("abort by another", "list", "words with ! stand alone, which is a fault of its own"),
    ("resign another", "list", "words with ! stand alone, which is a fault of its own"),
    ("abort by another", "illegal", "the same word"),
    ("resign another", "illegal", "the same word"),
];

/// A game of three with an owner without a seat.
struct Table<'a> {
    id: String,
    seats: Vec<Client<'a>>,
    owner: Client<'a>,
    next: u64,
}

impl<'a> Table<'a> {
    fn at(service: &'a Service, stage: Stage, is_private: bool) -> Self {
        let mut wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"]});
        if is_private {
            wanted["visibility"] = json!("private");
            wanted["join_code"] = json!("sesame");
        }
        let owner = service.player();
        let id = owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        let seats: Vec<Client<'_>> = (0..3).map(|_| service.player()).collect();
        let taken = if stage == Stage::Open { 2 } else { 3 };
        for (number, seat) in (1..).zip(&seats).take(taken) {
            let code = if is_private { json!({"join_code": "sesame"}) } else { json!({}) };
            assert_eq!(seat.put(&format!("/v1/games/{id}/seats/{number}"), code).status, 201);
        }
        let mut table = Self { id, seats, owner, next: 1 };
        if stage != Stage::Open {
            table.write(1, "N");
            let legal = table.seats[0].get(&format!("/v1/games/{}/legal-moves", table.id)).json();
            table.write(1, legal["moves"][0].as_str().unwrap());
        }
        if stage == Stage::Over {
            table.write(1, "!resign");
            table.write(3, "!resign");
        }
        table
    }

    fn write(&mut self, seat: usize, decision: &str) {
        let written = self.seats[seat - 1].play(&self.id, self.next, decision);
        assert_eq!(written.status, 201, "{}", written.text);
        self.next += 1;
    }

    fn try_out(&self, attempt: &Attempt, stranger: &Client<'_>, nobody: &Client<'_>) -> Answer {
        let who = match attempt.who {
            Who::Nobody => nobody,
            Who::Seat(number) if !attempt.is_hidden => &self.seats[number - 1],
            Who::Stranger | Who::Seat(_) => stranger,
        };
        let ply = attempt.ply.unwrap_or(self.next) + attempt.beyond;
        let mut moves: Vec<String> = attempt.moves.iter().map(|&text| text.to_owned()).collect();
        if attempt.with_die {
            moves[0] += "+3";
        }
        let mut body = json!({"moves": moves});
        if attempt.with_extra_field {
            body["then"] = json!("E");
        }
        let mut body = body.to_string();
        if attempt.is_cut_off {
            body.pop();
        }
        let body = " ".repeat(attempt.padding) + &body;
        let mut headers = vec![("Content-Type", attempt.media_type)];
        headers.extend(attempt.if_match.map(|tag| ("If-Match", tag)));
        who.send("PUT", &format!("/v1/games/{}/moves/{}{ply}", self.id, attempt.zeros), &headers, body)
    }
}

/// Returns the valid request.
fn good() -> Attempt {
    Attempt { moves: vec!["E"], ..GOOD }
}

#[test]
fn of_any_two_faults_of_a_move_the_one_that_is_checked_first_is_answered() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (stranger, nobody) = (service.player(), service.stranger());
    let stages = [Stage::Open, Stage::Running, Stage::Over];
    let tables: Vec<(bool, Stage, Table<'_>)> = [false, true]
        .into_iter()
        .flat_map(|hidden| stages.map(|stage| (hidden, stage, Table::at(&service, stage, hidden))))
        .collect();
    let at = |attempt: &Attempt| {
        let is_it = |(hidden, stage, _): &&(bool, Stage, Table<'_>)| {
            (*hidden, *stage) == (attempt.is_hidden, attempt.stage)
        };
        &tables.iter().find(is_it).unwrap().2
    };
    let sets = combinations(FAULTS, NEVER_TOGETHER);
    assert_eq!(sets.iter().filter(|(_, faults)| faults.len() == 2).count(), 189, "pairs");
    for (code, faults) in sets {
        let attempt = wrong(good(), &faults);
        let answer = at(&attempt).try_out(&attempt, &stranger, &nobody);
        assert_eq!(answer.problem(), code, "{:?}: {}", names(&faults), answer.text);
    }
    // Nothing of all this was written, and the valid request still works.
    for (hidden, stage, table) in &tables {
        let head = &table.seats[0].get(&format!("/v1/games/{}", table.id)).json()["head"]["ply"];
        assert_eq!(head.as_u64().map_or(1, |ply| ply + 1), table.next);
        let attempt = Attempt { stage: *stage, is_hidden: *hidden, ..good() };
        if (*hidden, *stage) == (false, Stage::Running) {
            assert_eq!(table.try_out(&attempt, &stranger, &nobody).status, 201);
        }
    }
}

#[test]
fn a_stranger_s_move_in_a_private_game_is_answered_byte_for_byte_as_in_no_game_whatever_else_is_wrong() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (stranger, nobody) = (service.player(), service.stranger());
    for stage in [Stage::Open, Stage::Running, Stage::Over] {
        let hidden = Table::at(&service, stage, true);
        let none =
            Table { id: "0".repeat(32), seats: Vec::new(), owner: service.player(), next: hidden.next };
        for (_, mut faults) in combinations(&FAULTS[1..], NEVER_TOGETHER) {
            faults.insert(0, &FAULTS[0]);
            let attempt = Attempt { stage, ..wrong(good(), &faults) };
            let secret = hidden.try_out(&attempt, &stranger, &nobody);
            let unknown = none.try_out(&attempt, &stranger, &nobody);
            assert_eq!(secret.status, 404);
            assert_eq!(secret.text.replace(&hidden.id, &none.id), unknown.text, "{:?}", names(&faults));
            assert_eq!(headers(&secret), headers(&unknown), "{:?}", names(&faults));
        }
        let by_owner = hidden.owner.get(&format!("/v1/games/{}", hidden.id));
        assert_eq!(by_owner.status, 200, "the owner may look");
    }
}

#[test]
fn a_die_is_refused_with_the_same_bytes_whether_it_is_right_or_wrong() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut table = Table::at(&service, Stage::Running, false);
    let player = table.seats[1].clone();
    let path = format!("/v1/games/{}/moves/", table.id);
    let guess = |ply: u64, face: u64| player.play(&table.id, ply, &format!("E+{face}"));
    // Not yet rolled, so one of the faces will be right.
    let answers: Vec<Answer> = (1..=4).map(|face| guess(3, face)).collect();
    assert_eq!(answers[0].problem(), "chance_not_yours");
    assert!(answers.iter().all(|answer| answer.text == answers[0].text), "{answers:?}");
    // Rolled: the word as in the log.
    table.write(2, "E");
    let word = player.get(&format!("{path}3")).json()["word"].as_str().unwrap().to_owned();
    let right = player.play(&table.id, 3, &word);
    assert_eq!((right.problem().as_str(), &right.text), ("chance_not_yours", &answers[0].text));
}

#[test]
fn a_ply_that_another_seat_wrote_is_taken_whatever_is_sent_for_it_and_one_s_own_is_compared() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let table = Table::at(&service, Stage::Running, false);
    let [mine, other] = [0, 1].map(|seat| &table.seats[seat]);
    let same = other.play(&table.id, 1, "N");
    let different = other.play(&table.id, 1, "E");
    assert_eq!((same.problem().as_str(), &same.text), ("ply_taken", &different.text));
    let repeated = mine.play(&table.id, 1, "N");
    assert_eq!((repeated.status, mine.play(&table.id, 1, "E").problem().as_str()), (200, "ply_taken"));
    // Also with an outdated head, the answer is what was written then.
    let stale = [("If-Match", "\"00\""), ("Content-Type", "text/plain")];
    let again = mine.send("PUT", &format!("/v1/games/{}/moves/1", table.id), &stale, "N");
    assert_eq!((again.status, again.text), (200, repeated.text));
}

#[test]
fn a_seat_resigns_at_any_time_before_the_end_also_when_it_is_not_on_turn() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut table = Table::at(&service, Stage::Running, false);
    assert_eq!(table.seats[2].play(&table.id, 3, "N").problem(), "not_your_turn");
    assert_eq!(table.seats[2].play(&table.id, 4, "!resign").problem(), "ply_gap");
    table.write(3, "!resign3");
    table.write(1, "!resign");
    assert_eq!(table.seats[1].play(&table.id, 5, "!resign").problem(), "game_over");
    assert_eq!(table.owner.play(&table.id, 5, "!abort").problem(), "game_over");
    let open = Table::at(&service, Stage::Open, false);
    assert_eq!(open.seats[0].play(&open.id, 1, "!resign").problem(), "not_started");
    assert_eq!(open.owner.play(&open.id, 1, "!abort").problem(), "not_started");
}
