//! Counts the lines that the rules allow from the start, as `docs/perft.md` prints them.
//!
//! `cargo run --release -p assam-rules --example perft [decisions]`

use assam_rules::marrakech::{Cover, Insolvency, Options, Orientation, Position, Setup, TwoPlayer};
use assam_rules::{Game, perft};

fn main() {
    let decisions = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(6);
    println!("Tables and times of turning\n");
    print_table(decisions, &tables());
    println!("\nOptions, where they change a figure\n");
    print_table(decisions, &options());
}

/// A row: the settings as a setup line says them, the seats, the options.
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

fn print_table(decisions: u32, rows: &[Row]) {
    let columns = (1..=decisions).map(|n| format!(" {n} |"));
    println!("| setup |{}", columns.collect::<String>());
    println!("| --- |{}", " ---: |".repeat(decisions as usize));
    for (settings, seats, options) in rows {
        let setup = Setup::new(*seats, options).expect("every row goes together");
        let start = Position::new(&setup);
        let figures = (1..=decisions).map(|n| format!(" {} |", perft(&start, n)));
        println!("| `{settings}` |{}", figures.collect::<String>());
    }
}
