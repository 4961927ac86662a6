//! Pictures of every Marrakesh position in the vectors, also masked.

use std::collections::BTreeSet;

use assam_referee::picture::terminal::WIDTH;
use assam_referee::picture::{Moment, PictureForm};
use assam_referee::{Setup, Table, Walk};
use assam_rules::Viewer;
use roxmltree::{Document, Node};

use super::last_word::check_last;
use super::replay;
use crate::harness::{masked, matches, round};

/// Passes on each position of Marrakesh.
pub(super) fn for_each_position(mut each: impl FnMut(&dyn Table, &Moment, &Truth)) {
    let count = replay(matches().chain([round()]), |table, moment, position| {
        each(table, moment, &Truth::read(position));
    });
    assert!(count > 1500, "{count}");
}

/// Returns the table after these words, and how it came about.
fn played<'a>(setup_line: &str, words: impl Iterator<Item = &'a str>) -> (Box<dyn Table>, Moment) {
    let mut table = Setup::read(setup_line).unwrap().table();
    let mut moment = Moment { ply: 0, word: None, events: Vec::new() };
    for word in words {
        table.replay(word).unwrap();
        moment = Moment { ply: table.ply(), word: Some(word.to_owned()), events: table.events() };
    }
    (table, moment)
}

/// Returns a spectator's table after these words, and how it came about.
fn shown_to_spectators(setup_line: &str, words: &[&str]) -> (Box<dyn Table>, Moment) {
    let (full, _) = played(setup_line, words.iter().copied());
    let viewer = if full.turn().is_end() { Viewer::Arbiter } else { Viewer::Spectator };
    let (head, mut word) = (full.ply(), None);
    let table = Setup::read(setup_line).unwrap().walk(Walk {
        viewer,
        decided: head,
        last: head,
        words: &mut words.iter().copied(),
        each: &mut |step, _| word = Some(step.told.into_owned()),
    });
    let table = table.unwrap();
    let moment = Moment { ply: head, word, events: table.events() };
    (table, moment)
}

/// A trick: the leader, 0 or 1, and the cards of both.
#[derive(Clone)]
pub(super) struct Trick {
    leader: usize,
    cards: [Option<String>; 2],
}

impl Trick {
    fn new(leader: usize, lead: &str, reply: Option<&str>) -> Self {
        let mut cards = [None, None];
        cards[leader] = Some(lead.to_owned());
        cards[1 - leader] = reply.map(str::to_owned);
        Self { leader, cards }
    }

    /// Returns the winner by the suits, or `None` before the reply.
    pub(super) fn winner(&self) -> Option<usize> {
        let suit = |side: usize| self.cards[side].as_ref()?.chars().last();
        let (lead, reply) = (suit(self.leader)?, suit(1 - self.leader)?);
        let leader_wins = match (lead, reply) {
            ('c', 's') => true,
            ('s', 'c') => false,
            _ => "shdc".find(lead) < "shdc".find(reply),
        };
        Some(if leader_wins { self.leader } else { 1 - self.leader })
    }
}

/// A position read from the text of a vector, independently of the program.
#[derive(Clone)]
pub(super) struct Truth {
    round: String,
    /// Pieces on the points 1 to 6.
    points: [Vec<usize>; 2],
    ovals: [Vec<char>; 2],
    hands: [Vec<String>; 2],
    pub(super) finished: Vec<Trick>,
    pub(super) on_table: Option<Trick>,
    on_turn: Option<u32>,
    pub(super) phase: String,
    values: String,
    off: usize,
    bonus: Option<String>,
    discards: usize,
    top: Option<String>,
    is_stopped: bool,
}

impl Truth {
    fn read(position: &str) -> Self {
        let fields: Vec<&str> = position.split(';').collect();
        let some = |field: &str| (field != "-").then(|| field.to_owned());
        let both = |field: &str| -> [String; 2] {
            let (blue, red) = field.split_once('/').unwrap();
            [blue.to_owned(), red.to_owned()]
        };
        let cards = |text: &str| -> Vec<String> {
            let text = text.trim_matches('-').as_bytes().chunks(2);
            text.map(|card| String::from_utf8(card.to_vec()).unwrap()).collect()
        };
        let digit = |c: char| c.to_digit(10).unwrap() as usize;
        let seat: Option<u32> = fields[5].parse().ok();
        let phase = fields[6];
        let side = |seat: u32| seat as usize - 1;
        let table = cards(fields[7]);
        let on_table = seat.and_then(|seat| match table.as_slice() {
            [lead] => Some(Trick::new(1 - side(seat), lead, None)),
            [lead, reply] => {
                // The side that uses it has won it.
                let trick = Trick::new(0, lead, Some(reply));
                let leader = if trick.winner() == Some(0) { side(seat) } else { 1 - side(seat) };
                Some(Trick::new(leader, lead, Some(reply)))
            }
            _ => None,
        });
        let trick =
            |text: &str| Trick::new(usize::from(text.starts_with('r')), &text[1..3], Some(&text[3..5]));
        Self {
            round: fields[0].to_owned(),
            points: both(fields[1]).map(|points| points.chars().map(digit).collect()),
            ovals: both(fields[2]).map(|ovals| ovals.chars().collect()),
            hands: both(fields[3]).map(|hand| cards(&hand)),
            finished: some(fields[4]).iter().flat_map(|tricks| tricks.split(',').map(trick)).collect(),
            on_table,
            on_turn: seat,
            phase: phase.to_owned(),
            values: fields[8].trim_matches('-').to_owned(),
            off: fields[9].parse().unwrap_or_default(),
            bonus: some(fields[10]),
            discards: cards(fields[11]).len(),
            top: some(fields[12]),
            is_stopped: fields[14] != "-",
        }
    }

    /// Returns the same as a spectator knows it.
    fn to_spectator(&self) -> Self {
        let mut hidden = self.clone();
        if self.phase != "over" && !self.is_stopped {
            for card in hidden.hands.iter_mut().flatten() {
                *card = "??".to_owned();
            }
            if let Some(trick) = hidden.on_table.as_mut().filter(|trick| trick.cards.contains(&None)) {
                trick.cards[trick.leader] = Some("??".to_owned());
            }
        }
        hidden
    }

    fn tricks(&self) -> impl Iterator<Item = &Trick> {
        self.finished.iter().chain(&self.on_table)
    }

    fn deck(&self) -> usize {
        let played = self.tricks().flat_map(|trick| trick.cards.iter().flatten()).count();
        52 - self.hands.iter().map(Vec::len).sum::<usize>() - played - self.discards
    }

    /// Returns the pieces of a side that are off the board.
    fn off(&self, side: usize) -> usize {
        let on_board: usize = self.points[side].iter().sum();
        6 - on_board
    }

    fn pips(&self, side: usize) -> usize {
        (1..).zip(&self.points[side]).map(|(point, pieces)| point * pieces).sum()
    }

    /// Returns the duty of the seat on turn, if these decisions are legal.
    fn due(&self, table: &dyn Table) -> Option<String> {
        let seat = self.on_turn.filter(|_| !self.is_stopped)?;
        let all: BTreeSet<char> = self.values.chars().collect();
        let times = match self.values.len() {
            many if many > all.len() => format!(", {many} times"),
            _ => String::new(),
        };
        // The larger number may have to be used first. The options from a masked hand are unknown.
        let legal = table.legal_moves(Viewer::Arbiter).unwrap_or_default();
        let now: BTreeSet<char> = legal.iter().filter_map(|used| used.chars().next()).collect();
        assert!(self.phase != "use" || !now.is_empty() && now.is_subset(&all), "{legal:?} {}", self.values);
        let numbers: Vec<String> = now.iter().rev().map(char::to_string).collect();
        let what =
            if self.phase == "use" { format!(" {}{times}", numbers.join(" or ")) } else { String::new() };
        Some(format!("Seat {seat} must {}{what}", self.phase))
    }
}

fn check_screen(table: &dyn Table, moment: &Moment, truth: &Truth) {
    let screen = table.screen(moment, WIDTH);
    let plain = anstream::adapter::strip_str(&screen).to_string();
    let lines: Vec<Vec<char>> = plain.lines().map(|line| line.chars().collect()).collect();
    let text = |row: usize, from: usize, to: usize| -> String {
        lines[row].iter().skip(from).take(to - from).collect::<String>().trim_end().to_owned()
    };
    for (side, begin, piece) in [(0, 0, '●'), (1, 23, '○')] {
        for point in 1..=6 {
            let row = &lines[7 - point];
            assert_eq!(row[begin], char::from(b'0' + point as u8), "{plain}");
            let cells: String = row[begin + 4..begin + 10].iter().collect();
            assert_eq!(cells.trim_end(), piece.to_string().repeat(truth.points[side][point - 1]), "{plain}");
        }
        for (oval, mark) in truth.ovals[side].iter().enumerate() {
            let shown = lines[1 + 2 * oval][begin + 14];
            assert_eq!(shown, if *mark == '.' { '─' } else { *mark }, "{plain}");
        }
        assert_eq!(text(8, begin + 1, begin + 20), truth.hands[side].join(" "), "{plain}");
        let row: Vec<&str> = plain
            .lines()
            .find_map(|line| line.split_once(if side == 0 { "1 blue " } else { "2 red " }))
            .unwrap()
            .1
            .split_whitespace()
            .collect();
        assert_eq!(row[..2], [truth.pips(side).to_string(), truth.off(side).to_string()], "{plain}");
        let cards: String = truth
            .tricks()
            .map(|trick| {
                let lead = if trick.leader == side { ">" } else { " " };
                let won = if trick.winner() == Some(side) { "*" } else { " " };
                trick.cards[side].as_ref().map_or(String::new(), |card| format!("{lead}{card}{won} "))
            })
            .collect();
        if truth.tricks().count() > 0 {
            assert_eq!(text(11 + side, 7, 41), cards.trim_end(), "{plain}");
        }
    }
    assert!(text(10, 0, 41).starts_with(&format!("  Round {} of ", truth.round)), "{plain}");
    let on_top = truth.top.as_ref().map_or(String::new(), |top| format!(", on top {top}"));
    let piles = format!("  deck {}, discards {}{on_top}", truth.deck(), truth.discards);
    assert!((0..lines.len()).any(|row| text(row, 0, 41) == piles), "{piles}\n{plain}");
    if !truth.values.is_empty() {
        let values: String = truth.values.chars().map(|number| format!(" {number}")).collect();
        let bonus = truth.bonus.as_ref().map_or(String::new(), |card| format!(", bonus {card}"));
        assert!(plain.contains(&format!("  to use{values}, {} off{bonus}", truth.off)), "{plain}");
    }
    match truth.due(table) {
        Some(due) => assert!(text(0, 43, 80).starts_with(&due), "{due}\n{plain}"),
        None => assert!(text(0, 43, 80).contains(" won"), "{plain}"),
    }
}

fn check_svg(table: &dyn Table, moment: &Moment, truth: &Truth) {
    let svg = table.svg(moment, &PictureForm::default());
    let document = Document::parse(&svg).unwrap();
    let all = |name: &'static str, value: &'static str| -> Vec<Node<'_, '_>> {
        document.descendants().filter(|node| node.attribute(name) == Some(value)).collect()
    };
    let values = |node: &Node<'_, '_>, name: &str| -> Vec<String> {
        node.descendants().filter_map(|node| node.attribute(name)).map(str::to_owned).collect()
    };
    for side in 0..2 {
        let seat = (side + 1).to_string();
        let half = document.descendants().find(|node| node.attribute("data-half") == Some(&seat)).unwrap();
        for (point, pieces) in (1..).zip(&truth.points[side]) {
            let path = half
                .descendants()
                .find(|node| node.attribute("data-point") == Some(&format!("{point}")))
                .unwrap();
            let checkers = match pieces {
                0 => "no checkers".to_owned(),
                1 => "1 checker".to_owned(),
                pieces => format!("{pieces} checkers"),
            };
            let label = format!("seat {seat}, point {point}: {checkers}");
            assert_eq!(path.attribute("aria-label"), Some(label.as_str()), "{svg}");
            assert_eq!(path.attribute("data-checkers"), Some(pieces.to_string().as_str()));
            assert_eq!(path.attribute("data-seat"), Some(seat.as_str()));
        }
        let href = format!("#assam-piece-{}", ["B", "R"][side]);
        let drawn = |node: &Node<'_, '_>| {
            let uses =
                node.descendants().filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")));
            let pieces: Vec<_> = uses.filter_map(|node| node.attribute("href")).collect();
            let own = pieces.iter().filter(|piece| **piece == href).count();
            assert_eq!(own, pieces.iter().filter(|piece| piece.starts_with("#assam-piece-")).count());
            own
        };
        // More than three are drawn as one, with their number.
        let shown = |pieces: u32| if pieces > 3 { 1 } else { pieces as usize };
        for (oval, mark) in
            half.descendants().filter(|node| node.has_attribute("data-oval")).zip(&truth.ovals[side])
        {
            let pieces = mark.to_digit(10).unwrap_or_default();
            assert_eq!(drawn(&oval), shown(pieces), "{svg}");
            let text: String = oval.descendants().filter_map(|node| node.text()).collect();
            assert_eq!(text.contains(&format!("× {pieces}")), pieces > 3, "{svg}");
        }
        let in_ovals: usize = truth.ovals[side].iter().filter_map(|oval| oval.to_digit(10)).map(shown).sum();
        assert_eq!(drawn(&half), in_ovals + truth.points[side].iter().sum::<usize>(), "{svg}");
        let marks: String = values(&half, "data-mark").concat().replace('-', ".");
        assert_eq!(marks, truth.ovals[side].iter().collect::<String>());
        assert_eq!(values(&half, "data-card"), truth.hands[side], "{svg}");
        assert!(values(&half, "data-place").iter().all(|place| place == "hand"));
        let places = values(&half, "transform");
        assert_eq!(
            places.iter().collect::<BTreeSet<_>>().len(),
            places.len(),
            "two things in one place: {svg}"
        );
    }
    let chips = truth.ovals.iter().flatten().filter(|oval| **oval == '0').count();
    let closed = truth.ovals.iter().flatten().filter(|oval| **oval == 'X').count();
    assert_eq!((all("class", "chip").len(), all("class", "closed last").len()), (chips, closed));
    let cards_of = |trick: &Trick| -> Vec<String> {
        [trick.leader, 1 - trick.leader].iter().filter_map(|side| trick.cards[*side].clone()).collect()
    };
    let finished: Vec<Vec<String>> =
        all("class", "finished").iter().map(|node| values(node, "data-card")).collect();
    assert_eq!(finished, truth.finished.iter().map(cards_of).collect::<Vec<_>>(), "{svg}");
    let on_table: Vec<String> = truth.on_table.iter().flat_map(cards_of).chain(truth.bonus.clone()).collect();
    let trick = all("class", "trick");
    assert_eq!(
        trick.iter().flat_map(|node| values(node, "data-card")).collect::<Vec<_>>(),
        on_table,
        "{svg}"
    );
    let won: Vec<Option<String>> = all("class", "won")
        .iter()
        .map(|frame| frame.prev_sibling_element()?.attribute("data-card").map(str::to_owned))
        .collect();
    let tricks = truth.on_table.iter().chain(&truth.finished);
    let winning: Vec<Option<String>> =
        tricks.filter_map(|trick| trick.winner().map(|winner| trick.cards[winner].clone())).collect();
    assert_eq!(won, winning, "{svg}");
    check_last(&document, moment, truth);
    let title =
        document.descendants().find(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "title")));
    let title = title.and_then(|node| node.text()).unwrap();
    assert!(title.starts_with(&format!("Marrakesh, ply {}: ", moment.ply)), "{title}");
    assert!(title.ends_with(&truth.due(table).unwrap_or_default()), "{title}");
    assert!(
        svg.contains(&format!(">deck {}<", truth.deck()))
            && svg.contains(&format!(">discards {}<", truth.discards))
    );
    let ended = usize::from(truth.due(table).is_none());
    let winners = all("class", "winner").len();
    assert!(winners >= ended && all("class", "turn").len() == winners + 1 - ended, "{svg}");
}

#[test]
fn in_the_terminal_pieces_ovals_hands_tricks_and_piles_are_those_of_the_position() {
    for_each_position(|table, moment, truth| check_screen(table, moment, truth));
}

#[test]
fn an_svg_has_the_pieces_ovals_hands_and_tricks_of_the_position() {
    for_each_position(|table, moment, truth| check_svg(table, moment, truth));
}

#[test]
fn a_spectator_is_drawn_backs_of_hands_and_leads_until_the_match_is_over() {
    for vector in matches().chain([round()]) {
        let setup_line = vector["record"].as_str().unwrap().lines().next().unwrap();
        let plies = vector["plies"].as_array().unwrap();
        let words: Vec<&str> = plies.iter().map(|ply| ply["word"].as_str().unwrap()).collect();
        for (n, ply) in plies.iter().enumerate() {
            let truth = Truth::read(ply["position"].as_str().unwrap()).to_spectator();
            let (table, moment) = shown_to_spectators(setup_line, &words[..=n]);
            check_screen(&*table, &moment, &truth);
            check_svg(&*table, &moment, &truth);
        }
    }
}

#[test]
fn a_masked_record_is_drawn_as_far_as_it_is_known() {
    let (mut backs, mut replies) = (0, 0);
    for vector in masked() {
        let record = vector["record"].as_str().unwrap();
        let (setup_line, body) = record.split_once("\n\n").unwrap();
        let words = body.split_whitespace().take_while(|word| !["*", "="].contains(word));
        let (table, moment) = played(setup_line, words);
        let truth = Truth::read(vector["position"].as_str().unwrap());
        check_screen(&*table, &moment, &truth);
        check_svg(&*table, &moment, &truth);
        let hand = truth.on_turn.map(|seat| &truth.hands[seat as usize - 1]);
        let is_hidden = truth.on_table.iter().any(|trick| trick.cards.contains(&Some("??".to_owned())));
        if let Some(hand) =
            hand.filter(|hand| is_hidden && truth.phase == "reply" && !hand.contains(&"??".to_owned()))
        {
            let legal = table.svg(&moment, &PictureForm { marks_legal: true, ..PictureForm::default() });
            let marked = legal.split("data-legal=\"").skip(1).map(|rest| rest[..2].to_owned());
            assert_eq!(marked.collect::<Vec<_>>(), *hand, "any card may be played to a hidden lead");
            replies += 1;
        }
        backs += table.svg(&moment, &PictureForm::default()).matches("data-card=\"??\"").count();
    }
    assert!(backs > 200 && replies > 5, "{backs} {replies}");
}
