//! The account of a game adds up to its result, to the last digit.

use assam_players::{CERTAIN_WIN, Player};
use assam_referee::{AnyRecord, GameAccount, MoveKind, Ruleset, Setup, Shown, Table, Visitor, WinAndPoints};
use assam_rules::{Leave, Seat, Turn};

use crate::dice::Dice;
use crate::laws::every_game::random_setup;

/// Draws a setup of a game.
struct AnySetup<'a>(&'a mut Dice);

impl Visitor for AnySetup<'_> {
    type Output = Setup;

    fn visit<G: Shown>(self, ruleset: Ruleset) -> Setup {
        let setup = random_setup::<G>(self.0);
        let options = G::options(&setup);
        let options: Vec<(&str, &str)> =
            options.iter().map(|option| (option.name, option.value.as_str())).collect();
        Setup::new(ruleset, G::seats(&setup), &options).unwrap()
    }
}

/// Plays a game of drawn players, and returns its record with the table after it. Some games are cut off, and in
/// some a seat resigns.
fn game(ruleset: Ruleset, dice: &mut Dice) -> (AnyRecord, Box<dyn Table>) {
    let setup = ruleset.visit(AnySetup(dice));
    let all: Vec<Player> = ruleset.info().players.to_vec();
    let fast = &all[..all.len() - 1];
    let players: Vec<Player> = (0..setup.seats()).map(|_| dice.pick(fast)).collect();
    let most = if dice.below(5) == 0 { 1 + dice.below(30) } else { u64::MAX };
    let mut table = setup.table();
    let mut words: Vec<String> = Vec::new();
    while (words.len() as u64) < most {
        let decision = match table.turn() {
            Turn::Player(seat) if dice.below(400) == 0 => Some(Leave::Resign(seat).into()),
            Turn::Player(seat) => table.choose(players[seat.index()], &mut |_, range| dice.below(range)),
            Turn::Chance => None,
            Turn::Over | Turn::Aborted => break,
        };
        let word = table.decide(decision.as_ref(), &mut |_, range| dice.below(range)).unwrap();
        words.push(word.text().to_owned());
    }
    let record = format!("{}\n\n{} {}\n", setup.line(), words.join(" "), table.marker());
    (record.parse().unwrap(), table)
}

/// An amount as win and points.
fn pair(change: WinAndPoints) -> [i32; 2] {
    [change.win, change.points]
}

fn sum(changes: &[WinAndPoints]) -> [i32; 2] {
    changes.iter().fold([0, 0], |[win, points], change| [win + change.win, points + change.points])
}

fn difference(one: WinAndPoints, other: WinAndPoints) -> WinAndPoints {
    WinAndPoints { win: one.win - other.win, points: one.points - other.points }
}

/// Checks that every seat's columns add up, and that they lead to the result.
fn adds_up(account: &GameAccount, table: &dyn Table, ruleset: Ruleset) {
    let score = table.score();
    let hides = ruleset.to_string() == "marrakesh/1";
    for (place, seat) in account.seats.iter().enumerate() {
        let columns = [seat.start, seat.luck, seat.errors, seat.gifts, seat.hidden, seat.corrections];
        assert_eq!(sum(&columns), pair(seat.result));
        assert_eq!(difference(seat.result, seat.luck), seat.luck_adjusted);
        let [mut luck, mut errors, mut gifts, mut hidden, mut corrections] = [const { vec![] }; 5];
        let (mut last, mut was_hidden) = (seat.start, false);
        for judged in &account.moves {
            let change = difference(judged.after[place], judged.before[place]);
            assert_eq!(difference(judged.before[place], last), judged.correction[place], "{}", judged.text);
            if was_hidden { &mut hidden } else { &mut corrections }.push(judged.correction[place]);
            match (judged.kind, judged.seat) {
                (MoveKind::Chance, _) => luck.push(change),
                (kind, Some(decider)) if decider == seat.seat => {
                    assert!(change.win <= 0 || kind == MoveKind::Departure, "{}: {change:?}", judged.text);
                    errors.push(change);
                }
                _ => gifts.push(change),
            }
            // The hands of Marrakesh, such as `b:6s4d`, and its cards, such as `6s`. A use is `6@4`.
            let is_card = judged.kind == MoveKind::Decision && !judged.text.contains('@');
            assert_eq!(judged.hidden, hides && (is_card || judged.text.contains(':')), "{}", judged.text);
            (last, was_hidden) = (judged.after[place], judged.hidden);
        }
        if was_hidden { &mut hidden } else { &mut corrections }.push(account.close[place]);
        let sums = [luck, errors, gifts, hidden, corrections].map(|column| sum(&column));
        assert_eq!(sums, [seat.luck, seat.errors, seat.gifts, seat.hidden, seat.corrections].map(pair));
        assert_eq!(sum(&[last, account.close[place]]), pair(seat.result));
        if account.over {
            let winners = score.winners();
            // Three winners share 10,000 as 3,333 each.
            let share = if winners.contains(&seat.seat) { CERTAIN_WIN / winners.len() as i32 } else { 0 };
            assert_eq!(seat.result.win, share);
        }
    }
}

#[test]
fn the_account_of_every_game_adds_up_to_its_result() {
    let games = std::env::var("ASSAM_ACCOUNTS").map_or(250, |games| games.parse().unwrap());
    for ruleset in Ruleset::ALL {
        let (mut over, mut luck) = (0, 0);
        for seed in 0..games {
            let (record, table) = game(*ruleset, &mut Dice::new(seed));
            let account = record.account(0).unwrap();
            adds_up(&account, &*table, *ruleset);
            over += u64::from(account.over);
            luck += u64::from(account.seats.iter().any(|seat| pair(seat.luck) != [0, 0]));
            assert_eq!(account.over, table.turn() == Turn::Over);
        }
        assert!(over > games / 2 && luck > games / 2, "{ruleset}: {over} over, {luck} with luck");
    }
}

#[test]
fn every_seat_of_a_round_table_has_a_place_in_the_account() {
    let setup = Setup::new(Ruleset::ALL[0], 4, &[]).unwrap();
    let record: AnyRecord = format!("{}\n\n*\n", setup.line()).parse().unwrap();
    let account = record.account(0).unwrap();
    assert_eq!(account.seats.len(), Seat::all(4).count());
    assert!(!account.over && account.moves.is_empty());
}

/// The last turn of a game for two. Seat 2 has one rug left, and seat 1's only visible rug lies on d5 and d6.
///
/// From d4 to the east, a 1 leads to e4, from where a rug on e5 and d5 covers a half of seat 1. From the other squares
/// of this row no rug reaches it. The west is the same. To the north, 1 and 2 cost a toll of 2, and 3 and 4 lead to d7
/// and next to it, where a rug covers d6.
fn last_turn(dirhams: &str, on_turn: &str) -> String {
    format!(
        "marrakech/1 seats=2 two_player=one-colour position=7/3r3/3r3/7/7/7/7;d5d6;{on_turn};{dirhams};r0b1;b;-"
    )
}

/// Returns the win of seat 2 after each of its decisions.
fn wins(line: &str) -> Vec<(String, i32)> {
    let analysis = Setup::read_position_line(line).unwrap().table().analyse(0).unwrap();
    let mut wins: Vec<_> =
        analysis.lines.into_iter().map(|line| (line.decision, line.equity[1].win)).collect();
    wins.sort();
    wins
}

#[test]
fn last_turns_are_worth_what_one_reckons_by_hand() {
    let of = |wins: [(&str, i32); 3]| wins.map(|(decision, win)| (decision.to_owned(), win)).to_vec();
    // 32 all is a tie after 5 of 6 rolls to the east, and 32 to 31 wins after a 1: (5 x 5,000 + 10,000) / 6. To the
    // north, two fees lose half the rolls, and the other half wins.
    assert_eq!(wins(&last_turn("30,30", "d4N;2;orient")), of([("E", 5833), ("N", 5000), ("W", 5833)]));
    // 33 to 31 wins, but not after a toll: 31 to 32 at best.
    assert_eq!(wins(&last_turn("29,31", "d4N;2;orient")), of([("E", 10_000), ("N", 5000), ("W", 10_000)]));
    // 31 to 32 loses even if a half is covered.
    assert_eq!(wins(&last_turn("31,29", "d4N;2;orient")), of([("E", 0), ("N", 0), ("W", 0)]));
    // After a 1 to the east, only a rug over d5 wins.
    for (rug, win) in wins(&last_turn("30,30", "e4E;2;lay")) {
        assert_eq!(win, if rug.contains("d5") { 10_000 } else { 5000 }, "{rug}");
    }
    // After a 1 to the west, too. After a 2 nothing wins.
    assert!(wins(&last_turn("30,30", "b4W;2;lay")).iter().all(|(_, win)| *win == 5000));
}

#[test]
fn luck_and_errors_of_a_last_turn_are_what_one_reckons_by_hand() {
    let line = last_turn("30,30", "d4N;2;orient");
    let columns = |words: &str| {
        let record: AnyRecord = format!("MKN/1 {line}\n\n{words}\n").parse().unwrap();
        let seat = record.account(0).unwrap().seats.remove(1);
        [seat.start, seat.luck, seat.errors, seat.hidden, seat.corrections, seat.result]
            .map(|change| change.win)
    };
    assert_eq!(columns("E+1 d5e5 = 31 32"), [5833, 4167, 0, 0, 0, 10_000]);
    assert_eq!(columns("E+1 f4g4 = 32 32"), [5833, 4167, -5000, 0, 0, 5000]);
    assert_eq!(columns("W+2 a4a5 = 32 32"), [5833, -833, 0, 0, 0, 5000]);
    assert_eq!(columns("N+3 c6d6 = 31 32"), [5833, 5000, -833, 0, 0, 10_000]);
    assert_eq!(columns("N+1 d4e4 = 34 30"), [5833, -5000, -833, 0, 0, 0]);
}

/// The last trick of a match of Marrakesh. Blue has won it, and has borne off one piece in each of two tricks. Red has a
/// Tangier, which is worth 9.
fn last_trick(pieces: &str, trick: &str, scored: &str) -> String {
    let discards = "5s4s3s3sAsAsQs4h4h3h3h2h2hAhAh6d5d3d2dAd6c5c5c4c4c3cAcAcQc;As";
    let rounds = format!("{scored}{}", ",0/0".repeat(10));
    format!(
        "MKN/1 marrakesh/1 seats=2 position=12;{pieces}/000000;11./42X;4d/6h;r3c6h,b2s2c,rQd5s,b6s6s;1;use;{trick};0;-;{discards};{rounds};-"
    )
}

/// The columns of Blue, with those of what it knew together: start with corrections, luck, errors, hidden, result.
fn blue(line: &str, words: &str) -> [i32; 5] {
    let record: AnyRecord = format!("{line}\n\n{words}\n").parse().unwrap();
    let seat = record.account(0).unwrap().seats.remove(0);
    [seat.start.win + seat.corrections.win, seat.luck.win, seat.errors.win, seat.hidden.win, seat.result.win]
}

#[test]
fn luck_and_errors_of_a_last_trick_of_marrakesh_are_what_one_reckons_by_hand() {
    // Blue leads by 10. Two more pieces make 10 to 9, and one a third single, for which Red gets 4: 10 to 13.
    let line = last_trick("120100", "2c5d;52", "tangier+one-chip/0");
    assert_eq!(blue(&line, "5@4 2@2 = 10 9"), [10_000, 0, 0, 0, 10_000]);
    assert_eq!(blue(&line, "2@4 5@2 = 10 13"), [10_000, 0, -10_000, 0, 0]);

    // Blue leads by 1, bears off two of four pieces, and needs the other two. Of the 11 cards of the deck only the six
    // is used four times. The others are used once, or never.
    let line = last_trick("400000", "2c6c;62", "one-chip/0");
    assert_eq!(blue(&line, "6@1 2@1+6d 6@1 6@1 = 10 9"), [909, 9091, 0, 0, 10_000]);
    assert_eq!(blue(&line, "2@1 6@1+4s 4@1 = 1 9"), [909, -909, 0, 0, 0]);
    assert_eq!(blue(&line, "2@1 6@1+Qh = 1 9"), [909, -909, 0, 0, 0]);
}
