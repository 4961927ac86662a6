//! An account for people.

use std::fmt::Write as _;

use assam_referee::{MoveAccount, MoveKind, WinAndPoints};

use super::analysed::Analysed;

/// The number of acts of chance shown for each seat.
const LUCKIEST: usize = 3;
/// The width of graphs in characters.
const WIDTH: usize = 64;
/// Bars from low to high.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Writes the account of a record.
pub(super) fn write(out: &mut String, analysed: &Analysed<'_>, shows_all: bool) {
    // Writing to memory cannot fail.
    let _ = write_all(out, analysed, shows_all);
}

fn write_all(out: &mut String, analysed: &Analysed<'_>, shows_all: bool) -> std::fmt::Result {
    let Analysed { source, record, setup, nodes, players, account } = analysed;
    writeln!(out, "{source} {record}: {setup}, judged with {nodes} positions a decision\n")?;
    writeln!(
        out,
        "{:<20}{:>9}{:>9}{:>9}{:>9}{:>12}{:>9}{:>11}{:>5}{:>4}{:>4}",
        "seat", "start", "luck", "errors", "gifts", "correction", "result", "decisions", "?!", "?", "??"
    )?;
    for (seat, player) in account.seats.iter().zip(players) {
        let name = match player {
            Some(player) => format!("{} {player}", seat.seat),
            None => seat.seat.to_string(),
        };
        let name: String = name.chars().take(19).collect();
        writeln!(
            out,
            "{name:<20}{:>9}{:>9}{:>9}{:>9}{:>12}{:>9}{:>11}{:>5}{:>4}{:>4}",
            percent(seat.start),
            signed(seat.luck),
            signed(seat.errors),
            signed(seat.gifts),
            signed(seat.corrections),
            percent(seat.result),
            seat.decisions,
            seat.doubtful,
            seat.mistakes,
            seat.blunders
        )?;
        writeln!(
            out,
            "{:<20}{:>9}{:>9}{:>9}{:>9}{:>12}{:>9}",
            "  points",
            points(seat.start),
            signed_points(seat.luck),
            signed_points(seat.errors),
            signed_points(seat.gifts),
            signed_points(seat.corrections),
            points(seat.result)
        )?;
    }
    out.push('\n');
    for (place, seat) in account.seats.iter().enumerate() {
        let wins = account.moves.iter().map(|judged| judged.after[place].win);
        writeln!(out, "{} win   {}", seat.seat, graph(wins, 0, 10_000))?;
        let mut luck = 0;
        let sums: Vec<i32> = account
            .moves
            .iter()
            .map(|judged| {
                if judged.kind == MoveKind::Chance {
                    luck += judged.after[place].win - judged.before[place].win;
                }
                luck
            })
            .collect();
        let most = sums.iter().map(|sum| sum.abs()).max().unwrap_or(0).max(1);
        writeln!(out, "  luck  {}", graph(sums.into_iter(), -most, most))?;
    }
    out.push('\n');
    for (place, seat) in account.seats.iter().enumerate() {
        writeln!(out, "{}", summary(place, seat.seat, &account.moves))?;
    }
    out.push('\n');
    for judged in account.moves.iter().filter(|judged| shows_all || judged.mark.is_some()) {
        writeln!(out, "{}", line(judged))?;
    }
    out.push('\n');
    Ok(())
}

/// Sums up a seat's game: its luckiest and unluckiest chance, and its largest error.
fn summary(place: usize, seat: u8, moves: &[MoveAccount]) -> String {
    let change = |judged: &MoveAccount| judged.after[place].win - judged.before[place].win;
    let mut chance: Vec<&MoveAccount> =
        moves.iter().filter(|judged| judged.kind == MoveKind::Chance).collect();
    chance.sort_by_key(|judged| -change(judged).abs());
    let luck: i32 = chance.iter().map(|judged| change(judged)).sum();
    let most: Vec<String> = chance
        .iter()
        .take(LUCKIEST)
        .map(|judged| format!("{} on ply {} {}", judged.text, judged.ply, signed_win(change(judged))))
        .collect();
    let own = || moves.iter().filter(|judged| judged.seat == Some(seat));
    let errors: i32 = own().map(change).sum();
    let mut told = format!("Seat {seat}: luck {}", signed_win(luck));
    if !most.is_empty() {
        let _ = write!(told, ", most by {}", most.join(", "));
    }
    let _ = write!(told, "; errors {}", signed_win(errors));
    if let Some(worst) = own().min_by_key(|judged| change(judged)).filter(|judged| change(judged) < 0) {
        let _ = write!(told, ", the largest on ply {}: {}", worst.ply, worst.text);
        if let Some(best) = worst.lines.first() {
            let _ = write!(told, ", where {} was better by {}", best.decision, win(-change(worst)));
        }
    }
    told.push('.');
    told
}

/// Describes a move: the win of every seat before and after it.
fn line(judged: &MoveAccount) -> String {
    let who = judged.seat.map_or_else(|| "chance".to_owned(), |seat| format!("seat {seat}"));
    let mark = judged.mark.map_or("", assam_players::Mark::sign);
    let wins = |changes: &[WinAndPoints]| {
        changes.iter().map(|change| format!("{:>7}", percent(*change))).collect::<String>()
    };
    let mut told = format!(
        "{:>4} {who:<7} {:<10}{}  ->{}",
        judged.ply,
        format!("{}{mark}", judged.text),
        wins(&judged.before),
        wins(&judged.after)
    );
    let better = judged.lines.first().filter(|best| best.decision != judged.text);
    if let Some(best) = better {
        let _ = write!(told, "   {} was better", best.decision);
    }
    told
}

/// Draws values over time, each as wide as the others.
fn graph(values: impl Iterator<Item = i32>, low: i32, high: i32) -> String {
    let values: Vec<i32> = values.collect();
    let width = WIDTH.min(values.len());
    (0..width)
        .map(|column| {
            let value = values[(column + 1) * values.len() / width - 1];
            let step = i64::from(value - low) * 8 / i64::from(high - low + 1);
            BARS[step.clamp(0, 7) as usize]
        })
        .collect()
}

fn win(hundredths: i32) -> String {
    format!("{:.1}%", f64::from(hundredths) / 100.0)
}

fn signed_win(hundredths: i32) -> String {
    format!("{:+.1}%", f64::from(hundredths) / 100.0)
}

fn percent(change: WinAndPoints) -> String {
    win(change.win)
}

fn signed(change: WinAndPoints) -> String {
    signed_win(change.win)
}

fn points(change: WinAndPoints) -> String {
    format!("{:.1}", f64::from(change.points) / 1000.0)
}

fn signed_points(change: WinAndPoints) -> String {
    format!("{:+.1}", f64::from(change.points) / 1000.0)
}
