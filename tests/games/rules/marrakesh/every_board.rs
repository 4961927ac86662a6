//! Every board with every pair of different numbers, compared with an exhaustive search.

use std::collections::BTreeSet;

use assam_rules::marrakesh::{Action, Phase, Points, Position, Setup, Side, Trick, ValueOrder};
use assam_rules::{Game, Move};

use super::script::{Scene, card, points};

type Board = [u8; 6];

/// Returns the boards with this many pieces.
fn boards(pieces: u8) -> Vec<Board> {
    let mut all = vec![[0; 6]];
    for _ in 0..pieces {
        let more = all.iter().flat_map(|board: &Board| {
            (0..6).map(move |point| {
                let mut more = *board;
                more[point] += 1;
                more
            })
        });
        all = more.collect::<BTreeSet<_>>().into_iter().collect();
    }
    all
}

/// Returns the board after one use, if the rules of movement allow it.
fn after_use(board: Board, number: usize, point: usize, may_bear_off: bool) -> Option<Board> {
    let mut next = board;
    next[point - 1] = next[point - 1].checked_sub(1)?;
    if point > number {
        next[point - number - 1] += 1;
        return Some(next);
    }
    let none_above = board[point..].iter().all(|&pieces| pieces == 0);
    (may_bear_off && (point == number || none_above)).then_some(next)
}

/// Returns every maximal sequence of uses of these numbers, each used at most once, with the board at its
/// end.
fn lines(board: Board, numbers: &[usize], may_bear_off: bool) -> Vec<(Vec<(usize, usize)>, Board)> {
    let mut all = Vec::new();
    for (n, &number) in numbers.iter().enumerate() {
        for point in 1..=6 {
            if let Some(next) = after_use(board, number, point, may_bear_off) {
                let rest: Vec<usize> =
                    numbers.iter().enumerate().filter(|(m, _)| *m != n).map(|(_, &n)| n).collect();
                for (mut line, end) in lines(next, &rest, may_bear_off) {
                    line.insert(0, (number, point));
                    all.push((line, end));
                }
            }
        }
    }
    if all.is_empty() {
        all.push((Vec::new(), board));
    }
    all
}

/// Returns a position in which Blue has won a trick of a spade and a diamond with these numbers, on this
/// board.
fn in_use(board: Board, full_ovals: bool, numbers: [usize; 2], order: ValueOrder) -> Option<Position> {
    let pieces: u8 = board.iter().sum();
    let pieces_off = usize::from(6 - pieces);
    let (ovals, tricks, hand, replies) = if full_ovals {
        let ovals = ["000", "100", "110", "111", "211", "311"][pieces_off];
        (ovals, "QsQh Ah2c As2d", "3h4h", "3c4c")
    } else {
        let ovals = ["0..", "1..", "2..", "3..", "4..", "5.."][pieces_off];
        (ovals, "QsQh", "3h4h5h6h", "3c4c5c6c")
    };
    let names = ["As", "2s", "3s", "4s", "5s", "6s"];
    let lead = card(names[numbers[0] - 1]);
    let reply = card(&names[numbers[1] - 1].replace('s', "d"));
    let mut scene = Scene::new("123456", ovals, "112456", "...")
        .setup(Setup { value_order: order, ..Setup::default() })
        .tricks(Side::Blue, tricks)
        .hands(hand, replies);
    scene.diagram.points[Side::Blue] = Points::new(board).unwrap();
    let trick = Trick { leader: Side::Blue, lead, reply };
    scene.diagram.phase = Phase::Use { trick, values: trick.values(), bonus: None, off: 0 };
    Position::from_diagram(&scene.setup, &scene.diagram).ok()
}

/// Returns the legal first uses, and the boards at the end of every legal line of this trick.
fn played(position: &Position) -> (BTreeSet<(usize, usize)>, BTreeSet<Board>) {
    let mut first = BTreeSet::new();
    let mut ends = BTreeSet::new();
    for action in position.legal_actions() {
        let Action::Use { number, point } = action else { panic!("{action:?}") };
        first.insert((number.get().into(), point.get().into()));
        let mut next = position.clone();
        next.play(Move::Action(action)).unwrap();
        if let Phase::Use { .. } = next.diagram().phase {
            ends.extend(played(&next).1);
        } else {
            ends.insert(next.diagram().points[Side::Blue].counts());
        }
    }
    (first, ends)
}

fn pairs() -> impl Iterator<Item = [usize; 2]> {
    (1..=6).flat_map(|larger| (1..larger).map(move |smaller| [larger, smaller]))
}

#[test]
fn there_are_923_boards_with_a_piece_and_15_pairs_of_numbers() {
    assert_eq!((1..=6).map(|pieces| boards(pieces).len()).sum::<usize>(), 923);
    assert_eq!(pairs().count(), 15);
    assert_eq!(points("123456").counts(), [1; 6]);
}

#[test]
fn both_numbers_are_used_where_that_is_possible_whichever_comes_first() {
    for full_ovals in [false, true] {
        for board in (1..=6).flat_map(boards) {
            for numbers in pairs() {
                let all = lines(board, &numbers, !full_ovals);
                let longest = all.iter().map(|(line, _)| line.len()).max().unwrap();
                let longest_lines = || all.iter().filter(|(line, _)| line.len() == longest);
                let Some(position) = in_use(board, full_ovals, numbers, ValueOrder::Free) else {
                    assert_eq!(longest, 0, "{board:?} {numbers:?}");
                    continue;
                };
                let (first, ends) = played(&position);
                let expected: BTreeSet<Board> = longest_lines().map(|(_, end)| *end).collect();
                assert_eq!(ends, expected, "{board:?} {numbers:?}");
                // While pieces can be borne off, every use is legal, even if it leaves nothing for the other
                // number.
                let legal = all.iter().filter(|(line, _)| !full_ovals || line.len() == longest);
                assert_eq!(first, legal.map(|(line, _)| line[0]).collect(), "{board:?} {numbers:?}");
            }
        }
    }
}

#[test]
fn with_high_first_the_larger_number_is_used_wherever_it_can_be_and_then_the_smaller_one() {
    for full_ovals in [false, true] {
        for board in (1..=6).flat_map(boards) {
            for numbers in pairs() {
                let [larger, smaller] = numbers;
                let of = |number| -> BTreeSet<(usize, usize)> {
                    let is_legal = |point: &usize| after_use(board, number, *point, !full_ovals).is_some();
                    (1..=6).filter(is_legal).map(|point| (number, point)).collect()
                };
                let expected = if of(larger).is_empty() { of(smaller) } else { of(larger) };
                let position = in_use(board, full_ovals, numbers, ValueOrder::HighFirst);
                let legal = position.map_or(BTreeSet::new(), |position| played(&position).0);
                assert_eq!(legal, expected, "{board:?} {numbers:?}");
            }
        }
    }
}
