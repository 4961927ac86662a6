//! Counts the lines of play from the start and prints the tables of the perft page.
//!
//! `cargo run --release -p assam-rules --example perft [decisions]`

use std::time::Instant;

use assam_rules::marrakech::{Cover, Insolvency, Options, Orientation, Position, Setup, TwoPlayer};
use assam_rules::{Game, Move, marrakesh, perft};

fn main() {
    let decisions = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(6);
    let start = Instant::now();
    println!("Seats and orientation\n");
    let mut lines = print_table(decisions, &tables());
    println!("\nOptions that change a figure\n");
    lines += print_table(decisions, &options());
    println!("\nMarrakesh\n");
    lines += print_figures("| round |", decisions, marrakesh_rows());
    let seconds = start.elapsed().as_secs_f64();
    println!("\n{lines} lines in {seconds:.1} s: {:.1} million per second", lines as f64 / seconds / 1e6);
}

/// A table row: the settings as a setup line writes them, the seats and the options.
type Row = (&'static str, u8, Options);

fn tables() -> Vec<Row> {
    let start = Options::default();
    let end = Options { orientation: Orientation::End, ..start };
    let one_colour = |options| Options { two_player: Some(TwoPlayer::OneColour), ..options };
    vec![
        ("seats=2", 2, start),
        ("seats=2 two_player=one-colour", 2, one_colour(start)),
        ("seats=3", 3, start),
        ("seats=4", 4, start),
        ("seats=2 orientation=end", 2, end),
        ("seats=2 orientation=end two_player=one-colour", 2, one_colour(end)),
        ("seats=3 orientation=end", 3, end),
        ("seats=4 orientation=end", 4, end),
    ]
}

fn options() -> Vec<Row> {
    let one_colour = Options { two_player: Some(TwoPlayer::OneColour), ..Options::default() };
    let poor = Options { start_dirhams: 0, ..Options::default() };
    let poor_pair = Options { start_dirhams: 0, ..one_colour };
    vec![
        ("seats=2 cover=any", 2, Options { cover: Cover::Any, ..Options::default() }),
        ("seats=2 cover=any two_player=one-colour", 2, Options { cover: Cover::Any, ..one_colour }),
        ("seats=2 rugs_per_player=2", 2, Options { rugs_per_player: Some(2), ..Options::default() }),
        (
            "seats=2 rugs_per_player=1 two_player=one-colour",
            2,
            Options { rugs_per_player: Some(1), ..one_colour },
        ),
        ("seats=2 start_dirhams=0", 2, poor),
        ("seats=2 start_dirhams=0 two_player=one-colour", 2, poor_pair),
        (
            "seats=2 last_standing=no start_dirhams=0 two_player=one-colour",
            2,
            Options { last_standing: false, ..poor_pair },
        ),
        (
            "seats=2 insolvency=eliminate-at-zero start_dirhams=2 two_player=one-colour",
            2,
            Options { insolvency: Insolvency::EliminateAtZero, start_dirhams: 2, ..one_colour },
        ),
        ("seats=3 start_dirhams=0", 3, poor),
        ("seats=3 orientation=end start_dirhams=0", 3, Options { orientation: Orientation::End, ..poor }),
        ("seats=4 orientation=end start_dirhams=0", 4, Options { orientation: Orientation::End, ..poor }),
    ]
}

/// Prints a table and returns the sum of its figures.
fn print_table(decisions: u32, rows: &[Row]) -> u64 {
    let start = |&(settings, seats, options): &Row| {
        let setup = Setup::new(seats, &options).expect("every row goes together");
        (format!("`{settings}`"), Position::new(&setup))
    };
    print_figures("| setup |", decisions, rows.iter().map(start))
}

fn print_figures<G: Game>(head: &str, decisions: u32, rows: impl IntoIterator<Item = (String, G)>) -> u64 {
    let mut lines = 0;
    let columns = (1..=decisions).map(|n| format!(" {n} |"));
    println!("{head}{}", columns.collect::<String>());
    println!("| --- |{}", " ---: |".repeat(decisions as usize));
    for (name, start) in rows {
        let figures: Vec<u64> = (1..=decisions).map(|n| perft(&start, n)).collect();
        let columns = figures.iter().map(|figure| format!(" {figure} |"));
        println!("| {name} |{}", columns.collect::<String>());
        lines += figures.iter().sum::<u64>();
    }
    lines
}

/// Returns the worked example round of the Marrakesh rules, from its first lead.
fn marrakesh_rows() -> Vec<(String, marrakesh::Position)> {
    use marrakesh::{Card, Cards, Chance, Deal, Points, Rank, Side, Suit, Throw, ValueOrder};
    let throw = |counts| Points::new(counts).and_then(Throw::new).expect("six dice");
    let hand = |cards: [(Rank, Suit); 6]| {
        let mut hand = Cards::new();
        for (rank, suit) in cards {
            hand.insert(Card::new(suit, rank)).expect("a pack has these");
        }
        Deal::new(hand).expect("six cards")
    };
    let blue = [
        (Rank::Six, Suit::Spades),
        (Rank::Five, Suit::Diamonds),
        (Rank::Queen, Suit::Hearts),
        (Rank::Ace, Suit::Spades),
        (Rank::Three, Suit::Clubs),
        (Rank::Two, Suit::Spades),
    ];
    let red = [
        (Rank::Two, Suit::Clubs),
        (Rank::Three, Suit::Diamonds),
        (Rank::Queen, Suit::Spades),
        (Rank::Three, Suit::Clubs),
        (Rank::Six, Suit::Diamonds),
        (Rank::Four, Suit::Hearts),
    ];
    let dice = Chance::Dice { blue: throw([2, 1, 0, 2, 0, 1]), red: throw([0, 0, 0, 1, 3, 2]) };
    let moves = [dice, Chance::Deal(Side::Blue, hand(blue)), Chance::Deal(Side::Red, hand(red))];
    let row = |(name, value_order): (&str, ValueOrder)| {
        let mut position =
            marrakesh::Position::new(&marrakesh::Setup { value_order, ..marrakesh::Setup::default() });
        for chance in moves {
            position.play(Move::Chance(chance)).expect("the round begins so");
        }
        (name.to_owned(), position)
    };
    [("the worked round", ValueOrder::Free), ("the same, `value_order=high-first`", ValueOrder::HighFirst)]
        .map(row)
        .into()
}
